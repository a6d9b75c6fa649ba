/** What is on the stage, in words? For those who do not see it; `D` speaks it. */
import { spoken, words } from '../../shared/i18n.ts';
import type { Session } from './session.ts';

/** The name of the stage: short, and still while it moves. */
export function stageLabel(session: Session): string {
  const count = session.running.value?.objects;
  return count === undefined ? words('stage.waiting') : words('stage.label', { count });
}

export function describe(session: Session): string {
  const [scene, report, technique] = [session.running.value, session.report.value, session.runningTechnique.value];
  if (scene === null || report === null) {
    return words('describe.nothing');
  }
  const { objects, touching, pairs, tests, missed, frame } = report;
  const shape = words(scene.bounds === 'circle' ? 'describe.circles' : 'describe.boxes', { count: objects });
  const sentences = [
    words('describe.world', { width: scene.width, height: scene.height, count: objects, shape }),
    words('describe.touching', { count: touching, pairs }),
    words('describe.technique', {
      technique: technique === undefined ? scene.technique : spoken(technique.label),
      tests,
      all: everyPair(objects),
    }),
  ];
  if (missed !== null && missed > 0) {
    sentences.push(words('describe.missed', { count: missed }));
  }
  sentences.push(words(session.playing.value ? 'describe.playing' : 'describe.paused', { frame }));
  const selected = session.seen.selection.value;
  sentences.push(
    selected === null
      ? words('describe.unselected')
      : words('describe.selected', {
          object: selected.object,
          tested: selected.testedOthers,
          touching: selected.touching.length,
        }),
  );
  return sentences.join(' ');
}

/** Pairs among so many objects: what testing each against each takes. */
export function everyPair(objects: number): number {
  return (objects * (objects - 1)) / 2;
}
