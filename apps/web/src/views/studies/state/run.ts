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
}

export function isSameRequest(one: Request, other: Request): boolean {
  return one.study === other.study && one.options === other.options;
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

/** At the present pace; `null` before it is known. */
export function leftMs(run: Run, progress: Progress, now: number): number | null {
  const done = workDone(run, progress.advanced);
  const [fresh, passed] = [done - progress.doneBefore, now - progress.began];
  // The start is spent on loading the engines.
  return fresh <= 0 || passed < FIRST_GUESS_MS ? null : (passed * (workOf(run) - done)) / fresh;
}

const FIRST_GUESS_MS = 1500;

/** In the format of the command line. */
export function utc(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}
