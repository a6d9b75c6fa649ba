/**
 * How does the page say a thing in the reader's language?
 *
 * `words('key', { holes })`: a missing key or a missing hole does not compile. Reading the language
 * is reading a signal, so whatever was rendered with words is rendered again when it changes.
 */
import { signal } from '@preact/signals';

import { en } from './messages/en.ts';
import { ptBR } from './messages/pt-BR.ts';
import { plain } from './numbers.ts';

export type Language = 'en' | 'pt-BR';
export type Key = keyof typeof en;

/** Each by the name that its own speakers give it. */
export const LANGUAGES: Record<Language, string> = { en: 'English', 'pt-BR': 'Português (Brasil)' };

type Message = string | { readonly one: string; readonly other: string };
type Texts = Readonly<Record<string, Message>>;

/** The names between braces. */
type Holes<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Holes<Rest> : never;
type HolesOf<Text> = Text extends string
  ? Holes<Text>
  : Text extends Message
    ? 'count' | Holes<Text[keyof Text]>
    : never;
type Filling<Text> = [HolesOf<Text>] extends [never] ? [] : [filling: Record<HolesOf<Text>, string | number>];

/** Keys of texts without holes. */
export type PlainKeyOf<All> = { [K in keyof All]: [HolesOf<All[K]>] extends [never] ? K : never }[keyof All];
export type PlainKey = PlainKeyOf<typeof en>;

const PLURALS: Record<Language, Intl.PluralRules> = {
  en: new Intl.PluralRules('en'),
  'pt-BR': new Intl.PluralRules('pt-BR'),
};

/** The reader's first language that we speak. */
export function preferredLanguage(wanted: readonly string[] = navigator.languages): Language {
  const known = wanted.find((tag) => /^(en|pt)\b/i.test(tag));
  return known !== undefined && /^pt/i.test(known) ? 'pt-BR' : 'en';
}

export const language = signal<Language>('en');

/** How texts are said: those of the page, or of a view that brings its own. */
export function wordsOf<All extends Texts>(messages: Record<Language, { readonly [K in keyof All]: Message }> & { en: All }) {
  return <K extends keyof All>(key: K, ...[filling]: Filling<All[K]>): string =>
    said(messages[language.value][key] as Message, filling ?? {});
}

export const words = wordsOf<typeof en>({ en, 'pt-BR': ptBR });

function said(message: Message, values: Record<string, string | number>): string {
  const spoken = language.value;
  let text: string;
  if (typeof message === 'string') {
    text = message;
  } else {
    const one = PLURALS[spoken].select(Number(values['count'])) === 'one';
    text = one ? message.one : message.other;
  }
  return text.replace(/\{([\w-]+)\}/g, (hole, name: string) => {
    const value = values[name];
    if (value === undefined) {
      return hole;
    }
    return typeof value === 'number' ? plain(value, spoken) : value;
  });
}

/** A text of the engine, which speaks every language of the page. */
export function spoken(text: Record<Language, string>): string {
  return text[language.value];
}
