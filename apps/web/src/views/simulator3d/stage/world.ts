/** The world that runs: the engine's, with what the stage knows of it beside. */
import type { CameraPlace, Extent } from '../../../shared/stage/orbit-camera.ts';
import type { BodyRow, BodyWords, ContactRow, Report, Rules, Struck, Whereabouts, WorldTold } from '../protocol.ts';
import type { Simulator } from './engine.ts';
import type { Shown } from './painter.ts';
import { WorldPicture } from './world-picture.ts';

/** One picture stands for this time. */
const PICTURE_S = 1 / 60;
/** Steps that take longer wait for the next picture; time goes slower then. */
const PATIENCE_MS = 12;
/** A world that was held up goes on from where it is; it does not run after more time than this. */
const MOST_OWED_S = 0.2;
/** More hits at once are one noise. */
const MOST_STRUCK = 32;

export class World {
  readonly simulator: Simulator;
  readonly picture = new WorldPicture();
  rules: Rules;
  bodies: BodyRow[];
  /** How far it reached when somebody last looked around: the floor goes as far. */
  extent: Extent;
  selected: number | null = null;
  /** Which page of the list of contacts is told. */
  contactsPage = 0;
  #version: number;
  /** The words of the bodies, by which it is known whether they are others. */
  #words: string;
  #isNew = true;
  #told: BodyRow[] | null = null;
  /** Simulated time that is due. */
  #owed = 0;
  #struck: Float32Array[] = [];
  /** Numbers a hit. */
  readonly #aStrike: number;

  constructor(simulator: Simulator) {
    this.simulator = simulator;
    this.rules = JSON.parse(simulator.rules()) as Rules;
    this.#words = simulator.bodies();
    this.bodies = JSON.parse(this.#words) as BodyRow[];
    this.#version = simulator.version;
    this.#aStrike = simulator.rowLengths[2] ?? 1;
    this.picture.look(simulator);
    this.extent = this.picture.extent(this.rules.bounds);
  }

  /** How far all reaches that is there now. */
  lookAround(): void {
    this.picture.look(this.simulator);
    this.extent = this.picture.extent(this.rules.bounds);
  }

  /** Bodies that were told already are not told again: to send a thousand takes longer than to change them. */
  told(): WorldTold {
    const { undoable, redoable, isAsOpened } = this.simulator;
    const bodies = this.bodies === this.#told ? null : this.bodies;
    this.#told = this.bodies;
    return { rules: this.rules, bodies, undoable, redoable, isAsOpened };
  }

  whereabouts(camera: CameraPlace | null): Whereabouts {
    return { step: this.simulator.at, camera, selected: this.selected === null ? null : this.#placeOf(this.selected) };
  }

  free(): void {
    this.simulator.free();
  }

  /** Whether there are other bodies or rules than before. If all bodies stay, so does their list. */
  renew(): boolean {
    if (this.#version === this.simulator.version && !this.#isNew) return false;
    this.#isNew = false;
    this.#version = this.simulator.version;
    const bounds = JSON.stringify(this.rules.bounds);
    this.rules = JSON.parse(this.simulator.rules()) as Rules;
    const words = this.simulator.bodies();
    if (words !== this.#words) this.bodies = JSON.parse(words) as BodyRow[];
    this.#words = words;
    if (JSON.stringify(this.rules.bounds) !== bounds) {
      this.lookAround();
    }
    return true;
  }

  /** One step, or as many as a picture stands for at this speed. */
  go(speed: number | 'one'): void {
    if (speed === 'one') {
      this.simulator.step();
      this.#hear();
      return;
    }
    this.#owed = Math.min(this.#owed + PICTURE_S * speed, Math.max(MOST_OWED_S, this.rules.time_step));
    const until = performance.now() + PATIENCE_MS;
    // Rounding must not lose a step that is due.
    while (this.#owed >= this.rules.time_step * 0.999) {
      this.#owed -= this.rules.time_step;
      this.simulator.step();
      this.#hear();
      if (performance.now() > until) this.#owed = 0;
    }
  }

  /** The body at this place in the list. */
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
    const f = simulator.figures();
    const at = (place: number): number => f[place] ?? 0;
    const size = (place: number): number => Math.hypot(at(place), at(place + 1), at(place + 2));
    this.picture.look(simulator);
    const words = selected === null ? undefined : simulator.body(selected);
    const contacts = simulator.contacts(selected ?? undefined, this.contactsPage);
    return {
      figures: {
        step: at(0),
        time: at(1),
        bodies: at(2),
        touching: at(3),
        asleep: at(4),
        pairs: at(5),
        contacts: at(6),
        islands: at(7),
        energy: at(8),
        kinetic: at(9),
        momentum: size(10),
        angularMomentum: size(13),
        costs: [at(16) * 1e3, at(17) * 1e3, at(18) * 1e3, at(19) * 1e3],
        deepest: at(20),
      },
      last: simulator.last,
      hash: simulator.hash,
      fps,
      stepped,
      struck: this.#takeStruck(across),
      rows: this.picture.rows(),
      contacts: JSON.parse(contacts) as ContactRow[],
      contactsPage: this.contactsPage,
      selected: words === undefined ? null : (JSON.parse(words) as BodyWords),
      selectedKey: words === undefined ? null : selected,
      whereabouts: this.whereabouts(camera),
    };
  }

  #placeOf(key: number): number {
    return this.bodies.findIndex((body) => body.key === key);
  }

  #hear(): void {
    const strikes = this.simulator.strikes();
    if (strikes.length > 0) this.#struck.push(strikes);
  }

  #takeStruck(across: (x: number, y: number, z: number) => number): Struck[] {
    const struck: Struck[] = [];
    for (const strikes of this.#struck.splice(0)) {
      for (let at = 0; at < strikes.length; at += this.#aStrike) {
        const [x = 0, y = 0, z = 0, mass = 0, impulse = 0, wall = 0] = strikes.subarray(at, at + this.#aStrike);
        struck.push({ across: across(x, y, z), mass, impulse, wall: wall > 0 });
      }
    }
    // The hardest are heard.
    return struck.toSorted((one, other) => other.impulse - one.impulse).slice(0, MOST_STRUCK);
  }
}
