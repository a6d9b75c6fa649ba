/**
 * Stored runs: the measured rows of each study in IndexedDB, so that a reload loses only the cases
 * in progress.
 *
 * One record per study holds its last run. Storage is an addition to a run, never a condition:
 * every failure is caught, and `hasFailed` says that rows are not stored. Stored data is untrusted:
 * a record of another schema or another shape is ignored.
 */
import { signal } from '@preact/signals';

import { isStudy } from './choice.ts';
import type { Run } from './run.ts';
import type { Case, RunEnvironment, StudyName } from '../workers/protocol.ts';

const DATABASE = 'embate-studies';
const STORE = 'runs';
/** Schema of the records; a record of any other is ignored. */
const SCHEMA = 1;

/** A run without its state, and the build of the engine that measured it. */
export interface StoredRun extends Omit<Run, 'state'> {
  schema: typeof SCHEMA;
  /** Rows of different builds are not comparable. */
  build: string;
}

export function storedRunOf({ request, plan, rows, environment }: Run, build: string): StoredRun {
  return { schema: SCHEMA, build, request, plan, rows, environment };
}

export class RunStorage {
  /** The last write failed: the rows of this page exist in memory only. */
  readonly hasFailed = signal(false);
  readonly #factory: () => IDBFactory;
  #database: Promise<IDBDatabase> | null = null;
  /** Latest run of each study that is not written yet. */
  readonly #pending = new Map<StudyName, StoredRun>();
  #isWriting = false;

  /** Access to `indexedDB` throws where storage is forbidden. */
  constructor(factory: () => IDBFactory = () => indexedDB) {
    this.#factory = factory;
  }

  /** All valid records; none if storage is not available. */
  async load(): Promise<StoredRun[]> {
    try {
      const records: unknown[] = await this.#use('readonly', (store) => store.getAll());
      return records.map(parseStoredRun).filter((run) => run !== null);
    } catch {
      return [];
    }
  }

  /**
   * Writes the run, replacing the study's earlier one. Of several runs that arrive during a write
   * only the latest is written next.
   */
  save(run: StoredRun): void {
    this.#pending.set(run.request.study, run);
    if (!this.#isWriting) void this.#write();
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    for (const [study, run] of this.#pending) {
      this.#pending.delete(study);
      try {
        await this.#use('readwrite', (store) => store.put(run, study));
        this.hasFailed.value = false;
      } catch {
        this.hasFailed.value = true;
      }
    }
    this.#isWriting = false;
  }

  async #use<Value>(mode: IDBTransactionMode, request: (store: IDBObjectStore) => IDBRequest<Value>): Promise<Value> {
    this.#database ??= open(this.#factory);
    try {
      const transaction = (await this.#database).transaction(STORE, mode);
      const answer = request(transaction.objectStore(STORE));
      return await new Promise((resolve, reject) => {
        transaction.oncomplete = () => resolve(answer.result);
        transaction.onerror = () => reject(transaction.error);
        transaction.onabort = () => reject(transaction.error);
      });
    } catch (error) {
      // The browser may have closed the database: the next use opens it again.
      this.#database = null;
      throw error;
    }
  }
}

async function open(factory: () => IDBFactory): Promise<IDBDatabase> {
  const request = factory().open(DATABASE, SCHEMA);
  return new Promise((resolve, reject) => {
    request.onupgradeneeded = () => {
      // Records of an older schema are ignored in any case.
      for (const name of [...request.result.objectStoreNames]) request.result.deleteObjectStore(name);
      request.result.createObjectStore(STORE);
    };
    request.onsuccess = () => {
      // Otherwise this page would block a newer one that upgrades the schema.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('the database is blocked'));
  });
}

/** The record if it has the shape of a run with at least one row; otherwise `null`. */
export function parseStoredRun(record: unknown): StoredRun | null {
  if (!isRecord(record) || record['schema'] !== SCHEMA || typeof record['build'] !== 'string') return null;
  const { request, plan, rows, environment } = record;
  if (!isRecord(request) || typeof request['study'] !== 'string' || !isStudy(request['study']) || typeof request['options'] !== 'string') return null;
  if (!isRecord(plan) || !isListOf(plan['cases'], isCase) || !isListOf(plan['command'], isText)) return null;
  if (!isListOf(rows, (row) => row === null || isText(row)) || rows.length !== plan['cases'].length) return null;
  if (rows.every((row) => row === null) || !isEnvironment(environment)) return null;
  return record as unknown as StoredRun;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isListOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): value is Item[];
function isListOf(value: unknown, isItem: (item: unknown) => boolean): value is unknown[];
function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isCase(value: unknown): value is Case {
  return isRecord(value) && isText(value['key']) && Number.isFinite(value['work']);
}

function isEnvironment(value: unknown): value is RunEnvironment {
  if (!isRecord(value)) return false;
  const { agent, cores, started, finished, resumed } = value;
  return isText(agent) && Number.isInteger(cores) && isText(started) && (finished === null || isText(finished)) && Number.isInteger(resumed);
}
