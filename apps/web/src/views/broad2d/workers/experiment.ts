/**
 * Experiment runner: measures the cases frame by frame.
 *
 * Cases run one after the other at full speed: move, detect, draw; not limited by the display's
 * rate. Counting is not timed. The thread processes messages between frames, and within long ones,
 * so that a cancel is effective. Before its first case, each technique runs a
 * short world that is not measured: the browser compiles code while it runs, which would count as
 * time of the first case.
 */

import type { ExperimentCase, FromWorker, Measured, Parameters } from './protocol.ts';
import { framesOf, mostObjects } from './capacity.ts';
import { clockResolution } from './clock-resolution.ts';
import type { Engine } from './engine.ts';
import { timingSpread } from './timing-spread.ts';
import { Rejection, World } from './world-run.ts';

/** Maximum time without processing messages, if no single call takes longer. */
const LISTEN_MS = 30;
/** Time limit of a warm-up: compilation takes some milliseconds. */
const WARM_UP_MS = 60;
const WARM_UP_FRAMES = 100;
/** A search of more objects may exceed the time limit in its first frame. */
const WARM_UP_OBJECTS = 1000;
/** Minimum interval of progress reports. */
const PROGRESS_MS = 100;

export interface Measurement {
  id: number;
  cases: ExperimentCase[];
  draw: (world: World) => void;
  post: (reply: FromWorker) => void;
}

export class Experiment {
  readonly #engine: Engine;
  readonly #measurement: Measurement;
  readonly #total: number;
  readonly #clockMs = clockResolution();
  readonly #warm = new Set<string>();
  #done = 0;
  #cancelled = false;
  #listenedAt = 0;
  #reportedAt = -Infinity;

  constructor(engine: Engine, measurement: Measurement) {
    this.#engine = engine;
    this.#measurement = measurement;
    this.#total = measurement.cases.reduce((sum, one) => sum + framesOf(one), 0);
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

  /** Reports progress and rows, and `finished` at the end. */
  async run(): Promise<void> {
    const { id, cases, post } = this.#measurement;
    this.#listenedAt = performance.now();
    for (const { parameters, frames, fps } of cases) {
      this.#reportProgress(parameters);
      // Building and first searching a large world takes seconds.
      await this.#listen();
      if (this.#cancelled) break;
      this.#warmUp(parameters);
      await this.#listen();
      if (this.#cancelled) break;
      const row = await (fps === undefined ? this.#measure(parameters, frames) : this.#search(parameters, frames, fps));
      if (row !== null) post({ kind: 'measured', id, row });
    }
    post({ kind: 'finished', id, cancelled: this.#cancelled });
  }

  /** Runs a technique once, unmeasured. */
  #warmUp(parameters: Parameters): void {
    if (this.#warm.has(parameters.technique)) return;
    this.#warm.add(parameters.technique);
    let world: World;
    try {
      world = new World(this.#engine, { ...parameters, objects: Math.min(parameters.objects, WARM_UP_OBJECTS) });
    } catch (error) {
      // The case itself reports the rejection.
      if (!(error instanceof Rejection)) throw error;
      return;
    }
    const end = performance.now() + WARM_UP_MS;
    for (let frame = 0; frame < WARM_UP_FRAMES && performance.now() < end; frame += 1) {
      world.advance();
      world.detect();
      world.settle();
    }
    world.free();
  }

  /** Null if it was canceled or rejected. */
  async #measure(parameters: Parameters, frames: number): Promise<Measured | null> {
    const { id, post } = this.#measurement;
    let world: World;
    try {
      world = new World(this.#engine, parameters);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      post({ kind: 'not-measured', id, parameters, problems: error.problems });
      this.#done += frames;
      return null;
    }
    const row = await this.#measureWorld(world, frames);
    // Not after a trap: a world whose call did not return cannot be freed, and would only report
    // that.
    world.free();
    return row;
  }

  /** Null if it was canceled, or if the rate holds for no number of objects. */
  async #search(parameters: Parameters, frames: number, fps: number): Promise<Measured | null> {
    const end = this.#done + framesOf({ parameters, frames, fps });
    const row = await mostObjects(parameters.objects, fps, async (objects) => {
      let world: World;
      try {
        world = new World(this.#engine, { ...parameters, objects });
      } catch (error) {
        if (!(error instanceof Rejection)) throw error;
        return 'rejected';
      }
      const before = this.#done;
      const row = await this.#measureWorld(world, frames);
      this.#done = Math.min(end, before + frames);
      world.free();
      return row ?? 'canceled';
    });
    this.#done = end;
    return row;
  }

  async #measureWorld(world: World, frames: number): Promise<Measured | null> {
    const { draw } = this.#measurement;
    const times: number[] = [];
    let otherMs = 0;
    const began = performance.now();
    for (let frame = 0; frame < frames; frame += 1) {
      const start = performance.now();
      world.advance();
      otherMs += performance.now() - start;
      times.push(world.detect());
      await this.#listenIfDue();
      if (this.#cancelled) return null;
      world.settle();
      const before = performance.now();
      draw(world);
      otherMs += performance.now() - before;
      this.#done += 1;
      const msAFrame = (performance.now() - began) / (frame + 1);
      this.#reportProgress(world.parameters, msAFrame * (frames - frame - 1));
      await this.#listenIfDue();
      if (this.#cancelled) return null;
    }
    const detectMs = times.reduce((sum, ms) => sum + ms, 0);
    const { totalTests, totalPairs, totalMissed, totalReferences, objects, bytes, hasReference } = world.counts;
    return {
      parameters: world.parameters,
      frames,
      testsPerFrame: totalTests / frames,
      pairsPerFrame: totalPairs / frames,
      missedPairs: hasReference ? totalMissed : null,
      msPerFrame: detectMs / frames,
      spread: timingSpread(times),
      clockMs: this.#clockMs,
      fps: (frames * 1000) / (detectMs + otherMs),
      bytes,
      cellsPerObject: totalReferences > 0 ? totalReferences / frames / objects : null,
    };
  }

  #reportProgress(now: Parameters, leftMs: number | null = null): void {
    const time = performance.now();
    if (time < this.#reportedAt + PROGRESS_MS) return;
    this.#reportedAt = time;
    const { id, post } = this.#measurement;
    post({ kind: 'progress', id, done: this.#done, of: this.#total, now, leftMs });
  }

  async #listenIfDue(): Promise<void> {
    if (performance.now() >= this.#listenedAt + LISTEN_MS) await this.#listen();
  }

  async #listen(): Promise<void> {
    await nextTask();
    this.#listenedAt = performance.now();
  }
}

/** Timers are clamped to 4 ms by browsers; a message to oneself is not. */
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
