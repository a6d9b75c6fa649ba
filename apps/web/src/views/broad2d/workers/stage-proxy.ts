/**
 * Page-side proxy of the 2D stage: restarts it and restores its state.
 *
 * A stage that fails reports `failed` once, and is restored when it is restarted. A stage that is
 * busy with a long frame (brute force over 200,000 objects takes half a minute) is replaced by one
 * with the same state. If the new one rejects a scene, the previous scene keeps running, as in the
 * old one.
 */

import type { FromPage, FromWorker, Parameters } from './protocol.ts';
import { StageSupervisor } from '../../../shared/stage/stage-supervisor.ts';
import type { StartStage, Thread } from '../../../shared/stage/mount-stage.ts';
import type { From } from './start.ts';

/** After this a canceled measurement counts as ended, though its worker still finishes a frame. */
const CANCEL_TIMEOUT_MS = 80;
/** Object moves per second, roughly: a world that is further on restarts from frame 0. */
const MAX_MOVES = 1e8;

/** Request number of the proxy's own requests; those of the page are greater. */
const OWN_REQUEST = 0;

type SceneRequest = Extract<FromPage, { kind: 'start' | 'change' }>;

export class StageProxy {
  readonly #supervisor: StageSupervisor<FromPage, From>;
  readonly #listener: (reply: FromWorker) => void;

  /** State to be restored in a new worker. */
  #theme: FromPage | null = null;
  #overlays: FromPage | null = null;
  #accepted: Parameters | null = null;
  #frame = 0;
  #playing = false;
  /** The selected object. */
  #kept: number | null = null;

  /** The last request, until its response. */
  #pendingRequest: SceneRequest | null = null;
  /** The worker has a scene: a rejected one leaves it running. */
  #hasScene = false;
  readonly #measuring = new Set<number>();
  /** Measurements reported as ended while the worker still finishes its frame. */
  readonly #abandoned = new Set<number>();

  constructor(launch: StartStage<FromPage, From>, thread: Thread, listener: (reply: FromWorker) => void) {
    this.#listener = listener;
    this.#supervisor = new StageSupervisor<FromPage, From>(launch, thread, { receive: (reply) => this.#receive(reply), replace: () => this.#replace() });
    this.#restartStage();
  }

  /**
   * A failed stage ignores all messages except a scene request, which restarts it with that scene.
   */
  send(message: FromPage): void {
    this.#remember(message);
    if (message.kind === 'start' || message.kind === 'change') {
      this.#pendingRequest = message;
      if (this.#supervisor.hasFailed) {
        this.#replace();
      } else {
        this.#request(message);
        this.#supervisor.expectAcknowledgment();
      }
      return;
    }
    this.#supervisor.post(message);
    if (message.kind === 'cancel') this.#answerCancelSoon(message.id);
  }

  /** Starts a new stage with the last accepted scene, from its start. */
  restart(): void {
    this.#pendingRequest = null;
    this.#frame = 0;
    this.#replace();
  }

  get needsReload(): boolean {
    return this.#supervisor.needsReload;
  }

  dispose(): void {
    this.#supervisor.dispose();
  }

  #restartStage(): void {
    this.#hasScene = false;
    this.#measuring.clear();
    this.#abandoned.clear();
    this.#supervisor.launch();
  }

  #replace(): void {
    const unfinished = [...this.#measuring].filter((id) => !this.#abandoned.has(id));
    this.#restartStage();
    for (const id of unfinished) this.#listener({ kind: 'finished', id, cancelled: true });
    for (const message of [this.#theme, this.#overlays]) {
      if (message !== null) this.#supervisor.post(message);
    }
    // The last scene is not restored first: its long frames may be the problem.
    if (this.#pendingRequest === null) this.#resumeAccepted();
    else this.#request(this.#pendingRequest);
  }

  #request(pendingRequest: SceneRequest): void {
    if (this.#hasScene || this.#accepted === null) {
      this.#supervisor.post(pendingRequest);
    } else if (pendingRequest.kind === 'start') {
      this.#supervisor.post({ selected: this.#kept, ...pendingRequest });
    } else {
      const { requestId, technique, cellSize } = pendingRequest;
      this.#resume(requestId, { ...this.#accepted, technique, cellSize });
    }
  }

  #resumeAccepted(): void {
    if (this.#accepted !== null) this.#resume(OWN_REQUEST, this.#accepted);
  }

  /** Resumes the scene at its frame, unless moving there would take long. */
  #resume(requestId: number, parameters: Parameters): void {
    const isNear = this.#frame * parameters.objects <= MAX_MOVES;
    if (!isNear) this.#listener({ kind: 'restarted' });
    const frame = isNear ? this.#frame : 0;
    this.#supervisor.post({ kind: 'start', requestId, parameters, playing: this.#playing, selected: this.#kept, frame });
  }

  #remember(message: FromPage): void {
    if (message.kind === 'theme') this.#theme = message;
    if (message.kind === 'overlays') this.#overlays = message;
    if (message.kind === 'play' || message.kind === 'pause') this.#playing = message.kind === 'play';
    if (message.kind === 'select') this.#kept = message.object;
    if (message.kind === 'measure') this.#measuring.add(message.id);
    if (message.kind === 'start') {
      this.#playing = message.playing;
      if (message.selected !== undefined) this.#kept = message.selected;
    }
  }

  #receive(reply: From): void {
    switch (reply.kind) {
      case 'acknowledged':
        if (reply.requestId === this.#pendingRequest?.requestId) this.#supervisor.acknowledged();
        return;
      case 'failed':
        // Unanswered requests will get no response.
        this.#pendingRequest = null;
        break;
      case 'started':
      case 'changed':
        this.#accepted = reply.parameters;
        this.#hasScene = true;
        this.#settle(reply.requestId);
        break;
      case 'refused':
        this.#settle(reply.requestId);
        if (!this.#hasScene && this.#pendingRequest === null) this.#resumeAccepted();
        break;
      case 'playing':
        this.#playing = reply.playing;
        break;
      case 'frame':
        this.#frame = reply.report.frame;
        break;
      case 'selected':
        this.#kept = reply.selection?.kept === true ? reply.selection.object : null;
        break;
      case 'finished':
        this.#measuring.delete(reply.id);
        break;
      default:
    }
    if ('id' in reply && this.#abandoned.has(reply.id)) return;
    this.#listener(reply);
  }

  #settle(requestId: number): void {
    if (requestId !== this.#pendingRequest?.requestId) return;
    this.#pendingRequest = null;
    this.#supervisor.acknowledged();
  }

  #answerCancelSoon(id: number): void {
    setTimeout(() => {
      if (!this.#measuring.has(id) || this.#supervisor.hasFailed || this.#abandoned.has(id)) return;
      this.#abandoned.add(id);
      this.#listener({ kind: 'finished', id, cancelled: true });
    }, CANCEL_TIMEOUT_MS);
  }
}
