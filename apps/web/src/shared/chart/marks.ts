/** Marks: labeled vertical lines at values of x. */
import type uPlot from 'uplot';

import type { ChartSpec, Mark } from './lines.ts';

const GAP_PX = 4;
const LABEL_PX = 13;
const DASH_PX = 3;

/** Marks that the axis can show: zero and less have no logarithm. */
export function shownMarks({ marks = [], xLog }: ChartSpec): Mark[] {
  return marks.filter(([x]) => Number.isFinite(x) && (!xLog || x > 0));
}

/** Range of x, extended to all marks. */
export function withMarks(spec: ChartSpec, min: number, max: number): [number, number] {
  const xs = shownMarks(spec).map(([x]) => x);
  return [Math.min(min, ...xs), Math.max(max, ...xs)];
}

/** Labels stand at the top, each one line lower than the one before, so that they do not overlap. */
export function marks(now: () => ChartSpec, color: () => string, font: () => string, scale: number): uPlot.Plugin {
  return {
    hooks: {
      draw: (plot) => {
        const { ctx, bbox } = plot;
        const pixel = scale * devicePixelRatio;
        ctx.save();
        ctx.strokeStyle = color();
        ctx.fillStyle = color();
        ctx.font = font();
        ctx.lineWidth = pixel;
        ctx.textBaseline = 'top';
        ctx.setLineDash([DASH_PX * pixel, DASH_PX * pixel]);
        shownMarks(now()).forEach(([x, label], row) => {
          const at = plot.valToPos(x, 'x', true);
          ctx.beginPath();
          ctx.moveTo(at, bbox.top);
          ctx.lineTo(at, bbox.top + bbox.height);
          ctx.stroke();
          const fits = at + GAP_PX * pixel + ctx.measureText(label).width <= bbox.left + bbox.width;
          ctx.textAlign = fits ? 'left' : 'right';
          ctx.fillText(label, at + (fits ? 1 : -1) * GAP_PX * pixel, bbox.top + LABEL_PX * pixel * row);
        });
        ctx.restore();
      },
    },
  };
}
