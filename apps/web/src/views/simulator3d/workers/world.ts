/** The running world: the engine's simulator and the state the stage keeps beside it. */
import { countByLevel } from '../../../shared/count-by-level.ts';
import type { CameraPlace, Extent } from '../../../shared/webgl/orbit-camera.ts';
import type { BodyRow, BodyJson, ContactRow, Report, Rules, Impact, PresetSource, Whereabouts, WorldState } from './protocol.ts';
import type { Simulator } from './engine.ts';
import type { Shown } from '../stage/renderer.ts';
import { InstanceRows } from '../stage/instance-rows.ts';
import { Companion } from './companion.ts';
import { statsOf } from './stats.ts';

/** Simulated time per picture at normal speed. */
const PICTURE_S = 1 / 60;
/**
 * Time limit per picture: further steps wait for the next picture, and the simulation runs slower
 * than real time.
 */
const STEPS_BUDGET_MS = 12;
/** Maximum simulated time to catch up after a delay. */
const MAX_OWED_S = 0.2;
/** More simultaneous impacts are indistinguishable. */
const MAX_IMPACTS = 32;

export class World {
  readonly simulator: Simulator;
  /** The preset from which it was opened; null for a file or link. */
  readonly preset: PresetSource | null;
  /** Camera when the world was replaced by another one; null for the automatic view. */
  camera: CameraPlace | null = null;
  readonly picture = new InstanceRows();
  rules: Rules;
  bodies: BodyRow[];
  /** Extent at the last framing, which determines the size of the floor. */
  extent: Extent;
  selected: number | null = null;
  /** Page of the contact list in reports. */
  contactsPage = 0;
  #companion: Companion | null = null;
  #version: number;
  /** JSON of the bodies, to detect changes. */
  #json: string;
  #isNew = true;
  #sentBodies: BodyRow[] | null = null;
  /** Simulated time that is due. */
  #due = 0;
  /** Impacts since the last report. */
  #impacts: Float32Array[] = [];
  /** Row length of an impact. */
  readonly #impactLength: number;

  constructor(simulator: Simulator, preset: PresetSource | null) {
    this.simulator = simulator;
    this.preset = preset;
    this.rules = JSON.parse(simulator.settings()) as Rules;
    this.#json = simulator.bodies();
    this.bodies = JSON.parse(this.#json) as BodyRow[];
    this.#version = simulator.version;
    this.#impactLength = simulator.rowLengths[2] ?? 1;
    this.picture.look(simulator);
    this.extent = this.picture.extent(this.rules.bounds);
  }

  /** Updates the extent to the current bodies. */
  lookAround(): void {
    this.picture.look(this.simulator);
    this.extent = this.picture.extent(this.rules.bounds);
  }

  /** Omits bodies that were already sent: sending a thousand takes longer than an edit. */
  changes(): WorldState {
    const { undoable, redoable, isUnmodified } = this.simulator;
    const bodies = this.bodies === this.#sentBodies ? null : this.bodies;
    this.#sentBodies = this.bodies;
    return { rules: this.rules, bodies, undoable, redoable, isUnmodified };
  }

  /** Edited, or opened from a file or link. */
  get isOwn(): boolean {
    return this.preset === null || !this.simulator.isUnmodified;
  }

  /** The page shows another world: the next message needs all bodies. */
  resendBodies(): void {
    this.#sentBodies = null;
  }

  whereabouts(camera: CameraPlace | null): Whereabouts {
    return { step: this.simulator.at, camera, selected: this.selected === null ? null : this.#placeOf(this.selected) };
  }

  /** The world that it is compared with. */
  get companion(): Companion | null {
    return this.#companion;
  }

  /**
   * Starts a comparison from the current state, or ends it. Throws the engine's error if the method
   * does not suit the scene; then there is no comparison.
   */
  compareWith(settings: object | null): void {
    this.#companion?.free();
    this.#companion = null;
    if (settings !== null) this.#companion = new Companion(this.simulator, settings);
  }

  /** Whether the compared world is at another step: the seek of both was stopped, or went too far back. */
  get isApart(): boolean {
    return this.#companion !== null && this.#companion.simulator.at !== this.simulator.at;
  }

  free(): void {
    this.#companion?.free();
    this.simulator.free();
  }

  /** Returns whether bodies or rules have changed. The list is kept if all bodies are unchanged. */
  renew(): boolean {
    if (this.#version === this.simulator.version && !this.#isNew) return false;
    this.#isNew = false;
    this.#version = this.simulator.version;
    const bounds = JSON.stringify(this.rules.bounds);
    this.rules = JSON.parse(this.simulator.settings()) as Rules;
    const json = this.simulator.bodies();
    if (json !== this.#json) this.bodies = JSON.parse(json) as BodyRow[];
    this.#json = json;
    if (JSON.stringify(this.rules.bounds) !== bounds) {
      this.lookAround();
    }
    return true;
  }

  /** One step, or the steps of one picture at this speed. */
  go(speed: number | 'one'): void {
    if (speed === 'one') {
      this.#step();
      return;
    }
    this.#due = Math.min(this.#due + PICTURE_S * speed, Math.max(MAX_OWED_S, this.rules.time_step));
    const until = performance.now() + STEPS_BUDGET_MS;
    // Rounding must not drop a step that is due.
    while (this.#due >= this.rules.time_step * 0.999) {
      this.#due -= this.rules.time_step;
      this.#step();
      if (performance.now() > until) this.#due = 0;
    }
  }

  /** Key of the body at this index. */
  keyAt(place: number | null | undefined): number | null {
    return this.bodies[place ?? -1]?.key ?? null;
  }

  has(key: number | null): boolean {
    return key !== null && this.#placeOf(key) >= 0;
  }

  moves(key: number): boolean {
    return this.bodies[this.#placeOf(key)]?.type === 'dynamic';
  }

  shown(): Shown {
    const selected = this.selected === null ? null : this.#placeOf(this.selected);
    return { extent: this.extent, bounds: this.rules.bounds, selected };
  }

  report(fps: number, stepped: boolean, camera: CameraPlace | null, across: (x: number, y: number, z: number) => number): Report {
    const { simulator, selected } = this;
    this.picture.look(simulator);
    const json = selected === null ? undefined : simulator.body(selected);
    const contacts = simulator.contacts(selected ?? undefined, this.contactsPage);
    return {
      figures: statsOf(simulator),
      last: simulator.last,
      hash: simulator.stateHash,
      fps,
      stepped,
      impacts: this.#takeImpacts(across),
      rows: this.picture.rows(),
      contacts: JSON.parse(contacts) as ContactRow[],
      contactsPage: this.contactsPage,
      selected: json === undefined ? null : (JSON.parse(json) as BodyJson),
      selectedKey: json === undefined ? null : selected,
      whereabouts: this.whereabouts(camera),
      comparison: this.#companion?.report(simulator) ?? null,
      levels: countByLevel(this.picture.levels),
    };
  }

  #placeOf(key: number): number {
    return this.bodies.findIndex((body) => body.key === key);
  }

  #step(): void {
    this.simulator.step();
    this.#companion?.step();
    const impacts = this.simulator.takeImpacts();
    if (impacts.length > 0) this.#impacts.push(impacts);
  }

  #takeImpacts(across: (x: number, y: number, z: number) => number): Impact[] {
    const taken: Impact[] = [];
    for (const impacts of this.#impacts.splice(0)) {
      for (let at = 0; at < impacts.length; at += this.#impactLength) {
        const [x = 0, y = 0, z = 0, mass = 0, impulse = 0, wall = 0] = impacts.subarray(at, at + this.#impactLength);
        taken.push({ across: across(x, y, z), mass, impulse, wall: wall > 0 });
      }
    }
    // The hardest impacts.
    return taken.toSorted((one, other) => other.impulse - one.impulse).slice(0, MAX_IMPACTS);
  }
}
