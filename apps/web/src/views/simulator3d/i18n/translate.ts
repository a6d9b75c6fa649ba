/**
 * Translation of this view's texts, which are loaded with the view, in addition to those of the
 * page.
 */
import { createTranslation } from '../../../shared/i18n/translate.ts';
import { en } from './en.ts';
import { ptBR } from './pt-BR.ts';

export type Key = keyof typeof en;

export const t3d = createTranslation<typeof en>({ en, 'pt-BR': ptBR });
