import assert from 'node:assert/strict';
import { test } from 'node:test';

import { en } from './en.ts';
import { ptBR } from './pt-BR.ts';

const forms = (message) => (typeof message === 'string' ? [message] : [message.one, message.other]);
const holes = (message) => [...new Set(forms(message).flatMap((text) => text.match(/\{[\w-]+\}/g) ?? []))].sort();

test('both languages have the same keys', () => {
  assert.deepEqual(Object.keys(ptBR).sort(), Object.keys(en).sort());
});

test('both languages fill the same holes, and no text is empty', () => {
  for (const [key, message] of Object.entries(en)) {
    assert.deepEqual(holes(ptBR[key]), holes(message), key);
    for (const text of [...forms(message), ...forms(ptBR[key])]) {
      assert.notEqual(text.trim(), '', key);
    }
  }
});
