/** Chart readout: a label that follows the pointer with the value of the nearest line. */
import type uPlot from 'uplot';

import type { ChartSpec } from './lines.ts';

export function readout(now: () => ChartSpec): uPlot.Plugin {
  const box = document.createElement('div');
  box.className = 'chart-readout';
  box.hidden = true;

  const follow = (plot: uPlot): void => {
    const { idx, left = -1, top = -1 } = plot.cursor;
    const x = idx === null || idx === undefined ? undefined : plot.data[0][idx];
    const nearest = x === undefined || left < 0 ? undefined : nearestLine(plot, idx ?? 0, top);
    box.hidden = nearest === undefined || x === undefined;
    if (nearest === undefined || x === undefined) {
      return;
    }
    const spec = now();
    const line = spec.lines[nearest.line];
    box.textContent = `${line?.label ?? ''} · ${spec.writeX(x)}: ${spec.write(nearest.value)}`;
    const across = plot.valToPos(x, 'x');
    const isRight = across > plot.over.clientWidth / 2;
    box.style.left = isRight ? '' : `${across + 8}px`;
    box.style.right = isRight ? `${plot.over.clientWidth - across + 8}px` : '';
  };
  return { hooks: { init: (plot) => plot.over.append(box), setCursor: follow } };
}

function nearestLine(plot: uPlot, row: number, top: number): { line: number; value: number } | undefined {
  let best: { line: number; value: number; away: number } | undefined;
  plot.data.slice(1).forEach((column, line) => {
    const value = column?.[row];
    if (value === null || value === undefined) {
      return;
    }
    const away = Math.abs(plot.valToPos(value, 'y') - top);
    if (best === undefined || away < best.away) {
      best = { line, value, away };
    }
  });
  return best;
}
