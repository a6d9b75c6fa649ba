/**
 * Text of an engine error in the reader's language, by its code.
 *
 * The engine sends code, typed fields and location as JSON. The texts are loaded with the first error: opening the view needs
 * none. An error whose code has no text, of a newer engine, or whose texts cannot be loaded, is shown by its English message,
 * marked as English.
 */
import type { Wrong } from '../../shared/entry.ts';
import { type Language, language } from '../../shared/i18n.ts';
import { inEnglish, inOne, type Told } from '../../shared/told.tsx';
import { shapeName } from './names.ts';
import { type Key, words3d } from './words.ts';
import { en } from './words/en.ts';
import type { ErrorCode } from './words/errors-en.ts';

type Field = string | number | boolean | null | readonly (string | number | null)[];

/** An error as `to_json` of the engine writes it. */
export interface EngineError {
  code: string;
  /** In English. */
  message: string;
  fields: Readonly<Record<string, Field>>;
  /** Of a file: the place of the wrong key or value. */
  line?: number;
  column?: number;
  /** The body or joint of a scene that it concerns. */
  part?: { list: 'body' | 'joint'; index: number; name: string | null };
}

type Texts = Record<Language, Readonly<Record<ErrorCode, string>>>;

let texts: Texts | undefined;

/** Loads the texts of errors, in both languages, unless they are loaded. Never rejects. */
export async function loadErrorTexts(): Promise<void> {
  if (texts !== undefined) return;
  try {
    const [{ errorsEn }, { errorsPtBR }] = await Promise.all([import('./words/errors-en.ts'), import('./words/errors-pt-BR.ts')]);
    texts = { en: errorsEn, 'pt-BR': errorsPtBR };
  } catch {
    // The server is gone. The next error tries again.
  }
}

/** Beyond these a number is written with its power of ten. */
const LARGE = 1e6;
const SMALL = 1e-4;

/** For beside a form; nothing without an error. */
export function errorTold(error: EngineError | undefined): Told {
  if (error === undefined) return { text: undefined };
  const text = translated(error);
  return text === undefined ? inEnglish(error.message) : { text };
}

/** In one sentence, for screen readers. */
export function errorSaid(error: EngineError): string {
  return inOne(errorTold(error));
}

/** For a field; it was said already. */
export function errorWrong(error: EngineError): Wrong {
  return { told: () => errorTold(error), text: () => errorSaid(error), wasSaid: true };
}

function translated({ code, fields, part }: EngineError): string | undefined {
  const byCode: Readonly<Record<string, string | undefined>> = texts?.[language.value] ?? {};
  const text = byCode[code];
  if (text === undefined) return undefined;
  const sentence = text.replace(/\{([a-z]+)\}/g, (hole, name: string) => {
    if (name === 'soft') return words3d('env.solver.soft-step');
    const field = fields[name];
    return field === undefined ? hole : fieldText(name, field);
  });
  const places = [];
  if (part !== undefined) places.push(words3d(`error.${part.list}`, { number: part.index }) + (part.name === null ? '' : ` "${part.name}"`));
  if (code.startsWith('shape.') && typeof fields['shape'] === 'string') places.push(shapeName(fields['shape']));
  const whole = [...places, sentence].join(': ');
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}

/** A field of an error in the reader's language. */
function fieldText(name: string, field: Field): string {
  if (typeof field === 'number') return number(field);
  if (Array.isArray(field)) return listText(field);
  const text = String(field);
  switch (name) {
    case 'quantity':
      return wordOr(`quantity.${text.replaceAll(' ', '-')}`, text);
    case 'type':
    case 'which':
    case 'property':
      return wordOr(`${name}.${text}`, text);
    default:
      return text;
  }
}

/** The word of a key, or the engine's own. */
function wordOr(key: string, engines: string): string {
  return Object.hasOwn(en, key) ? words3d(key as PlainWord) : engines;
}

type PlainWord = Extract<Key, `quantity.${string}` | `type.${string}` | `which.${string}` | `property.${string}`>;

/** A vector, or names to choose from. */
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
