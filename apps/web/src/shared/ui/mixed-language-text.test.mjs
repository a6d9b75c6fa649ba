import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';

import { language } from '../i18n/translate.ts';
import { englishText, toSentence, withLead } from './mixed-language-text.tsx';

afterEach(() => (language.value = 'en'));

test('only the engine’s text is marked as English; its introduction is in the page’s language', () => {
  assert.deepEqual(withLead('Line 3:', englishText('no such field')), { text: 'no such field', lang: 'en', lead: 'Line 3:' });
  language.value = 'pt-BR';
  const rest = withLead('Linha 3:', englishText('no such field'));
  assert.deepEqual(rest, { text: 'no such field', lang: 'en', lead: 'Linha 3: O motor responde, em inglês:' });
  assert.equal(toSentence(rest), 'Linha 3: O motor responde, em inglês: no such field');
  assert.equal(toSentence(withLead('Linha 3:', { text: 'sem corpos.' })), 'Linha 3: sem corpos.');
});
