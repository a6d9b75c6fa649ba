/**
 * The `embate` program: serves the page, and runs the same studies natively.
 *
 * `EMBATE_BIN` is its path. `EMBATE_PAGE`, if set, is a built page to be served instead of the
 * embedded one: to test a change of the page without building the program.
 */

import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/** @returns {string} */
function program() {
  const path = process.env['EMBATE_BIN'];
  if (path === undefined) {
    throw new Error('EMBATE_BIN must name the embate program; `cargo xtask test` sets it');
  }
  return path;
}

/**
 * Build profile, from the program's folder: `debug` is barely optimized, `release` is what users
 * have.
 */
export function profile() {
  return basename(dirname(program()));
}

/**
 * Serves the page on a free port.
 *
 * @returns {Promise<{ address: string, stop: () => void }>}
 */
export async function serve() {
  const folder = process.env['EMBATE_PAGE'];
  const page = folder === undefined ? [] : ['--page', folder];
  const server = spawn(program(), ['lab', '--port', '0', '--no-open', ...page], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaint = '';
  server.stderr.on('data', (text) => (complaint += text));
  const address = await new Promise((resolve, reject) => {
    createInterface({ input: server.stdout }).once('line', resolve);
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`embate lab ended with ${code}: ${complaint}`)));
  });
  return { address, stop: () => server.kill() };
}

/**
 * Output files of `embate study`.
 *
 * @param {string[]} options the study first
 * @returns {Promise<{ csv: string, html: string }>}
 */
export async function studied(...options) {
  const folder = await mkdtemp(join(tmpdir(), 'embate-study-'));
  try {
    await promisify(execFile)(program(), ['study', ...options, '--out', folder, '--fresh'], { maxBuffer: 1e8 });
    const [csv, html] = await Promise.all(['results.csv', 'report.html'].map((name) => readFile(join(folder, name), 'utf8')));
    return { csv: csv ?? '', html: html ?? '' };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Rows of `embate study broad2d` for one world, one per technique.
 *
 * @param {string[]} options
 * @returns {Promise<Record<string, string>[]>}
 */
export async function studyRows(...options) {
  return readTable((await studied('broad2d', ...options)).csv);
}

/**
 * Final state hash of `embate simulate`.
 *
 * @param {string} file
 * @param {number} steps
 * @returns {Promise<string>}
 */
export async function simulatedHash(file, steps) {
  const { stdout } = await promisify(execFile)(program(), ['simulate', file, '--steps', String(steps), '--json'], { maxBuffer: 1e8 });
  return JSON.parse(stdout).state_hash;
}

/**
 * Time of `embate simulate` in ms, on one thread.
 *
 * @param {string} file
 * @param {number} steps
 * @returns {Promise<number>}
 */
export async function simulatedMs(file, steps) {
  const options = ['simulate', file, '--steps', String(steps), '--threads', '1', '--json'];
  const { stdout } = await promisify(execFile)(program(), options, { maxBuffer: 1e8 });
  return JSON.parse(stdout).times.query_s * 1000;
}

/**
 * Records a scene with `embate simulate`.
 *
 * @param {string} file
 * @param {number} steps
 * @param {string} recording
 */
export async function recorded(file, steps, recording) {
  await promisify(execFile)(program(), ['simulate', file, '--steps', String(steps), '--record', recording], { maxBuffer: 1e8 });
}

/**
 * Series of `embate simulate`, written to `series`.
 *
 * @param {string} file
 * @param {number} steps
 * @param {string} series
 * @returns {Promise<string>}
 */
export async function simulatedSeries(file, steps, series) {
  await promisify(execFile)(program(), ['simulate', file, '--steps', String(steps), '--series', series], { maxBuffer: 1e8 });
  return readFile(series, 'utf8');
}

/**
 * The engine's 2D techniques in its order, from the error about an unknown one.
 *
 * @returns {Promise<string[]>}
 */
export async function techniqueNames() {
  const run = promisify(execFile)(program(), ['study', 'broad2d', '--technique', 'none-such']);
  const refusal = await run.then(() => '', (error) => String(error.stderr));
  const names = /there are: (.+)/.exec(refusal)?.[1]?.split(', ');
  if (names === undefined) {
    throw new Error(`embate does not list its techniques: ${refusal}`);
  }
  return names;
}

/**
 * Output of commands as a user pastes them into a shell, one per line.
 *
 * @param {string} commands
 * @param {string} folder
 * @returns {Promise<string>}
 */
export async function runCommands(commands, folder) {
  const path = `${dirname(resolve(program()))}${delimiter}${process.env['PATH'] ?? ''}`;
  const { stdout } = await promisify(execFile)('sh', ['-e', '-c', commands], { cwd: folder, env: { ...process.env, PATH: path }, maxBuffer: 1e9 });
  return stdout;
}

/**
 * JSON output of the program.
 *
 * @param {string[]} options
 * @returns {Promise<any>}
 */
export async function runJson(...options) {
  const { stdout } = await promisify(execFile)(program(), [...options, '--json'], { maxBuffer: 1e9 });
  return JSON.parse(stdout);
}

/**
 * Malformed mesh files with the expected result of each; written by a separate program.
 *
 * @param {string} folder
 * @returns {Promise<{ file: string, name: string, isPacked: boolean, answer: string, words: string
 *   }[]>}
 */
export async function malformedFiles(folder) {
  await promisify(execFile)(join(dirname(program()), 'hostile'), [folder]);
  const list = await readFile(join(folder, 'list.tsv'), 'utf8');
  return list.trimEnd().split('\n').map((line) => {
    const [file = '', name = '', packed, answer = '', words = ''] = line.split('\t');
    return { file: join(folder, file), name, isPacked: packed === 'packed', answer, words };
  });
}

/**
 * Parses a CSV file of ours, whose cells are never quoted.
 *
 * @param {string} csv
 * @returns {Record<string, string>[]}
 */
export function readTable(csv) {
  const [head = [], ...rows] = csv
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(head.map((name, column) => [name, row[column] ?? ''])));
}
