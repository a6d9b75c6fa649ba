/** Transfer size of responses. */

import { get } from 'node:http';

/**
 * Compressed size of a response, without headers.
 *
 * @param {string} url
 * @returns {Promise<number>}
 */
function transferSize(url) {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
      let bytes = 0;
      response.on('data', (part) => (bytes += part.length));
      response.on('end', () => resolve(bytes));
    }).on('error', reject);
  });
}

/**
 * Compressed size of all responses in bytes; reports each as a diagnostic of the test.
 *
 * @param {readonly string[]} urls
 * @param {import('node:test').TestContext} t
 * @returns {Promise<number>}
 */
export async function totalTransferSize(urls, t) {
  const sizes = await Promise.all(urls.map(async (url) => /** @type {const} */ ([url, await transferSize(url)])));
  for (const [url, bytes] of sizes) t.diagnostic(`${bytes} ${new URL(url).pathname}`);
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  t.diagnostic(`${total} bytes in ${sizes.length} files`);
  return total;
}

/**
 * Names of the wasm modules among the addresses, without hash and extension.
 *
 * @param {readonly string[]} urls
 * @returns {string[]}
 */
export function wasmModules(urls) {
  return urls.flatMap((url) => /([a-z0-9_]+)_bg-[^/]*\.wasm$/.exec(url)?.[1] ?? []);
}
