/**
 * How does this view stand in a link?
 *
 * `#view=3d&preset=ramp&seed=1&step=300&show=grid,contacts&colour=shape&depth=4&speed=0.5&camera=…&selected=7`, or
 * `scene=…` instead of preset and step: the scene's own words as it stands, packed, as long as they are few. Words that
 * are too many stay in the tab, so that a reload finds them, and the link says only which they are; elsewhere, or when the
 * tab has kept many others since, they are lost, and that is told.
 */
import { pack, unpack } from '../../shared/pack.ts';
import type { CameraPlace } from '../../shared/stage/orbit-camera.ts';
import { kept } from './kept.ts';
import { type Catalogue, COLOURINGS, type Looks, OVERLAYS, type Overlay, type Overlays, type Source, type Whereabouts } from './protocol.ts';

/** Longer links are cut by programs that carry them. */
const LONGEST = 8000;
const KNOWN = ['view', 'preset', 'seed', 'step', 'scene', 'show', 'colour', 'depth', 'speed', 'camera', 'selected', 'main-thread'];
const MOST_DEPTH = 8;

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

/** So begins what stands in a link for a scene that no link can hold; a packed scene has no dot. */
const TOO_LARGE = 'too-large.';

export const USUAL_LOOKS: Looks = {
  overlays: { ...nothing(), grid: true, contacts: true },
  depth: 4,
  colouring: 'shape',
};

/** What a link says beside the scene. */
export interface Shown extends Whereabouts {
  looks: Looks;
  speed: number;
}

export interface Read {
  source: Source;
  shown: Shown;
  /** Parts that could not be taken. */
  unreadable: string[];
  /** The scene was too large for the link, and this tab does not have it. */
  isLost: boolean;
}

export async function read(address: URLSearchParams, catalogue: Catalogue): Promise<Read> {
  const unreadable: string[] = [...address.keys()].filter((name) => !KNOWN.includes(name));
  const [first] = catalogue.presets;
  const wanted = address.get('preset') ?? first.name;
  const preset = catalogue.presets.find(({ name }) => name === wanted);
  if (preset === undefined) unreadable.push('preset');
  const seed = whole(address, 'seed', 2 ** 32 - 1, unreadable) ?? 1;
  let source: Source = { preset: preset?.name ?? first.name, seed };
  const packed = address.get('scene');
  let isLost = false;
  if (packed !== null && isTooLarge(packed)) {
    const text = kept(packed);
    isLost = text === null;
    if (text !== null) source = { text, name: 'scene' };
  } else if (packed !== null) {
    try {
      source = { text: await unpack(packed), name: 'link' };
    } catch {
      unreadable.push('scene');
    }
  }
  return { source, shown: readShown(address, catalogue, unreadable), unreadable, isLost };
}

/** A number that is told, and whole, and not too large; `null` if none is. */
function whole(address: URLSearchParams, name: string, most: number, unreadable: string[]): number | null {
  const text = address.get(name);
  if (text === null) return null;
  const value = text.trim() === '' ? NaN : Number(text);
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  unreadable.push(name);
  return null;
}

function readShown(address: URLSearchParams, { mostSteps }: Catalogue, unreadable: string[]): Shown {
  const looks = readLooks(address, unreadable);
  const step = whole(address, 'step', mostSteps, unreadable) ?? 0;
  const selected = whole(address, 'selected', 2 ** 32 - 1, unreadable);
  const speed = SPEEDS.find((speed) => String(speed) === (address.get('speed') ?? '1'));
  if (speed === undefined) unreadable.push('speed');
  // Nothing between two commas is no number.
  const numbers = address.get('camera')?.split(',').map((text) => (text.trim() === '' ? NaN : Number(text)));
  const isCamera = numbers === undefined || (numbers.length === 6 && numbers.every((number) => Number.isFinite(number) && Math.abs(number) < 1e6));
  if (!isCamera) unreadable.push('camera');
  const camera = isCamera && numbers !== undefined ? (numbers as CameraPlace) : null;
  return { looks, step, selected, speed: speed ?? 1, camera };
}

function readLooks(address: URLSearchParams, unreadable: string[]): Looks {
  const looks = { ...USUAL_LOOKS };
  const show = address.get('show');
  if (show !== null) {
    const names = show === '' || show === 'none' ? [] : show.split(',');
    const isKnown = (name: string): name is Overlay => (OVERLAYS as readonly string[]).includes(name);
    looks.overlays = nothing();
    for (const name of names) {
      if (isKnown(name)) looks.overlays[name] = true;
      else unreadable.push('show');
    }
  }
  const colouring = COLOURINGS.find((name) => name === address.get('colour'));
  if (colouring !== undefined) looks.colouring = colouring;
  else if (address.has('colour')) unreadable.push('colour');
  looks.depth = whole(address, 'depth', MOST_DEPTH, unreadable) ?? USUAL_LOOKS.depth;
  return looks;
}

/** A scene of one's own, packed; if that is too long for a link, only which one it is. */
export async function packedScene(text: string): Promise<string> {
  const packed = await pack(text);
  return packed.length > LONGEST ? `${TOO_LARGE}${fingerprint(text)}` : packed;
}

export function isTooLarge(packed: string): boolean {
  return packed.startsWith(TOO_LARGE);
}

/** FNV-1a of its letters, from two beginnings: a tab never sees so many scenes that two would be alike. */
function fingerprint(text: string): string {
  let [one, other] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charCodeAt(at);
    one = Math.imul(one ^ letter, 0x01000193);
    other = Math.imul(other ^ letter, 0x01000193) + letter;
  }
  return `${(one >>> 0).toString(36)}${(other >>> 0).toString(36)}`;
}

/** `scene` is packed already; none for a preset. */
export function write(source: { preset: string; seed: number } | null, scene: string | null, shown: Shown): URLSearchParams {
  const values = new URLSearchParams({ view: '3d' });
  if (scene !== null) values.set('scene', scene);
  else if (source !== null) {
    values.set('preset', source.preset);
    values.set('seed', String(source.seed));
    if (shown.step > 0) values.set('step', String(shown.step));
  }
  const { looks, speed, camera, selected } = shown;
  values.set('show', OVERLAYS.filter((name) => looks.overlays[name]).join(',') || 'none');
  if (looks.colouring !== USUAL_LOOKS.colouring) values.set('colour', looks.colouring);
  if (looks.depth !== USUAL_LOOKS.depth) values.set('depth', String(looks.depth));
  if (speed !== 1) values.set('speed', String(speed));
  if (camera !== null) values.set('camera', camera.map((number) => String(Number(number.toFixed(3)))).join(','));
  if (selected !== null) values.set('selected', String(selected));
  return values;
}

function nothing(): Overlays {
  return Object.fromEntries(OVERLAYS.map((name) => [name, false])) as Overlays;
}
