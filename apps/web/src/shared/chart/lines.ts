/** Chart data model: plain data, drawn by `chart.tsx`. */

export type Point = readonly [x: number, y: number];

export type ErrorBar = readonly [x: number, low: number, high: number];

export interface Line {
  label: string;
  /** Index in the palette: the same series has the same color in every chart. */
  style: number;
  /** Measured here, published by a study, or a reference mark. */
  kind: 'measured' | 'published' | 'reference';
  points: readonly Point[];
  /** Range of the repeats, where something was repeated. */
  bars?: readonly ErrorBar[];
}

export type Mark = readonly [x: number, label: string];

export interface ChartSpec {
  title: string;
  /** Quantity and unit of each axis. Without `yLabel`, the title names them. */
  xLabel: string;
  yLabel?: string;
  xLog: boolean;
  yLog: boolean;
  lines: readonly Line[];
  /** Labeled vertical lines at values of x. */
  marks?: readonly Mark[];
  /** Height in CSS pixels, if not the default. */
  height?: number;
  /** Formats a value for the y axis and the readout. */
  write: (value: number) => string;
  writeX: (value: number) => string;
  /** No point markers, and no title of the y axis, which the panel shows: for live charts. */
  plain?: boolean;
}

/** Number of palette colors, `--series-0` and up. */
export const STYLES = 8;

/** Dash patterns: lines are distinguishable without color. */
const DASHES: readonly (readonly number[])[] = [[], [8, 3], [], [9, 3, 2, 3], [5, 2], [12, 4], [3, 3], [2, 2]];

export function dashes(line: Line): number[] {
  if (line.kind === 'published') {
    return [1, 3];
  }
  return [...(DASHES[line.style % STYLES] ?? [])];
}

export function colorOf(line: Line): string {
  return `--series-${line.style % STYLES}`;
}

/** Column of x, then one column of y per line, null where a line has no value. */
export function columns(lines: readonly Line[], yLog: boolean): [number[], ...(number | null)[][]] {
  const every = new Set(lines.flatMap((line) => line.points.map(([x]) => x)));
  const xs = [...every].sort((one, other) => one - other);
  const ys = lines.map((line) => {
    const known = new Map(line.points);
    return xs.map((x) => {
      const y = known.get(x);
      // Zero and negative values have no logarithm.
      return y === undefined || !Number.isFinite(y) || (yLog && y <= 0) ? null : y;
    });
  });
  return [xs, ...ys];
}

/** Range of values and error bars; values without a logarithm do not count on such an axis. */
export function extentOf(lines: readonly Line[], yLog: boolean): [number, number] {
  const values = lines.flatMap(({ points, bars = [] }) => [...points.map(([, y]) => y), ...bars.flatMap(([, low, high]) => [low, high])]);
  const shown = values.filter((value) => Number.isFinite(value) && (!yLog || value > 0));
  return [Math.min(...shown), Math.max(...shown)];
}

/**
 * Axis range with padding. An axis of amounts starts at zero; if logarithmic, at a tick below all
 * data, so that no line lies below the lowest label.
 */
export function span(min: number, max: number, isLog: boolean, isAmount: boolean): [number, number] {
  if (!Number.isFinite(min) || !Number.isFinite(max)) {
    return isLog ? [1, 10] : [0, 1];
  }
  if (isLog) {
    const air = Math.max(1.15, (max / min) ** 0.06);
    return [isAmount ? stepBelow(min / AIR_BELOW) : min / air, max * air];
  }
  if (isAmount) {
    return [0, max > 0 ? max * 1.1 : 1];
  }
  return max > min ? [min, max] : [min - 1, max + 1];
}

/** A line exactly on the edge would be clipped to half its width. */
const AIR_BELOW = 1.05;
const STEPS: readonly number[] = [1, 2, 5];

/** The next lower value of the series 1, 2, 5, 10, … */
function stepBelow(value: number): number {
  const decade = Math.floor(Math.log10(value));
  return stepsOf(decade, STEPS).findLast((step) => step <= value) ?? stepsOf(decade - 1, STEPS).at(-1) ?? value;
}

const FINER: readonly (readonly number[])[] = [[1], [1, 5], [1, 2, 5], [1, 2, 3, 4, 5, 6, 7, 8, 9]];

/** Minimum distance of two labels, as a share of the axis length. */
const NEAR = 0.13;

/**
 * Ticks of a logarithmic axis: the start if it is a 1-2-5 value, the decades, and intermediate
 * values only where there are few decades.
 */
export function logMarks(min: number, max: number): number[] {
  for (const steps of FINER) {
    const marks = stepsOfDecades(min, max, steps);
    if (marks.length >= 3) {
      const shown = marks.length <= 6 ? marks : marks.filter((_, place) => place % 2 === 0);
      const room = (max / min) ** NEAR;
      const apart = withoutCollisions(shown, room);
      return stepBelow(min) === min ? [min, ...apart.filter((mark) => mark >= min * room)] : apart;
    }
  }
  // Shorter than one step: three values as on a linear axis.
  return [min, Math.sqrt(min * max), max].map((mark) => Number(mark.toPrecision(3)));
}

/** Labels of marks that are nearer than `room` would overlap; of two such, the rounder stays. */
function withoutCollisions(marks: readonly number[], room: number): number[] {
  const byRoundness = [...marks].sort((one, other) => roundness(one) - roundness(other) || one - other);
  const shown: number[] = [];
  for (const mark of byRoundness) {
    if (shown.every((other) => Math.max(mark, other) >= room * Math.min(mark, other))) shown.push(mark);
  }
  return shown.sort((one, other) => one - other);
}

/** 0 for powers of ten, 1 for 5, 2 for 2, 3 for the others. */
function roundness(mark: number): number {
  const digit = Number(mark.toExponential()[0]);
  return digit === 1 ? 0 : digit === 5 ? 1 : digit === 2 ? 2 : 3;
}

function stepsOfDecades(min: number, max: number, steps: readonly number[]): number[] {
  const marks: number[] = [];
  for (let power = Math.floor(Math.log10(min)); power <= Math.ceil(Math.log10(max)); power += 1) {
    marks.push(...stepsOf(power, steps));
  }
  return marks.filter((mark) => mark >= min && mark <= max);
}

function stepsOf(power: number, steps: readonly number[]): number[] {
  return steps.map((step) => Number((step * 10 ** power).toPrecision(6)));
}
