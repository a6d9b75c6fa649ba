/** Coordinator: lists the cases of a study, and creates results and reports from its rows. */
import { EngineLifecycle } from '../../../shared/stage/engine-lifecycle.ts';
import type { Engine } from './engine.ts';
import { OpenStudies } from './open-studies.ts';
import type { Catalog, CheckRequest, FromCoordinator, Plan, Request, ResultsRequest, ToCoordinator } from './protocol.ts';

export class Coordinator {
  readonly #post: (reply: FromCoordinator) => void;
  readonly #lifecycle: EngineLifecycle<Engine, ToCoordinator>;
  #opened: OpenStudies | null = null;

  constructor(post: (reply: FromCoordinator) => void, load: () => Promise<Engine>) {
    this.#post = post;
    this.#lifecycle = new EngineLifecycle(load, {
      begin: (engine) => {
        this.#opened = new OpenStudies(engine);
        post({ kind: 'ready', catalog: JSON.parse(engine.catalog()) as Catalog, build: engine.build });
      },
      act: (message) => this.#act(message),
      ended: () => undefined,
      failed: (message) => post({ kind: 'failed', message }),
    });
  }

  receive(message: ToCoordinator): void {
    this.#lifecycle.receive(message);
  }

  #act(message: ToCoordinator): void {
    switch (message.kind) {
      case 'list':
        this.#list(message.id, message.request);
        break;
      case 'check':
        this.#check(message);
        break;
      case 'results':
        this.#results(message);
        break;
      case 'write':
        this.#write(message);
        break;
    }
  }

  #list(id: number, request: Request): void {
    const engine = this.#lifecycle.engine;
    if (engine === null) return;
    let plan: string;
    try {
      const study = engine.open(request.study, request.options);
      plan = study.plan();
      study.free();
    } catch (refusal) {
      // A panic is a failure, not a rejection.
      if (engine.lastPanic() !== '') throw refusal;
      this.#post({ kind: 'refused', id, why: refusal instanceof Error ? refusal.message : String(refusal) });
      return;
    }
    this.#post({ kind: 'listed', id, request, plan: JSON.parse(plan) as Plan });
  }

  #check({ id, request, measured }: CheckRequest): void {
    let plan: Plan | null = null;
    try {
      const study = this.#opened?.get(request);
      study?.results(measured.rows, JSON.stringify(measured.environment), 'en');
      plan = study === undefined ? null : (JSON.parse(study.plan()) as Plan);
    } catch (refusal) {
      if (this.#lifecycle.engine?.lastPanic() !== '') throw refusal;
    }
    this.#post({ kind: 'checked', id, plan });
  }

  #results({ id, request, measured, language }: ResultsRequest): void {
    const study = this.#opened?.get(request);
    if (study === undefined) return;
    const results = study.results(measured.rows, JSON.stringify(measured.environment), language);
    this.#post({ kind: 'results', id, study: request.study, results, csv: study.csv(measured.rows) });
  }

  #write({ id, request, measured, language }: ResultsRequest): void {
    const html = this.#opened?.get(request).report(measured.rows, JSON.stringify(measured.environment), language);
    if (html !== undefined) this.#post({ kind: 'written', id, html });
  }
}
