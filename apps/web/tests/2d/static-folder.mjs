/** The page on another web server, in a subfolder, without our headers. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { closeAll, launch } from '../harness/browser.mjs';
import { View2d } from '../harness/view-2d.mjs';

const PAGE = process.env['EMBATE_PAGE'] ?? fileURLToPath(new URL('../../dist', import.meta.url));
const FOLDER = '/people/somebody/embate/';
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.svg': 'image/svg+xml', '.woff2': 'font/woff2' };

after(closeAll);

test('the folder made by `cargo xtask web` works from any web server, and then offline', { timeout: 240_000 }, async () => {
  const requested = /** @type {string[]} */ ([]);
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://any').pathname;
    requested.push(path);
    const file = path === FOLDER ? 'index.html' : normalize(path).slice(FOLDER.length);
    readFile(join(PAGE, file)).then(
      (bytes) => response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream').end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const context = await (await launch()).newContext({ reducedMotion: 'no-preference' });
  try {
    const page = await context.newPage();
    const thrown = /** @type {string[]} */ ([]);
    page.on('pageerror', (error) => thrown.push(String(error)));
    await page.goto(`http://127.0.0.1:${port}${FOLDER}#n=300&seed=4`);
    const view = new View2d(page);
    await view.started();
    await view.untilFrame(5);
    assert.ok(requested.length > 3 && requested.every((path) => path.startsWith(FOLDER)), requested.join(' '));
    // Once loaded, everything runs in the browser.
    await context.setOffline(true);
    await view.run();
    assert.ok((await view.results()).length > 0);
    assert.deepEqual(thrown, []);
  } finally {
    await context.close();
    server.closeAllConnections();
    server.close();
  }
});
