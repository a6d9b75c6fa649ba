/** Labels of the form's fields, and the validation error of each. */
import { FieldErrorText } from '../../../shared/ui/fields.tsx';
import { t } from '../../../shared/i18n/translate.ts';
import type { Field, FieldError } from '../state/choice.ts';
import type { Session } from '../state/session.ts';
import { tStudies } from '../i18n/translate.ts';

export function fieldLabel(field: Field): string {
  switch (field) {
    case 'techniques':
      return t('experiment.techniques');
    case 'seed':
      return t('form.seed');
    case 'objects':
      return t('form.objects');
    default:
      return tStudies(`form.${field}`);
  }
}

export function problemText(session: Session, field: Field): string | undefined {
  const problem = (session.problems.value as ReadonlyMap<Field, FieldError>).get(field);
  if (problem === undefined) return undefined;
  const isList = field === 'sizes' || field === 'objects';
  switch (problem.kind) {
    case 'too-large':
      if (field === 'workers') return tStudies('problem.workers', { limit: problem.limit, count: session.cores });
      return t('problem.too-large', { limit: problem.limit });
    case 'too-small':
      return t('problem.too-small', { limit: problem.limit });
    case 'nothing':
    case 'too-many':
      return tStudies(`problem.${problem.kind}`);
    default:
      return isList ? tStudies('problem.list') : t(`problem.${problem.kind}`);
  }
}

/** Why the study cannot run: the first problem of the form, by the label of its field. */
export function blockedText(session: Session): string | null {
  const [field] = session.problems.value.keys();
  if (field !== undefined) return tStudies('run.blocked', { field: fieldLabel(field), problem: problemText(session, field) ?? '' });
  return session.refusal.value === null ? null : tStudies('run.blocked.engine');
}

export function EntryError({ session, field }: { session: Session; field: Field }) {
  return <FieldErrorText id={`${field}-problem`} text={problemText(session, field)} />;
}
