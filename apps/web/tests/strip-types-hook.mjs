/** Loader hook that strips types with the tool that builds the page. */

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transformWithOxc } from 'vite';

export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !/\.tsx?$/.test(new URL(url).pathname)) {
    return nextLoad(url, context);
  }
  const path = fileURLToPath(url);
  const { code } = await transformWithOxc(await readFile(path, 'utf8'), path, { sourcemap: false });
  return { format: 'module', source: code, shortCircuit: true };
}
