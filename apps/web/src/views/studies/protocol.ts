/** What do the page, its desk and its benches say to each other? */
import type { Language } from '../../shared/i18n.ts';
import type { Failed } from '../../shared/stage/runners.ts';

export const STUDIES = ['rays', 'broad2d', 'broad3d', 'simulator'] as const;
export type StudyName = (typeof STUDIES)[number];

/** Least and most. */
export type Range = readonly [number, number];

/** What a study measures unless told; absent what it cannot be told, `null` what it decides by itself. */
export interface Usual {
  seed: number;
  repeats: number;
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
  quick: Usual;
  full: Usual;
}

export interface Catalogue {
  studies: readonly Offer[];
  limits: Readonly<Record<'seed' | 'repeats' | 'sizes' | 'rays' | 'objects' | 'frames' | 'seeds', Range>>;
}

export interface Case {
  key: string;
  /** About what it costs, in units of the study. */
  work: number;
}

export interface Plan {
  cases: readonly Case[];
  /** The same by the command line, an argument an entry. */
  command: readonly string[];
}

/** What a report says of the run that the engine cannot know. */
export interface Around {
  agent: string;
  cores: number;
  started: string;
  finished: string | null;
  resumed: number;
}

/** A study, and what is asked of it in JSON by the names of the command line. */
export interface Request {
  study: StudyName;
  asked: string;
}

export interface Measured {
  /** A JSON list of what was measured, a case an entry. */
  rows: string;
  around: Around;
}

/** What the rows say; `write` makes it one file. */
export type Asks = { kind: 'tell' | 'write'; id: number; request: Request; measured: Measured; language: Language };
export type ToDesk = { kind: 'list'; id: number; request: Request } | Asks;

export type FromDesk =
  | { kind: 'ready'; catalogue: Catalogue }
  | { kind: 'listed'; id: number; request: Request; plan: Plan }
  /** What was asked makes no study; in English. */
  | { kind: 'refused'; id: number; why: string }
  | { kind: 'told'; id: number; study: StudyName; told: string; csv: string }
  | { kind: 'written'; id: number; html: string }
  | Failed;

export type ToBench = { kind: 'measure'; request: Request; case: number };

export type FromBench =
  | { kind: 'advanced'; case: number; work: number }
  | { kind: 'measured'; case: number; rows: string }
  | Failed;
