/** Error bars: a vertical line from the minimum to the maximum of the repeats, with short ends. */
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
            if (yLog && low <= 0) continue;
            const [at, bottom, top] = [plot.valToPos(x, 'x', true), plot.valToPos(low, 'y', true), plot.valToPos(high, 'y', true)];
            ctx.moveTo(at, bottom);
            ctx.lineTo(at, top);
            for (const y of [bottom, top]) {
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
