/** Texts of the engine's validation errors. */
import { t2d } from '../i18n/translate.ts';
import type { Parameters, FieldError } from '../workers/protocol.ts';

export function problemText({ problem, limit }: FieldError): string {
  switch (problem) {
    case 'not-a-number':
    case 'not-whole':
    case 'unknown':
      return t2d(`problem.${problem}`);
    default:
      return t2d(`problem.${problem}`, { limit: limit ?? '?' });
  }
}

export function problemOf(problems: readonly FieldError[], field: keyof Parameters): string | undefined {
  const own = problems.find((problem) => problem.field === field);
  return own === undefined ? undefined : problemText(own);
}
