/** Name and description of the user's own scene: in its file, its link and the stage's title. */
import { FieldErrorText, Row } from '../../../shared/ui/fields.tsx';
import { useFormEntry } from '../../../shared/ui/form-entry.ts';
import { TextRow } from '../../../shared/ui/number-rows.tsx';
import type { Session } from '../state/session.ts';
import type { Rules } from '../workers/protocol.ts';
import { t3d } from '../i18n/translate.ts';

const LONGEST_DESCRIPTION = 1000;

export function SceneTexts({ session, rules }: { session: Session; rules: Rules }) {
  return (
    <>
      <TextRow
        id="scene-name"
        label={t3d('env.name')}
        value={rules.name ?? ''}
        onCommit={(name, onResult) => session.edit({ do: 'rules', json: { name: textOrNull(name) } }, 'rules', onResult)}
      />
      <Description session={session} rules={rules} />
    </>
  );
}

function Description({ session, rules }: { session: Session; rules: Rules }) {
  const id = 'scene-description';
  const { text, wrong, onInput, onDone, onCancel } = useFormEntry<string>({
    name: t3d('env.description'),
    shown: rules.description ?? '',
    read: (typed) => ({ value: typed }),
    onCommit: (description, onResult) => session.edit({ do: 'rules', json: { description: textOrNull(description) } }, 'rules', onResult),
  });
  return (
    <Row label={t3d('env.description')} for={id} below={<FieldErrorText id={`${id}-problem`} {...(wrong?.content?.() ?? { text: wrong?.text() })} />}>
      <textarea
        id={id}
        class="text-input scene-description"
        rows={2}
        maxLength={LONGEST_DESCRIPTION}
        value={text}
        onInput={(event) => onInput(event.currentTarget.value)}
        onBlur={onDone}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel();
          if (event.key !== 'Enter' || event.shiftKey) return;
          event.preventDefault();
          onDone();
        }}
      />
    </Row>
  );
}

/** The scene file omits empty texts. */
function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}
