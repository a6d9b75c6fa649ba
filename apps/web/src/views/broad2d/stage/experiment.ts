/**
 * What does each case cost, frame by frame?
 *
 * Cases run one after the other, as fast as the machine can: move, detect, draw; not held back by
 * the display. Counting is not timed. Between frames, and between the parts of a long one, the
 * thread listens, so that a cancel is heard.
 */

import type { ExperimentCase, FromWorker, Measured, Parameters } from '../protocol.ts';
import { stepOfClock } from './clock.ts';
import type { Engine } from './engine.ts';
import { Refusal, World } from './run.ts';

/** The longest the thread does not listen, if no single call takes longer. */
const LISTEN_MS = 30;
/** Progress that is told more often is not seen. */
const PROGRESS_MS = 100;

export interface Measurement {
  id: number;
  cases: ExperimentCase[];
  draw: (world: World) => void;
  say: (said: FromWorker) => void;
}

export class Experiment {
  readonly #engine: Engine;
  readonly #measurement: Measurement;
  readonly #total: number;
  readonly #clockMs = stepOfClock();
  #done = 0;
  #cancelled = false;
  #listenedAt = 0;
  #toldAt = -Infinity;

  constructor(engine: Engine, measurement: Measurement) {
    this.#engine = engine;
    this.#measurement = measurement;
    this.#total = measurement.cases.reduce((sum, one) => sum + one.frames, 0);
  }

  get id(): number {
    return this.#measurement.id;
  }

  get cancelled(): boolean {
    return this.#cancelled;
  }

  cancel(): void {
    this.#cancelled = true;
  }

  /** Says progress and rows, and `finished` at the end. */
  async run(): Promise<void> {
    const { id, cases, say } = this.#measurement;
    this.#listenedAt = performance.now();
    for (const { parameters, frames } of cases) {
      this.#tellProgress(parameters);
      // A world is built and looked at once: seconds, where it is large.
      await this.#listen();
      if (this.#cancelled) break;
      const row = await this.#measure(parameters, frames);
      if (row !== null) say({ kind: 'measured', id, row });
    }
    say({ kind: 'finished', id, cancelled: this.#cancelled });
  }

  /** None if it was cancelled or refused. */
  async #measure(parameters: Parameters, frames: number): Promise<Measured | null> {
    const { id, say } = this.#measurement;
    let world: World;
    try {
      world = new World(this.#engine, parameters);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      say({ kind: 'not-measured', id, parameters, problems: error.problems });
      this.#done += frames;
      return null;
    }
    const row = await this.#measureWorld(world, frames);
    // Not after a fault: a world whose call never came back cannot be freed, and says only that.
    world.free();
    return row;
  }

  async #measureWorld(world: World, frames: number): Promise<Measured | null> {
    const { draw } = this.#measurement;
    let detectMs = 0;
    let otherMs = 0;
    const began = performance.now();
    for (let frame = 0; frame < frames; frame += 1) {
      const start = performance.now();
      world.advance();
      otherMs += performance.now() - start;
      detectMs += world.detect();
      await this.#listenIfDue();
      if (this.#cancelled) return null;
      world.settle();
      const before = performance.now();
      draw(world);
      otherMs += performance.now() - before;
      this.#done += 1;
      const msAFrame = (performance.now() - began) / (frame + 1);
      this.#tellProgress(world.parameters, msAFrame * (frames - frame - 1));
      await this.#listenIfDue();
      if (this.#cancelled) return null;
    }
    const { sumTests, sumPairs, sumMissed, sumPlaces, objects, bytes, isJudged } = world.counts;
    return {
      parameters: world.parameters,
      frames,
      testsPerFrame: sumTests / frames,
      pairsPerFrame: sumPairs / frames,
      missedPairs: isJudged ? sumMissed : null,
      msPerFrame: detectMs / frames,
      clockMs: this.#clockMs,
      fps: (frames * 1000) / (detectMs + otherMs),
      bytes,
      cellsPerObject: sumPlaces > 0 ? sumPlaces / frames / objects : null,
    };
  }

  #tellProgress(now: Parameters, leftMs: number | null = null): void {
    const time = performance.now();
    if (time < this.#toldAt + PROGRESS_MS) return;
    this.#toldAt = time;
    const { id, say } = this.#measurement;
    say({ kind: 'progress', id, done: this.#done, of: this.#total, now, leftMs });
  }

  async #listenIfDue(): Promise<void> {
    if (performance.now() >= this.#listenedAt + LISTEN_MS) await this.#listen();
  }

  async #listen(): Promise<void> {
    await nextTask();
    this.#listenedAt = performance.now();
  }
}

/** Timers would wait 4 ms each, as browsers clamp them; a message to oneself does not. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
