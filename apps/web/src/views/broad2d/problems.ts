/** What does the engine mean by a problem, in words? */
import { words } from '../../shared/i18n.ts';
import type { Parameters, Problem } from './protocol.ts';

export function problemText({ problem, limit }: Problem): string {
  switch (problem) {
    case 'not-a-number':
    case 'not-whole':
    case 'unknown':
      return words(`problem.${problem}`);
    default:
      return words(`problem.${problem}`, { limit: limit ?? '?' });
  }
}

export function problemOf(problems: readonly Problem[], field: keyof Parameters): string | undefined {
  const own = problems.find((problem) => problem.field === field);
  return own === undefined ? undefined : problemText(own);
}
