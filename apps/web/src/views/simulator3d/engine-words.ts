/**
 * What does a refusal of the engine mean, in the reader's language?
 *
 * The engine speaks English. What it says most often the page says itself; all else is passed on as it is, and told to be English.
 */
import type { Wrong } from '../../shared/entry.ts';
import { language } from '../../shared/i18n.ts';
import { words3d } from './words.ts';

type Said = (...parts: string[]) => string;

/** The engine's sentences by what is always in them, and ours with the parts that change. */
const KNOWN: readonly (readonly [RegExp, Said])[] = [
  [/must lie between (\S+) and ([^\s:]+)/, (least, most) => words3d('engine.between', { least, most })],
  [/give three finite numbers within ±(\S+)/, (most) => words3d('engine.within', { most })],
  [/faster than the (\S+) m\/s of this world/, (most) => words3d('engine.fast', { most })],
  [/has (?:the name .*|this name) already; give each its own/, () => words3d('engine.name-taken')],
  [/there is no room for it/, () => words3d('engine.no-room')],
  [/there is no such body any more/, () => words3d('engine.gone')],
  [/^(.*) is more than (\S+) m away, where nothing can be changed/, (name, far) => words3d('engine.far', { name, far })],
  [/the bounds .* hold nothing/, () => words3d('engine.bounds')],
  [/holds no joints/, () => words3d('engine.no-joints', { soft: words3d('env.method.soft') })],
  [/has no volume and cannot move/, () => words3d('engine.no-volume')],
  [/the inertia of the body/, () => words3d('engine.inertia')],
];

interface Told {
  text: string | undefined;
  /** Of the text. */
  lang?: 'en';
  /** Before it, in the reader's language. */
  lead?: string;
}

/** For beside a form; nothing if nothing was refused. */
export function engineTold(what: string | undefined): Told {
  const ours = what === undefined ? undefined : inOurWords(what);
  if (what === undefined || ours !== undefined) return { text: ours };
  return language.value === 'en' ? { text: what, lang: 'en' } : { text: what, lang: 'en', lead: words3d('engine.says') };
}

/** In one sentence, for those who listen. */
export function engineSaid(what: string): string {
  const { text, lead } = engineTold(what);
  return lead === undefined ? (text ?? '') : `${lead} ${text ?? ''}`;
}

/** Of a file, whose line is told: there the engine's own words tell more than ours, to those who read them. */
export function engineSaidOfFile(what: string): string {
  return language.value === 'en' ? what : engineSaid(what);
}

/** For a field; it was said already. */
export function engineWrong(what: string): Wrong {
  return { told: () => engineTold(what), text: () => engineSaid(what), wasSaid: true };
}

function inOurWords(what: string): string | undefined {
  for (const [pattern, said] of KNOWN) {
    const found = pattern.exec(what);
    if (found !== null) return said(...found.slice(1));
  }
  return undefined;
}
