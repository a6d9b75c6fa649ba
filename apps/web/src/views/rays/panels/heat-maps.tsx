/** Heat maps: work per pixel of each structure, side by side on one scale. */
import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { Button } from '../../../shared/ui/button.tsx';
import { csv, saveText } from '../../../shared/downloads.ts';
import { Segments } from '../../../shared/ui/fields.tsx';
import { language, t } from '../../../shared/i18n/translate.ts';
import { formatMean, formatPercent, formatNumber } from '../../../shared/i18n/number-format.ts';
import { announce } from '../../../shell/status.tsx';
import { saveHeatMapImage } from '../state/heat-map-image.ts';
import { fileStem } from '../state/mesh-names.ts';
import { type Heat, type HeatMap, type Metric, METRICS } from '../workers/protocol.ts';
import { copyCommands } from './copy-commands.ts';
import type { Session } from '../state/session.ts';
import { tRays } from '../i18n/translate.ts';

export function HeatPanel({ session }: { session: Session }) {
  const { heatMaps } = session;
  const heat = heatMaps.heat.value;
  const isRunning = heatMaps.state.value === 'running';
  const canBegin = session.results.structures.value.bvh !== undefined && session.seen.value !== null;
  return (
    <section class="panel panel-heat" aria-labelledby="heat-title">
      <div class="panel-head">
        <h2 id="heat-title">{tRays('heat.title')}</h2>
        {heat !== null && <span class="muted small">{tRays('heat.rays', { width: heat.width, height: heat.height })}</span>}
        <div class="end heat-tools">
          <Segments<Metric>
            name="metric"
            label={tRays('heat.metric')}
            compact
            value={heatMaps.metric.value}
            choices={METRICS.map((value) => ({ value, label: tRays(`heat.${value}`) }))}
            onChange={(metric) => heatMaps.chooseMetric(metric)}
          />
          <Button class="compact" cap="H" disabled={!canBegin} onClick={() => heatMaps.toggle()}>
            {isRunning ? t('experiment.cancel') : tRays(heat === null ? 'heat.begin' : 'heat.again')}
          </Button>
          <Files session={session} heat={heat} />
        </div>
      </div>
      <HeatStatus session={session} />
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

function HeatStatus({ session }: { session: Session }) {
  const { state, heat, isStale, problem } = session.heatMaps;
  if (problem.value !== null) return <p class="small alarm">{problem.value}</p>;
  if (state.value === 'running') {
    const progress = heat.value?.progress ?? 0;
    return (
      <p class="heat-progress small muted">
        <progress aria-label={tRays('heat.progress')} max={1} value={progress} />
        {formatPercent(progress, language.value)}
      </p>
    );
  }
  if (state.value === 'none') return <p class="small muted">{tRays('heat.none')}</p>;
  const note = state.value === 'stopped' ? tRays('heat.stopped') : isStale.value ? tRays('heat.stale') : null;
  return note === null ? null : <p class="small muted">{note}</p>;
}

function Files({ session, heat }: { session: Session; heat: Heat | null }) {
  const isDone = session.heatMaps.state.value === 'done' && heat !== null;
  const name = (kind: string): string => `${fileStem(session.source.value)}-heat-${session.heatMaps.heat.value?.metric ?? 'tests'}.${kind}`;
  return (
    <>
      <Button
        class="compact"
        disabled={!isDone}
        onClick={() => {
          const [scale, request, facts] = [session.scale.value, session.heatMaps.request.value, session.facts.value];
          if (heat === null || scale === null || request === null || facts === null) return;
          const picture = { heat, scale, request, mesh: session.title(), triangles: facts.triangles };
          void saveHeatMapImage(picture, name('png')).then(() => announce(() => t('announce.saved', { file: name('png') })));
        }}
      >
        {t('experiment.png')}
      </Button>
      <Button
        class="compact"
        label={`${t('experiment.csv')}: ${tRays('heat.title')}`}
        disabled={!isDone}
        onClick={() => {
          if (heat === null) return;
          saveText(tableOf(heat), name('csv'), 'text/csv');
          announce(() => t('announce.saved', { file: name('csv') }));
        }}
      >
        {t('experiment.csv')}
      </Button>
      <Button class="compact" disabled={!isDone} label={tRays('heat.command-about')} onClick={() => void copyCommand(session)}>
        {tRays('ray.command')}
      </Button>
    </>
  );
}

async function copyCommand(session: Session): Promise<void> {
  const [source, options] = [session.source.value, session.heatMaps.commandOptions()];
  if (source !== null && options !== null) await copyCommands(session, source, (file) => `embate heatmap ${file} ${options}`);
}

/** In the format of `embate heatmap`. */
function tableOf({ width, maps }: Heat): string {
  const rows: (string | number)[][] = [['x', 'y', ...maps.map(({ name }) => name)]];
  const heats = maps.map(({ heat }) => heat ?? new Uint32Array());
  heats[0]?.forEach((_, pixel) => rows.push([pixel % width, Math.floor(pixel / width), ...heats.map((heat) => heat[pixel] ?? 0)]));
  return csv(rows);
}

function Map({ map, heat }: { map: HeatMap; heat: Heat }) {
  const locale = language.value;
  const name = tRays(`structure.${map.name}-name`);
  const isFlat = map.name === 'brute';
  return (
    <figure class="heat-map" data-map={map.name} data-total={map.total} data-max={map.max} data-mean={map.mean}>
      <figcaption class="small">
        <strong>{name}</strong>
        <span>
          <span class="muted">{tRays('heat.mean')}</span> {formatMean(map.mean, locale)}
        </span>
        <span>
          <span class="muted">{tRays('heat.max')}</span> {formatNumber(map.max, locale)}
        </span>
      </figcaption>
      <div class="heat-picture" style={{ aspectRatio: `${heat.width} / ${heat.height}` }}>
        <Pixels
          pixels={map.pixels}
          width={heat.width}
          height={heat.height}
          label={tRays('heat.map', { name, mean: formatMean(map.mean, locale), max: formatNumber(map.max, locale), total: formatNumber(map.total, locale) })}
        />
        {isFlat && <span class="heat-flat small">{tRays(heat.metric === 'tests' ? 'heat.every' : 'heat.no-cells')}</span>}
      </div>
      <Histogram map={map} label={tRays('heat.histogram', { name })} />
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

/** Bar heights are the square root of pixel counts, so that a few hot pixels are visible. */
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

/** The common scale, with the mean of each structure. */
function Scale({ session, heat }: { session: Session; heat: Heat }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useSignalEffect(() => {
    const scale = session.scale.value;
    if (scale !== null) canvas.current?.getContext('2d')?.putImageData(new ImageData(scale, scale.length / 4, 1), 0, 0);
  });
  const locale = language.value;
  const at = (shade: number): { left: string } => ({ left: `${(100 * shade).toFixed(2)}%` });
  const means = inOneLine(heat.maps);
  const ticks = heat.ticks.filter(({ shade }, place) => place === 0 || (shade > 0.06 && shade < 0.86));
  return (
    <div class="heat-scale small">
      <div class="heat-means" aria-hidden="true">
        {means.map(({ names, shade }) => (
          <span key={names[0]} style={at(shade)} class={shade > 0.85 ? 'at-end' : ''}>
            {names.map((name) => tRays(`structure.${name}-name`)).join(' · ')}
          </span>
        ))}
      </div>
      <canvas ref={canvas} width={256} height={1} role="img" aria-label={tRays('heat.scale', { most: formatNumber(heat.most, locale) })} />
      <div class="heat-ticks muted" aria-hidden="true">
        {ticks.map(({ heat: value, shade }) => (
          <span key={value} style={at(shade)}>
            {formatNumber(value, locale)}
          </span>
        ))}
        <span class="at-end" style={at(1)}>
          {formatNumber(heat.most, locale)}
        </span>
      </div>
    </div>
  );
}

/** Minimum distance of two labels on the scale. */
const APART = 0.18;

/** Structures from cold to hot; nearly equal ones share a label. */
function inOneLine(maps: readonly HeatMap[]): { names: HeatMap['name'][]; shade: number }[] {
  const marks: { names: HeatMap['name'][]; shade: number }[] = [];
  for (const { name, shade } of maps.toSorted((one, other) => one.shade - other.shade)) {
    const last = marks.at(-1);
    if (last !== undefined && shade < last.shade + APART) last.names.push(name);
    else marks.push({ names: [name], shade });
  }
  return marks;
}
