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
  #object: number | null = null;
  #inspected: Inspection | null = null;
  #cells = new Float32Array();
  /** Whether cells are drawn at all; else a look is only taken for a selected object. */
  cellsWanted = false;
  #look: { frame: number; at: number; ms: number; withCells: boolean } | null = null;
  #toldAt = -Infinity;
  #unsaid = false;

  get object(): number | null {
    return this.#object;
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
    return { ...this.#inspected, cells: this.#inspected.cells.length };
  }

  select(object: number | null): void {
    if (object === this.#object) return;
    this.#object = object;
    this.#inspected = null;
  }

  /** The world is another or its technique is: what was seen is seen no more. */
  forget(): void {
    this.#look = null;
    this.#cells = new Float32Array();
    this.#inspected = null;
  }

  /** A picture of the world is about to be drawn; if it stays, whatever the look costs. */
  refresh(world: World, now: number, stays: boolean): void {
    if (this.#object === null && !this.cellsWanted) return;
    const looks = this.#isLookDue(world.counts.frame, now, stays);
    if (looks) this.#takeLook(world, now);
    if (this.#object !== null && (looks || this.#inspected === null)) {
      this.#inspected = world.inspect(this.#object);
      this.#unsaid = true;
    }
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

  #isLookDue(frame: number, now: number, stays: boolean): boolean {
    const last = this.#look;
    if (last === null || (this.cellsWanted && !last.withCells)) return true;
    if (frame === last.frame) return false;
    return stays || last.ms < QUICK_LOOK_MS || now >= last.at + TELL_MS;
  }

  #takeLook(world: World, now: number): void {
    const before = performance.now();
    world.look();
    if (this.cellsWanted) this.#cells = world.cells.slice();
    const ms = performance.now() - before;
    const { frame } = world.counts;
    this.#look = { frame, at: now, ms, withCells: this.cellsWanted };
  }
}
