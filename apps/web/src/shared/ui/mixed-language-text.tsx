/** Text with a part in the engine's language (English), which may not be the page's. */
import { language, t } from '../i18n/translate.ts';

export interface MixedText {
  text: string | undefined;
  /** Language of `text`, if not the page's. */
  lang?: 'en' | undefined;
  /** Introduction in the page's language. */
  lead?: string | undefined;
}

/** A message of the engine, introduced as English if the page is in another language. */
export function englishText(text: string): MixedText {
  return language.value === 'en' ? { text, lang: 'en' } : { text, lang: 'en', lead: t('engine.says') };
}

/** With an introduction in the page's language. */
export function withLead(lead: string, { lead: own, ...rest }: MixedText): MixedText {
  return { ...rest, lead: own === undefined ? lead : `${lead} ${own}` };
}

/** With its first letter as at the beginning of a sentence. */
export function capitalized(text: string): string {
  return text.charAt(0).toLocaleUpperCase(language.value) + text.slice(1);
}

/** As one sentence, for screen readers. */
export function toSentence({ text = '', lead }: MixedText): string {
  return lead === undefined ? text : `${lead} ${text}`;
}

/** Each part marked with its own language, for display and screen readers. */
export function MixedLanguageText({ text, lang, lead }: MixedText) {
  return (
    <>
      {lead !== undefined && `${lead} `}
      <span lang={lang}>{text}</span>
    </>
  );
}
