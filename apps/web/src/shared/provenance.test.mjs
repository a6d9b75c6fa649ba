import assert from 'node:assert/strict';
import { test } from 'node:test';

import { machineOf, provenance } from './provenance.ts';

test('browser and system are named from the user agent', () => {
  for (const [agent, machine] of [
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36', 'Chromium 142, Linux'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0', 'Edge 141, Windows'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15', 'Safari 18, macOS'],
    ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'Firefox 140, Android'],
    ['a robot', 'a robot'],
  ]) {
    assert.equal(machineOf(agent), machine);
  }
});

test('a picture states version, machine and date', () => {
  globalThis.EMBATE_VERSION = '1.2.3';
  Object.defineProperty(globalThis, 'navigator', { value: { userAgent: 'a robot', hardwareConcurrency: 4 }, configurable: true });
  assert.equal(provenance(new Date('2026-03-01T23:00:00Z')), 'Embate 1.2.3 · a robot, 4 processor threads · 2026-03-01');
});
