/**
 * URL fragment of the studies view.
 *
 * `#view=studies&study=broad2d&run=full&experiment=2&objects=100,500&frames=50&seeds=1&repeats=1&seed=7&tech=tree,grid&workers=2&show=rows`:
 * absent parameters have the study's defaults.
 */
import {
  type Choice,
  chosenOf,
  EXPERIMENTS,
  FAMILIES,
  FIRST,
  isStandard,
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
  standardTechniques,
  defaultsOf,
} from './choice.ts';
import type { Catalog } from '../workers/protocol.ts';

const KNOWN = ['view', 'main-thread', 'study', 'run', 'experiment', 'families', 'tech', 'workers', 'show', ...NUMBERS, ...LISTS];
/** A link from a larger machine is limited to the workers of this one. */
const MAX_WORKERS = 1024;

export interface Read {
  choice: Choice;
  /** Parameters that could not be parsed. */
  invalid: string[];
}

export function read(address: URLSearchParams, catalog: Catalog): Read {
  const invalid = [...new Set(address.keys())].filter((name) => !KNOWN.includes(name));
  /** The value of the address, if it is one of these. */
  const oneOf = <Word extends string>(name: string, words: readonly Word[]): Word | undefined => {
    const value = address.get(name);
    const known = words.find((word) => word === value);
    if (value !== null && known === undefined) invalid.push(name);
    return known;
  };
  const study = address.get('study') ?? FIRST.study;
  if (!isStudy(study)) invalid.push('study');
  const choice: Choice = {
    ...FIRST,
    study: isStudy(study) ? study : FIRST.study,
    quick: (oneOf('run', ['quick', 'full']) ?? 'quick') === 'quick',
    show: oneOf('show', SHOWS) ?? FIRST.show,
    experiment: oneOf('experiment', EXPERIMENTS) ?? FIRST.experiment,
  };
  const several = (name: string, all: readonly string[], standard = all): readonly string[] | null => {
    const value = address.get(name)?.split(',') ?? null;
    if (value === null) return null;
    if (value.some((word) => !all.includes(word))) invalid.push(name);
    const known = chosenOf(all, value);
    return known.length === 0 || isStandard(all, known, standard) ? null : known;
  };
  choice.families = several('families', FAMILIES);
  choice.techniques = several('tech', offerOf(catalog, choice).techniques, standardTechniques(catalog, choice));
  const numbers: Partial<Record<NumberField, number>> = {};
  for (const field of NUMBERS) {
    const value = whole(address.get(field));
    if (value === undefined) continue;
    if (problemOfNumber(value, catalog.limits[field]) === null) numbers[field] = value;
    else invalid.push(field);
  }
  const lists: Partial<Record<ListField, readonly number[]>> = {};
  for (const field of LISTS) {
    const value = address.get(field);
    if (value === null) continue;
    const values = readList(value);
    if (problemOfList(values, catalog.limits[field]) === null) lists[field] = values;
    else invalid.push(field);
  }
  const workers = whole(address.get('workers'));
  const isCount = workers !== undefined && problemOfNumber(workers, [1, MAX_WORKERS]) === null;
  if (workers !== undefined && !isCount) invalid.push('workers');
  return { choice: { ...choice, numbers, lists, workers: isCount ? workers : null }, invalid };
}

/** NaN if it is no number; `undefined` if it is absent. */
function whole(text: string | null): number | undefined {
  return text === null ? undefined : /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

export function write(choice: Choice, catalog: Catalog): URLSearchParams {
  const values = new URLSearchParams({ view: 'studies', study: choice.study });
  const defaults = defaultsOf(catalog, choice);
  if (!choice.quick) values.set('run', 'full');
  if (choice.study === 'broad2d' && choice.experiment !== FIRST.experiment) values.set('experiment', choice.experiment);
  for (const field of LISTS) {
    const list = choice.lists[field];
    if (list !== undefined && problemOfList(list, catalog.limits[field]) === null && list.join() !== defaults[field]?.join()) values.set(field, list.join());
  }
  for (const field of NUMBERS) {
    const value = choice.numbers[field];
    if (value !== undefined && problemOfNumber(value, catalog.limits[field]) === null && value !== defaults[field]) values.set(field, String(value));
  }
  const { techniques } = offerOf(catalog, choice);
  const put = (name: string, all: readonly string[], chosen: readonly string[] | null, standard = all): void => {
    const names = chosenOf(all, chosen, standard);
    if (names.length > 0 && !isStandard(all, chosen, standard)) values.set(name, names.join());
  };
  put('families', FAMILIES, choice.families);
  put('tech', techniques, choice.techniques, standardTechniques(catalog, choice));
  if (choice.workers !== null && problemOfNumber(choice.workers, [1, MAX_WORKERS]) === null) values.set('workers', String(choice.workers));
  if (choice.show !== FIRST.show) values.set('show', choice.show);
  return values;
}
