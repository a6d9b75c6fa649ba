/**
 * Lifecycle of inspector workers.
 *
 * One worker per mesh: the previous one keeps responding until the next has opened its mesh. A
 * failure while opening leaves the current mesh intact; opening is canceled by terminating its
 * worker.
 */
import { startWithoutCanvas, type Thread } from '../../../shared/stage/mount-stage.ts';
import type { Failed, Runner } from '../../../shared/stage/worker-or-main-thread.ts';
import { LAUNCHER } from './start-inspector.ts';
import type { FromInspector, Source, ToInspector } from './protocol.ts';

/** A worker, and the stage's end of its message port. */
export interface InspectorWorker {
  source: Source | null;
  port: MessagePort | null;
}

export interface InspectorCallbacks {
  /** Messages of the worker whose mesh is shown. */
  receive(reply: FromInspector): void;
  /** Messages of the worker that is opening. */
  receiveOpening(reply: FromInspector): void;
}

export class InspectorWorkers {
  readonly #callbacks: InspectorCallbacks;
  #thread: Thread;
  #now: { runner: Runner<ToInspector>; worker: InspectorWorker } | null = null;
  #next: { runner: Runner<ToInspector>; worker: InspectorWorker } | null = null;

  constructor(thread: Thread, callbacks: InspectorCallbacks) {
    this.#thread = thread;
    this.#callbacks = callbacks;
  }

  get isOpening(): boolean {
    return this.#next !== null;
  }

  get opening(): Source | null {
    return this.#next?.worker.source ?? null;
  }

  /** The main thread instantiates the engine only once: after a failure it cannot be restarted. */
  get onPage(): boolean {
    return this.#thread === 'page';
  }

  /** Starts a worker that opens this source, or waits for one. */
  begin(source: Source | null): void {
    this.giveUp();
    const worker: InspectorWorker = { source, port: null };
    const own = { runner: null as Runner<ToInspector> | null };
    const receive = (reply: FromInspector | Failed): void => {
      if (own.runner === null) return;
      if (own.runner === this.#next?.runner) this.#callbacks.receiveOpening(reply);
      else if (own.runner === this.#now?.runner) this.#callbacks.receive(reply);
    };
    const onLoadFailure = (): void => {
      this.#thread = 'page';
      this.begin(worker.source);
    };
    const runner = startWithoutCanvas(LAUNCHER)(this.#thread, receive, onLoadFailure);
    own.runner = runner;
    this.#next = { runner, worker };
    worker.port = this.#channel(runner);
    if (source !== null) this.open(source);
  }

  /** Opens the source in the waiting worker. */
  open(source: Source): void {
    if (this.#next === null) return;
    this.#next.worker.source = source;
    this.#next.runner.post({ kind: 'open', source });
  }

  /** The new worker has opened its mesh and replaces the previous one. */
  promote(): InspectorWorker | null {
    const next = this.#next;
    if (next === null) return null;
    this.#now?.runner.close();
    this.#now = next;
    this.#next = null;
    return next.worker;
  }

  giveUp(): void {
    this.#next?.runner.close();
    this.#next = null;
  }

  post(message: ToInspector): void {
    this.#now?.runner.post(message);
  }

  /** A port for a restarted stage. */
  newPort(): MessagePort | null {
    return this.#now === null ? null : this.#channel(this.#now.runner);
  }

  close(): void {
    this.giveUp();
    this.#now?.runner.close();
    this.#now = null;
  }

  #channel(runner: Runner<ToInspector>): MessagePort {
    const { port1, port2 } = new MessageChannel();
    runner.post({ kind: 'port', port: port1 });
    return port2;
  }
}
