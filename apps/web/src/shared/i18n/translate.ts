/**
 * Translation of the page's texts.
 *
 * `t('key', { placeholders })`: a missing key or placeholder is a compile error. `t` reads the
 * language signal, so components that use it re-render when the language changes.
 */
import { signal } from '@preact/signals';

import { en } from './en.ts';
import { ptBR } from './pt-BR.ts';
import { formatNumber } from './number-format.ts';

export type Language = 'en' | 'pt-BR';
export type Key = keyof typeof en;

/** Each language by its own name. */
export const LANGUAGES: Record<Language, string> = { en: 'English', 'pt-BR': 'Português (Brasil)' };

type Message = string | { readonly one: string; readonly other: string };
type Texts = Readonly<Record<string, Message>>;

/** The names in braces. */
type PlaceholdersIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | PlaceholdersIn<Rest> : never;
type PlaceholdersOf<Text> = Text extends string
  ? PlaceholdersIn<Text>
  : Text extends Message
    ? 'count' | PlaceholdersIn<Text[keyof Text]>
    : never;
type PlaceholderValues<Text> = [PlaceholdersOf<Text>] extends [never] ? [] : [values: Record<PlaceholdersOf<Text>, string | number>];

/** Keys of texts without placeholders. */
export type PlainKeyOf<All> = { [K in keyof All]: [PlaceholdersOf<All[K]>] extends [never] ? K : never }[keyof All];
export type PlainKey = PlainKeyOf<typeof en>;

const PLURALS: Record<Language, Intl.PluralRules> = {
  en: new Intl.PluralRules('en'),
  'pt-BR': new Intl.PluralRules('pt-BR'),
};

/** The first supported language of the browser's list. */
export function preferredLanguage(wanted: readonly string[] = navigator.languages): Language {
  const known = wanted.find((tag) => /^(en|pt)\b/i.test(tag));
  return known !== undefined && /^pt/i.test(known) ? 'pt-BR' : 'en';
}

export const language = signal<Language>('en');

/** Creates the translation function for the texts of the page, or of a view that has its own. */
export function createTranslation<All extends Texts>(messages: Record<Language, { readonly [K in keyof All]: Message }> & { en: All }) {
  return <K extends keyof All>(key: K, ...[values]: PlaceholderValues<All[K]>): string =>
    format(messages[language.value][key] as Message, values ?? {});
}

export const t = createTranslation<typeof en>({ en, 'pt-BR': ptBR });

function format(message: Message, values: Record<string, string | number>): string {
  const locale = language.value;
  let text: string;
  if (typeof message === 'string') {
    text = message;
  } else {
    const one = PLURALS[locale].select(Number(values['count'])) === 'one';
    text = one ? message.one : message.other;
  }
  return text.replace(/\{([\w-]+)\}/g, (hole, name: string) => {
    const value = values[name];
    if (value === undefined) {
      return hole;
    }
    return typeof value === 'number' ? formatNumber(value, locale) : value;
  });
}

/** A text of the engine, which comes in every language of the page. */
export function localized(text: Record<Language, string>): string {
  return text[language.value];
}
