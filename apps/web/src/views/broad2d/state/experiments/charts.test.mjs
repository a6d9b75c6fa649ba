import assert from 'node:assert/strict';
import { test } from 'node:test';

import { language } from '../../../../shared/i18n/translate.ts';
import { chartsOf, linesOfAll } from './charts.ts';

const TECHNIQUES = [
  { name: 'study-brute', takesCell: false },
  { name: 'study-grid', takesCell: true },
];
const row = (technique, { cellSize = 10, objects = 100, spread = 0.25, msPerFrame = 0.4, frames = 500 }) => ({
  parameters: { technique, cellSize, objects, bounds: 'aabb' },
  msPerFrame,
  spread,
  frames,
  clockMs: 0.005,
  fps: 1000,
  bytes: 2000,
  testsPerFrame: 50,
  missedPairs: 0,
});
const charts = (varies, rows) =>
  chartsOf({
    catalog: { techniques: TECHNIQUES },
    experiment: { varies, published: [{ technique: 'study-grid', bounds: 'aabb', objects: 100, ms: 1.5, tests: 60 }] },
    rows,
    label: (technique) => technique,
  });

test('every axis of a chart has its quantity and unit, in both languages', () => {
  const titles = () => {
    const rows = [row('study-brute', {}), row('study-grid', {})];
    return ['cellSize', 'objects'].flatMap((varies) => charts(varies, rows).map(({ xLabel, yLabel }) => `${xLabel}; ${yLabel}`));
  };
  const y = ['FPS incl. drawing', 'Time per frame (ms)', 'Memory (kB)', 'Tests per frame'];
  assert.deepEqual(titles(), [
    ...y.map((label) => `Cell size (px); ${label}`),
    ...y.filter((label) => !/Memory/.test(label)).map((label) => `Objects; ${label}`),
  ]);
  language.value = 'pt-BR';
  assert.ok(titles().every((title) => /^(Tamanho da célula \(px\)|Objetos); .+/.test(title)), titles().join());
  language.value = 'en';
});

test('times have error bars of their spread, other quantities have none', () => {
  const rows = [row('study-brute', { msPerFrame: 0.8, spread: 0.5 }), row('study-grid', { cellSize: 10 }), row('study-grid', { cellSize: 20, spread: 1.5 })];
  const [fps, ms, memory, tests] = charts('cellSize', rows);
  const bars = (chart) => chart.lines.map((line) => line.bars);
  const [brute, grid] = bars(ms);
  assert.deepEqual(grid.map((bar) => bar.map((value) => Number(value.toFixed(6)))), [[10, 0.3, 0.5], [20, 0, 1]]);
  assert.deepEqual(brute, [[20, 0.4, 1.2000000000000002]], 'one measurement, one bar');
  for (const chart of [fps, memory, tests]) assert.deepEqual(bars(chart), [undefined, undefined]);
  assert.ok(linesOfAll([fps, ms]).every((line) => line.bars !== undefined), 'the common legend names them');
});

test('a time that the clock does not resolve, or of too few frames, has no error bar', () => {
  const rows = [row('study-grid', { objects: 10, msPerFrame: 0.2, frames: 1 }), row('study-grid', { objects: 20, spread: null }), row('study-grid', { objects: 30 })];
  const ms = charts('objects', rows).find(({ yLabel }) => yLabel === 'Time per frame (ms)');
  const [measured, published] = ms.lines;
  assert.deepEqual(measured.bars.map(([objects]) => objects), [30]);
  assert.deepEqual([published.kind, published.bars], ['published', undefined]);
});
