/**
 * URL fragment of the 3D view.
 *
 * `#view=3d&preset=ramp&seed=1&step=300&show=grid,contacts&colour=shape&depth=4&speed=0.5&camera=…&selected=7`,
 * with `&compare=baseline,octree,impulse,verlet&compare-from=120` during a comparison;
 * or `scene=…` instead of preset and step: the compressed JSON of the scene, up to a maximum
 * length. Larger scenes are kept in session storage, so that a reload finds them, and the link
 * holds only their key; in another tab, or after the tab has stored many others, they are lost,
 * which is reported.
 */
import { pack, unpack } from '../../../shared/packed-text.ts';
import type { CameraPlace } from '../../../shared/webgl/orbit-camera.ts';
import { methodOf, SOLVERS } from './method-settings.ts';
import { storedScene } from './scene-storage.ts';
import { type Catalog, type Choice, COLORINGS, type DisplayOptions, type Method, OVERLAYS, type Overlay, type Overlays, type Source, type Whereabouts } from '../workers/protocol.ts';

/** Programs that transmit links truncate longer ones. */
const LONGEST = 8000;
const KNOWN = ['view', 'preset', 'seed', 'step', 'scene', 'show', 'colour', 'depth', 'speed', 'camera', 'selected', 'compare', 'compare-from', 'main-thread'];
const MAX_DEPTH = 8;

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

/**
 * Prefix of the key of a scene that is too large for a link; a compressed scene contains no dot.
 */
const TOO_LARGE = 'too-large.';

export const DEFAULT_DISPLAY: DisplayOptions = {
  overlays: { ...nothing(), grid: true, contacts: true },
  depth: 4,
  coloring: 'shape',
};

/** State in a link besides the scene. */
export interface Shown extends Whereabouts {
  display: DisplayOptions;
  speed: number;
  comparison: LinkedComparison | null;
}

/** A second method, and the step from which it runs beside the first. */
export interface LinkedComparison {
  method: Method;
  from: number;
}

export interface Read {
  source: Source;
  shown: Shown;
  /** Parameters that could not be parsed. */
  invalid: string[];
  /** The scene was too large for the link, and this tab does not have it. */
  isLost: boolean;
}

export async function read(address: URLSearchParams, catalog: Catalog): Promise<Read> {
  const invalid: string[] = [...address.keys()].filter((name) => !KNOWN.includes(name));
  const [first] = catalog.presets;
  const wanted = address.get('preset') ?? first.name;
  const preset = catalog.presets.find(({ name }) => name === wanted);
  if (preset === undefined) invalid.push('preset');
  const seed = whole(address, 'seed', 2 ** 32 - 1, invalid) ?? 1;
  let source: Source = { preset: preset?.name ?? first.name, seed };
  const packed = address.get('scene');
  let isLost = false;
  if (packed !== null && isTooLarge(packed)) {
    const text = storedScene(packed);
    isLost = text === null;
    if (text !== null) source = { text, name: 'scene' };
  } else if (packed !== null) {
    try {
      source = { text: await unpack(packed), name: 'link' };
    } catch {
      invalid.push('scene');
    }
  }
  return { source, shown: readShown(address, catalog, invalid), invalid, isLost };
}

/** An integer parameter within its limit; `null` if absent. */
function whole(address: URLSearchParams, name: string, max: number, invalid: string[]): number | null {
  const text = address.get(name);
  if (text === null) return null;
  const value = text.trim() === '' ? NaN : Number(text);
  if (Number.isInteger(value) && value >= 0 && value <= max) return value;
  invalid.push(name);
  return null;
}

function readShown(address: URLSearchParams, catalog: Catalog, invalid: string[]): Shown {
  const display = readLooks(address, invalid);
  const step = whole(address, 'step', catalog.mostSteps, invalid) ?? 0;
  const selected = whole(address, 'selected', 2 ** 32 - 1, invalid);
  const speed = SPEEDS.find((speed) => String(speed) === (address.get('speed') ?? '1'));
  if (speed === undefined) invalid.push('speed');
  // An empty component is no number.
  const numbers = address.get('camera')?.split(',').map((text) => (text.trim() === '' ? NaN : Number(text)));
  const isCamera = numbers === undefined || (numbers.length === 6 && numbers.every((number) => Number.isFinite(number) && Math.abs(number) < 1e6));
  if (!isCamera) invalid.push('camera');
  const camera = isCamera && numbers !== undefined ? (numbers as CameraPlace) : null;
  const comparison = readComparison(address, catalog, step, invalid);
  return { display, step, selected, speed: speed ?? 1, camera, comparison };
}

function readComparison(address: URLSearchParams, { broadPhases, integrators, responses }: Catalog, step: number, invalid: string[]): LinkedComparison | null {
  const from = whole(address, 'compare-from', step, invalid) ?? 0;
  const text = address.get('compare');
  if (text === null) return null;
  const [solverName, broadPhase, response, integrator, ...more] = text.split(',');
  const solver = SOLVERS.find((name) => name === solverName);
  const isNamed = (choices: Choice[], name: string | undefined): boolean => name === undefined || choices.some((choice) => choice.name === name);
  const isKnown = solver === 'baseline' ? isNamed(broadPhases, broadPhase) && isNamed(responses, response) && isNamed(integrators, integrator) : broadPhase === undefined;
  if (solver === undefined || !isKnown || more.length > 0) {
    invalid.push('compare');
    return null;
  }
  const usual = methodOf(solver);
  const parts = { broad_phase: broadPhase ?? usual.broad_phase, integrator: integrator ?? usual.integrator, response: response ?? usual.response };
  return { method: { solver, ...parts }, from };
}

function readLooks(address: URLSearchParams, invalid: string[]): DisplayOptions {
  const display = { ...DEFAULT_DISPLAY };
  const show = address.get('show');
  if (show !== null) {
    const names = show === '' || show === 'none' ? [] : show.split(',');
    const isKnown = (name: string): name is Overlay => (OVERLAYS as readonly string[]).includes(name);
    display.overlays = nothing();
    for (const name of names) {
      if (isKnown(name)) display.overlays[name] = true;
      else invalid.push('show');
    }
  }
  const coloring = COLORINGS.find((name) => name === address.get('colour'));
  if (coloring !== undefined) display.coloring = coloring;
  else if (address.has('colour')) invalid.push('colour');
  display.depth = whole(address, 'depth', MAX_DEPTH, invalid) ?? DEFAULT_DISPLAY.depth;
  return display;
}

/** The compressed scene, or the storage key of one that is too large for a link. */
export async function packedScene(text: string): Promise<string> {
  const packed = await pack(text);
  return packed.length > LONGEST ? `${TOO_LARGE}${fingerprint(text)}` : packed;
}

export function isTooLarge(packed: string): boolean {
  return packed.startsWith(TOO_LARGE);
}

/** FNV-1a with two offsets: collisions within one tab are practically impossible. */
function fingerprint(text: string): string {
  let [one, other] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charCodeAt(at);
    one = Math.imul(one ^ letter, 0x01000193);
    other = Math.imul(other ^ letter, 0x01000193) + letter;
  }
  return `${(one >>> 0).toString(36)}${(other >>> 0).toString(36)}`;
}

/** `scene` is compressed already; null for a preset. */
export function write(source: { preset: string; seed: number } | null, scene: string | null, shown: Shown): URLSearchParams {
  const values = new URLSearchParams({ view: '3d' });
  if (scene !== null) values.set('scene', scene);
  else if (source !== null) {
    values.set('preset', source.preset);
    values.set('seed', String(source.seed));
    if (shown.step > 0) values.set('step', String(shown.step));
  }
  const { display, speed, camera, selected } = shown;
  values.set('show', OVERLAYS.filter((name) => display.overlays[name]).join(',') || 'none');
  if (display.coloring !== DEFAULT_DISPLAY.coloring) values.set('colour', display.coloring);
  if (display.depth !== DEFAULT_DISPLAY.depth) values.set('depth', String(display.depth));
  if (speed !== 1) values.set('speed', String(speed));
  if (camera !== null) values.set('camera', camera.map((number) => String(Number(number.toFixed(3)))).join(','));
  if (selected !== null) values.set('selected', String(selected));
  if (shown.comparison !== null) {
    const { method, from } = shown.comparison;
    values.set('compare', method.solver === 'baseline' ? [method.solver, method.broad_phase, method.response, method.integrator].join(',') : method.solver);
    // A scene begins in its current state; so does its comparison.
    if (scene === null && shown.step > 0 && from > 0) values.set('compare-from', String(from));
  }
  return values;
}

function nothing(): Overlays {
  return Object.fromEntries(OVERLAYS.map((name) => [name, false])) as Overlays;
}
