/**
 * Results as one picture.
 *
 * Experiments: the charts of the page, with titles and legend, at a higher resolution. Comparison:
 * its bars, which the page shows as a table.
 */
import { type ChartSpec, colorOf, dashes } from '../../../../shared/chart/lines.ts';
import { paint } from '../../../../shared/chart/options.ts';
import { language, localized } from '../../../../shared/i18n/translate.ts';
import { t2d } from '../../i18n/translate.ts';
import { tResults } from '../../i18n/results-translate.ts';
import { formatBytes, formatFixed, formatMean, formatNumber } from '../../../../shared/i18n/number-format.ts';
import type { Measured } from '../../workers/protocol.ts';
import type { Session } from '../session.ts';
import { captionOf } from './caption.ts';
import { chartsOf, linesOfAll } from './charts.ts';
import type { Results } from './experiments.ts';
import { cellOf, hasAdaptiveCells, isTimed, missedText, timeText } from './result-rows.ts';

const WIDTH = 960;
const MARGIN = 24;
const LINE = 22;
const LEGEND_COLUMNS = 4;
const CHART_HEIGHT = 220;
/** Twice the resolution, for use in documents. */
const SHARPNESS = 2;

interface Sheet {
  canvas: HTMLCanvasElement;
  context: CanvasRenderingContext2D;
  color: (name: string) => string;
}

function sheet(height: number): Sheet {
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH * SHARPNESS;
  canvas.height = height * SHARPNESS;
  const context = canvas.getContext('2d');
  if (context === null) {
    throw new Error('the browser gives no canvas');
  }
  context.scale(SHARPNESS, SHARPNESS);
  const styles = getComputedStyle(document.documentElement);
  const color = (name: string): string => styles.getPropertyValue(name).trim();
  context.fillStyle = color('--panel');
  context.fillRect(0, 0, WIDTH, height);
  context.textBaseline = 'middle';
  return { canvas, context, color };
}

function font(weight: number, size: number): string {
  return `${weight} ${size}px ${getComputedStyle(document.documentElement).getPropertyValue('--font').trim()}`;
}

export async function drawResults(session: Session, results: Results): Promise<HTMLCanvasElement> {
  const experiment = session.experiments.experiment.value;
  const catalog = session.catalog.value;
  if (experiment === undefined || catalog === null) {
    return drawBars(session, results);
  }
  const label = (technique: string): string => session.experiments.label(technique);
  const charts = chartsOf({ catalog, experiment, rows: results.rows, label });
  return drawCharts(`Embate · ${localized(experiment.title)}`, captionOf(results, experiment), charts);
}

function heading({ context, color }: Sheet, title: string, below: string): void {
  context.fillStyle = color('--text');
  context.font = font(600, 18);
  context.fillText(title, MARGIN, MARGIN + 10);
  context.fillStyle = color('--muted');
  context.font = font(400, 12);
  context.fillText(below, MARGIN, MARGIN + 34);
}

async function drawCharts(title: string, below: string, charts: readonly ChartSpec[]): Promise<HTMLCanvasElement> {
  const lines = linesOfAll(charts);
  const hasBars = lines.some(({ bars = [] }) => bars.length > 0);
  const legendRows = Math.ceil((lines.length + (hasBars ? 1 : 0)) / LEGEND_COLUMNS);
  const top = MARGIN + 60 + legendRows * LINE;
  const width = (WIDTH - 3 * MARGIN) / 2;
  const pitch = CHART_HEIGHT + 46;
  const paper = sheet(top + Math.ceil(charts.length / 2) * pitch + MARGIN);
  const { context, color } = paper;
  heading(paper, title, below);

  context.font = font(400, 12);
  const legendAt = (place: number): [x: number, y: number] => [
    MARGIN + (place % LEGEND_COLUMNS) * ((WIDTH - 2 * MARGIN) / LEGEND_COLUMNS),
    MARGIN + 62 + Math.floor(place / LEGEND_COLUMNS) * LINE,
  ];
  lines.forEach((line, place) => {
    const [x, y] = legendAt(place);
    context.strokeStyle = color(colorOf(line));
    context.lineWidth = 2;
    context.setLineDash(dashes(line));
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + 26, y);
    context.stroke();
    context.setLineDash([]);
    if (line.kind !== 'reference') {
      context.fillStyle = color(line.kind === 'published' ? '--panel' : colorOf(line));
      context.beginPath();
      context.arc(x + 13, y, 3, 0, 7);
      context.fill();
      context.stroke();
    }
    context.fillStyle = color('--text');
    context.fillText(line.label, x + 32, y);
  });
  if (hasBars) context.fillText(tResults('chart.spread'), ...legendAt(lines.length));

  for (const [place, spec] of charts.entries()) {
    const x = MARGIN + (place % 2) * (width + MARGIN);
    const y = top + Math.floor(place / 2) * pitch;
    context.fillStyle = color('--text');
    context.font = font(500, 13);
    context.fillText(spec.title, x, y + 10);
    context.drawImage(await paint(spec, width, CHART_HEIGHT, SHARPNESS), x, y + 22, width, CHART_HEIGHT);
  }
  return paper.canvas;
}

function drawBars(session: Session, results: Results): HTMLCanvasElement {
  const { rows } = results;
  const catalog = session.catalog.value;
  const now = language.value;
  const isCapacity = rows.some(({ capacity }) => capacity !== undefined);
  const columns: { head: string; value: (row: Measured) => number; write: (row: Measured) => string }[] = [
    ...(isCapacity
      ? [{ head: t2d('form.objects'), value: (row: Measured) => row.parameters.objects, write: (row: Measured) => formatNumber(row.parameters.objects, now) }]
      : []),
    { head: t2d('table.ms'), value: (row) => row.msPerFrame, write: (row) => timeText(row, now) },
    { head: t2d('table.tests'), value: (row) => row.testsPerFrame, write: (row) => formatMean(row.testsPerFrame, now) },
    ...(isCapacity ? [] : [{ head: t2d('table.fps'), value: (row: Measured) => row.fps, write: (row: Measured) => formatFixed(row.fps, 0, now) }]),
    { head: t2d('table.missed'), value: (row) => row.missedPairs ?? 0, write: (row) => missedText(row, now) },
    { head: t2d('live.bytes'), value: (row) => row.bytes, write: (row) => formatBytes(row.bytes, now) },
  ];
  const top = MARGIN + 78;
  const paper = sheet(top + rows.length * 28 + MARGIN);
  const { context, color } = paper;
  heading(paper, `Embate · ${t2d(isCapacity ? 'experiment.capacity.title' : 'experiment.compare.title')}`, captionOf(results, undefined));

  const names = 190;
  const width = (WIDTH - 2 * MARGIN - names) / columns.length;
  rows.forEach((row, place) => {
    const { technique } = row.parameters;
    const isAdvised = rows.every(isTimed) && technique === results.advice?.technique;
    context.fillStyle = color('--text');
    context.font = font(isAdvised ? 600 : 400, 13);
    const cell = catalog === null ? null : cellOf(catalog, row);
    const isAdaptive = catalog !== null && hasAdaptiveCells(catalog, row);
    const { bounds } = row.parameters;
    const rate = row.capacity === undefined ? '' : ` · ${tResults('capacity.column', { bounds: t2d(`form.bounds.${bounds}`), fps: row.capacity.fps })}`;
    const cells = isCapacity ? rate : cell !== null ? ` · ${t2d('experiment.cell', { cell })}` : isAdaptive ? ` · ${t2d('experiment.cell-adaptive')}` : '';
    context.fillText(session.experiments.label(technique) + cells + (isAdvised ? ' ✓' : ''), MARGIN, top + place * 28 + 14);
  });
  columns.forEach(({ head, value, write }, column) => {
    const x = MARGIN + names + column * width;
    const max = Math.max(...rows.map(value));
    context.font = font(400, 12);
    context.fillStyle = color('--muted');
    context.fillText(head, x, top - 14);
    rows.forEach((row, place) => {
      const y = top + place * 28 + 14;
      const length = max > 0 ? ((width - 100) * value(row)) / max : 0;
      context.fillStyle = color('--accent');
      context.fillRect(x, y - 5, Math.max(length, value(row) > 0 ? 1.5 : 0), 10);
      context.fillStyle = color('--text');
      context.fillText(write(row), x + length + 8, y);
    });
  });
  return paper.canvas;
}
