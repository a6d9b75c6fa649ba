/** Label of the case that is being measured. */
import { t2d } from '../../i18n/translate.ts';
import type { Parameters } from '../../workers/protocol.ts';
import type { Session } from '../session.ts';

export function caseLabel(session: Session, { technique, cellSize, objects, bounds }: Parameters): string {
  const label = session.experiments.label(technique);
  if (session.experiments.experiment.value?.varies === 'cellSize' && cellSize > 0) {
    return t2d('experiment.case.cell', { technique: label, cell: cellSize });
  }
  return t2d('experiment.case.objects', {
    technique: label,
    objects: t2d('stage.objects', { count: objects }),
    bounds: t2d(`form.bounds.${bounds}`),
  });
}
