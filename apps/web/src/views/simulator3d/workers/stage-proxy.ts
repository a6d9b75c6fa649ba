/**
 * Page-side proxy of the 3D stage: restarts it and restores its state.
 *
 * Restores theme, display options, speed, comparison and the last reported world: an unedited preset from its
 * start, any other from its JSON. A rejected scene is not part of that state.
 */
import { StageSupervisor } from '../../../shared/stage/stage-supervisor.ts';
import type { StartStage, Thread } from '../../../shared/stage/mount-stage.ts';
import type { Failed } from '../../../shared/stage/worker-or-main-thread.ts';
import type { FromPage, FromWorker, Source, WorldState } from './protocol.ts';

/** Request number of the proxy's own requests; those of the page are greater. */
const OWN_REQUEST = 0;

type Opening = Extract<FromPage, { kind: 'open' }>;

export class StageProxy {
  readonly #supervisor: StageSupervisor<FromPage, FromWorker>;
  readonly #listener: (reply: FromWorker) => void;
  readonly #restored = new Map<'theme' | 'display' | 'speed' | 'compare', FromPage>();
  /** The last reported world. */
  #scene: Source | null = null;
  #world: WorldState | null = null;
  /** The scene that is being opened. */
  #opening: Opening | null = null;
  /** The preset from which the world was opened; null for a file or link. */
  #preset: Source | null = null;
  /** Number of the request that must be acknowledged. */
  #awaited = OWN_REQUEST;

  constructor(launch: StartStage<FromPage, FromWorker>, thread: Thread, listener: (reply: FromWorker) => void) {
    this.#listener = listener;
    this.#supervisor = new StageSupervisor(launch, thread, { receive: (reply) => this.#receive(reply), replace: () => this.#replace() });
    this.#begin();
  }

  send(message: FromPage): void {
    if (message.kind === 'theme' || message.kind === 'display' || message.kind === 'speed' || message.kind === 'compare') {
      this.#restored.set(message.kind, message);
    }
    if (message.kind === 'open') {
      this.#opening = message;
      // A failed stage ignores all further messages.
      if (this.#supervisor.hasFailed) {
        this.#replace();
        return;
      }
    }
    // Stopping a long operation also cancels opening.
    if (message.kind === 'stop') this.#opening = null;
    if (this.#supervisor.hasFailed) return;
    this.#supervisor.post(message);
    if (message.kind === 'open' || message.kind === 'stop') {
      this.#awaited = message.requestId;
      this.#supervisor.expectAcknowledgment();
    }
  }

  get needsReload(): boolean {
    return this.#supervisor.needsReload;
  }

  /** Starts a new stage with the last reported world. */
  restart(): void {
    this.#opening = null;
    this.#replace();
  }

  dispose(): void {
    this.#supervisor.dispose();
  }

  #begin(): void {
    this.#supervisor.launch();
    for (const message of this.#restored.values()) this.#supervisor.post(message);
  }

  #replace(): void {
    this.#begin();
    if (this.#opening !== null) this.#supervisor.post(this.#opening);
    else if (this.#scene !== null) this.#supervisor.post({ kind: 'open', requestId: OWN_REQUEST, scene: this.#scene, playing: false });
  }

  #receive(reply: FromWorker | Failed): void {
    switch (reply.kind) {
      case 'acknowledged':
        if (reply.requestId === this.#awaited) this.#supervisor.acknowledged();
        return;
      case 'failed':
        // Unanswered requests will get no response.
        this.#opening = null;
        break;
      case 'refused':
        if (reply.requestId === this.#opening?.requestId) this.#opening = null;
        break;
      case 'opened':
        if (reply.requestId === this.#opening?.requestId) this.#opening = null;
        this.#preset = reply.preset;
        this.#world = reply.world;
        this.#keep(reply.text);
        break;
      case 'world':
      case 'edited':
        this.#world = reply.world ?? this.#world;
        break;
      case 'json':
        this.#keep(reply.text);
        break;
      default:
    }
    this.#listener(reply);
  }

  #keep(text: string): void {
    const isPreset = this.#world?.isUnmodified === true && this.#preset !== null;
    this.#scene = isPreset ? this.#preset : { text, name: this.#world?.rules.name ?? 'scene' };
  }
}
