/** Results of a study as created by the engine: the report as data, and `results.csv`. */

export type Scale = 'linear' | 'log';

export interface Series {
  name: string;
  /** The same series has the same style in every chart. */
  style: number;
  origin: 'measured' | 'published';
  points: readonly (readonly [number | null, number | null])[];
}

export type ChartKind =
  | { layout: 'lines'; series: readonly Series[]; xScale: Scale; yScale: Scale; reference: readonly [number, string] | null }
  | { layout: 'dots'; series: readonly (readonly [string, number])[]; rows: readonly (readonly [string, readonly (number | null)[]])[]; scale: Scale }
  | { layout: 'stackedBars'; parts: readonly string[]; marks: readonly string[]; rows: readonly (readonly [string, readonly number[]])[] };

export interface ReportChart {
  id: string;
  title: string;
  description: string;
  xLabel: string;
  yLabel: string;
  kind: ChartKind;
}

export interface ReportTable {
  caption: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

export type Verdict = 'held' | 'notHeld' | 'notMeasured';

export interface Finding {
  claim: string;
  published: string;
  ours: string;
  verdict: Verdict;
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
  const [head = [], ...lines] = csv.trimEnd().split('\n').map((line) => line.split(','));
  return { report, disagreements, csv, rows: { head, lines } };
}

/** Sections on methods and machine: only for the saved file, which is read without the page. */
const OF_THE_FILE = ['method', 'faults', 'rulings', 'spread', 'machine'];

export function shownSections({ sections }: Report): readonly Section[] {
  return sections.filter(({ id }) => !OF_THE_FILE.includes(id));
}

type BlocksOf = { [Each in Block as Each['kind']]: Each['of'] };

export function blocksOf<Kind extends Block['kind']>(sections: readonly Section[], kind: Kind): BlocksOf[Kind][] {
  const blocks = sections.flatMap((section) => section.blocks).filter((block) => block.kind === kind);
  return blocks.map(({ of }) => of as BlocksOf[Kind]);
}

/** Numbers of findings that held, did not hold, and were not measured. */
export function countsOf(findings: readonly Finding[]): { held: number; not: number; open: number } {
  const count = (verdict: Verdict): number => findings.filter((finding) => finding.verdict === verdict).length;
  return { held: count('held'), not: count('notHeld'), open: count('notMeasured') };
}
