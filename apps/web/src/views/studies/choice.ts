/**
 * What did the reader choose, and what is asked of the engine then?
 *
 * What was not chosen is what the study measures by itself, quick or full. Only what differs from that is asked for,
 * so that a study that is left alone is the published one.
 */
import { type Catalogue, type Offer, type Range, type Request, STUDIES, type StudyName, type Usual } from './protocol.ts';

export const SHOWS = ['overview', 'tables', 'rows'] as const;
export type Show = (typeof SHOWS)[number];
export const EXPERIMENTS = ['both', '1', '2'] as const;
export type Experiment = (typeof EXPERIMENTS)[number];
export const FAMILIES = ['low', 'medium', 'high'] as const;

/** Fields of one number each, and of several. */
export const NUMBERS = ['rays', 'frames', 'seeds', 'repeats', 'seed'] as const;
export type NumberField = (typeof NUMBERS)[number];
export const LISTS = ['sizes', 'objects'] as const;
export type ListField = (typeof LISTS)[number];

/** `null` is what the study measures by itself. What was typed and is no number is not a number here either. */
export interface Choice {
  study: StudyName;
  quick: boolean;
  experiment: Experiment;
  numbers: Readonly<Partial<Record<NumberField, number>>>;
  lists: Readonly<Partial<Record<ListField, readonly number[]>>>;
  families: readonly string[] | null;
  techniques: readonly string[] | null;
  /** `null`: as many as suit the machine. */
  workers: number | null;
  show: Show;
}

export const FIRST: Choice = {
  study: 'rays',
  quick: true,
  experiment: 'both',
  numbers: {},
  lists: {},
  families: null,
  techniques: null,
  workers: null,
  show: 'overview',
};

/** Another study has other sizes and techniques. */
export function withStudy(choice: Choice, study: StudyName): Choice {
  return { ...FIRST, study, quick: choice.quick, workers: choice.workers, show: choice.show };
}

export function offerOf(catalogue: Catalogue, { study }: Choice): Offer {
  return catalogue.studies.find(({ name }) => name === study) ?? (catalogue.studies[0] as Offer);
}

export function usualOf(catalogue: Catalogue, choice: Choice): Usual {
  const offer = offerOf(catalogue, choice);
  return choice.quick ? offer.quick : offer.full;
}

/** Whether the study can be told. Study C's worlds are those of its experiments; of the second, their sizes vary. */
export function isOffered(usual: Usual, choice: Choice, field: NumberField | ListField | 'families'): boolean {
  return usual[field] !== undefined && (field !== 'objects' || choice.study !== 'broad2d' || choice.experiment === '2');
}

/** What is measured: chosen, or the study's own; `null` where the study decides case by case. */
export function numberOf(usual: Usual, choice: Choice, field: NumberField): number | null {
  return choice.numbers[field] ?? usual[field] ?? null;
}

export function listOf(usual: Usual, choice: Choice, field: ListField): readonly number[] {
  return choice.lists[field] ?? usual[field] ?? [];
}

export function chosenOf(all: readonly string[], chosen: readonly string[] | null): readonly string[] {
  return chosen === null ? all : all.filter((name) => chosen.includes(name));
}

/** One core stays for the page, and more than eight engines fill the memory of small machines. */
const MOST_WORKERS = 8;

/** Cores of this machine, as far as it tells. */
export function coresHere(): number {
  return Math.max(1, navigator.hardwareConcurrency || 1);
}

export function workersOf({ workers }: Choice, cores: number): number {
  return workers === null ? Math.max(1, Math.min(MOST_WORKERS, cores - 1)) : Math.min(workers, cores);
}

/** What is wrong with a field. */
export type Problem =
  | { kind: 'not-a-number' | 'not-whole' | 'nothing' | 'too-many' }
  | { kind: 'too-small' | 'too-large'; limit: number };

/** As many sizes as anybody looks at. */
const MOST_SIZES = 60;

export function problemOfNumber(value: number, [least, most]: Range): Problem | null {
  if (Number.isNaN(value)) return { kind: 'not-a-number' };
  if (!Number.isInteger(value)) return { kind: 'not-whole' };
  if (value < least) return { kind: 'too-small', limit: least };
  return value > most ? { kind: 'too-large', limit: most } : null;
}

export function problemOfList(values: readonly number[], range: Range): Problem | null {
  if (values.length === 0) return { kind: 'nothing' };
  if (values.length > MOST_SIZES) return { kind: 'too-many' };
  return values.map((value) => problemOfNumber(value, range)).find((problem) => problem !== null) ?? null;
}

export type Field = NumberField | ListField | 'families' | 'techniques' | 'workers';

/** What keeps this choice from being run. */
export function problemsOf(catalogue: Catalogue, choice: Choice, cores: number): ReadonlyMap<Field, Problem> {
  const problems = new Map<Field, Problem>();
  const usual = usualOf(catalogue, choice);
  const put = (field: Field, problem: Problem | null): void => void (problem !== null && problems.set(field, problem));
  for (const field of NUMBERS) {
    const value = numberOf(usual, choice, field);
    if (isOffered(usual, choice, field) && value !== null) put(field, problemOfNumber(value, catalogue.limits[field]));
  }
  for (const field of LISTS) {
    if (isOffered(usual, choice, field)) put(field, problemOfList(listOf(usual, choice, field), catalogue.limits[field]));
  }
  if (isOffered(usual, choice, 'families') && chosenOf(FAMILIES, choice.families).length === 0) put('families', { kind: 'nothing' });
  if (chosenOf(offerOf(catalogue, choice).techniques, choice.techniques).length === 0) put('techniques', { kind: 'nothing' });
  if (choice.workers !== null) put('workers', problemOfNumber(choice.workers, [1, cores]));
  return problems;
}

/** What the engine is asked for, by the names of the command line. */
export function requestOf(catalogue: Catalogue, choice: Choice, cores: number): Request {
  const usual = usualOf(catalogue, choice);
  const asked: Record<string, unknown> = {};
  if (choice.quick) asked['quick'] = true;
  if (choice.study === 'broad2d' && choice.experiment !== 'both') asked['experiment'] = Number(choice.experiment);
  for (const field of NUMBERS) {
    const value = choice.numbers[field];
    if (value !== undefined && isOffered(usual, choice, field) && value !== usual[field]) asked[field] = value;
  }
  for (const field of LISTS) {
    const values = choice.lists[field];
    if (values !== undefined && isOffered(usual, choice, field) && !isSame(values, usual[field] ?? [])) asked[field] = values;
  }
  if (isOffered(usual, choice, 'families') && !isAll(FAMILIES, choice.families)) asked['families'] = chosenOf(FAMILIES, choice.families);
  const { techniques } = offerOf(catalogue, choice);
  if (!isAll(techniques, choice.techniques)) asked['technique'] = chosenOf(techniques, choice.techniques);
  asked['threads'] = workersOf(choice, cores);
  return { study: choice.study, asked: JSON.stringify(asked) };
}

export function isAll(all: readonly string[], chosen: readonly string[] | null): boolean {
  return chosenOf(all, chosen).length === all.length;
}

function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((value, place) => value === other[place]);
}

export function isStudy(name: string): name is StudyName {
  return (STUDIES as readonly string[]).includes(name);
}

/** Numbers as somebody types them, between commas or spaces; not a number where one is none, or has marks in it. */
export function readList(text: string): number[] {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '');
  // "1,000" is not one and nothing: whoever marks thousands is told.
  return parts.map((part) => (/^(0|[1-9]\d*)$/.test(part) ? Number(part) : Number.NaN));
}

export function writeList(values: readonly number[]): string {
  return values.join(', ');
}
