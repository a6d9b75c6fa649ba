/** Why was a scene not opened, or a recording not saved? What the reader of scenes says, beside the line that it says it of. */
import { Button } from '../../shared/button.tsx';
import { words } from '../../shared/i18n.ts';
import { engineSaidOfFile } from './engine-words.ts';
import type { Session } from './session.ts';
import { words3d } from './words.ts';

/** Lines around the one that is wrong. */
const AROUND = 2;
/** A scene may be one long line. */
const MOST_LETTERS = 160;

export function FileProblem({ session }: { session: Session }) {
  const refusal = session.refusal.value;
  if (refusal === null || refusal.by !== 'file') {
    return null;
  }
  const { line, column, text, doing } = refusal;
  const what = refusal.isOurs === true ? refusal.what : engineSaidOfFile(refusal.what);
  const isSaving = doing === 'save';
  const told =
    line === undefined || column === undefined
      ? isSaving ? what : words3d('file.problem', { what })
      : words3d('file.at', { line: String(line), column: String(column), what });
  return (
    <div class="file-problem" role="group" aria-labelledby="file-problem-title">
      <div class="file-problem-head">
        <strong id="file-problem-title">{words3d(isSaving ? 'file.unsaved' : 'file.title')}</strong>
        <Button class="compact" onClick={() => session.refusals.forget()}>
          {words('help.close')}
        </Button>
      </div>
      <p>{told}</p>
      {text !== undefined && line !== undefined && <Lines text={text} line={line} column={column ?? 1} />}
    </div>
  );
}

function Lines({ text, line, column }: { text: string; line: number; column: number }) {
  const lines = text.split('\n');
  const first = Math.max(0, line - 1 - AROUND);
  return (
    <ol class="file-lines" start={first + 1}>
      {lines.slice(first, line + AROUND).map((words, place) => (
        <li key={place} class={first + place + 1 === line ? 'wrong' : ''} value={first + place + 1}>
          <code>{first + place + 1 === line ? around(words, column) : words.slice(0, MOST_LETTERS)}</code>
        </li>
      ))}
    </ol>
  );
}

/** The letters on both sides of a column. */
function around(line: string, column: number): string {
  if (line.length <= MOST_LETTERS) return line;
  const from = Math.min(Math.max(0, column - 1 - MOST_LETTERS / 2), line.length - MOST_LETTERS);
  const to = from + MOST_LETTERS;
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`;
}
