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
/** A search that takes longer costs too much of a frame of 16.7 ms to be taken in each. */
const QUICK_MS = 4;

/** The frame of what was not seen yet. */
const NEVER = -1;

export class Observer {
  #object: number | null = null;
  #kept = false;
  #inspected: Inspection | null = null;
  #inspectedFrame = NEVER;
  #cells = new Float32Array();
  #cellsFrame = NEVER;
  cellsWanted = false;
  /** When the search last ran for this, and how long. */
  #last = { at: -Infinity, ms: 0 };
  #toldAt = -Infinity;
  #unsaid = false;

  get object(): number | null {
    return this.#object;
  }

  /** It stays whatever the pointer passes over. */
  get kept(): boolean {
    return this.#kept;
  }

  get inspected(): Inspection | null {
    return this.#inspected;
  }

  /** Those of the last look: a copy, because the engine's memory may move. */
  get cells(): Float32Array | null {
    return this.cellsWanted ? this.#cells : null;
  }

  get selection(): Selection | null {
    if (this.#inspected === null) return null;
    return { ...this.#inspected, kept: this.#kept, cells: this.#inspected.cells.length };
  }

  select(object: number | null, kept: boolean): void {
    this.#kept = kept && object !== null;
    if (object === this.#object) return;
    this.#object = object;
    this.#inspected = null;
    this.#inspectedFrame = NEVER;
  }

  /** The world is another or its technique is: what was seen is seen no more. */
  forget(): void {
    this.#last = { at: -Infinity, ms: 0 };
    this.#cells = new Float32Array();
    this.#cellsFrame = NEVER;
    this.#inspected = null;
    this.#inspectedFrame = NEVER;
  }

  /** A picture of the world is about to be drawn; if it stays, whatever the search costs. */
  refresh(world: World, now: number, stays: boolean): void {
    const { frame } = world.counts;
    const often = stays || this.#last.ms < QUICK_MS || now >= this.#last.at + TELL_MS;
    const isDue = (seen: number): boolean => seen === NEVER || (seen !== frame && often);
    const cells = this.cellsWanted && isDue(this.#cellsFrame);
    const object = this.#object !== null && isDue(this.#inspectedFrame) ? this.#object : null;
    if (!cells && object === null) return;
    const start = performance.now();
    if (cells) {
      world.look();
      this.#cells = world.cells.slice();
      this.#cellsFrame = frame;
    }
    if (object !== null) {
      this.#inspected = world.inspect(object);
      this.#inspectedFrame = frame;
      this.#unsaid = true;
    }
    this.#last = { at: now, ms: performance.now() - start };
  }

  /** What the page should hear of the selected object by now, if anything. */
  news(now: number, stays: boolean): Selection | null {
    if (!this.#unsaid || (!stays && now < this.#toldAt + TELL_MS)) return null;
    return this.tell(now);
  }

  tell(now: number): Selection | null {
    this.#toldAt = now;
    this.#unsaid = false;
    return this.selection;
  }
}
