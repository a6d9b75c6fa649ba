/**
 * URL fragment of the 2D view.
 *
 * `#view=2d&w=960&h=540&n=600&b=aabb&s=6-16&v=20-80&t=auto&c=24&seed=1&cells=1&exp=2&frames=500`:
 * everything that determines the scene, so that a link reproduces it bit for bit. Unreadable values
 * fall back to the defaults and are reported; the engine validates the rest.
 *
 * Not in the link: the current frame and whether it plays (a link starts at frame 0), the visible
 * part of the world (it depends on the size of the stage), the chart's series, and results (times
 * are specific to the machine). Language, theme and sound are settings of the user, not of the
 * scene.
 */
import type { Key } from '../i18n/translate.ts';
import { type Bounds, type Catalog, MEAN_FRAMES, type Overlays, type Parameters } from '../workers/protocol.ts';

/**
 * `compare` measures every technique on the present scene; `capacity` searches for the most objects
 * of each at two frame rates.
 */
export type Choice = 'compare' | 'scaling' | 'capacity' | `experiment-${number}`;

export interface Shown {
  parameters: Parameters;
  overlays: Overlays;
  selected: number | null;
  choice: Choice;
  frames: number;
  /** Techniques to measure; null means all. */
  techniques: readonly string[] | null;
}

export type FieldName = Extract<Key, `field.${string}`> extends `field.${infer Name}` ? Name : never;

export interface Read {
  shown: Shown;
  invalid: FieldName[];
}

const NO_TECHNIQUE = 'none';
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
/** Parameters read by other parts of the page. */
const OF_THE_PAGE: readonly string[] = ['main-thread'];
/** Maximum length of a value. */
const LONGEST = 400;

export function defaultState(catalog: Catalog): Shown {
  return {
    parameters: catalog.defaults,
    overlays: { cells: false, boxes: false, groups: false, levels: false },
    selected: null,
    choice: 'compare',
    frames: MEAN_FRAMES,
    techniques: null,
  };
}

export function read(address: URLSearchParams, catalog: Catalog): Read {
  const shown = defaultState(catalog);
  const parameters = { ...shown.parameters };
  const invalid: FieldName[] = [];
  const known = new Set(OF_THE_PAGE);

  /** Parses the value of `name`, if present and valid. */
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
    // Duplicate parameters are ambiguous.
    const value = more.length > 0 || text.length > LONGEST ? undefined : understand(text);
    if (value === undefined) {
      invalid.push(...fields);
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
    catalog.techniques.find((technique) => technique.name === text)?.name;
  take('t', ['technique'], technique, (name) => (parameters.technique = name));
  take('c', ['cellSize'], number, (cellSize) => (parameters.cellSize = cellSize));
  take('seed', ['seed'], number, (seed) => (parameters.seed = seed));

  const overlays = { ...shown.overlays };
  take('cells', ['cells'], flag, (cells) => (overlays.cells = cells));
  take('boxes', ['boxes'], flag, (boxes) => (overlays.boxes = boxes));
  take('groups', ['groups'], flag, (groups) => (overlays.groups = groups));
  take('levels', ['levels'], flag, (levels) => (overlays.levels = levels));
  const inScene = (text: string): number | undefined => {
    const object = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return object < parameters.objects ? object : undefined;
  };
  take('sel', ['selected'], inScene, (object) => (shown.selected = object));

  const experiment = (text: string): Choice | undefined => {
    const numbers = catalog.experiments.map(({ number: each }) => String(each));
    return text === 'compare' || text === 'scaling' || text === 'capacity' ? text : numbers.includes(text) ? `experiment-${Number(text)}` : undefined;
  };
  take('exp', ['experiment'], experiment, (choice) => (shown.choice = choice));
  const [least, most] = catalog.limits.frames;
  const frames = (text: string): number | undefined => {
    const count = number(text);
    return count !== undefined && Number.isInteger(count) && count >= least && count <= most ? count : undefined;
  };
  take('frames', ['frames'], frames, (count) => (shown.frames = count));
  const list = (text: string): string[] | undefined => {
    // No technique is a valid choice: the user may be about to tick others.
    const names = text === NO_TECHNIQUE ? [] : text.split(',');
    return names.every((name) => technique(name) !== undefined) ? names : undefined;
  };
  take('tech', ['techniques'], list, (techniques) => (shown.techniques = techniques));

  if ([...address.keys()].some((name) => !known.has(name))) {
    invalid.push('unknown');
  }
  return { shown: { ...shown, parameters, overlays }, invalid };
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
  if (overlays.groups) address.set('groups', '1');
  if (overlays.levels) address.set('levels', '1');
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
