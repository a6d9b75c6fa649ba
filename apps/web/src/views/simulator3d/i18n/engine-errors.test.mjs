import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, before, test } from 'node:test';

import { language } from '../../../shared/i18n/translate.ts';
import { errorSentence, errorText, loadErrorTexts } from './engine-errors.ts';
import { errorsEn } from './errors-en.ts';
import { errorsPtBR } from './errors-pt-BR.ts';

before(loadErrorTexts);
afterEach(() => (language.value = 'en'));

/** Source files that define the error codes this view can receive. */
const SOURCES = [
  'embate/src/dynamics/body/error.rs',
  'embate/src/dynamics/joint/error.rs',
  'embate/src/dynamics/settings.rs',
  'geom/src/shapes/error.rs',
  'scene/src/scene_file/error.rs',
  'viewer/src/sandbox/error.rs',
];
const CODE = /=> "((?:body|joint|settings|shape|scene|edit|recording)\.[a-z0-9-]+)"/g;

const holes = (text) => [...text.matchAll(/\{([a-z]+)\}/g)].map(([, name]) => name).sort();

test('every error code of the engine has a text in every language, and no other code has one', () => {
  const found = SOURCES.flatMap((source) => {
    const text = readFileSync(new URL(`../../../../../../crates/${source}`, import.meta.url), 'utf8');
    const codes = [...text.matchAll(CODE)].map(([, code]) => code);
    assert.ok(codes.length > 2, source);
    return codes;
  });
  // The reader of scenes reports a body that is too fast under the code of the engine.
  const codes = [...new Set(found)].sort();
  assert.deepEqual(Object.keys(errorsEn).sort(), codes);
  assert.deepEqual(Object.keys(errorsPtBR).sort(), codes);
});

test('the texts of a code have the same fields in every language', () => {
  for (const [code, text] of Object.entries(errorsEn)) {
    assert.deepEqual(holes(errorsPtBR[code]), holes(text), code);
  }
});

/** Errors as the engine writes them, in both languages. */
const ERRORS = [
  [
    { code: 'settings.gravity-out-of-range', fields: { quantity: 'gravity', value: [0, 1e9, 0], max: 1000000 } },
    'Gravity is (0, 1e9, 0); each number must lie within ±1e6.',
    'A gravidade é (0; 1e9; 0); cada número precisa ficar dentro de ±1e6.',
  ],
  [
    { code: 'settings.out-of-range', fields: { quantity: 'number-of-sub-steps', value: 65, min: 1, max: 64 } },
    'The number of sub-steps is 65, but must lie between 1 and 64.',
    'O número de subpassos é 65, mas precisa ficar entre 1 e 64.',
  ],
  [
    { code: 'scene.out-of-range', fields: { quantity: 'restitution', value: 1.5, min: 0, max: 1 }, part: { list: 'body', index: 3, name: 'a: b' } },
    'Body 3 "a: b": the restitution is 1.5, but must lie between 0 and 1.',
    'Corpo 3 "a: b": a restituição é 1,5, mas precisa ficar entre 0 e 1.',
  ],
  [
    { code: 'shape.size-out-of-range', fields: { shape: 'sphere', quantity: 'radius', value: -0.5, min: 1e-6, max: 1000000 } },
    'Sphere: the radius is −0.5, but must lie between 1e-6 and 1e6.',
    'Esfera: o raio é −0,5, mas precisa ficar entre 1e-6 e 1e6.',
  ],
  [
    { code: 'body.too-fast', fields: { quantity: 'linear-velocity', value: [0, -20000.5, 0], max: 10000 } },
    'The velocity is (0, −20000.5, 0), faster than the 10000 m/s that this world allows.',
    'A velocidade é (0; −20000,5; 0), acima dos 10000 m/s que este mundo permite.',
  ],
  [
    { code: 'scene.unknown-key', fields: { key: 'colour', expected: ['name', 'shape'] }, part: { list: 'joint', index: 0, name: null } },
    'Joint 0: there is no key “colour” here: the keys are “name”, “shape”.',
    'Junta 0: não há aqui a chave “colour”: as chaves são “name”, “shape”.',
  ],
  [
    { code: 'scene.wrong-type', fields: { type: 'whole-number', found: '2.5' } },
    'Expected a whole number, 0 or above, found 2.5.',
    'Esperado um número inteiro, 0 ou mais, encontrado 2.5.',
  ],
  [
    { code: 'joint.solver-unsupported', fields: {} },
    'This method does not support joints: choose “Soft contacts (Embate)”.',
    'Este método não aceita juntas: escolha “Contatos suaves (Embate)”.',
  ],
];

test('an error is written in the page’s language, with its fields and the part of the scene', () => {
  for (const [error, english, portuguese] of ERRORS) {
    language.value = 'en';
    assert.deepEqual(errorText({ message: '', ...error }), { text: english });
    language.value = 'pt-BR';
    assert.deepEqual(errorText({ message: '', ...error }), { text: portuguese });
    assert.equal(errorSentence({ message: '', ...error }), portuguese);
  }
});

test('an error of an unknown code is shown by its message, marked as English', () => {
  const error = { code: 'scene.of-the-future', message: 'something new is wrong', fields: {} };
  assert.deepEqual(errorText(error), { text: error.message, lang: 'en' });
  language.value = 'pt-BR';
  assert.deepEqual(errorText(error), { text: error.message, lang: 'en', lead: 'O motor responde, em inglês:' });
  assert.equal(errorSentence(error), `O motor responde, em inglês: ${error.message}`);
  assert.deepEqual(errorText(undefined), { text: undefined });
});
