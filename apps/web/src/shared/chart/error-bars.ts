/** Error bars: a vertical line over the range of the repeats, with short ends. */
import type uPlot from 'uplot';

import { type ChartSpec, colorOf } from './lines.ts';

/** Half the width of an end. */
const END_PX = 3;

export function errorBars(now: () => ChartSpec, scale: number): uPlot.Plugin {
  return {
    hooks: {
      draw: (plot) => {
        const { lines, yLog } = now();
        const styles = getComputedStyle(document.documentElement);
        const { ctx } = plot;
        const pixel = scale * devicePixelRatio;
        const end = END_PX * pixel;
        ctx.save();
        ctx.beginPath();
        ctx.rect(plot.bbox.left, plot.bbox.top, plot.bbox.width, plot.bbox.height);
        ctx.clip();
        ctx.lineWidth = pixel;
        for (const line of lines) {
          ctx.strokeStyle = styles.getPropertyValue(colorOf(line)).trim();
          ctx.beginPath();
          for (const [x, low, high] of line.bars ?? []) {
            // Zero has no logarithm: such a bar goes down to the edge, without an end there.
            const isOpen = yLog && low <= 0;
            const [at, top] = [plot.valToPos(x, 'x', true), plot.valToPos(high, 'y', true)];
            const bottom = isOpen ? plot.bbox.top + plot.bbox.height : plot.valToPos(low, 'y', true);
            ctx.moveTo(at, bottom);
            ctx.lineTo(at, top);
            for (const y of isOpen ? [top] : [bottom, top]) {
              ctx.moveTo(at - end, y);
              ctx.lineTo(at + end, y);
            }
          }
          ctx.stroke();
        }
        ctx.restore();
      },
    },
  };
}
