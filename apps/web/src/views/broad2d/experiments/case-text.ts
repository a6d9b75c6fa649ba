/** What is being measured now, in words? */
import { words } from '../../../shared/i18n.ts';
import type { Parameters } from '../protocol.ts';
import type { Session } from '../session.ts';

export function caseText(session: Session, { technique, cellSize, objects, bounds }: Parameters): string {
  const label = session.experiments.label(technique);
  if (session.experiments.experiment.value?.varies === 'cellSize' && cellSize > 0) {
    return words('lab.case.cell', { technique: label, cell: cellSize });
  }
  return words('lab.case.objects', {
    technique: label,
    objects: words('stage.objects', { count: objects }),
    bounds: words(`form.bounds.${bounds}`),
  });
}
