/**
 * How do results become one picture?
 *
 * Experiments: the charts of the page, sharper, with titles and legend. A comparison: its bars, which
 * on the page are a table.
 */
import { type ChartSpec, colourOf, dashes } from '../../../shared/chart/lines.ts';
import { paint } from '../../../shared/chart/options.ts';
import { language, spoken, words } from '../../../shared/i18n.ts';
import { bytes, mean } from '../../../shared/numbers.ts';
import type { Measured } from '../protocol.ts';
import type { Session } from '../session.ts';
import { chartsOf, linesOfAll } from './charts.ts';
import type { Results } from './experiments.ts';
import { cellOf, isTimed, missedText, timeText } from './rows.ts';

const WIDTH = 960;
const MARGIN = 24;
const LINE = 22;
const LEGEND_COLUMNS = 4;
const CHART_HEIGHT = 220;
/** Twice the pixels: sharp in a document too. */
const SHARPNESS = 2;

interface Sheet {
  canvas: HTMLCanvasElement;
  ink: CanvasRenderingContext2D;
  colour: (name: string) => string;
}

function sheet(height: number): Sheet {
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH * SHARPNESS;
  canvas.height = height * SHARPNESS;
  const ink = canvas.getContext('2d');
  if (ink === null) {
    throw new Error('the browser gives no canvas');
  }
  ink.scale(SHARPNESS, SHARPNESS);
  const styles = getComputedStyle(document.documentElement);
  const colour = (name: string): string => styles.getPropertyValue(name).trim();
  ink.fillStyle = colour('--panel');
  ink.fillRect(0, 0, WIDTH, height);
  ink.textBaseline = 'middle';
  return { canvas, ink, colour };
}

function font(weight: number, size: number): string {
  return `${weight} ${size}px ${getComputedStyle(document.documentElement).getPropertyValue('--font').trim()}`;
}

export async function drawResults(session: Session, results: Results): Promise<HTMLCanvasElement> {
  const experiment = session.experiments.experiment.value;
  const catalogue = session.catalogue.value;
  if (experiment === undefined || catalogue === null) {
    return drawBars(session, results);
  }
  const label = (technique: string): string => session.experiments.label(technique);
  const charts = chartsOf({ catalogue, experiment, rows: results.rows, label });
  return drawCharts(`Embate · ${spoken(experiment.title)}`, caption(results), charts);
}

function caption(results: Results): string {
  return words('lab.measured-with', { seed: String(results.seed), count: results.frames });
}

function heading({ ink, colour }: Sheet, title: string, below: string): void {
  ink.fillStyle = colour('--text');
  ink.font = font(600, 18);
  ink.fillText(title, MARGIN, MARGIN + 10);
  ink.fillStyle = colour('--muted');
  ink.font = font(400, 12);
  ink.fillText(below, MARGIN, MARGIN + 34);
}

async function drawCharts(title: string, below: string, charts: readonly ChartSpec[]): Promise<HTMLCanvasElement> {
  const lines = linesOfAll(charts);
  const legendRows = Math.ceil(lines.length / LEGEND_COLUMNS);
  const top = MARGIN + 60 + legendRows * LINE;
  const width = (WIDTH - 3 * MARGIN) / 2;
  const pitch = CHART_HEIGHT + 46;
  const paper = sheet(top + Math.ceil(charts.length / 2) * pitch + MARGIN);
  const { ink, colour } = paper;
  heading(paper, title, below);

  ink.font = font(400, 12);
  lines.forEach((line, place) => {
    const x = MARGIN + (place % LEGEND_COLUMNS) * ((WIDTH - 2 * MARGIN) / LEGEND_COLUMNS);
    const y = MARGIN + 62 + Math.floor(place / LEGEND_COLUMNS) * LINE;
    ink.strokeStyle = colour(colourOf(line));
    ink.lineWidth = 2;
    ink.setLineDash(dashes(line));
    ink.beginPath();
    ink.moveTo(x, y);
    ink.lineTo(x + 26, y);
    ink.stroke();
    ink.setLineDash([]);
    if (line.kind !== 'reference') {
      ink.fillStyle = colour(line.kind === 'published' ? '--panel' : colourOf(line));
      ink.beginPath();
      ink.arc(x + 13, y, 3, 0, 7);
      ink.fill();
      ink.stroke();
    }
    ink.fillStyle = colour('--text');
    ink.fillText(line.label, x + 32, y);
  });

  for (const [place, spec] of charts.entries()) {
    const x = MARGIN + (place % 2) * (width + MARGIN);
    const y = top + Math.floor(place / 2) * pitch;
    ink.fillStyle = colour('--text');
    ink.font = font(500, 13);
    ink.fillText(spec.title, x, y + 10);
    ink.drawImage(await paint(spec, width, CHART_HEIGHT, SHARPNESS), x, y + 22, width, CHART_HEIGHT);
  }
  return paper.canvas;
}

function drawBars(session: Session, results: Results): HTMLCanvasElement {
  const { rows } = results;
  const catalogue = session.catalogue.value;
  const now = language.value;
  const columns: { head: string; value: (row: Measured) => number; write: (row: Measured) => string }[] = [
    { head: words('table.ms'), value: (row) => row.msPerFrame, write: (row) => timeText(row, now) },
    { head: words('table.tests'), value: (row) => row.testsPerFrame, write: (row) => mean(row.testsPerFrame, now) },
    { head: words('table.missed'), value: (row) => row.missedPairs ?? 0, write: (row) => missedText(row, now) },
    { head: words('table.memory'), value: (row) => row.bytes, write: (row) => bytes(row.bytes, now) },
  ];
  const top = MARGIN + 78;
  const paper = sheet(top + rows.length * 28 + MARGIN);
  const { ink, colour } = paper;
  const scene = results.scene;
  const what = scene === null ? '' : `${words('stage.objects', { count: scene.objects })}. `;
  heading(paper, `Embate · ${words('lab.compare.title')}`, what + caption(results));

  const names = 190;
  const width = (WIDTH - 2 * MARGIN - names) / columns.length;
  rows.forEach((row, place) => {
    const { technique } = row.parameters;
    const isAdvised = rows.every(isTimed) && technique === results.advice?.technique;
    ink.fillStyle = colour('--text');
    ink.font = font(isAdvised ? 600 : 400, 13);
    const cell = catalogue === null ? null : cellOf(catalogue, row);
    const cells = cell === null ? '' : ` · ${words('lab.cell', { cell })}`;
    ink.fillText(session.experiments.label(technique) + cells + (isAdvised ? ' ✓' : ''), MARGIN, top + place * 28 + 14);
  });
  columns.forEach(({ head, value, write }, column) => {
    const x = MARGIN + names + column * width;
    const most = Math.max(...rows.map(value));
    ink.font = font(400, 12);
    ink.fillStyle = colour('--muted');
    ink.fillText(head, x, top - 14);
    rows.forEach((row, place) => {
      const y = top + place * 28 + 14;
      const length = most > 0 ? ((width - 100) * value(row)) / most : 0;
      ink.fillStyle = colour('--accent');
      ink.fillRect(x, y - 5, Math.max(length, value(row) > 0 ? 1.5 : 0), 10);
      ink.fillStyle = colour('--text');
      ink.fillText(write(row), x + length + 8, y);
    });
  });
  return paper.canvas;
}
