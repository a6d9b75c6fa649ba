/**
 * Text of an engine error in the page's language, by its code.
 *
 * The engine sends code, typed fields and location as JSON. The texts are loaded with the first
 * error, not with the view. If a code has no text (newer engine), or the texts cannot be loaded,
 * the error's English message is shown, marked as English.
 */
import type { EntryError } from '../../../shared/ui/form-entry.ts';
import { type Language, language } from '../../../shared/i18n/translate.ts';
import { englishText, toSentence, type MixedText } from '../../../shared/ui/mixed-language-text.tsx';
import { bodyName } from './body-names.ts';
import { shapeName } from './names.ts';
import { type Key, t3d } from './translate.ts';
import { en } from './en.ts';
import type { ErrorCode } from './errors-en.ts';

type Field = string | number | boolean | null | readonly (string | number | null)[];

/** An error as written by the engine's `to_json`. */
export interface EngineError {
  code: string;
  /** In English. */
  message: string;
  fields: Readonly<Record<string, Field>>;
  /** Location of the wrong key or value in a file. */
  line?: number;
  column?: number;
  /** The affected body or joint of a scene. */
  part?: { list: 'body' | 'joint'; index: number; name: string | null };
}

type Texts = Record<Language, Readonly<Record<ErrorCode, string>>>;

let texts: Texts | undefined;

/** Loads the texts in both languages, once. Never rejects. */
export async function loadErrorTexts(): Promise<void> {
  if (texts !== undefined) return;
  try {
    const [{ errorsEn }, { errorsPtBR }] = await Promise.all([import('./errors-en.ts'), import('./errors-pt-BR.ts')]);
    texts = { en: errorsEn, 'pt-BR': errorsPtBR };
  } catch {
    // The server is unreachable. The next error retries.
  }
}

/** Outside this range numbers are written with a power of ten. */
const LARGE = 1e6;
const SMALL = 1e-4;

/** For display beside a form; no text without an error. */
export function errorText(error: EngineError | undefined): MixedText {
  if (error === undefined) return { text: undefined };
  const text = translated(error);
  return text === undefined ? englishText(error.message) : { text };
}

/** As one sentence, for screen readers. */
export function errorSentence(error: EngineError): string {
  return toSentence(errorText(error));
}

/** For a field; already announced. */
export function toEntryError(error: EngineError): EntryError {
  return { content: () => errorText(error), text: () => errorSentence(error), isAnnounced: true };
}

function translated({ code, fields, part }: EngineError): string | undefined {
  const byCode: Readonly<Record<string, string | undefined>> = texts?.[language.value] ?? {};
  const text = byCode[code];
  if (text === undefined) return undefined;
  const sentence = text.replace(/\{([a-z]+)\}/g, (hole, name: string) => {
    if (name === 'soft') return t3d('env.solver.soft-step');
    const field = fields[name];
    return field === undefined ? hole : fieldText(name, field);
  });
  const places = [];
  if (part !== undefined) places.push(t3d(`error.${part.list}`, { number: part.index }) + (part.name === null ? '' : ` "${bodyName(part.name)}"`));
  if (code.startsWith('shape.') && typeof fields['shape'] === 'string') places.push(shapeName(fields['shape']));
  const whole = [...places, sentence].join(': ');
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}

/** A field of an error in the page's language. */
function fieldText(name: string, field: Field): string {
  if (typeof field === 'number') return number(field);
  if (Array.isArray(field)) return listText(field);
  const text = String(field);
  switch (name) {
    case 'quantity':
    case 'type':
    case 'which':
    case 'property':
      return wordOr(`${name}.${text}`, text);
    case 'name':
      return bodyName(text);
    default:
      return text;
  }
}

/** The text of a key, or else the engine's word. */
function wordOr(key: string, engines: string): string {
  return Object.hasOwn(en, key) ? t3d(key as PlainWord) : engines;
}

type PlainWord = Extract<Key, `quantity.${string}` | `type.${string}` | `which.${string}` | `property.${string}`>;

/** A vector, or a list of allowed names. */
function listText(list: readonly (string | number | null)[]): string {
  if (list.some((item) => typeof item === 'string')) return list.map((item) => `“${String(item)}”`).join(', ');
  return `(${list.map((item) => number(Number(item ?? NaN))).join(language.value === 'en' ? ', ' : '; ')})`;
}

function number(value: number): string {
  const isLong = value !== 0 && Number.isFinite(value) && (Math.abs(value) >= LARGE || Math.abs(value) < SMALL);
  const short = isLong ? value.toExponential().replace('+', '') : String(value);
  const minus = short.replace(/^-/, '−');
  return language.value === 'en' ? minus : minus.replace('.', ',');
}
