/**
 * Where is a case measured? On a bench: one at a time.
 *
 * While a case is measured nothing is heard; who wants it to stop takes the bench away.
 */
import { Keeper } from '../../../shared/stage/keeper.ts';
import type { FromBench, Request, ToBench } from '../protocol.ts';
import type { Measures } from './measures.ts';
import { Opened, type Opens } from './opened.ts';

/** Faster news would be no news, and take time from what is measured. */
const NEWS_MS = 100;

export class Bench {
  readonly #say: (said: FromBench) => void;
  readonly #keeper: Keeper<Opens<Measures>, ToBench>;
  #opened: Opened<Measures> | null = null;

  constructor(say: (said: FromBench) => void, load: () => Promise<Opens<Measures>>) {
    this.#say = say;
    this.#keeper = new Keeper(load, {
      begin: (engine) => (this.#opened = new Opened(engine)),
      act: ({ request, case: number }) => this.#measure(request, number),
      ended: () => undefined,
      failed: (message) => say({ kind: 'failed', message }),
    });
  }

  receive(message: ToBench): void {
    this.#keeper.receive(message);
  }

  #measure(request: Request, number: number): void {
    let work = 0;
    let nextAt = 0;
    const advanced = (more: number): void => {
      work += more;
      const now = performance.now();
      if (now >= nextAt) {
        nextAt = now + NEWS_MS;
        this.#say({ kind: 'advanced', case: number, work });
      }
    };
    const rows = this.#opened?.get(request).measure(number, { advanced });
    if (rows !== undefined) this.#say({ kind: 'measured', case: number, rows });
  }
}
