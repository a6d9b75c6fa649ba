import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';

import { language } from '../../shared/i18n.ts';
import { engineSaid, engineTold } from './engine-words.ts';

afterEach(() => (language.value = 'en'));

/** As the engine writes them. */
const KNOWN = {
  'gravity is [0.0, 1e9, 0.0]; give three finite numbers within ±1e6': 'Cada número precisa ficar dentro de ±1e6.',
  'the mass is 1e13 kg, but must lie between 1e-9 and 1e12: a body that never moves is `still`': 'Precisa ficar entre 1e-9 e 1e12.',
  'body 2 has the name "a" already; give each its own': 'Outro corpo já tem este nome: dê a cada um o seu.',
  'joint 0: the method "study" holds no joints: use "soft"': /^Este método não segura juntas: escolha “.+”\.$/,
  'ball 3 is more than 1e6 m away, where nothing can be changed; delete it, or go back to before it left': /^ball 3 está a mais de 1e6 m,/,
};

test('what the engine refuses most often is said in the reader’s language', () => {
  language.value = 'pt-BR';
  for (const [what, words] of Object.entries(KNOWN)) {
    const { text, lang, lead } = engineTold(what);
    if (words instanceof RegExp) assert.match(text, words);
    else assert.equal(text, words);
    assert.deepEqual([lang, lead, engineSaid(what)], [undefined, undefined, text]);
  }
});

test('what else it says stands as it is, marked as English, with a word about that where the reader speaks another language', () => {
  const what = 'unknown field `colour`';
  assert.deepEqual(engineTold(what), { text: what, lang: 'en' });
  assert.equal(engineSaid(what), what);
  language.value = 'pt-BR';
  assert.deepEqual(engineTold(what), { text: what, lang: 'en', lead: 'O motor responde, em inglês:' });
  assert.equal(engineSaid(what), `O motor responde, em inglês: ${what}`);
  assert.deepEqual(engineTold(undefined), { text: undefined });
});
