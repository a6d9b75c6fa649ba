/**
 * What does a refusal of the engine mean, in the reader's language?
 *
 * The engine speaks English. What it says most often the page says itself; all else is passed on as it is, and told to be English.
 */
import type { Wrong } from '../../shared/entry.ts';
import { language } from '../../shared/i18n.ts';
import { inEnglish, inOne, type Told } from '../../shared/told.tsx';
import { shapeName } from './names.ts';
import { words3d } from './words.ts';

/** Nothing if there is something in it that we have no word for. */
type Said = (...parts: string[]) => string | undefined;

/** Of which body, what it is about, and what that is. */
const ABOUT = String.raw`^(?:(.+): )?(?:the )?([a-z][a-z -]*) is (\[[^\]]*\]|\S+?)( kg)?`;

/** What the engine calls by these names, but for the spaces; it has more, which no form of the page asks for. */
const QUANTITIES = [
  'mass', 'restitution', 'friction', 'rolling-resistance', 'torsional-resistance', 'position', 'rotation', 'velocity',
  'angular-velocity', 'damping', 'angular-damping', 'gravity-scale', 'gravity', 'time-step', 'number-of-sub-steps', 'tolerance',
  'radius', 'half-height', 'half-width-along-x', 'half-width-along-y', 'half-width-along-z',
] as const;
/** Beyond these a number is all zeros, and told by its power of ten. */
const LARGE = 1e7;
const SMALL = 1e-4;

/** The engine's sentences by what is always in them, and ours with the parts that change. */
const KNOWN: readonly (readonly [RegExp, Said])[] = [
  [
    new RegExp(String.raw`${ABOUT}, but must lie between (\S+)(?: \([^)]*\))? and ([^\s:]+)`),
    (where, name, value, unit, least, most) =>
      outOfRange({ where, name, value, unit }, (about) => words3d('engine.between', { ...about, least: written(least), most: written(most) })),
  ],
  [
    new RegExp(String.raw`${ABOUT}; give three finite numbers within ±(\S+)`),
    (where, name, value, unit, most) =>
      outOfRange({ where, name, value, unit }, (about) => words3d('engine.within', { ...about, most: written(most) })),
  ],
  [
    new RegExp(String.raw`${ABOUT}, faster than the (\S+) m/s of this world`),
    (where, name, value, unit, most) =>
      outOfRange({ where, name, value, unit }, (about) => words3d('engine.fast', { ...about, most: written(most) })),
  ],
  [/has (?:the name .*|this name) already; give each its own/, () => words3d('engine.name-taken')],
  [/there is no room for it/, () => words3d('engine.no-room')],
  [/there is no such body any more/, () => words3d('engine.gone')],
  [/^(.*) is more than (\S+) m away, where nothing can be changed/, (name, far) => words3d('engine.far', { name, far })],
  [/the bounds .* are empty or out of range/, () => words3d('engine.bounds')],
  [/does not support joints/, () => words3d('engine.no-joints', { soft: words3d('env.method.soft') })],
  [/has no volume and cannot move/, () => words3d('engine.no-volume')],
  [/the inertia of the body/, () => words3d('engine.inertia')],
];

/** For beside a form; nothing if nothing was refused. */
export function engineTold(what: string | undefined): Told {
  const ours = what === undefined ? undefined : inOurWords(what);
  return what === undefined || ours !== undefined ? { text: ours } : inEnglish(what);
}

/** In one sentence, for those who listen. */
export function engineSaid(what: string): string {
  return inOne(engineTold(what));
}

/** Of a file, whose line is told: there the engine's own words tell more than ours, to those who read them. */
export function engineToldOfFile(what: string): Told {
  return language.value === 'en' ? inEnglish(what) : engineTold(what);
}

/** For a field; it was said already. */
export function engineWrong(what: string): Wrong {
  return { told: () => engineTold(what), text: () => engineSaid(what), wasSaid: true };
}

function inOurWords(what: string): string | undefined {
  for (const [pattern, said] of KNOWN) {
    const found = pattern.exec(what);
    if (found !== null) return said(...found.slice(1).map((part: string | undefined) => part ?? ''));
  }
  return undefined;
}

interface About {
  where: string;
  name: string;
  value: string;
  unit: string;
}

/** What is wrong stays beside what it may be: a message may be read far from its field, and of a scene it may be about any body. */
function outOfRange({ where, name, value, unit }: About, said: (about: { what: string; value: string }) => string): string | undefined {
  const what = QUANTITIES.find((known) => known === name.replaceAll(' ', '-'));
  if (what === undefined) return undefined;
  const told = said({ what: words3d(`quantity.${what}`), value: written(value) + unit });
  const whole = [...where.split(': ').filter((part) => part !== '').map(placeName), told].join(': ');
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}

/** A body or a joint by its number, and its name if it has one; or a shape. */
function placeName(place: string): string {
  const [, kind, number = '', name = ''] = /^(body|joint) (\d+)(.*)$/.exec(place) ?? [];
  return kind === 'body' || kind === 'joint' ? words3d(`engine.${kind}`, { number }) + name : shapeName(place);
}

/** Numbers as the engine writes them, in the reader's language. */
function written(numbers: string): string {
  const isEnglish = language.value === 'en';
  if (numbers.startsWith('[')) return `(${numbers.slice(1, -1).split(', ').map(written).join(isEnglish ? ', ' : '; ')})`;
  const value = Number(numbers);
  const isLong = Number.isFinite(value) && value !== 0 && (Math.abs(value) >= LARGE || Math.abs(value) < SMALL);
  const short = isLong ? value.toExponential().replace('+', '') : numbers.replace(/\.0$/, '');
  const minus = short.replace(/^-/, '−');
  return isEnglish ? minus : minus.replace('.', ',');
}
