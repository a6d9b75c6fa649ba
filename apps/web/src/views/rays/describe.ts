/** What is on the stage, in words? For those who do not see it; `D` speaks it. */
import { language, words } from '../../shared/i18n.ts';
import { plain, significant } from '../../shared/numbers.ts';
import type { Session } from './session.ts';
import { wordsRays } from './words.ts';

/** The name of the stage: short, and still while it moves. */
export function stageLabel(session: Session): string {
  const facts = session.facts.value;
  return facts === null ? words('stage.waiting') : wordsRays('stage.label', { name: session.title(), count: facts.triangles });
}

export function vectorInWords(vector: readonly number[]): string {
  return vector.map((part) => significant(part, 5, language.value)).join('; ');
}

export function sightInWords(session: Session): string {
  const [ends, sight] = [session.chosen.ends.value, session.answers.sight.value];
  if (ends === null) return '';
  if (sight === null) return wordsRays('sight.one-point');
  const [a, b] = ends;
  const length = Math.hypot(...a.map((part, axis) => b[axis]! - part));
  const told = (value: number): string => significant(value, 4, language.value);
  if (sight.at === null) return wordsRays('sight.nothing', { length: told(length) });
  return wordsRays('sight.by', { triangle: plain(sight.at.triangle, language.value), away: told(length * (sight.t ?? 0)), length: told(length) });
}

export function describe(session: Session): string {
  const facts = session.facts.value;
  if (facts === null) return words('describe.nothing');
  const spoken = language.value;
  const [x, y, z] = facts.max.map((greatest, axis) => significant(greatest - facts.min[axis]!, 4, spoken)) as [string, string, string];
  const sentences = [wordsRays('describe.mesh', { name: session.title(), count: facts.triangles, x, y, z })];
  const opening = session.opening.value;
  if (opening !== null) sentences.push(wordsRays('describe.opening', { name: opening.name }));
  const levels = session.answers.levels.value;
  if (levels !== null) sentences.push(wordsRays('describe.affinity', { affinity: wordsRays(`levels.${levels.affinity}`).toLowerCase() }));
  const [ray, cast] = [session.chosen.ray.value, session.answers.cast.value];
  const own = cast?.structures.find(({ name }) => name === session.chosen.technique.value);
  if (ray !== null && cast !== null) {
    const hit = hitOf(session);
    const begins = wordsRays('describe.ray', { origin: vectorInWords(ray.origin), direction: vectorInWords(ray.direction) });
    const ends =
      cast.at === null || hit === null
        ? wordsRays('describe.miss')
        : wordsRays('describe.hit', { triangle: cast.at.triangle, t: significant(hit, 5, spoken), point: vectorInWords(cast.at.point) });
    sentences.push(`${begins} ${ends}`);
  }
  if (own !== undefined) {
    sentences.push(wordsRays('describe.counts', { name: wordsRays(`structure.${own.name}-name`), cells: own.boxes, tests: own.tests }));
  }
  const { step, count } = session.answers.walked;
  if (count.value > 0) sentences.push(wordsRays('describe.step', { step: step.value, all: count.value }));
  if (session.chosen.drawsSight.value) {
    const result = session.answers.sight.value?.blocked === true ? wordsRays('sight.blocked') : wordsRays('sight.clear');
    sentences.push(wordsRays('describe.sight', { result: result.toLowerCase() }), sightInWords(session));
  }
  const advice = session.answers.tried.value?.advice ?? null;
  if (advice !== null) sentences.push(wordsRays('describe.advice', { name: wordsRays(`structure.${advice.name}-name`) }));
  return sentences.join(' ');
}

/** Where our structures are hit, in lengths of the direction. */
export function hitOf(session: Session): number | null {
  return session.answers.cast.value?.structures.find(({ name, t }) => name !== 'study-octree' && t !== null)?.t ?? null;
}
