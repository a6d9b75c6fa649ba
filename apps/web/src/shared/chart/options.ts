/** uPlot options for a `ChartSpec`, at page size or scaled up for export. */
import uPlot from 'uplot';

import { axisTitle } from './axis-title.ts';
import { errorBars } from './error-bars.ts';
import { type ChartSpec, colorOf, columns, dashes, extentOf, logMarks, span } from './lines.ts';
import { marks, withMarks } from './marks.ts';
import { readout } from './readout.ts';

const FONT_PX = 11;
/** Width of a digit at this font size, slightly above that of most fonts. */
const DIGIT_PX = 6.6;

/** Room of an axis title. */
const TITLE_PX = 16;

/** Additional height for the axis titles. */
export function titleHeight(spec: ChartSpec): number {
  const { x, y } = titlesOf(spec);
  return TITLE_PX * [x, y].filter((title) => title !== '').length;
}

/** Live charts are small; their panel shows the title of the y axis. */
function titlesOf({ plain, xLabel, yLabel = '', xLog, yLog }: ChartSpec): { x: string; y: string } {
  return { x: axisTitle(xLabel, xLog), y: plain === true ? '' : axisTitle(yLabel, yLog) };
}

/** Title of the y axis, above the plot: beside it, there is no room for a long one. */
function yTitle(now: () => ChartSpec, color: () => string, font: () => string): uPlot.Plugin {
  return {
    hooks: {
      draw: ({ ctx }) => {
        ctx.save();
        ctx.fillStyle = color();
        ctx.font = font();
        ctx.textAlign = 'left';
        ctx.textBaseline = 'top';
        ctx.fillText(titlesOf(now()).y, 0, 0, ctx.canvas.width);
        ctx.restore();
      },
    },
  };
}

/**
 * `now` returns the chart at the time of drawing: labels change with the language, the kinds of
 * lines do not. Colors are read from the style sheet when drawing, so a theme change needs a redraw
 * and no new plot. `scale` is the magnification relative to the page.
 */
export function options(now: () => ChartSpec, width: number, height: number, scale = 1): uPlot.Options {
  const spec = now();
  const styles = getComputedStyle(document.documentElement);
  const color = (name: string) => (): string => styles.getPropertyValue(name).trim();
  const family = styles.getPropertyValue('--font').trim();
  const font = `${FONT_PX * scale}px ${family}`;
  const titles = titlesOf(spec);
  const grid = { stroke: color('--line'), width: scale };
  const isQuiet = spec.plain === true || scale !== 1;
  const axis = (isLog: boolean, writer: () => (value: number) => string): uPlot.Axis => ({
    stroke: color('--muted'),
    font,
    grid,
    ticks: { show: false },
    gap: 4 * scale,
    values: (_plot, marks) => marks.map(writer()),
    ...(isLog && {
      splits: (_plot: uPlot, _axis: number, min: number, max: number) => logMarks(min, max),
      filter: (_plot: uPlot, marks: number[]) => marks,
    }),
  });
  const series = spec.lines.map((line): uPlot.Series => {
    const stroke = color(colorOf(line));
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
        fill: line.kind === 'published' ? color('--panel') : stroke,
      },
    };
  });
  return {
    width: width * scale,
    height: height * scale,
    padding: [(titles.y === '' ? 8 : 8 + TITLE_PX) * scale, 12 * scale, 0, 0],
    legend: { show: false },
    cursor: { show: !isQuiet, drag: { x: false, y: false }, y: false, points: { size: 8 } },
    scales: {
      x: {
        time: false,
        distr: spec.xLog ? 3 : 1,
        range: (_plot, min, max) => span(...withMarks(now(), min, max), spec.xLog, false),
      },
      y: {
        distr: spec.yLog ? 3 : 1,
        range: () => span(...extentOf(now().lines, spec.yLog), spec.yLog, true),
      },
    },
    axes: [
      {
        ...axis(spec.xLog, () => now().writeX),
        size: 24 * scale,
        ...(titles.x !== '' && { label: () => titlesOf(now()).x, labelFont: font, labelSize: TITLE_PX * scale, labelGap: 0 }),
      },
      {
        ...axis(spec.yLog, () => now().write),
        size: (_plot, values) => scale * (12 + DIGIT_PX * Math.max(1, ...(values ?? []).map((text) => text.length))),
      },
    ],
    series: [{}, ...series],
    plugins: [
      errorBars(now, scale),
      marks(now, color('--muted'), () => `${FONT_PX * scale * devicePixelRatio}px ${family}`, scale),
      // The canvas has the pixels of the display; uPlot scales its own fonts.
      yTitle(now, color('--muted'), () => `${FONT_PX * scale * devicePixelRatio}px ${family}`),
      ...(isQuiet ? [] : [readout(now)]),
    ],
  };
}

/** Renders the chart off-screen, magnified by `scale`. */
export async function paint(spec: ChartSpec, width: number, height: number, scale: number): Promise<HTMLCanvasElement> {
  const data = columns(spec.lines, spec.yLog);
  return new Promise((resolve) => {
    const plot: uPlot = new uPlot(
      { ...options(() => spec, width, height, scale), hooks: { draw: [(drawn) => resolve(drawn.ctx.canvas)] } },
      data,
      document.createElement('div'),
    );
    // Removes the plot's listeners; the canvas stays valid.
    window.setTimeout(() => plot.destroy(), 1000);
  });
}
