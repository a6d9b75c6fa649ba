/** Messages between page, coordinator and measuring workers of the studies view. */
import type { Language } from '../../../shared/i18n/translate.ts';
import type { Failed } from '../../../shared/stage/worker-or-main-thread.ts';

export const STUDIES = ['rays', 'broad2d', 'broad3d', 'simulator', 'triangle-tests'] as const;
export type StudyName = (typeof STUDIES)[number];

/** Minimum and maximum. */
export type Range = readonly [number, number];

/** Defaults of a study; absent for options it lacks, `null` where it decides per case. */
export interface StudyDefaults {
  seed: number;
  repeats: number;
  /** Absent if all of the study are the default. */
  technique?: readonly string[];
  sizes?: readonly number[];
  families?: readonly string[];
  rays?: number;
  objects?: readonly number[];
  frames?: number | null;
  seeds?: number;
}

export interface Offer {
  name: StudyName;
  /** In the order of the report. */
  techniques: readonly string[];
  quick: StudyDefaults;
  full: StudyDefaults;
}

export interface Catalog {
  studies: readonly Offer[];
  limits: Readonly<Record<'seed' | 'repeats' | 'sizes' | 'rays' | 'objects' | 'frames' | 'seeds', Range>>;
}

export interface Case {
  key: string;
  /** Estimated cost, in the study's unit of work. */
  work: number;
  /** Absent in plans of earlier engines. */
  label?: Readonly<Record<Language, string>>;
}

export interface Plan {
  cases: readonly Case[];
  /** The equivalent command line, one argument per entry. */
  command: readonly string[];
}

/** Facts about a run that the report states and the engine cannot know. */
export interface RunEnvironment {
  agent: string;
  cores: number;
  started: string;
  finished: string | null;
  resumed: number;
}

/** A study and its options, in JSON with the names of the command line. */
export interface Request {
  study: StudyName;
  options: string;
}

export interface Measured {
  /** A JSON list of the measured rows, one entry per case. */
  rows: string;
  environment: RunEnvironment;
}

/** Requests the results of the rows, or with `write` the report file. */
export type ResultsRequest = { kind: 'results' | 'write'; id: number; request: Request; measured: Measured; language: Language };
/** Validates stored rows of a study. */
export type CheckRequest = { kind: 'check'; id: number; request: Request; measured: Measured };
export type ToCoordinator = { kind: 'list'; id: number; request: Request } | CheckRequest | ResultsRequest;

export type FromCoordinator =
  /** `build` identifies the build of the engine. */
  | { kind: 'ready'; catalog: Catalog; build: string }
  | { kind: 'listed'; id: number; request: Request; plan: Plan }
  /** The request is no valid study; message in English. */
  | { kind: 'refused'; id: number; why: string }
  /** The plan of the request; `null` if request or rows are invalid. */
  | { kind: 'checked'; id: number; plan: Plan | null }
  | { kind: 'results'; id: number; study: StudyName; results: string; csv: string }
  | { kind: 'written'; id: number; html: string }
  | Failed;

export type ToMeasureWorker = { kind: 'measure'; request: Request; case: number };

export type FromMeasureWorker =
  | { kind: 'advanced'; case: number; work: number }
  | { kind: 'measured'; case: number; rows: string }
  | Failed;
