/**
 * How does this view stand in a link?
 *
 * `#view=studies&study=broad2d&run=full&experiment=2&objects=100,500&frames=50&seeds=1&repeats=1&seed=7&tech=tree,grid&workers=2&show=rows`:
 * what is not named is what the study measures by itself.
 */
import {
  type Choice,
  chosenOf,
  EXPERIMENTS,
  FAMILIES,
  FIRST,
  isAll,
  isStudy,
  type ListField,
  LISTS,
  type NumberField,
  NUMBERS,
  offerOf,
  problemOfList,
  problemOfNumber,
  readList,
  SHOWS,
  usualOf,
} from './choice.ts';
import type { Catalogue } from './protocol.ts';

const KNOWN = ['view', 'main-thread', 'study', 'run', 'experiment', 'families', 'tech', 'workers', 'show', ...NUMBERS, ...LISTS];
/** A link from a larger machine means all of this one. */
const MOST_WORKERS = 1024;

export interface Read {
  choice: Choice;
  /** Parts that could not be taken. */
  unreadable: string[];
}

export function read(address: URLSearchParams, catalogue: Catalogue): Read {
  const unreadable = [...new Set(address.keys())].filter((name) => !KNOWN.includes(name));
  /** What the address says, if the page knows it. */
  const oneOf = <Word extends string>(name: string, words: readonly Word[]): Word | undefined => {
    const said = address.get(name);
    const known = words.find((word) => word === said);
    if (said !== null && known === undefined) unreadable.push(name);
    return known;
  };
  const study = address.get('study') ?? FIRST.study;
  if (!isStudy(study)) unreadable.push('study');
  const choice: Choice = {
    ...FIRST,
    study: isStudy(study) ? study : FIRST.study,
    quick: (oneOf('run', ['quick', 'full']) ?? 'quick') === 'quick',
    show: oneOf('show', SHOWS) ?? FIRST.show,
    experiment: oneOf('experiment', EXPERIMENTS) ?? FIRST.experiment,
  };
  const several = (name: string, all: readonly string[]): readonly string[] | null => {
    const said = address.get(name)?.split(',') ?? null;
    if (said === null) return null;
    if (said.some((word) => !all.includes(word))) unreadable.push(name);
    const known = chosenOf(all, said);
    return known.length === 0 || isAll(all, known) ? null : known;
  };
  choice.families = several('families', FAMILIES);
  choice.techniques = several('tech', offerOf(catalogue, choice).techniques);
  const numbers: Partial<Record<NumberField, number>> = {};
  for (const field of NUMBERS) {
    const value = whole(address.get(field));
    if (value === undefined) continue;
    if (problemOfNumber(value, catalogue.limits[field]) === null) numbers[field] = value;
    else unreadable.push(field);
  }
  const lists: Partial<Record<ListField, readonly number[]>> = {};
  for (const field of LISTS) {
    const said = address.get(field);
    if (said === null) continue;
    const values = readList(said);
    if (problemOfList(values, catalogue.limits[field]) === null) lists[field] = values;
    else unreadable.push(field);
  }
  const workers = whole(address.get('workers'));
  const isCount = workers !== undefined && problemOfNumber(workers, [1, MOST_WORKERS]) === null;
  if (workers !== undefined && !isCount) unreadable.push('workers');
  return { choice: { ...choice, numbers, lists, workers: isCount ? workers : null }, unreadable };
}

/** Not a number if it is none; `undefined` if nothing is said. */
function whole(text: string | null): number | undefined {
  return text === null ? undefined : /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

export function write(choice: Choice, catalogue: Catalogue): URLSearchParams {
  const values = new URLSearchParams({ view: 'studies', study: choice.study });
  const usual = usualOf(catalogue, choice);
  if (!choice.quick) values.set('run', 'full');
  if (choice.study === 'broad2d' && choice.experiment !== FIRST.experiment) values.set('experiment', choice.experiment);
  for (const field of LISTS) {
    const list = choice.lists[field];
    if (list !== undefined && problemOfList(list, catalogue.limits[field]) === null && list.join() !== usual[field]?.join()) values.set(field, list.join());
  }
  for (const field of NUMBERS) {
    const value = choice.numbers[field];
    if (value !== undefined && problemOfNumber(value, catalogue.limits[field]) === null && value !== usual[field]) values.set(field, String(value));
  }
  const { techniques } = offerOf(catalogue, choice);
  const put = (name: string, all: readonly string[], chosen: readonly string[] | null): void => {
    const names = chosenOf(all, chosen);
    if (names.length > 0 && names.length < all.length) values.set(name, names.join());
  };
  put('families', FAMILIES, choice.families);
  put('tech', techniques, choice.techniques);
  if (choice.workers !== null && problemOfNumber(choice.workers, [1, MOST_WORKERS]) === null) values.set('workers', String(choice.workers));
  if (choice.show !== FIRST.show) values.set('show', choice.show);
  return values;
}
