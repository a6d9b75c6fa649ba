/** Text description of the stage, for screen readers; the `D` key announces it. */
import { localized } from '../../../shared/i18n/translate.ts';
import { t2d } from '../i18n/translate.ts';
import type { Session } from './session.ts';

/** Accessible name of the stage: short, and constant while it moves. */
export function stageLabel(session: Session): string {
  const count = session.running.value?.objects;
  return count === undefined ? t2d('stage.waiting') : t2d('stage.label', { count });
}

export function describe(session: Session): string {
  const [scene, report, technique] = [session.running.value, session.report.value, session.runningTechnique.value];
  if (scene === null || report === null) {
    return t2d('describe.nothing');
  }
  const { objects, touching, pairs, tests, missed, frame } = report;
  const shape = t2d(scene.bounds === 'circle' ? 'describe.circles' : 'describe.boxes', { count: objects });
  const sentences = [
    t2d('describe.world', { width: scene.width, height: scene.height, count: objects, shape }),
    t2d('describe.touching', { count: touching, pairs }),
    t2d('describe.technique', {
      technique: technique === undefined ? scene.technique : localized(technique.label),
      tests,
      all: everyPair(objects),
    }),
  ];
  if (missed !== null && missed > 0) {
    sentences.push(t2d('describe.missed', { count: missed }));
  }
  sentences.push(t2d(session.playing.value ? 'describe.playing' : 'describe.paused', { frame }));
  const selected = session.seen.selection.value;
  sentences.push(
    selected === null
      ? t2d('describe.unselected')
      : t2d('describe.selected', {
          object: selected.object,
          tested: selected.testedOthers,
          touching: selected.touching.length,
        }),
  );
  return sentences.join(' ');
}

/** Number of pairs of `objects`: the tests of brute force. */
export function everyPair(objects: number): number {
  return (objects * (objects - 1)) / 2;
}
