/** What is on a chart? Plain data; how it is drawn is `chart.tsx`'s business. */

export type Point = readonly [x: number, y: number];

export interface Line {
  label: string;
  /** Its place in the palette: the same thing has the same colour in every chart. */
  style: number;
  /** Measured here, printed by somebody else, or a mark to compare with. */
  kind: 'measured' | 'published' | 'reference';
  points: readonly Point[];
}

export interface ChartSpec {
  title: string;
  xLabel: string;
  xLog: boolean;
  yLog: boolean;
  lines: readonly Line[];
  /** Taller than the usual, or flatter, in CSS pixels. */
  height?: number;
  /** How a value is written on the y axis and in the readout. */
  write: (value: number) => string;
  writeX: (value: number) => string;
  /** No marks on the values: for lines of hundreds of points. */
  plain?: boolean;
}

/** Colours in the palette, `--series-0` and on. */
export const STYLES = 8;

/** Dash patterns: lines differ without colour too. */
const DASHES: readonly (readonly number[])[] = [[], [8, 3], [], [9, 3, 2, 3], [5, 2], [12, 4], [3, 3], [2, 2]];

export function dashes(line: Line): number[] {
  if (line.kind === 'published') {
    return [1, 3];
  }
  return [...(DASHES[line.style % STYLES] ?? [])];
}

export function colourOf(line: Line): string {
  return `--series-${line.style % STYLES}`;
}

/** One column of x, one of y for each line, empty where a line has no value there. */
export function columns(lines: readonly Line[], yLog: boolean): [number[], ...(number | null)[][]] {
  const every = new Set(lines.flatMap((line) => line.points.map(([x]) => x)));
  const xs = [...every].sort((one, other) => one - other);
  const ys = lines.map((line) => {
    const known = new Map(line.points);
    return xs.map((x) => {
      const y = known.get(x);
      // A logarithm has no zero.
      return y === undefined || !Number.isFinite(y) || (yLog && y <= 0) ? null : y;
    });
  });
  return [xs, ...ys];
}

/**
 * From the least to the greatest with a little air. An axis of amounts begins at zero, or, as a logarithm has none,
 * at a mark below all that is drawn: no line lies under the lowest figure.
 */
export function span(least: number, greatest: number, isLog: boolean, isAmount: boolean): [number, number] {
  if (!Number.isFinite(least) || !Number.isFinite(greatest)) {
    return isLog ? [1, 10] : [0, 1];
  }
  if (isLog) {
    const air = Math.max(1.15, (greatest / least) ** 0.06);
    return [isAmount ? stepBelow(least / AIR_BELOW) : least / air, greatest * air];
  }
  if (isAmount) {
    return [0, greatest > 0 ? greatest * 1.1 : 1];
  }
  return greatest > least ? [least, greatest] : [least - 1, greatest + 1];
}

/** A line on the edge itself would be drawn by half. */
const AIR_BELOW = 1.05;
const STEPS: readonly number[] = [1, 2, 5];

/** The next of 1, 2, 5, 10 and on, downwards. */
function stepBelow(value: number): number {
  const decade = Math.floor(Math.log10(value));
  return stepsOf(decade, STEPS).findLast((step) => step <= value) ?? stepsOf(decade - 1, STEPS).at(-1) ?? value;
}

const FINER: readonly (readonly number[])[] = [[1], [1, 5], [1, 2, 5], [1, 2, 3, 4, 5, 6, 7, 8, 9]];

/** Of the length of an axis: figures nearer to each other than this would touch. */
const NEAR = 0.13;

/** Marks of a logarithmic axis: where it begins, if at a step; decades; steps between them only where there are few. */
export function logMarks(least: number, greatest: number): number[] {
  for (const steps of FINER) {
    const marks = stepsOfDecades(least, greatest, steps);
    if (marks.length >= 3) {
      const shown = marks.length <= 6 ? marks : marks.filter((_, place) => place % 2 === 0);
      const room = (greatest / least) ** NEAR;
      return stepBelow(least) === least ? [least, ...shown.filter((mark) => mark >= least * room)] : shown;
    }
  }
  // Less than a step from end to end: as on any other axis.
  return [least, Math.sqrt(least * greatest), greatest].map((mark) => Number(mark.toPrecision(3)));
}

function stepsOfDecades(least: number, greatest: number, steps: readonly number[]): number[] {
  const marks: number[] = [];
  for (let power = Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(greatest)); power += 1) {
    marks.push(...stepsOf(power, steps));
  }
  return marks.filter((mark) => mark >= least && mark <= greatest);
}

function stepsOf(power: number, steps: readonly number[]): number[] {
  return steps.map((step) => Number((step * 10 ** power).toPrecision(6)));
}
