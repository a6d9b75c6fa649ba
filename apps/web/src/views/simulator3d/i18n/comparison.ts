/** Differences of two compared worlds, as a sentence. */
import { language } from '../../../shared/i18n/translate.ts';
import { formatSignificant } from '../../../shared/i18n/number-format.ts';
import type { ComparisonReport } from '../workers/protocol.ts';
import type { Session } from '../state/session.ts';
import { bodyName } from './body-names.ts';
import { t3d } from './translate.ts';

/** How far the positions of the bodies differ. */
export function distanceText(session: Session, { max, mean, key }: ComparisonReport): string {
  if (max === 0) return t3d('compare.equal');
  const name = bodyName(session.bodies.value.find((body) => body.key === key)?.name ?? '');
  const write = (value: number): string => formatSignificant(value, 3, language.value);
  return t3d('compare.distance', { max: write(max), mean: write(mean), name });
}
