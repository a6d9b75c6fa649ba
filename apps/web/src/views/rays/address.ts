/**
 * How does this view stand in a link?
 *
 * `#view=rays&scene=city&structure=bvh&boxes=3&click=aim&ray=…&step=4&sight=…&heat=tests&camera=…`, with `count` and `seed`
 * of a random scene. A file of the reader's own is not in the link: `file=bunny.ply` says which one is to be opened.
 */
import type { CameraPlace } from '../../shared/stage/orbit-camera.ts';
import type { Vector } from '../../shared/vector.ts';
import { exactList } from './digits.ts';
import { type Catalogue, type Click, CLICKS, type Metric, METRICS, type Ray, type Source, type Technique, TECHNIQUES } from './protocol.ts';

const KNOWN = ['view', 'scene', 'count', 'seed', 'file', 'structure', 'boxes', 'click', 'ray', 'step', 'sight', 'heat', 'camera', 'main-thread'];
/** The engine takes no larger coordinates. */
const LARGEST = 1e18;
export const MOST_DEPTH = 12;
const USUAL_COUNT = 2000;

/** What a link says beside the mesh. */
export interface Shown {
  technique: Technique;
  /** Down to this depth the structure's boxes are drawn; none if they are not. */
  boxes: number | null;
  click: Click;
  ray: Ray | null;
  /** Of the walk; none for all of it. */
  step: number | null;
  sight: [Vector, Vector] | null;
  metric: Metric;
  camera: CameraPlace | null;
}

export interface Read {
  source: Extract<Source, { scene: string }>;
  /** The file that is meant; it has to be opened by hand. */
  file: string | null;
  shown: Shown;
  /** Parts that could not be taken. */
  unreadable: string[];
}

export const USUAL: Shown = { technique: 'bvh', boxes: null, click: 'aim', ray: null, step: null, sight: null, metric: 'tests', camera: null };

export function read(address: URLSearchParams, { scenes, mostRandom }: Catalogue): Read {
  const unreadable = [...address.keys()].filter((name) => !KNOWN.includes(name));
  const whole = (name: string, least: number, most: number): number | null => {
    const text = address.get(name);
    if (text === null) return null;
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    unreadable.push(name);
    return null;
  };
  const numbers = (name: string, count: number): number[] | null => {
    const text = address.get(name);
    if (text === null) return null;
    const values = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
    if (values.length === count && values.every((value) => Number.isFinite(value) && Math.abs(value) <= LARGEST)) return values;
    unreadable.push(name);
    return null;
  };
  const one = <Value extends string>(name: string, values: readonly Value[], usual: Value): Value => {
    const text = address.get(name);
    const found = values.find((value) => value === text);
    if (text !== null && found === undefined) unreadable.push(name);
    return found ?? usual;
  };
  const scene = one('scene', scenes.map(({ name }) => name), scenes[0]?.name ?? 'city');
  const source = { scene, count: whole('count', 1, mostRandom) ?? USUAL_COUNT, seed: whole('seed', 0, 2 ** 32 - 1) ?? 1 };
  const ray = numbers('ray', 6);
  const isRay = ray === null || ray.slice(3).some((part) => part !== 0);
  if (!isRay) unreadable.push('ray');
  const sight = numbers('sight', 6);
  return {
    source,
    file: address.get('file'),
    shown: {
      technique: one('structure', TECHNIQUES, USUAL.technique),
      boxes: whole('boxes', 0, MOST_DEPTH),
      click: one('click', CLICKS, USUAL.click),
      ray: ray !== null && isRay ? { origin: ray.slice(0, 3) as Vector, direction: ray.slice(3) as Vector } : null,
      step: whole('step', 0, 1e9),
      sight: sight === null ? null : [sight.slice(0, 3) as Vector, sight.slice(3) as Vector],
      metric: one('heat', METRICS, USUAL.metric),
      camera: numbers('camera', 6) as CameraPlace | null,
    },
    unreadable,
  };
}

export function write(source: Source | null, { scenes }: Catalogue, shown: Shown): URLSearchParams {
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
  if (shown.click !== USUAL.click) values.set('click', shown.click);
  if (shown.ray !== null) values.set('ray', exactList([...shown.ray.origin, ...shown.ray.direction]));
  if (shown.step !== null) values.set('step', String(shown.step));
  if (shown.sight !== null) values.set('sight', exactList(shown.sight.flat()));
  if (shown.metric !== USUAL.metric) values.set('heat', shown.metric);
  if (shown.camera !== null) values.set('camera', shown.camera.map((number) => String(Number(number.toPrecision(6)))).join(','));
  return values;
}
