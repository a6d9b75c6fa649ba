/** How much work is each pixel to each structure? Side by side, on one scale. */
import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { Button } from '../../shared/button.tsx';
import { copy, csv, saveText } from '../../shared/downloads.ts';
import { Segments } from '../../shared/fields.tsx';
import { language, words } from '../../shared/i18n.ts';
import { mean, percent, plain } from '../../shared/numbers.ts';
import { say, tell } from '../../shell/status.tsx';
import { saveHeatPicture } from './heat-picture.ts';
import { type Heat, type HeatMap, type Metric, METRICS } from './protocol.ts';
import type { Session } from './session.ts';
import { wordsRays } from './words.ts';

export function HeatPanel({ session }: { session: Session }) {
  const { heating } = session;
  const heat = heating.heat.value;
  const isRunning = heating.state.value === 'running';
  const canBegin = session.answers.structures.value.bvh !== undefined && session.seen.value !== null;
  return (
    <section class="panel panel-heat" aria-labelledby="heat-title">
      <div class="panel-head">
        <h2 id="heat-title">{wordsRays('heat.title')}</h2>
        {heat !== null && <span class="muted small">{wordsRays('heat.rays', { width: heat.width, height: heat.height })}</span>}
        <div class="end heat-tools">
          <Segments<Metric>
            name="metric"
            label={wordsRays('heat.metric')}
            compact
            value={heating.metric.value}
            choices={METRICS.map((value) => ({ value, label: wordsRays(`heat.${value}`) }))}
            onChange={(metric) => heating.chooseMetric(metric)}
          />
          <Button class="compact" cap="H" disabled={!canBegin} onClick={() => heating.toggle()}>
            {isRunning ? words('lab.cancel') : wordsRays(heat === null ? 'heat.begin' : 'heat.again')}
          </Button>
          <Files session={session} heat={heat} />
        </div>
      </div>
      <Told session={session} />
      {heat !== null && (
        <>
          <div class="heat-maps">
            {heat.maps.map((map) => (
              <Map key={map.name} map={map} heat={heat} />
            ))}
          </div>
          <Scale session={session} heat={heat} />
        </>
      )}
    </section>
  );
}

function Told({ session }: { session: Session }) {
  const { state, heat, isStale, problem } = session.heating;
  if (problem.value !== null) return <p class="small alarm">{problem.value}</p>;
  if (state.value === 'running') {
    const progress = heat.value?.progress ?? 0;
    return (
      <p class="heat-progress small muted">
        <progress aria-label={wordsRays('heat.progress')} max={1} value={progress} />
        {percent(progress, language.value)}
      </p>
    );
  }
  if (state.value === 'none') return <p class="small muted">{wordsRays('heat.none')}</p>;
  const told = state.value === 'stopped' ? wordsRays('heat.stopped') : isStale.value ? wordsRays('heat.stale') : null;
  return told === null ? null : <p class="small muted">{told}</p>;
}

function Files({ session, heat }: { session: Session; heat: Heat | null }) {
  const isDone = session.heating.state.value === 'done' && heat !== null;
  const name = (kind: string): string => `heat-${session.heating.heat.value?.metric ?? 'tests'}.${kind}`;
  return (
    <>
      <Button
        class="compact"
        disabled={!isDone}
        onClick={() => {
          if (heat === null || session.scale.value === null) return;
          void saveHeatPicture(heat, session.scale.value, name('png')).then(() => say(() => words('said.saved', { file: name('png') })));
        }}
      >
        {words('lab.png')}
      </Button>
      <Button
        class="compact"
        disabled={!isDone}
        onClick={() => {
          if (heat === null) return;
          saveText(tableOf(heat), name('csv'), 'text/csv');
          say(() => words('said.saved', { file: name('csv') }));
        }}
      >
        {words('lab.csv')}
      </Button>
      <Button class="compact" disabled={!isDone} label={wordsRays('heat.command-about')} onClick={() => void copyCommand(session)}>
        {wordsRays('ray.command')}
      </Button>
    </>
  );
}

async function copyCommand(session: Session): Promise<void> {
  const source = session.source.value;
  const file = source === null ? 'mesh.ply' : 'file' in source ? source.file.name : `${source.scene}.ply`;
  const command = session.heating.command(file);
  if (command !== null) tell((await copy(command)) ? () => wordsRays('said.command') : () => command);
}

/** As `embate heatmap` writes it. */
function tableOf({ width, maps }: Heat): string {
  const rows: (string | number)[][] = [['x', 'y', ...maps.map(({ name }) => name)]];
  const heats = maps.map(({ heat }) => heat ?? new Uint32Array());
  heats[0]?.forEach((_, pixel) => rows.push([pixel % width, Math.floor(pixel / width), ...heats.map((heat) => heat[pixel] ?? 0)]));
  return csv(rows);
}

function Map({ map, heat }: { map: HeatMap; heat: Heat }) {
  const spoken = language.value;
  const name = wordsRays(`structure.${map.name}-name`);
  const isFlat = map.name === 'brute';
  return (
    <figure class="heat-map" data-map={map.name} data-total={map.total} data-max={map.max} data-mean={map.mean}>
      <figcaption class="small">
        <strong>{name}</strong>
        <span>
          <span class="muted">{wordsRays('heat.mean')}</span> {mean(map.mean, spoken)}
        </span>
        <span>
          <span class="muted">{wordsRays('heat.max')}</span> {plain(map.max, spoken)}
        </span>
      </figcaption>
      <div class="heat-picture" style={{ aspectRatio: `${heat.width} / ${heat.height}` }}>
        <Pixels
          pixels={map.pixels}
          width={heat.width}
          height={heat.height}
          label={wordsRays('heat.map', { name, mean: mean(map.mean, spoken), max: plain(map.max, spoken), total: plain(map.total, spoken) })}
        />
        {isFlat && <span class="heat-flat small">{wordsRays(heat.metric === 'tests' ? 'heat.every' : 'heat.no-cells')}</span>}
      </div>
      <Histogram map={map} label={wordsRays('heat.histogram', { name })} />
    </figure>
  );
}

function Pixels({ pixels, width, height, label }: { pixels: Uint8ClampedArray<ArrayBuffer>; width: number; height: number; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    canvas.current?.getContext('2d')?.putImageData(new ImageData(pixels, width, height), 0, 0);
  }, [pixels, width, height]);
  return <canvas ref={canvas} width={width} height={height} role="img" aria-label={label} />;
}

/** Tall bars are many pixels, by the square root: a few hot ones are seen, too. */
function Histogram({ map: { histogram }, label }: { map: HeatMap; label: string }) {
  const most = Math.max(1, ...histogram);
  return (
    <svg class="heat-histogram" viewBox={`0 0 ${histogram.length} 10`} preserveAspectRatio="none" role="img" aria-label={label}>
      {histogram.map((count, bin) => {
        const tall = 10 * Math.sqrt(count / most);
        return count === 0 ? null : <rect key={bin} x={bin + 0.08} y={10 - tall} width={0.84} height={tall} />;
      })}
    </svg>
  );
}

/** One scale for all: what the colours mean, and where each structure's mean lies. */
function Scale({ session, heat }: { session: Session; heat: Heat }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useSignalEffect(() => {
    const scale = session.scale.value;
    if (scale !== null) canvas.current?.getContext('2d')?.putImageData(new ImageData(scale, scale.length / 4, 1), 0, 0);
  });
  const spoken = language.value;
  const at = (shade: number): { left: string } => ({ left: `${(100 * shade).toFixed(2)}%` });
  const means = inOneLine(heat.maps);
  const ticks = heat.ticks.filter(({ shade }, place) => place === 0 || (shade > 0.06 && shade < 0.9));
  return (
    <div class="heat-scale small">
      <div class="heat-means" aria-hidden="true">
        {means.map(({ names, shade }) => (
          <span key={names[0]} style={at(shade)} class={shade > 0.85 ? 'at-end' : ''}>
            {names.map((name) => wordsRays(`structure.${name}`)).join(' · ')}
          </span>
        ))}
      </div>
      <canvas ref={canvas} width={256} height={1} role="img" aria-label={wordsRays('heat.scale', { most: plain(heat.most, spoken) })} />
      <div class="heat-ticks muted" aria-hidden="true">
        {ticks.map(({ heat: value, shade }) => (
          <span key={value} style={at(shade)}>
            {plain(value, spoken)}
          </span>
        ))}
        <span class="at-end" style={at(1)}>
          {plain(heat.most, spoken)}
        </span>
      </div>
    </div>
  );
}

/** Names closer than this would lie over each other. */
const APART = 0.14;

/** Structures from cold to hot; those that hardly differ have one mark. */
function inOneLine(maps: readonly HeatMap[]): { names: HeatMap['name'][]; shade: number }[] {
  const marks: { names: HeatMap['name'][]; shade: number }[] = [];
  for (const { name, shade } of maps.toSorted((one, other) => one.shade - other.shade)) {
    const last = marks.at(-1);
    if (last !== undefined && shade < last.shade + APART) last.names.push(name);
    else marks.push({ names: [name], shade });
  }
  return marks;
}
