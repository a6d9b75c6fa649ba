/**
 * Chosen study and options, and the resulting request.
 *
 * Options that were not chosen have the defaults of the study, quick or full. The request contains
 * only differences from the defaults, so that an unchanged study is the published one.
 */
import { type Catalog, type Offer, type Range, type Request, STUDIES, type StudyName, type StudyDefaults } from '../workers/protocol.ts';

export const SHOWS = ['overview', 'tables', 'rows'] as const;
export type Show = (typeof SHOWS)[number];
export const EXPERIMENTS = ['both', '1', '2', 'capacity', 'coherence'] as const;
export type Experiment = (typeof EXPERIMENTS)[number];
export const FAMILIES = ['low', 'medium', 'high'] as const;

/** Fields with one number, and with several. */
export const NUMBERS = ['rays', 'frames', 'seeds', 'repeats', 'seed'] as const;
export type NumberField = (typeof NUMBERS)[number];
export const LISTS = ['sizes', 'objects'] as const;
export type ListField = (typeof LISTS)[number];

/** `null` is the study's default. Input that is no number is NaN here. */
export interface Choice {
  study: StudyName;
  quick: boolean;
  experiment: Experiment;
  numbers: Readonly<Partial<Record<NumberField, number>>>;
  lists: Readonly<Partial<Record<ListField, readonly number[]>>>;
  families: readonly string[] | null;
  techniques: readonly string[] | null;
  /** `null`: chosen by the number of cores. */
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

/** Sizes and techniques differ between studies. */
export function withStudy(choice: Choice, study: StudyName): Choice {
  return { ...FIRST, study, quick: choice.quick, workers: choice.workers, show: choice.show };
}

export function offerOf(catalog: Catalog, { study }: Choice): Offer {
  return catalog.studies.find(({ name }) => name === study) ?? (catalog.studies[0] as Offer);
}

export function defaultsOf(catalog: Catalog, choice: Choice): StudyDefaults {
  const offer = offerOf(catalog, choice);
  return choice.quick ? offer.quick : offer.full;
}

/**
 * Whether the study has the option. The worlds of Gonçales et al. 2016 are fixed by its
 * experiments; only the second one varies sizes.
 */
export function isOffered(defaults: StudyDefaults, choice: Choice, field: NumberField | ListField | 'families'): boolean {
  return defaults[field] !== undefined && (field !== 'objects' || choice.study !== 'broad2d' || choice.experiment === '2');
}

/** The chosen or default value; `null` where the study decides per case. */
export function numberOf(defaults: StudyDefaults, choice: Choice, field: NumberField): number | null {
  return choice.numbers[field] ?? defaults[field] ?? null;
}

export function listOf(defaults: StudyDefaults, choice: Choice, field: ListField): readonly number[] {
  return choice.lists[field] ?? defaults[field] ?? [];
}

/** `standard` are the names of a choice that is `null`. */
export function chosenOf(all: readonly string[], chosen: readonly string[] | null, standard = all): readonly string[] {
  const names = chosen ?? standard;
  return all.filter((name) => names.includes(name));
}

/** The techniques that are measured unless others are chosen. */
export function standardTechniques(catalog: Catalog, choice: Choice): readonly string[] {
  return defaultsOf(catalog, choice).technique ?? offerOf(catalog, choice).techniques;
}

export function chosenTechniques(catalog: Catalog, choice: Choice): readonly string[] {
  return chosenOf(offerOf(catalog, choice).techniques, choice.techniques, standardTechniques(catalog, choice));
}

/**
 * One core is left for the page, and more than eight engines exhaust the memory of small machines.
 */
const MAX_WORKERS = 8;

/** Number of cores reported by the browser. */
export function coresHere(): number {
  return Math.max(1, navigator.hardwareConcurrency || 1);
}

export function workersOf({ workers }: Choice, cores: number): number {
  return workers === null ? Math.max(1, Math.min(MAX_WORKERS, cores - 1)) : Math.min(workers, cores);
}

/** Validation error of a field. */
export type FieldError =
  | { kind: 'not-a-number' | 'not-whole' | 'nothing' | 'too-many' }
  | { kind: 'too-small' | 'too-large'; limit: number };

/** Maximum number of sizes. */
const MAX_SIZES = 60;

export function problemOfNumber(value: number, [min, max]: Range): FieldError | null {
  if (Number.isNaN(value)) return { kind: 'not-a-number' };
  if (!Number.isInteger(value)) return { kind: 'not-whole' };
  if (value < min) return { kind: 'too-small', limit: min };
  return value > max ? { kind: 'too-large', limit: max } : null;
}

export function problemOfList(values: readonly number[], range: Range): FieldError | null {
  if (values.length === 0) return { kind: 'nothing' };
  if (values.length > MAX_SIZES) return { kind: 'too-many' };
  return values.map((value) => problemOfNumber(value, range)).find((problem) => problem !== null) ?? null;
}

export type Field = NumberField | ListField | 'families' | 'techniques' | 'workers';

/** Errors that prevent this choice from being run. */
export function problemsOf(catalog: Catalog, choice: Choice, cores: number): ReadonlyMap<Field, FieldError> {
  const problems = new Map<Field, FieldError>();
  const defaults = defaultsOf(catalog, choice);
  const put = (field: Field, problem: FieldError | null): void => void (problem !== null && problems.set(field, problem));
  for (const field of NUMBERS) {
    const value = numberOf(defaults, choice, field);
    if (isOffered(defaults, choice, field) && value !== null) put(field, problemOfNumber(value, catalog.limits[field]));
  }
  for (const field of LISTS) {
    if (isOffered(defaults, choice, field)) put(field, problemOfList(listOf(defaults, choice, field), catalog.limits[field]));
  }
  if (isOffered(defaults, choice, 'families') && chosenOf(FAMILIES, choice.families).length === 0) put('families', { kind: 'nothing' });
  if (chosenTechniques(catalog, choice).length === 0) put('techniques', { kind: 'nothing' });
  if (choice.workers !== null) put('workers', problemOfNumber(choice.workers, [1, cores]));
  return problems;
}

/** The request, with the option names of the command line. */
export function requestOf(catalog: Catalog, choice: Choice, cores: number): Request {
  const defaults = defaultsOf(catalog, choice);
  const options: Record<string, unknown> = {};
  if (choice.quick) options['quick'] = true;
  if (choice.study === 'broad2d' && choice.experiment !== 'both') options['experiment'] = choice.experiment.length === 1 ? Number(choice.experiment) : choice.experiment;
  for (const field of NUMBERS) {
    const value = choice.numbers[field];
    if (value !== undefined && isOffered(defaults, choice, field) && value !== defaults[field]) options[field] = value;
  }
  for (const field of LISTS) {
    const values = choice.lists[field];
    if (values !== undefined && isOffered(defaults, choice, field) && !isSame(values, defaults[field] ?? [])) options[field] = values;
  }
  if (isOffered(defaults, choice, 'families') && !isStandard(FAMILIES, choice.families)) options['families'] = chosenOf(FAMILIES, choice.families);
  const { techniques } = offerOf(catalog, choice);
  if (!isStandard(techniques, choice.techniques, standardTechniques(catalog, choice))) options['technique'] = chosenTechniques(catalog, choice);
  options['threads'] = workersOf(choice, cores);
  return { study: choice.study, options: JSON.stringify(options) };
}

/**
 * The choice that makes this request: the inverse of `requestOf`. `null` if there is none on this
 * machine, which may have fewer cores.
 */
export function choiceOf(catalog: Catalog, request: Request, cores: number): Choice | null {
  const options = JSON.parse(request.options) as Readonly<Record<string, unknown>>;
  const present = <Name extends string>(names: readonly Name[]): Record<Name, never> =>
    Object.fromEntries(names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]])) as Record<Name, never>;
  const chosen = (name: string): readonly string[] | null => (options[name] as readonly string[] | undefined) ?? null;
  const choice: Choice = {
    ...FIRST,
    study: request.study,
    quick: options['quick'] === true,
    experiment: EXPERIMENTS.find((name) => name === String(options['experiment'])) ?? FIRST.experiment,
    numbers: present(NUMBERS),
    lists: present(LISTS),
    families: chosen('families'),
    techniques: chosen('technique'),
  };
  const threads = Number(options['threads']);
  const exact = threads === workersOf(choice, cores) ? choice : { ...choice, workers: threads };
  return isSameRequest(requestOf(catalog, exact, cores), request) ? exact : null;
}

export function isSameRequest(one: Request, other: Request): boolean {
  return one.study === other.study && one.options === other.options;
}

/** Whether a choice is the same as none. */
export function isStandard(all: readonly string[], chosen: readonly string[] | null, standard = all): boolean {
  return chosenOf(all, chosen, standard).join() === chosenOf(all, null, standard).join();
}

function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((value, place) => value === other[place]);
}

export function isStudy(name: string): name is StudyName {
  return (STUDIES as readonly string[]).includes(name);
}

/** Parses numbers separated by commas or spaces; NaN for parts that are no plain number. */
export function readList(text: string): number[] {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '');
  // "1,000" is not 1 and 0: thousands separators are an error.
  return parts.map((part) => (/^(0|[1-9]\d*)$/.test(part) ? Number(part) : Number.NaN));
}

export function formatList(values: readonly number[]): string {
  return values.join(', ');
}
