/**
 * URL fragment of the rays view.
 *
 * `#view=rays&scene=city&structure=bvh&boxes=3&click=aim&ray=…&step=4&sight=…&heat=tests&camera=…`,
 * with `count` and `seed` of a random scene. A local file is not in the link: `file=bunny.ply`
 * names the file that the recipient has to open.
 */
import type { CameraPlace } from '../../../shared/webgl/orbit-camera.ts';
import type { Vector } from '../../../shared/vector.ts';
import { f32List } from './float-text.ts';
import { type Catalog, type Click, CLICKS, type Metric, METRICS, type Ray, type Source, type Technique, TECHNIQUES } from '../workers/protocol.ts';

const KNOWN = ['view', 'scene', 'count', 'seed', 'file', 'structure', 'boxes', 'click', 'ray', 'step', 'sight', 'heat', 'camera', 'main-thread'];
/** Maximum magnitude of coordinates in the engine. */
const LARGEST = 1e18;
export const MAX_DEPTH = 12;
const USUAL_COUNT = 2000;

/** State in a link besides the mesh. */
export interface Shown {
  technique: Technique;
  /** Maximum depth of the drawn boxes; null if none are drawn. */
  boxes: number | null;
  click: Click;
  ray: Ray | null;
  /** Step of the traversal; null for the last one. */
  step: number | null;
  sight: [Vector, Vector] | null;
  metric: Metric;
  camera: CameraPlace | null;
}

export interface Read {
  source: Extract<Source, { scene: string }>;
  /** Name of the file that the user has to open. */
  file: string | null;
  shown: Shown;
  /** Parameters that could not be parsed. */
  invalid: string[];
}

export const DEFAULTS: Shown = { technique: 'bvh', boxes: null, click: 'aim', ray: null, step: null, sight: null, metric: 'tests', camera: null };

export function read(address: URLSearchParams, { scenes, mostRandom }: Catalog): Read {
  const invalid = [...address.keys()].filter((name) => !KNOWN.includes(name));
  const whole = (name: string, min: number, max: number): number | null => {
    const text = address.get(name);
    if (text === null) return null;
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    invalid.push(name);
    return null;
  };
  const numbers = (name: string, count: number): number[] | null => {
    const text = address.get(name);
    if (text === null) return null;
    const values = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
    if (values.length === count && values.every((value) => Number.isFinite(value) && Math.abs(value) <= LARGEST)) return values;
    invalid.push(name);
    return null;
  };
  const one = <Value extends string>(name: string, values: readonly Value[], defaults: Value): Value => {
    const text = address.get(name);
    const found = values.find((value) => value === text);
    if (text !== null && found === undefined) invalid.push(name);
    return found ?? defaults;
  };
  const scene = one('scene', scenes.map(({ name }) => name), scenes[0]?.name ?? 'city');
  const source = { scene, count: whole('count', 1, mostRandom) ?? USUAL_COUNT, seed: whole('seed', 0, 2 ** 32 - 1) ?? 1 };
  const ray = numbers('ray', 6);
  const isRay = ray === null || ray.slice(3).some((part) => part !== 0);
  if (!isRay) invalid.push('ray');
  const sight = numbers('sight', 6);
  return {
    source,
    file: address.get('file'),
    shown: {
      technique: one('structure', TECHNIQUES, DEFAULTS.technique),
      boxes: whole('boxes', 0, MAX_DEPTH),
      click: one('click', CLICKS, DEFAULTS.click),
      ray: ray !== null && isRay ? { origin: ray.slice(0, 3) as Vector, direction: ray.slice(3) as Vector } : null,
      step: whole('step', 0, 1e9),
      sight: sight === null ? null : [sight.slice(0, 3) as Vector, sight.slice(3) as Vector],
      metric: one('heat', METRICS, DEFAULTS.metric),
      camera: numbers('camera', 6) as CameraPlace | null,
    },
    invalid,
  };
}

export function write(source: Source | null, { scenes }: Catalog, shown: Shown): URLSearchParams {
  const values = new URLSearchParams({ view: 'rays' });
  if (source !== null && 'file' in source) {
    values.set('file', source.file.name);
  } else if (source !== null) {
    values.set('scene', source.scene);
    if (scenes.find(({ name }) => name === source.scene)?.isRandom === true) {
      values.set('count', String(source.count));
      values.set('seed', String(source.seed));
    }
  }
  values.set('structure', shown.technique);
  if (shown.boxes !== null) values.set('boxes', String(shown.boxes));
  if (shown.click !== DEFAULTS.click) values.set('click', shown.click);
  if (shown.ray !== null) values.set('ray', f32List([...shown.ray.origin, ...shown.ray.direction]));
  if (shown.step !== null) values.set('step', String(shown.step));
  if (shown.sight !== null) values.set('sight', f32List(shown.sight.flat()));
  if (shown.metric !== DEFAULTS.metric) values.set('heat', shown.metric);
  if (shown.camera !== null) values.set('camera', shown.camera.map((number) => String(Number(number.toPrecision(6)))).join(','));
  return values;
}
