/** Text description of the stage, for screen readers; the `D` key announces it. */
import { language, t } from '../../../shared/i18n/translate.ts';
import { formatNumber, formatSignificant } from '../../../shared/i18n/number-format.ts';
import { volumeOf } from './mesh-names.ts';
import type { Ray, Sight } from '../workers/protocol.ts';
import type { Session } from './session.ts';
import { tRays } from '../i18n/translate.ts';

/** Accessible name of the stage: short, and constant while it moves. */
export function stageLabel(session: Session): string {
  const facts = session.facts.value;
  return facts === null ? t('stage.waiting') : tRays('stage.label', { name: session.title(), count: facts.triangles });
}

export function spokenVector(vector: readonly number[]): string {
  return vector.map((part) => formatSignificant(part, 5, language.value)).join('; ');
}

/** The result for the present points; null before the user has chosen points, and between two clicks. */
export function sightResult({ selection, results }: Session): Sight | null {
  return selection.hasSight.value && !selection.isPlacingSight.value ? results.sight.value : null;
}

export function describeSight(session: Session): string {
  const { ends: chosen, hasSight, isPlacingSight } = session.selection;
  const [ends, sight] = [chosen.value, session.results.sight.value];
  if (ends === null) return '';
  if (isPlacingSight.value) return tRays('sight.placed');
  if (!hasSight.value) return tRays('sight.hint');
  if (sight === null) return tRays('sight.one-point');
  const [a, b] = ends;
  const length = Math.hypot(...a.map((part, axis) => b[axis]! - part));
  const fourDigits = (value: number): string => formatSignificant(value, 4, language.value);
  if (sight.at === null) return tRays('sight.nothing', { length: fourDigits(length) });
  return tRays('sight.by', { triangle: formatNumber(sight.at.triangle, language.value), away: fourDigits(length * (sight.t ?? 0)), length: fourDigits(length) });
}

export function describe(session: Session): string {
  const facts = session.facts.value;
  if (facts === null) return t('describe.nothing');
  const locale = language.value;
  const [x, y, z] = facts.max.map((greatest, axis) => formatSignificant(greatest - facts.min[axis]!, 4, locale)) as [string, string, string];
  const sentences = [tRays('describe.mesh', { name: session.title(), count: facts.triangles, x, y, z })];
  const opening = session.opening.value;
  if (opening !== null) sentences.push(tRays('describe.opening', { name: opening.name }));
  const levels = session.results.levels.value;
  if (levels !== null) sentences.push(tRays('describe.affinity', { affinity: tRays(`levels.${levels.affinity}`).toLowerCase() }));
  const [ray, cast] = [session.selection.ray.value, session.results.cast.value];
  const own = cast?.structures.find(({ name }) => name === session.selection.technique.value);
  if (ray !== null && cast !== null) {
    const hit = hitParameter(session);
    const begins = tRays('describe.ray', { origin: spokenVector(ray.origin), direction: spokenVector(ray.direction) });
    const ends =
      cast.at === null || hit === null
        ? tRays('describe.miss')
        : tRays('describe.hit', { triangle: cast.at.triangle, distance: formatSignificant(distanceAt(ray, hit), 5, locale), t: formatSignificant(hit, 5, locale), point: spokenVector(cast.at.point) });
    sentences.push(`${begins} ${ends}`);
  }
  if (own !== undefined) {
    const [name, tests] = [tRays(`structure.${own.name}-name`), own.tests];
    sentences.push(own.name === 'brute' ? tRays('describe.counts-brute', { name, tests }) : tRays(`describe.counts-${volumeOf(own.name)}`, { name, cells: own.boxes, tests }));
  }
  const { step, count } = session.results.playback;
  if (count.value > 0) sentences.push(tRays(`describe.step-${volumeOf(session.selection.technique.value)}`, { step: step.value, all: count.value }));
  const sight = sightResult(session);
  if (sight !== null && session.selection.drawsSight.value) {
    const result = tRays(sight.blocked ? 'sight.blocked' : 'sight.clear');
    sentences.push(tRays('describe.sight', { result: result.toLowerCase() }), describeSight(session));
  }
  const advice = session.results.tried.value?.advice ?? null;
  if (advice !== null) sentences.push(tRays('describe.advice', { name: tRays(`structure.${advice.name}-name`) }));
  return sentences.join(' ');
}

/** Distance from the origin at a ray parameter, in units of the mesh: t × |direction|. */
export function distanceAt({ direction }: Ray, t: number): number {
  return t * Math.hypot(...direction);
}

/** Ray parameter t of the closest hit, in lengths of the direction. */
export function hitParameter(session: Session): number | null {
  return session.results.cast.value?.structures.find(({ name, t }) => name !== 'study-octree' && t !== null)?.t ?? null;
}
