/** A run: rows and progress as immutable data. */
import type { RunEnvironment, Measured, Plan, Request } from '../workers/protocol.ts';

export interface Run {
  request: Request;
  plan: Plan;
  /** One entry per case, as written by the engine; `null` if it is not measured yet. */
  rows: readonly (string | null)[];
  state: 'running' | 'stopped' | 'finished';
  environment: RunEnvironment;
}

/** Progress while cases are measured. */
export interface Progress {
  /** Work done of each running case. */
  advanced: ReadonlyMap<number, number>;
  /** Start of the current session in ms, and the work that was done before. */
  began: number;
  doneBefore: number;
  /** Estimated end in ms, smoothed, and when it was updated; `null` before it is known. */
  end: { at: number; updated: number } | null;
}

/** Number of measured cases. */
export function measuredCount({ rows }: Run): number {
  return rows.filter((each) => each !== null).length;
}

export function isMeasured({ rows }: Run): boolean {
  return rows.some((each) => each !== null);
}

export function casesLeft({ rows }: Run): number[] {
  return rows.flatMap((each, number) => (each === null ? [number] : []));
}

/** All measured rows, in the order of the report. */
export function measuredOf({ rows, environment }: Run): Measured {
  return { rows: `[${rows.filter((each) => each !== null).join(',')}]`, environment };
}

export function workOf({ plan }: Run): number {
  return plan.cases.reduce((sum, { work }) => sum + work, 0);
}

/** Of complete cases and running ones. */
export function workDone({ plan, rows }: Run, advanced: ReadonlyMap<number, number>): number {
  return plan.cases.reduce((sum, { work }, number) => {
    const done = rows[number] === null ? Math.min(work, advanced.get(number) ?? 0) : work;
    return sum + done;
  }, 0);
}

/**
 * Share of the cases that are done, 0 to 1: a running case counts by its own progress. Not by
 * estimated work, of which the largest cases have nearly all: the share would contradict the count
 * of cases beside it.
 */
export function shareDone({ plan, rows }: Run, advanced: ReadonlyMap<number, number>): number {
  const done = plan.cases.reduce((sum, { work }, number) => {
    if (rows[number] !== null) return sum + 1;
    return sum + (work > 0 ? Math.min(1, (advanced.get(number) ?? 0) / work) : 0);
  }, 0);
  return plan.cases.length === 0 ? 0 : done / plan.cases.length;
}

/** By work, at the mean pace of this session; `null` before it is known. */
export function leftMs(run: Run, progress: Progress, now: number): number | null {
  const done = workDone(run, progress.advanced);
  const [fresh, passed] = [done - progress.doneBefore, now - progress.began];
  // The start is spent on loading the engines.
  return fresh <= 0 || passed < FIRST_GUESS_MS ? null : (passed * (workOf(run) - done)) / fresh;
}

const FIRST_GUESS_MS = 3000;

/**
 * Exponential smoothing of the estimated end: the pace differs between cases, and an estimate that
 * jumps is not believed.
 */
export function smoothedEnd(before: Progress['end'], left: number | null, now: number): Progress['end'] {
  if (left === null) return before;
  if (before === null) return { at: now + left, updated: now };
  const weight = 1 - Math.exp((before.updated - now) / SMOOTHING_MS);
  return { at: before.at + weight * (now + left - before.at), updated: now };
}

const SMOOTHING_MS = 15_000;

/** In the format of the command line. */
export function utc(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}
