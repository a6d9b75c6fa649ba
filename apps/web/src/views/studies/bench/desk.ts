/**
 * Who keeps the books? A desk: it lists what there is to measure, and tells and writes what the rows say.
 *
 * What it needs for each is fetched when it is asked for it first.
 */
import { Keeper } from '../../../shared/stage/keeper.ts';
import type { Asks, Catalogue, FromDesk, Plan, Request, ToDesk } from '../protocol.ts';
import { Opened, type Opens } from './opened.ts';
import type { Plans } from './plans.ts';
import type { Tells } from './tells.ts';
import type { Writes } from './writes.ts';

export interface Loads {
  plans(): Promise<Plans>;
  tells(): Promise<Opens<Tells>>;
  writes(): Promise<Opens<Writes>>;
}

export class Desk {
  readonly #say: (said: FromDesk) => void;
  readonly #loads: Loads;
  readonly #plans: Keeper<Plans, Extract<ToDesk, { kind: 'list' }>>;
  #tells: ((asks: Asks) => void) | null = null;
  #writes: ((asks: Asks) => void) | null = null;

  constructor(say: (said: FromDesk) => void, loads: Loads) {
    this.#say = say;
    this.#loads = loads;
    this.#plans = new Keeper(() => loads.plans(), {
      begin: (engine) => say({ kind: 'ready', catalogue: JSON.parse(engine.catalogue()) as Catalogue }),
      act: ({ id, request }) => this.#list(id, request),
      ended: () => undefined,
      failed: (message) => say({ kind: 'failed', message }),
    });
  }

  receive(message: ToDesk): void {
    switch (message.kind) {
      case 'list':
        this.#plans.receive(message);
        break;
      case 'tell':
        this.#tells ??= this.#fetched(() => this.#loads.tells(), (study, asks) => this.#tell(study, asks));
        this.#tells(message);
        break;
      case 'write':
        this.#writes ??= this.#fetched(() => this.#loads.writes(), (study, asks) => this.#write(study, asks));
        this.#writes(message);
        break;
    }
  }

  /** An engine that is on its way: who asks it is answered when it is there. */
  #fetched<Study extends { free(): void }>(load: () => Promise<Opens<Study>>, answer: (study: Study, asks: Asks) => void): (asks: Asks) => void {
    let opened: Opened<Study> | null = null;
    const keeper = new Keeper<Opens<Study>, Asks>(load, {
      begin: (engine) => (opened = new Opened(engine)),
      act: (asks) => opened !== null && answer(opened.get(asks.request), asks),
      ended: () => undefined,
      failed: (message) => this.#say({ kind: 'failed', message }),
    });
    return (asks) => keeper.receive(asks);
  }

  #list(id: number, request: Request): void {
    const engine = this.#plans.engine;
    if (engine === null) return;
    let plan: string;
    try {
      plan = engine.plan(request.study, request.asked);
    } catch (refusal) {
      // What the engine dies of is no refusal.
      if (engine.lastPanic() !== '') throw refusal;
      this.#say({ kind: 'refused', id, why: refusal instanceof Error ? refusal.message : String(refusal) });
      return;
    }
    this.#say({ kind: 'listed', id, request, plan: JSON.parse(plan) as Plan });
  }

  #tell(study: Tells, { id, request, measured, language }: Asks): void {
    const told = study.told(measured.rows, JSON.stringify(measured.around), language);
    this.#say({ kind: 'told', id, study: request.study, told, csv: study.csv(measured.rows) });
  }

  #write(study: Writes, { id, measured, language }: Asks): void {
    this.#say({ kind: 'written', id, html: study.html(measured.rows, JSON.stringify(measured.around), language) });
  }
}
