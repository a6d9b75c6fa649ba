/** Reason of the recommendation, from the times of the table under it. */
import { language } from '../../../shared/i18n/translate.ts';
import { formatSignificant } from '../../../shared/i18n/number-format.ts';
import { tRays } from '../i18n/translate.ts';
import type { Tried } from '../workers/protocol.ts';

/** In a readable unit. */
export function durationText(seconds: number): string {
  const [scale, unit] = seconds < 1e-6 ? [1e9, 'ns'] : seconds < 1e-3 ? [1e6, 'µs'] : [1e3, 'ms'];
  return `${formatSignificant(seconds * scale, 3, language.value)} ${unit}`;
}

export function adviceText({ advice, rays }: Tried): string {
  const secondsOf = (wanted: string | undefined): number | undefined => rays.find(({ name }) => name === wanted)?.seconds;
  const [own, study] = [secondsOf(advice?.name), secondsOf('study-octree')];
  const sentences = own === undefined ? [] : [tRays('advisor.reason', { time: durationText(own) })];
  if (study !== undefined) sentences.push(tRays('advisor.study', { time: durationText(study) }));
  return sentences.join(' ');
}
