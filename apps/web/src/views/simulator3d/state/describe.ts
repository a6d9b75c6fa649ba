/** Text description of the stage, for screen readers; the `D` key announces it. */
import { language, t } from '../../../shared/i18n/translate.ts';
import { formatFixed, formatSignificant } from '../../../shared/i18n/number-format.ts';
import type { Session } from './session.ts';
import { bodyName } from '../i18n/body-names.ts';
import { methodName, shapeName, titleOf } from '../i18n/names.ts';
import { distanceText } from '../i18n/comparison.ts';
import { ROW } from '../workers/protocol.ts';
import { t3d } from '../i18n/translate.ts';

/** Accessible name of the stage: short, and constant while it moves. */
export function stageLabel(session: Session): string {
  return session.rules.value === null
    ? t('stage.waiting')
    : `${t3d('stage.label', { count: session.bodies.value.length })}, ${titleOf(session)}`;
}

export function describe(session: Session): string {
  const report = session.report.value;
  if (session.rules.value === null || report === null) {
    return t('describe.nothing');
  }
  const locale = language.value;
  const { figures } = report;
  const still = session.bodies.value.filter(({ type }) => type === 'fixed').length;
  const seconds = formatFixed(figures.time, 2, locale);
  const sentences = [
    t3d('describe.scene', { name: titleOf(session), count: figures.bodies, still }),
    t3d('describe.touching', {
      touching: figures.touching,
      contacts: figures.contacts,
      islands: figures.islands,
      asleep: figures.asleep,
    }),
    t3d('describe.energy', {
      energy: formatSignificant(figures.energy, 3, locale),
      kinetic: formatSignificant(figures.kinetic, 3, locale),
    }),
    t3d(session.playing.value ? 'describe.playing' : 'describe.paused', { step: figures.step, seconds }),
  ];
  const { comparison } = report;
  if (comparison !== null) {
    const numbers = { energy: formatSignificant(comparison.figures.energy, 3, locale), contacts: comparison.figures.contacts };
    sentences.push(t3d('describe.comparison', { name: methodName(comparison.method, session), step: comparison.from, ...numbers }), distanceText(session, comparison));
  }
  const row = session.selection.row.value;
  if (row === null) {
    sentences.push(t3d('describe.unselected'));
  } else {
    const at = session.bodies.value.indexOf(row) * ROW.size;
    const number = (place: number): string => formatFixed(report.rows[at + place] ?? Number.NaN, 2, locale);
    sentences.push(
      t3d('describe.selected', {
        name: bodyName(row.name),
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
