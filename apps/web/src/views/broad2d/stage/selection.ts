/**
 * Selection on the 2D stage, and the properties of the selected object.
 *
 * To collect it, the search runs once more with an observer. If that is quick, it runs for every
 * picture, so that cells and lines follow the object; otherwise five times per second.
 */

import type { Selection } from '../workers/protocol.ts';
import type { Inspection, World } from '../workers/world-run.ts';

/** Minimum interval of reports: faster text is unreadable. */
const REPORT_MS = 200;
/** A slower search costs too much of a 16.7 ms frame to run in each. */
const QUICK_MS = 4;

/** Frame number before the first inspection. */
const NEVER = -1;

export class Observer {
  #object: number | null = null;
  #kept = false;
  #inspected: Inspection | null = null;
  #inspectedFrame = NEVER;
  #cells = new Float32Array();
  #cellsFrame = NEVER;
  #groups = new Float32Array();
  #groupsFrame = NEVER;
  #levels = new Uint8Array();
  #levelsFrame = NEVER;
  cellsWanted = false;
  groupsWanted = false;
  levelsWanted = false;
  /** Time and duration of the last inspection. */
  #last = { at: -Infinity, ms: 0 };
  #reportedAt = -Infinity;
  #isUnreported = false;

  get object(): number | null {
    return this.#object;
  }

  /** Selected permanently, independent of the pointer. */
  get kept(): boolean {
    return this.#kept;
  }

  get inspected(): Inspection | null {
    return this.#inspected;
  }

  /** From the last inspection: a copy, because the engine's memory may move. */
  get cells(): Float32Array | null {
    return this.cellsWanted ? this.#cells : null;
  }

  /** A copy as well. */
  get groups(): Float32Array | null {
    return this.groupsWanted ? this.#groups : null;
  }

  /** A copy as well; null for techniques without levels. */
  get levels(): Uint8Array | null {
    return this.levelsWanted && this.#levels.length > 0 ? this.#levels : null;
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

  /** Another world or technique: earlier inspections are invalid. */
  forget(): void {
    this.#last = { at: -Infinity, ms: 0 };
    this.#cells = new Float32Array();
    this.#cellsFrame = NEVER;
    this.#groups = new Float32Array();
    this.#groupsFrame = NEVER;
    this.#levels = new Uint8Array();
    this.#levelsFrame = NEVER;
    this.#inspected = null;
    this.#inspectedFrame = NEVER;
  }

  /** Called before a picture is drawn; the final picture is inspected whatever the search costs. */
  refresh(world: World, now: number, stays: boolean): void {
    const { frame } = world.counts;
    // From pairs that are known: cheap.
    if (this.groupsWanted && this.#groupsFrame !== frame) {
      world.group();
      this.#groups = world.groups.slice();
      this.#groupsFrame = frame;
    }
    const often = stays || this.#last.ms < QUICK_MS || now >= this.#last.at + REPORT_MS;
    const isDue = (seen: number): boolean => seen === NEVER || (seen !== frame && often);
    const cells = this.cellsWanted && isDue(this.#cellsFrame);
    const levels = this.levelsWanted && isDue(this.#levelsFrame);
    const object = this.#object !== null && isDue(this.#inspectedFrame) ? this.#object : null;
    if (!cells && !levels && object === null) return;
    const start = performance.now();
    if (levels) {
      world.level();
      this.#levels = world.levels.slice();
      this.#levelsFrame = frame;
    }
    if (cells) {
      world.look();
      this.#cells = world.cells.slice();
      this.#cellsFrame = frame;
    }
    if (object !== null) {
      this.#inspected = world.inspect(object);
      this.#inspectedFrame = frame;
      this.#isUnreported = true;
    }
    this.#last = { at: now, ms: performance.now() - start };
  }

  /** The report about the selected object that is due, if any. */
  dueReport(now: number, stays: boolean): Selection | null {
    if (!this.#isUnreported || (!stays && now < this.#reportedAt + REPORT_MS)) return null;
    return this.selectionReport(now);
  }

  selectionReport(now: number): Selection | null {
    this.#reportedAt = now;
    this.#isUnreported = false;
    return this.selection;
  }
}
