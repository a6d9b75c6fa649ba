/** How is something told of which a part is in the engine's language, English, and the reader's may be another? */
import { language, words } from './i18n.ts';

export interface Told {
  text: string | undefined;
  /** Of the text, where that is not the reader's. */
  lang?: 'en' | undefined;
  /** Before it, in the reader's language. */
  lead?: string | undefined;
}

/** The engine's own words, and where they are not in the reader's language a word about that. */
export function inEnglish(text: string): Told {
  return language.value === 'en' ? { text, lang: 'en' } : { text, lang: 'en', lead: words('engine.says') };
}

/** With something before it, in the reader's language. */
export function ledBy(lead: string, { lead: own, ...told }: Told): Told {
  return { ...told, lead: own === undefined ? lead : `${lead} ${own}` };
}

/** In one sentence, for those who listen. */
export function inOne({ text = '', lead }: Told): string {
  return lead === undefined ? text : `${lead} ${text}`;
}

/** Each part in its own language, for those who see it and those to whom it is read. */
export function Parts({ text, lang, lead }: Told) {
  return (
    <>
      {lead !== undefined && `${lead} `}
      <span lang={lang}>{text}</span>
    </>
  );
}
