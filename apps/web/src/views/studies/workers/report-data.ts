/** Results of a study as created by the engine: the report as data, and `results.csv`. */

export type Scale = 'linear' | 'log';

export interface Series {
  name: string;
  /** The same series has the same style in every chart. */
  style: number;
  origin: 'measured' | 'published';
  points: readonly (readonly [number | null, number | null])[];
  /** Minimum and maximum of the repeats at each point; absent if nothing was repeated. */
  errorBars?: readonly (readonly [number | null, number | null])[];
}

export type ChartKind =
  | {
      layout: 'lines';
      series: readonly Series[];
      xScale: Scale;
      yScale: Scale;
      reference: readonly [number, string] | null;
      /** Labeled vertical lines; absent if there are none. */
      marks?: readonly (readonly [number, string])[];
    }
  | { layout: 'dots'; series: readonly (readonly [string, number])[]; rows: readonly (readonly [string, readonly (number | null)[]])[]; scale: Scale }
  | { layout: 'stackedBars'; parts: readonly string[]; marks: readonly string[]; rows: readonly (readonly [string, readonly number[]])[] };

export interface ReportChart {
  id: string;
  title: string;
  description: string;
  /** Scene, version, machine and date; absent in reports of earlier engines. */
  source?: string;
  xLabel: string;
  yLabel: string;
  kind: ChartKind;
}

export interface ReportTable {
  caption: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

/** `undecided`: only some of the needed cases were run. */
export type Verdict = 'confirmed' | 'notConfirmed' | 'undecided' | 'notRun';

/** Stated by the study, by an author whom it cites, or found in this repetition. */
export const KINDS = ['published', 'cited', 'foundHere'] as const;

export interface Finding {
  /** Absent in reports of earlier engines, as are source, place and quote. */
  kind?: (typeof KINDS)[number];
  source?: string;
  /** Section or table of the source; may be empty. */
  place?: string;
  /** Literal words of the source; may be empty. */
  quote?: string;
  claim: string;
  /** Empty for findings of this repetition. */
  published: string;
  ours: string;
  verdict: Verdict;
  /** May be empty. */
  note: string;
}

export type Block =
  | { kind: 'subheading' | 'paragraph'; of: string }
  | { kind: 'list'; of: readonly string[] }
  | { kind: 'definitions'; of: readonly (readonly [string, string])[] }
  | { kind: 'table'; of: ReportTable }
  | { kind: 'chart'; of: ReportChart }
  | { kind: 'findings'; of: readonly Finding[] };

export interface Section {
  id: string;
  heading: string;
  blocks: readonly Block[];
}

export interface Report {
  language: string;
  title: string;
  lead: string;
  /** Limits of the whole report; absent in reports of earlier engines. */
  notices?: readonly string[];
  sections: readonly Section[];
}

export interface Results {
  report: Report;
  /** Answers that differ from brute force: 0, or a bug of ours. */
  disagreements: number;
  csv: string;
  /** The same as cells; cells of ours are never quoted. */
  rows: { head: readonly string[]; lines: readonly (readonly string[])[] };
}

export function parseResults(text: string, csv: string): Results {
  const { report, disagreements } = JSON.parse(text) as { report: Report; disagreements: number };
  const findings = blocksOf(report.sections, 'findings').flat();
  for (const finding of findings) finding.verdict = verdictOf(finding);
  const [head = [], ...lines] = csv.trimEnd().split('\n').map((line) => line.split(','));
  return { report, disagreements, csv, rows: { head, lines } };
}

/** Sections on methods and machine: only for the saved file, which is read without the page. */
const OF_THE_FILE = ['method', 'faults', 'rulings', 'spread', 'machine', 'citation'];

export function shownSections({ sections }: Report): readonly Section[] {
  return sections.filter(({ id }) => !OF_THE_FILE.includes(id));
}

type BlocksOf = { [Each in Block as Each['kind']]: Each['of'] };

export function blocksOf<Kind extends Block['kind']>(sections: readonly Section[], kind: Kind): BlocksOf[Kind][] {
  const blocks = sections.flatMap((section) => section.blocks).filter((block) => block.kind === kind);
  return blocks.map(({ of }) => of as BlocksOf[Kind]);
}

const VERDICTS: Readonly<Record<string, Verdict>> = {
  confirmed: 'confirmed',
  notConfirmed: 'notConfirmed',
  undecided: 'undecided',
  notRun: 'notRun',
  // Names of earlier engines.
  held: 'confirmed',
  notHeld: 'notConfirmed',
  notMeasured: 'notRun',
};

/**
 * The verdict by name; an unknown one is undecided. A figure from this run contradicts *not run*:
 * some of the needed cases were run.
 */
function verdictOf({ verdict, ours }: Finding): Verdict {
  const known = (Object.hasOwn(VERDICTS, verdict) ? VERDICTS[verdict] : undefined) ?? 'undecided';
  return known === 'notRun' && /\d/.test(ours) ? 'undecided' : known;
}

/** Findings by kind, in reading order, without empty groups. */
export function byKind(findings: readonly Finding[]): { kind: (typeof KINDS)[number]; findings: Finding[] }[] {
  const groups = KINDS.map((kind) => ({ kind, findings: findings.filter((finding) => (finding.kind ?? 'published') === kind) }));
  return groups.filter((group) => group.findings.length > 0);
}

/** `Lorenzi 2014, conclusion`; empty if unknown. */
export function sourceOf({ source = '', place = '' }: Finding): string {
  return [source, place].filter((part) => part !== '').join(', ');
}

/** Number of findings of each verdict. */
export function countsOf(findings: readonly Finding[]): { confirmed: number; not: number; undecided: number; open: number } {
  const count = (verdict: Verdict): number => findings.filter((finding) => finding.verdict === verdict).length;
  return { confirmed: count('confirmed'), not: count('notConfirmed'), undecided: count('undecided'), open: count('notRun') };
}
