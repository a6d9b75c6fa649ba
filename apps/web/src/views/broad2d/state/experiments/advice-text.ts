/**
 * Reason of the recommendation.
 *
 * The advisor knows the scene but not this machine: its reason is stated together with what was
 * measured in this run.
 */
import { formatSignificant } from '../../../../shared/i18n/number-format.ts';
import { language, localized } from '../../../../shared/i18n/translate.ts';
import { t2d } from '../../i18n/translate.ts';
import type { Advice, Measured } from '../../workers/protocol.ts';
import type { Results } from './experiments.ts';
import { rankingOf } from './noise.ts';

type Run = Pick<Results, 'rows' | 'state'>;

export function adviceText(advice: Advice, { rows, state }: Run, label: (technique: string) => string): string {
  const reason = localized(advice.reason);
  const name = ({ parameters }: Measured): string => label(parameters.technique);
  const technique = label(advice.technique);
  const ranking = state === 'running' ? null : rankingOf(rows);
  const advised = rows.find(({ parameters }) => parameters.technique === advice.technique);
  if (ranking === null || advised === undefined) {
    return sentence(reason);
  }
  const { fastest, leaders, next } = ranking;
  const times = (slow: Measured): string => formatSignificant(slow.msPerFrame / fastest.msPerFrame, 2, language.value);
  if (!leaders.includes(advised)) {
    return sentence(t2d('experiment.advice.faster', { technique: name(fastest), advised: technique, times: times(advised), reason }));
  }
  if (leaders.length > 1) {
    const techniques = new Intl.ListFormat(language.value).format(leaders.map(name));
    return sentence(t2d('experiment.advice.noise', { techniques, technique, reason }));
  }
  return sentence(next === null ? reason : t2d('experiment.advice.fastest', { times: times(next), next: name(next), reason }));
}

/** The engine's reasons are clauses without capital and period. */
function sentence(clause: string): string {
  return `${clause.charAt(0).toLocaleUpperCase(language.value)}${clause.slice(1)}${/[.!?]$/.test(clause) ? '' : '.'}`;
}
