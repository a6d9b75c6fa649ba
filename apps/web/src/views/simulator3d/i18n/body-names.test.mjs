import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';

import { language } from '../../../shared/i18n/translate.ts';
import { bodyName } from './body-names.ts';

afterEach(() => (language.value = 'en'));

test('common nouns are named in the language of the page, other names stay', () => {
  const names = ['floor', 'box 8', 'box 14.1', 'ball 0.25', 'thrown ball 2', '#3', 'Maria 2', 'floor lamp', 'Box 1', '', 'esfera 1'];
  assert.deepEqual(names.map(bodyName), [...names.slice(0, -1), 'sphere 1']);
  language.value = 'pt-BR';
  const translated = ['piso', 'caixa 8', 'caixa 14,1', 'bola 0,25', 'bola atirada 2', '#3', 'Maria 2', 'floor lamp', 'Box 1', '', 'esfera 1'];
  assert.deepEqual(names.map(bodyName), translated);
});
