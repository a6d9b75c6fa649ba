import { readFileSync } from 'node:fs';

import { defineConfig } from 'vite';

/** Version of the workspace. */
const [, version] = /^version = "(.+)"$/m.exec(readFileSync(new URL('../../Cargo.toml', import.meta.url), 'utf8')) ?? [];

// Relative addresses: the built folder works from any place on any web server.
export default defineConfig({
  base: './',
  define: { EMBATE_VERSION: JSON.stringify(version) },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // Inlined files would need `data:` in the page's security policy.
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  worker: { format: 'es' },
});
