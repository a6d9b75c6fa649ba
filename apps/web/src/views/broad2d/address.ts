/**
 * How does the whole view stand in a link?
 *
 * `#view=2d&w=960&h=540&n=600&b=aabb&s=6-16&v=20-80&t=auto&c=24&seed=1&cells=1&exp=2&frames=500`:
 * everything that makes the scene, so that a link gives it back to the bit. What cannot be read falls
 * back to the usual value, and is named; whether the engine takes the rest, the engine says.
 *
 * Not in the link: the frame that the scene has come to and whether it plays (a link is a beginning), the part
 * of the world in view (it depends on the size of the stage), which lines the chart shows, and what was
 * measured (times are the machine's own). Language, theme and sound belong to the reader, not to the scene.
 */
import type { Key } from '../../shared/i18n.ts';
import { type Bounds, type Catalogue, MEAN_FRAMES, type Overlays, type Parameters } from './protocol.ts';

/** `compare` is every technique on the present scene. */
export type Choice = 'compare' | `experiment-${number}`;

export interface Shown {
  parameters: Parameters;
  overlays: Overlays;
  selected: number | null;
  choice: Choice;
  frames: number;
  /** Techniques to measure; none named means all. */
  techniques: readonly string[] | null;
}

export type FieldName = Extract<Key, `field.${string}`> extends `field.${infer Name}` ? Name : never;

export interface Read {
  shown: Shown;
  unreadable: FieldName[];
}

const NO_TECHNIQUE = 'none';
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
/** What other parts of the page read. */
const OF_THE_PAGE: readonly string[] = ['main-thread'];
/** A number more than the page will carry in a link. */
const LONGEST = 400;

export function usual(catalogue: Catalogue): Shown {
  return {
    parameters: catalogue.defaults,
    overlays: { cells: false, boxes: false },
    selected: null,
    choice: 'compare',
    frames: MEAN_FRAMES,
    techniques: null,
  };
}

export function read(address: URLSearchParams, catalogue: Catalogue): Read {
  const shown = usual(catalogue);
  const parameters = { ...shown.parameters };
  const unreadable: FieldName[] = [];
  const known = new Set(OF_THE_PAGE);

  /** Takes what stands under `name`, if it stands there and `understand` does. */
  function take<Value>(
    name: string,
    fields: readonly FieldName[],
    understand: (text: string) => Value | undefined,
    keep: (value: Value) => void,
  ): void {
    const [text, ...more] = address.getAll(name);
    known.add(name);
    if (text === undefined) {
      return;
    }
    // Two values for one thing: neither is surely meant.
    const value = more.length > 0 || text.length > LONGEST ? undefined : understand(text);
    if (value === undefined) {
      unreadable.push(...fields);
    } else {
      keep(value);
    }
  }

  take('view', ['view'], (text) => (text === '2d' ? text : undefined), () => undefined);
  take('w', ['width'], number, (width) => (parameters.width = width));
  take('h', ['height'], number, (height) => (parameters.height = height));
  take('n', ['objects'], number, (objects) => (parameters.objects = objects));
  take('b', ['bounds'], bounds, (chosen) => (parameters.bounds = chosen));
  take('s', ['minSize', 'maxSize'], range, ([min, max]) => {
    parameters.minSize = min;
    parameters.maxSize = max;
  });
  take('v', ['minSpeed', 'maxSpeed'], range, ([min, max]) => {
    parameters.minSpeed = min;
    parameters.maxSpeed = max;
  });
  const technique = (text: string): string | undefined =>
    catalogue.techniques.find((technique) => technique.name === text)?.name;
  take('t', ['technique'], technique, (name) => (parameters.technique = name));
  take('c', ['cellSize'], number, (cellSize) => (parameters.cellSize = cellSize));
  take('seed', ['seed'], number, (seed) => (parameters.seed = seed));

  const overlays = { ...shown.overlays };
  take('cells', ['cells'], flag, (cells) => (overlays.cells = cells));
  take('boxes', ['boxes'], flag, (boxes) => (overlays.boxes = boxes));
  const inScene = (text: string): number | undefined => {
    const object = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return object < parameters.objects ? object : undefined;
  };
  take('sel', ['selected'], inScene, (object) => (shown.selected = object));

  const experiment = (text: string): Choice | undefined => {
    const numbers = catalogue.experiments.map(({ number: each }) => String(each));
    return text === 'compare' ? text : numbers.includes(text) ? `experiment-${Number(text)}` : undefined;
  };
  take('exp', ['experiment'], experiment, (choice) => (shown.choice = choice));
  const [least, most] = catalogue.limits.frames;
  const frames = (text: string): number | undefined => {
    const count = number(text);
    return count !== undefined && Number.isInteger(count) && count >= least && count <= most ? count : undefined;
  };
  take('frames', ['frames'], frames, (count) => (shown.frames = count));
  const list = (text: string): string[] | undefined => {
    // None is a choice too: somebody may be about to tick others.
    const names = text === NO_TECHNIQUE ? [] : text.split(',');
    return names.every((name) => technique(name) !== undefined) ? names : undefined;
  };
  take('tech', ['techniques'], list, (techniques) => (shown.techniques = techniques));

  if ([...address.keys()].some((name) => !known.has(name))) {
    unreadable.push('unknown');
  }
  return { shown: { ...shown, parameters, overlays }, unreadable };
}

export function write(shown: Shown): URLSearchParams {
  const { parameters, overlays } = shown;
  const address = new URLSearchParams({
    view: '2d',
    w: String(parameters.width),
    h: String(parameters.height),
    n: String(parameters.objects),
    b: parameters.bounds,
    s: `${parameters.minSize}-${parameters.maxSize}`,
    v: `${parameters.minSpeed}-${parameters.maxSpeed}`,
    t: parameters.technique,
    c: String(parameters.cellSize),
    seed: String(parameters.seed),
  });
  if (overlays.cells) address.set('cells', '1');
  if (overlays.boxes) address.set('boxes', '1');
  if (shown.selected !== null) address.set('sel', String(shown.selected));
  if (shown.choice !== 'compare') address.set('exp', shown.choice.replace('experiment-', ''));
  if (shown.frames !== MEAN_FRAMES) address.set('frames', String(shown.frames));
  if (shown.techniques !== null) address.set('tech', shown.techniques.join(',') || NO_TECHNIQUE);
  return address;
}

function number(text: string): number | undefined {
  const value = NUMBER.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

function range(text: string): [number, number] | undefined {
  const [, from, to] = /^(-?[\d.]+(?:e[+-]?\d+)?)-(-?[\d.]+(?:e[+-]?\d+)?)$/i.exec(text) ?? [];
  const [min, max] = [number(from ?? ''), number(to ?? '')];
  return min === undefined || max === undefined ? undefined : [min, max];
}

function bounds(text: string): Bounds | undefined {
  return text === 'aabb' || text === 'circle' ? text : undefined;
}

function flag(text: string): boolean | undefined {
  return text === '1' ? true : text === '0' ? false : undefined;
}
