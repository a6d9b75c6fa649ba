/**
 * Which object does somebody look at, and what is known about it now?
 *
 * To know it, the search runs once more under observation. Where that is quick it is done for
 * every picture, so that cells and lines keep up with the object; else five times a second.
 */

import type { Selection } from '../protocol.ts';
import type { Inspection, World } from './run.ts';

/** Words about an object that changed faster could not be read. */
const TELL_MS = 200;
/** A look that takes longer costs too much of a frame of 16.7 ms to be taken in each. */
const QUICK_LOOK_MS = 4;

export class Observer {
  object: number | null = null;
  #inspected: Inspection | null = null;
  #cells = new Float32Array();
  #cellsWanted = false;
  #lookedAt = -Infinity;
  #lookedAtFrame = -1;
  #lookMs = 0;
  #stale = true;
  #toldAt = -Infinity;
  #unsaid = false;

  /** Whether cells are drawn at all; else a look is only taken for a selected object. */
  set cellsWanted(wanted: boolean) {
    this.#stale ||= wanted !== this.#cellsWanted;
    this.#cellsWanted = wanted;
  }

  get inspected(): Inspection | null {
    return this.#inspected;
  }

  /** Those of the last look: a copy, because the engine's memory may move. */
  get cells(): Float32Array | null {
    return this.#cellsWanted ? this.#cells : null;
  }

  select(object: number | null): void {
    this.object = object;
    this.#inspected = null;
    this.#stale = true;
    this.#toldAt = -Infinity;
  }

  /** The world is another or its technique is; the next look is taken whatever it costs. */
  forget(): void {
    this.#stale = true;
    this.#lookMs = 0;
    this.#cells = new Float32Array();
    this.#inspected = null;
  }

  /** A picture of the world is about to be drawn; if it stays, whatever the look costs. */
  refresh(world: World, now: number, stays: boolean): void {
    if (this.object === null && !this.#cellsWanted) return;
    const { frame } = world.counts;
    const moved = frame !== this.#lookedAtFrame;
    const due = stays || this.#lookMs < QUICK_LOOK_MS || now >= this.#lookedAt + TELL_MS;
    if (!this.#stale && !(moved && due)) return;
    const before = performance.now();
    world.look();
    if (this.#cellsWanted) this.#cells = world.cells.slice();
    this.#inspected = this.object === null ? null : world.inspect(this.object);
    this.#lookMs = performance.now() - before;
    this.#lookedAt = now;
    this.#lookedAtFrame = frame;
    this.#unsaid = true;
    this.#stale = false;
  }

  /** What to tell the page, if it is time to. */
  news(now: number, stays: boolean): Selection | null {
    const due = stays || now >= this.#toldAt + TELL_MS;
    if (this.#inspected === null || !this.#unsaid || !due) return null;
    this.#toldAt = now;
    this.#unsaid = false;
    return { ...this.#inspected, cells: this.#inspected.cells.length };
  }
}
