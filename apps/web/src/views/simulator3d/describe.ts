/** What is on the stage, in words? For those who do not see it; `D` speaks it. */
import { language, words } from '../../shared/i18n.ts';
import { fixed, significant } from '../../shared/numbers.ts';
import type { Session } from './session.ts';
import { shapeName, titleOf } from './names.ts';
import { ROW } from './protocol.ts';
import { words3d } from './words.ts';

/** The name of the stage: short, and still while it moves. */
export function stageLabel(session: Session): string {
  return session.rules.value === null
    ? words('stage.waiting')
    : `${words3d('stage.label', { count: session.bodies.value.length })}, ${titleOf(session)}`;
}

export function describe(session: Session): string {
  const report = session.report.value;
  if (session.rules.value === null || report === null) {
    return words('describe.nothing');
  }
  const spoken = language.value;
  const { figures } = report;
  const still = session.bodies.value.filter(({ type }) => type === 'fixed').length;
  const seconds = fixed(figures.time, 2, spoken);
  const sentences = [
    words3d('describe.scene', { name: titleOf(session), count: figures.bodies, still }),
    words3d('describe.touching', {
      touching: figures.touching,
      contacts: figures.contacts,
      islands: figures.islands,
      asleep: figures.asleep,
    }),
    words3d('describe.energy', {
      energy: significant(figures.energy, 3, spoken),
      kinetic: significant(figures.kinetic, 3, spoken),
    }),
    words3d(session.playing.value ? 'describe.playing' : 'describe.paused', { step: figures.step, seconds }),
  ];
  const row = session.selection.row.value;
  if (row === null) {
    sentences.push(words3d('describe.unselected'));
  } else {
    const at = session.bodies.value.indexOf(row) * ROW.size;
    const number = (place: number): string => fixed(report.rows[at + place] ?? Number.NaN, 2, spoken);
    sentences.push(
      words3d('describe.selected', {
        name: row.name,
        shape: shapeName(row.shape).toLowerCase(),
        x: number(ROW.place),
        y: number(ROW.place + 1),
        z: number(ROW.place + 2),
        speed: number(ROW.speed),
        count: report.rows[at + ROW.contacts] ?? 0,
      }),
    );
  }
  return sentences.join(' ');
}
