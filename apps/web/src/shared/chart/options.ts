/** What does uPlot need to know to draw a chart of ours, on the page or larger on paper? */
import uPlot from 'uplot';

import { type ChartSpec, colourOf, columns, dashes, logMarks, span } from './lines.ts';
import { readout } from './readout.ts';

const FONT_PX = 11;
/** Width of a digit at that size, a little more than most fonts have. */
const DIGIT_PX = 6.6;

/**
 * `now` tells the chart as it is when it is drawn: its words change with the language, its lines' kinds do not. Colours are
 * those of the page at that moment: another theme draws it again, and makes nothing anew.
 * `scale` is how much larger than on the page everything is.
 */
export function options(now: () => ChartSpec, width: number, height: number, scale = 1): uPlot.Options {
  const spec = now();
  const styles = getComputedStyle(document.documentElement);
  const colour = (name: string) => (): string => styles.getPropertyValue(name).trim();
  const font = `${FONT_PX * scale}px ${styles.getPropertyValue('--font').trim()}`;
  const grid = { stroke: colour('--line'), width: scale };
  const isQuiet = spec.plain === true || scale !== 1;
  const axis = (isLog: boolean, writer: () => (value: number) => string): uPlot.Axis => ({
    stroke: colour('--muted'),
    font,
    grid,
    ticks: { show: false },
    gap: 4 * scale,
    values: (_plot, marks) => marks.map(writer()),
    ...(isLog && {
      splits: (_plot: uPlot, _axis: number, least: number, greatest: number) => logMarks(least, greatest),
      filter: (_plot: uPlot, marks: number[]) => marks,
    }),
  });
  const series = spec.lines.map((line): uPlot.Series => {
    const stroke = colour(colourOf(line));
    return {
      stroke,
      width: (line.kind === 'measured' ? 1.75 : 1.25) * scale,
      dash: dashes(line).map((length) => length * scale),
      spanGaps: true,
      points: {
        show: spec.plain !== true && line.kind !== 'reference',
        size: 6 * scale,
        width: 1.25 * scale,
        stroke,
        fill: line.kind === 'published' ? colour('--panel') : stroke,
      },
    };
  });
  return {
    width: width * scale,
    height: height * scale,
    padding: [8 * scale, 12 * scale, 0, 0],
    legend: { show: false },
    cursor: { show: !isQuiet, drag: { x: false, y: false }, y: false, points: { size: 8 } },
    scales: {
      x: {
        time: false,
        distr: spec.xLog ? 3 : 1,
        range: (_plot, least, greatest) => span(least, greatest, spec.xLog, false),
      },
      y: {
        distr: spec.yLog ? 3 : 1,
        range: (_plot, least, greatest) => span(least, greatest, spec.yLog, true),
      },
    },
    axes: [
      { ...axis(spec.xLog, () => now().writeX), size: 24 * scale },
      {
        ...axis(spec.yLog, () => now().write),
        size: (_plot, values) => scale * (12 + DIGIT_PX * Math.max(1, ...(values ?? []).map((text) => text.length))),
      },
    ],
    series: [{}, ...series],
    plugins: isQuiet ? [] : [readout(now)],
  };
}

/** The chart off the page, `scale` times as large. */
export async function paint(spec: ChartSpec, width: number, height: number, scale: number): Promise<HTMLCanvasElement> {
  const data = columns(spec.lines, spec.yLog);
  return new Promise((resolve) => {
    const plot: uPlot = new uPlot(
      { ...options(() => spec, width, height, scale), hooks: { draw: [(drawn) => resolve(drawn.ctx.canvas)] } },
      data,
      document.createElement('div'),
    );
    // Its listeners go; the drawing stays.
    window.setTimeout(() => plot.destroy(), 1000);
  });
}
