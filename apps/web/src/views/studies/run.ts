/** What was measured, and how far is it? Plain data: a run is replaced by what it becomes. */
import type { Around, Measured, Plan, Request } from './protocol.ts';

export interface Run {
  request: Request;
  plan: Plan;
  /** As the engine wrote them, a case an entry; `null` what is not measured yet. */
  rows: readonly (string | null)[];
  state: 'running' | 'stopped' | 'finished';
  around: Around;
}

/** What happens while cases are measured. */
export interface Progress {
  /** Work done of each case under way. */
  advanced: ReadonlyMap<number, number>;
  /** Since the last beginning, in ms, and the work that was done before it. */
  began: number;
  doneBefore: number;
}

export function isSameRequest(one: Request, other: Request): boolean {
  return one.study === other.study && one.asked === other.asked;
}

/** Cases that are measured. */
export function measuredCount({ rows }: Run): number {
  return rows.filter((each) => each !== null).length;
}

export function isMeasured({ rows }: Run): boolean {
  return rows.some((each) => each !== null);
}

export function casesLeft({ rows }: Run): number[] {
  return rows.flatMap((each, number) => (each === null ? [number] : []));
}

/** All that is measured, in the order of the report. */
export function measuredOf({ rows, around }: Run): Measured {
  return { rows: `[${rows.filter((each) => each !== null).join(',')}]`, around };
}

export function workOf({ plan }: Run): number {
  return plan.cases.reduce((sum, { work }) => sum + work, 0);
}

/** Of whole cases, and of those under way. */
export function workDone({ plan, rows }: Run, advanced: ReadonlyMap<number, number>): number {
  return plan.cases.reduce((sum, { work }, number) => {
    const done = rows[number] === null ? Math.min(work, advanced.get(number) ?? 0) : work;
    return sum + done;
  }, 0);
}

/** At the present pace; `null` before there is one. */
export function leftMs(run: Run, progress: Progress, now: number): number | null {
  const done = workDone(run, progress.advanced);
  const [fresh, passed] = [done - progress.doneBefore, now - progress.began];
  // The first moments go into fetching and starting the engines.
  return fresh <= 0 || passed < FIRST_GUESS_MS ? null : (passed * (workOf(run) - done)) / fresh;
}

const FIRST_GUESS_MS = 1500;

/** As the command line writes them. */
export function utc(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}
