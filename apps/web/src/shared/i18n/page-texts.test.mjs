import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { COMMAND, FILE, pageTexts } from '../../../tests/page-texts.mjs';

test('docs/page-texts.md has the texts of today', async () => {
  // Git may write other line ends.
  const written = readFileSync(FILE, 'utf8').replaceAll('\r\n', '\n');
  assert.ok(written === (await pageTexts()), `docs/page-texts.md is out of date: ${COMMAND}`);
});
