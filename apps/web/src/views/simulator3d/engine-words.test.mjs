import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';

import { language } from '../../shared/i18n.ts';
import { engineSaid, engineTold } from './engine-words.ts';

afterEach(() => (language.value = 'en'));

/** As the engine writes them. */
const KNOWN = {
  'gravity is [0.0, 1e9, 0.0]; give three finite numbers within ±1e6': 'A gravidade é (0; 1e9; 0); cada número precisa ficar dentro de ±1e6.',
  'the mass is 1e13 kg, but must lie between 1e-9 and 1e12: if the body never moves, make it fixed (static)': 
    'A massa é 1e13 kg, mas precisa ficar entre 1e-9 e 1e12.',
  'body 2 has the name "a" already; give each its own': 'Outro corpo já tem este nome: dê a cada um o seu.',
  'joint 0: the solver "study" does not support joints: use "soft"': /^Este método não segura juntas: escolha “.+”\.$/,
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

test('of a number that is out of its range it stays told what it is, of what, and how much it was', () => {
  const told = {
    'the mass is 10000000000000 kg, but must lie between 1e-9 and 1e12: if the body never moves, make it fixed (static)': [
      'The mass is 1e13 kg, but must lie between 1e-9 and 1e12.',
      'A massa é 1e13 kg, mas precisa ficar entre 1e-9 e 1e12.',
    ],
    'the number of sub-steps is 65, but must lie between 1 and 64': [
      'The number of sub-steps is 65, but must lie between 1 and 64.',
      'O número de subpassos é 65, mas precisa ficar entre 1 e 64.',
    ],
    'the restitution is 1.5, but must lie between 0 (no bounce) and 1 (all of it)': [
      'The restitution is 1.5, but must lie between 0 and 1.',
      'A restituição é 1,5, mas precisa ficar entre 0 e 1.',
    ],
    'body 3 "a: b": the time step is 2, but must lie between 0.000001 and 1': [
      'Body 3 "a: b": the time step is 2, but must lie between 1e-6 and 1.',
      'Corpo 3 "a: b": o passo de tempo é 2, mas precisa ficar entre 1e-6 e 1.',
    ],
    'sphere: the radius is -0.5, but must lie between 1e-4 and 1e6: give a length above 0': [
      'Sphere: the radius is −0.5, but must lie between 1e-4 and 1e6.',
      'Esfera: o raio é −0,5, mas precisa ficar entre 1e-4 e 1e6.',
    ],
    'the velocity is [0.0, -20000.5, 0.0], faster than the 10000 m/s of this world: give a slower one, or allow more': [
      'The velocity is (0, −20000.5, 0), faster than the 10000 m/s that this world allows.',
      'A velocidade é (0; −20000,5; 0), acima dos 10000 m/s que este mundo permite.',
    ],
  };
  for (const [what, [english, portuguese]] of Object.entries(told)) {
    language.value = 'en';
    assert.deepEqual(engineTold(what), { text: english });
    language.value = 'pt-BR';
    assert.deepEqual(engineTold(what), { text: portuguese });
  }
  // A number that we have no word for is told by the engine.
  const slop = 'the slop is 0, but must lie between 0.000001 and 1000';
  assert.deepEqual(engineTold(slop), { text: slop, lang: 'en', lead: 'O motor responde, em inglês:' });
});
