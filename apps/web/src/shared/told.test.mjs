import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';

import { language } from './i18n.ts';
import { inEnglish, inOne, ledBy } from './told.tsx';

afterEach(() => (language.value = 'en'));

test('only the engine’s words are marked as English; what leads to them is in the reader’s language', () => {
  assert.deepEqual(ledBy('Line 3:', inEnglish('no such field')), { text: 'no such field', lang: 'en', lead: 'Line 3:' });
  language.value = 'pt-BR';
  const told = ledBy('Linha 3:', inEnglish('no such field'));
  assert.deepEqual(told, { text: 'no such field', lang: 'en', lead: 'Linha 3: O motor responde, em inglês:' });
  assert.equal(inOne(told), 'Linha 3: O motor responde, em inglês: no such field');
  assert.equal(inOne(ledBy('Linha 3:', { text: 'sem corpos.' })), 'Linha 3: sem corpos.');
});
