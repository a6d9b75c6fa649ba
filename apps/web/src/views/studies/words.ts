/** What this view says: its words are fetched with it, beside those of the page. */
import { wordsOf } from '../../shared/i18n.ts';
import { en } from './words/en.ts';
import { ptBR } from './words/pt-BR.ts';

export const wordsOfStudies = wordsOf<typeof en>({ en, 'pt-BR': ptBR });
