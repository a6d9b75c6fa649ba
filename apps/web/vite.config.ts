import { defineConfig } from 'vite';

// Relative addresses: the built folder works from any place on any web server.
export default defineConfig({
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // Inlined files would need `data:` in the page's security policy.
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  worker: { format: 'es' },
});
