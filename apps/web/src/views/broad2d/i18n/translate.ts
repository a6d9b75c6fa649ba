/** Translation of the 2D view: its own texts, loaded with the view, and those of the page. */
import { en as pageEn } from '../../../shared/i18n/en.ts';
import { ptBR as pagePtBR } from '../../../shared/i18n/pt-BR.ts';
import { createTranslation, type PlainKeyOf } from '../../../shared/i18n/translate.ts';
import { en } from './en.ts';
import { ptBR } from './pt-BR.ts';

const texts = { en: { ...pageEn, ...en }, 'pt-BR': { ...pagePtBR, ...ptBR } };

export type Key = keyof typeof texts.en;
export type PlainKey = PlainKeyOf<typeof texts.en>;

export const t2d = createTranslation<typeof texts.en>(texts);
