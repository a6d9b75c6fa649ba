/** The interactive scene: world, view, selection and counters. */

import type { FrameReport, Overlays, Seen, Selection, Impact } from './protocol.ts';
import { countByLevel } from '../../../shared/count-by-level.ts';
import { type Extent, type View, fit, isWhole, panned, resized, toWorld, zoomed } from '../stage/camera.ts';
import type { Picture } from '../stage/draw.ts';
import type { World } from './world-run.ts';
import { Observer } from '../stage/selection.ts';
import { FrameTotals } from './frame-totals.ts';

/** Pick radius of hovering in CSS pixels. */
const HOVER_REACH = 10;
/** More impacts per report are inaudible. */
const MAX_IMPACTS = 32;

export class Live {
  world: World | null = null;
  overlays: Overlays = { cells: false, boxes: false, groups: false, levels: false };
  #stage: Extent = { width: 1, height: 1 };
  #view: View = { scale: 1, x: 0, y: 0, fitted: true };
  readonly #observer = new Observer();
  readonly #totals = new FrameTotals();
  /** Pointer position since the last picture; null `place` if the pointer has left. */
  #pointed: { place: { x: number; y: number } | null; keeps: boolean; reach: number } | null = null;
  #struck: Impact[] = [];
  #msSinceReport: number[] = [];
  /** Levels in the last report. */
  #reportedLevels: Uint8Array | null = null;
  /** Time in the last report, repeated by a report without new frames. */
  #lastMs = 0;

  /** Shows `world`. The view is kept if the size of the world is unchanged. */
  begin(world: World): void {
    const before = this.world?.parameters;
    const now = world.parameters;
    this.world?.free();
    this.world = world;
    if (before?.width !== now.width || before.height !== now.height) {
      this.#view = fit(now, this.#stage);
    }
    if (this.selected !== null && this.selected >= now.objects) this.#observer.select(null, false);
    this.#resetTotals();
  }

  change(world: World, technique: string, cellSize: number): void {
    world.change(technique, cellSize);
    this.#resetTotals();
  }

  /** Move, then detect, in the order of the study. Only the detection is timed. */
  makeFrame(world: World): void {
    world.advance();
    const ms = world.detect();
    world.settle();
    const { tests, pairs, missed } = world.counts;
    this.#totals.add({ tests, pairs, missed, ms });
    this.#msSinceReport.push(ms);
    this.#gatherStrikes(world);
  }

  /** Updates the overlays, if due. */
  observe(world: World, now: number, stays: boolean): void {
    this.#observer.cellsWanted = this.overlays.cells;
    this.#observer.groupsWanted = this.overlays.groups;
    this.#observer.levelsWanted = this.overlays.levels;
    this.#observer.refresh(world, now, stays);
  }

  picture(world: World): Picture {
    return {
      ...pictureOf(world, this.#view),
      cells: this.#observer.cells,
      boxes: this.overlays.boxes,
      groups: this.#observer.groups,
      levels: this.#observer.levels,
      inspected: this.#observer.inspected,
      kept: this.#observer.kept,
    };
  }

  report(world: World, fps: number): Omit<FrameReport, 'stepped'> {
    const { frame, objects, tests, pairs, touching, bytes, hasReference } = world.counts;
    const missed = hasReference ? world.counts.missed : null;
    const frames = this.#msSinceReport;
    const ms = frames.length > 0 ? mean(frames) : this.#lastMs;
    const struck = this.#struck;
    this.#lastMs = ms;
    this.#msSinceReport = [];
    this.#struck = [];
    const sums = this.#totals.sums;
    this.#reportedLevels = this.#observer.levels;
    return { frame, objects, tests, pairs, missed, touching, ms, fps, bytes, sweep: world.sweep, levels: countByLevel(this.#reportedLevels), sums, struck };
  }

  get hasReportedLevels(): boolean {
    return this.#reportedLevels === this.#observer.levels;
  }

  get selected(): number | null {
    return this.#observer.object;
  }

  /** Selected permanently, or hovered. */
  select(object: number | null, kept = true): void {
    this.#pointed = null;
    this.#observer.select(object, kept);
  }

  /** Resolved with the next picture: pointer events are more frequent. */
  pointAt(place: { x: number; y: number } | null, keeps: boolean, reach = HOVER_REACH): void {
    // A click is not replaced by a later hover that precedes the picture.
    if (keeps || this.#pointed?.keeps !== true) this.#pointed = { place, keeps, reach };
  }

  /** Resolves the pending pointer position to a selection; returns its kind. */
  takePoint(world: World): 'chosen' | 'passing' | null {
    const pointed = this.#pointed;
    this.#pointed = null;
    if (pointed === null || (this.#observer.kept && !pointed.keeps)) return null;
    this.select(pointed.place === null ? null : this.#objectAt(world, pointed.place, pointed.reach), pointed.keeps);
    return pointed.keeps ? 'chosen' : 'passing';
  }

  /** Next or previous object by index, cyclic. */
  selectBy(world: World, by: 1 | -1): void {
    const count = world.counts.objects;
    const from = this.selected ?? (by === 1 ? count - 1 : 0);
    this.select((from + by + count) % count);
  }

  /** The report about the selected object that is due, if any. */
  dueReport(now: number, stays: boolean): Selection | null {
    return this.#observer.dueReport(now, stays);
  }

  /** The complete report about the selected object. */
  selectionReport(now: number): Selection | null {
    return this.#observer.selectionReport(now);
  }

  resize(stage: Extent): void {
    if (this.world !== null) {
      this.#view = resized(this.#view, this.world.parameters, this.#stage, stage);
    }
    this.#stage = stage;
  }

  pan(world: World, dx: number, dy: number): void {
    this.#view = panned(this.#view, dx, dy, world.parameters, this.#stage);
  }

  zoom(world: World, factor: number, x: number, y: number): void {
    this.#view = zoomed(this.#view, factor, x, y, world.parameters, this.#stage);
  }

  fit(world: World): void {
    this.#view = fit(world.parameters, this.#stage);
  }

  /** A view that fits another world. */
  viewOfWhole(world: World): View {
    return fit(world.parameters, this.#stage);
  }

  seen(world: World): Seen {
    return { empty: this.#seesNothing(world), whole: isWhole(this.#view, world.parameters, this.#stage) };
  }

  /** Whether the user's view, zoomed or moved, shows no object. */
  #seesNothing(world: World): boolean {
    if (this.#view.fitted) return false;
    const { scale, x, y } = this.#view;
    const { width, height } = this.#stage;
    const objects = world.objects;
    for (let at = 0; at + 3 < objects.length; at += 4) {
      const left = (objects[at] as number) * scale + x;
      const top = (objects[at + 1] as number) * scale + y;
      const right = left + (objects[at + 2] as number) * scale;
      const bottom = top + (objects[at + 3] as number) * scale;
      if (right > 0 && bottom > 0 && left < width && top < height) return false;
    }
    return true;
  }

  #objectAt(world: World, place: { x: number; y: number }, reach: number): number | null {
    const point = toWorld(this.#view, place.x, place.y);
    return world.objectAt(point.x, point.y, reach / this.#view.scale);
  }

  #resetTotals(): void {
    this.#totals.clear();
    this.#observer.forget();
    this.#struck = [];
    this.#msSinceReport = [];
    this.#lastMs = 0;
  }

  #gatherStrikes(world: World): void {
    const strikes = world.strikes;
    for (let at = 0; at + 3 < strikes.length && this.#struck.length < MAX_IMPACTS; at += 4) {
      const [x = 0, size = 0, impulse = 0, wall = 0] = strikes.subarray(at, at + 4);
      const across = (x * this.#view.scale + this.#view.x) / Math.max(1, this.#stage.width);
      this.#struck.push({ across: Math.min(1, Math.max(0, across)), size, impulse, wall: wall > 0 });
    }
  }
}

/** The objects of a world, without overlays. */
export function pictureOf(world: World, view: View): Picture {
  return {
    world: world.parameters,
    view,
    circles: world.parameters.bounds === 'circle',
    objects: world.objects,
    flags: world.flags,
    cells: null,
    boxes: false,
    groups: null,
    levels: null,
    inspected: null,
    kept: false,
  };
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
