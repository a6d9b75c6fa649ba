/** Error of a scene or recording that was not opened or saved, with the offending line. */
import { FileError } from '../../../shared/ui/file-error.tsx';
import { withLead, type MixedText } from '../../../shared/ui/mixed-language-text.tsx';
import { errorText } from '../i18n/engine-errors.ts';
import type { EditError } from '../state/edit-errors.ts';
import type { Session } from '../state/session.ts';
import { t3d } from '../i18n/translate.ts';

/** Context lines around the offending one. */
const AROUND = 2;
/** A scene may be one long line. */
const MAX_CHARACTERS = 160;

export function SceneError({ session }: { session: Session }) {
  const editError = session.editError.value;
  if (editError === null || editError.by !== 'file') {
    return null;
  }
  const { error, text } = editError;
  return (
    <FileError
      title={t3d(editError.doing === 'save' ? 'file.unsaved' : 'file.title')}
      message={messageOf(editError)}
      onClose={() => session.editErrors.forget()}
    >
      {text !== undefined && error?.line !== undefined && <Lines text={text} line={error.line} column={error.column ?? 1} />}
    </FileError>
  );
}

function messageOf({ error, why, doing }: EditError): MixedText {
  const message = error === undefined ? { text: why } : errorText(error);
  if (error?.line !== undefined && error.column !== undefined) {
    return withLead(t3d('file.at', { line: String(error.line), column: String(error.column) }), message);
  }
  return doing === 'save' ? message : withLead(t3d('file.problem'), message);
}

function Lines({ text, line, column }: { text: string; line: number; column: number }) {
  const lines = text.split('\n');
  const first = Math.max(0, line - 1 - AROUND);
  return (
    <ol class="file-lines" start={first + 1}>
      {lines.slice(first, line + AROUND).map((json, place) => (
        <li key={place} class={first + place + 1 === line ? 'wrong' : ''} value={first + place + 1}>
          <code>{first + place + 1 === line ? around(json, column) : json.slice(0, MAX_CHARACTERS)}</code>
        </li>
      ))}
    </ol>
  );
}

/** The characters on both sides of a column. */
function around(line: string, column: number): string {
  if (line.length <= MAX_CHARACTERS) return line;
  const from = Math.min(Math.max(0, column - 1 - MAX_CHARACTERS / 2), line.length - MAX_CHARACTERS);
  const to = from + MAX_CHARACTERS;
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`;
}
