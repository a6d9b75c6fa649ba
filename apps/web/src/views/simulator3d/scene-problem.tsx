/** Why was a scene not opened, or a recording not saved? What the reader of scenes says, beside the line that it says it of. */
import { FileProblem } from '../../shared/file-problem.tsx';
import { ledBy, type Told } from '../../shared/told.tsx';
import { errorTold } from './engine-errors.ts';
import type { Refusal } from './refusals.ts';
import type { Session } from './session.ts';
import { words3d } from './words.ts';

/** Lines around the one that is wrong. */
const AROUND = 2;
/** A scene may be one long line. */
const MOST_LETTERS = 160;

export function SceneProblem({ session }: { session: Session }) {
  const refusal = session.refusal.value;
  if (refusal === null || refusal.by !== 'file') {
    return null;
  }
  const { error, text } = refusal;
  return (
    <FileProblem
      title={words3d(refusal.doing === 'save' ? 'file.unsaved' : 'file.title')}
      told={toldOf(refusal)}
      onClose={() => session.refusals.forget()}
    >
      {text !== undefined && error?.line !== undefined && <Lines text={text} line={error.line} column={error.column ?? 1} />}
    </FileProblem>
  );
}

function toldOf({ error, why, doing }: Refusal): Told {
  const told = error === undefined ? { text: why } : errorTold(error);
  if (error?.line !== undefined && error.column !== undefined) {
    return ledBy(words3d('file.at', { line: String(error.line), column: String(error.column) }), told);
  }
  return doing === 'save' ? told : ledBy(words3d('file.problem'), told);
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
