/** Translation of the results of experiments, which few users see: not part of the first load. */
import { createTranslation } from '../../../shared/i18n/translate.ts';
import { resultsEn } from './results-en.ts';
import { resultsPtBR } from './results-pt-BR.ts';

export const tResults = createTranslation<typeof resultsEn>({ en: resultsEn, 'pt-BR': resultsPtBR });
