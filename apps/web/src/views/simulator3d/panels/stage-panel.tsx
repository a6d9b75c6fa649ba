/** Stage panel: canvas, playback, legend. */
import { useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';

import { Button } from '../../../shared/ui/button.tsx';
import { copy, saveText } from '../../../shared/downloads.ts';
import { Segments } from '../../../shared/ui/fields.tsx';
import { language, t } from '../../../shared/i18n/translate.ts';
import { formatFixed } from '../../../shared/i18n/number-format.ts';
import { MAX_BYTES } from '../../../shared/packed-text.ts';
import { StageElement } from '../../../shared/stage/stage-element.tsx';
import { Toolbar } from '../../../shared/stage/toolbar.tsx';
import { ZoomButtons } from '../../../shared/stage/zoom-buttons.tsx';
import { coloredLevels, levelName } from '../../../shared/octree-levels.ts';
import { announce, showToast } from '../../../shell/status.tsx';
import { stageLabel } from '../state/describe.ts';
import { bodyName } from '../i18n/body-names.ts';
import { methodName, titleOf } from '../i18n/names.ts';
import type { View3d } from '../state/pointer.ts';
import { ContactsCurve } from './contacts-curve.tsx';
import { COLORINGS, type Coloring, ROW } from '../workers/protocol.ts';
import { SceneError } from './scene-error.tsx';
import type { Session } from '../state/session.ts';
import { Timeline } from './timeline.tsx';
import { t3d } from '../i18n/translate.ts';

/** Space for the name beside a body, with its line. */
const LABEL_SPACE = 210;

export function StagePanel({ session, view }: { session: Session; view: View3d }) {
  const figures = session.report.value?.figures;
  return (
    <section class="panel panel-stage" aria-labelledby="stage-title">
      <div class="panel-head">
        <h2 id="stage-title">{session.rules.value === null ? t('stage.waiting') : titleOf(session)}</h2>
        <p class="muted small stage-line">
          {figures !== undefined &&
            [
              t3d('cost.bodies', { count: figures.bodies }),
              t('stage.touching', { count: figures.touching }),
              t3d('cost.contacts', { count: figures.contacts }),
              t3d('cost.islands', { count: figures.islands }),
            ].join(', ')}
        </p>
        <Files session={session} />
      </div>
      <StageElement
        label={stageLabel(session)}
        describe={() => session.describe()}
        open={(element) => {
          session.open(element);
          return view.listen(element);
        }}
        note={session.hasNoRenderer.value ? t3d('stage.unseen') : null}
        ratio={0.92}
      >
        <div class="stage-colours">
          <span class="small muted" aria-hidden="true">
            {t3d('stage.colour')}
          </span>
          <Segments<Coloring>
            name="colouring"
            label={t3d('stage.colour')}
            compact
            value={session.display.value.coloring}
            choices={COLORINGS.map((value) => ({ value, label: t3d(`stage.colour.${value}`) }))}
            onChange={(coloring) => session.setDisplay({ coloring })}
          />
        </div>
        <div class="stage-foot">
          <Legend session={session} />
          <ZoomButtons zoom={(factor) => view.zoom(factor)} fit={() => view.home()} />
        </div>
        <Mark session={session} />
        <Halves session={session} />
      </StageElement>
      <SceneError session={session} />
      <Toolbar
        playback={session}
        more={
          <Button cap="T" disabled={!session.canPlay.value} onClick={() => view.throw()}>
            {t3d('stage.throw')}
          </Button>
        }
      />
      <Timeline session={session}>
        <ContactsCurve session={session} />
      </Timeline>
    </section>
  );
}

/** Label of the selected body; it moves without re-rendering. */
function Mark({ session }: { session: Session }) {
  const label = useRef<HTMLDivElement>(null);
  useSignalEffect(() => {
    const place = session.selection.mark.value;
    if (label.current === null) return;
    label.current.hidden = place === null;
    if (place === null) return;
    const isLeft = place.x > label.current.offsetWidth + LABEL_SPACE;
    label.current.dataset['side'] = isLeft ? 'left' : 'right';
    label.current.style.transform = `translate(${place.x.toFixed(1)}px, ${place.y.toFixed(1)}px)`;
  });
  const row = session.selection.row.value;
  const speedNow = row === null ? undefined : session.report.value?.rows[session.bodies.value.indexOf(row) * ROW.size + ROW.speed];
  const speed = speedNow === undefined || row?.type === 'fixed' ? null : formatFixed(speedNow, 2, language.value);
  return (
    <div class="stage-mark small" ref={label} aria-hidden="true" hidden>
      {row !== null && (
        <span class="stage-mark-name">
          <strong>{bodyName(row.name)}</strong> {speed !== null && <span class="muted">{speed} m/s</span>}
        </span>
      )}
    </div>
  );
}

/** Names of the two worlds of a comparison, each over its half of the stage. */
function Halves({ session }: { session: Session }) {
  const [rules, comparison] = [session.rules.value, session.comparison.value];
  if (rules === null || comparison === null) return null;
  return (
    <div class="stage-halves small" aria-hidden="true">
      <span>
        <strong>A</strong> {methodName(rules, session)}
      </span>
      <span>
        <strong>B</strong> {methodName(comparison.method, session)}
      </span>
    </div>
  );
}

/** Shapes with a color of their own, in the engine's order; all others share one. */
const KINDS = ['sphere', 'box', 'capsule', 'hull'] as const;

/**
 * Legend of the colors in use; independent of color, touching bodies are filled and free ones
 * outlined.
 */
function Legend({ session }: { session: Session }) {
  const coloring = session.display.value.coloring;
  const bodies = session.bodies.value;
  const kinds = new Set(bodies.filter(({ type }) => type !== 'fixed').map(({ shape }) => kindOf(shape)));
  const marks = {
    shape: [...KINDS, 'other' as const].filter((kind) => kinds.has(kind)),
    state: [],
    speed: ['slow', 'fast'] as const,
    level: [],
  }[coloring];
  // By level, fixed bodies have the color of theirs.
  const isStatic = coloring !== 'level' && bodies.some(({ type }) => type === 'fixed') ? (['static'] as const) : [];
  const levels = coloring === 'level' ? (session.report.value?.levels ?? null) : null;
  return (
    <ul class="stage-legend stage-legend-3d" aria-label={t('stage.legend')}>
      {[...marks, ...isStatic].map((mark) => (
        <li key={mark}>
          <span class={`swatch-3d swatch-3d-${mark}`} aria-hidden="true" />
          {t3d(`legend.${mark}`)}
        </li>
      ))}
      {coloredLevels(levels).map(({ level, count }) => (
        <li key={`level ${level}`} data-level={level} data-count={count}>
          <span class="swatch-3d swatch-level" style={{ '--level': `var(--series-${level})` }} aria-hidden="true" />
          {levelName(level)}: {count}
        </li>
      ))}
      {(['touching', 'free'] as const).map((mark) => (
        <li key={mark}>
          <span class={`swatch-3d swatch-3d-${mark} ${coloring === 'state' ? 'coloured' : ''}`} aria-hidden="true" />
          {t(`stage.legend.${mark}`)}
        </li>
      ))}
    </ul>
  );
}

function kindOf(shape: string): (typeof KINDS)[number] | 'other' {
  return KINDS.find((kind) => kind === (shape === 'cube' ? 'box' : shape)) ?? 'other';
}

/** Ends of the names of saved files. */
const FILE_ENDS = { scene: '.json', recording: '.recording.json', series: '.series.csv' } as const;

function Files({ session }: { session: Session }) {
  const input = useRef<HTMLInputElement>(null);
  const save = async (what: keyof typeof FILE_ENDS): Promise<void> => {
    // A recording that could not be opened again is not saved.
    const { step = 0 } = session.report.value?.figures ?? {};
    const max = session.mostSteps.value;
    if (what === 'recording' && step > max) {
      session.editErrors.ofFile(() => t3d('file.too-long', { step, most: max }), 'save');
      return;
    }
    const text = await session.textNow(what);
    if (text === null) return;
    const file = `${fileName(session)}${FILE_ENDS[what]}`;
    saveText(text, file, what === 'series' ? 'text/csv' : 'application/json');
    announce(() => t('announce.saved', { file }));
  };
  const open = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    if (file.size > MAX_BYTES) {
      session.editErrors.ofFile(() => t3d('file.too-large', { size: Math.ceil(file.size / 1e6), most: MAX_BYTES / 1e6 }));
      return;
    }
    session.openText(await file.text(), file.name);
  };
  const link = async (): Promise<void> => {
    const link = await session.link();
    if (link === null) {
      showToast(() => t3d('stage.link-large'));
      return;
    }
    const step = session.report.value?.figures.step ?? 0;
    const starts = step === 0 ? 'link.start' : isPresetLink(link) ? 'link.step' : 'link.now';
    if (await copy(link)) showToast(() => `${t('announce.link')} ${t3d(starts, { step })}`);
    else showToast(() => link);
  };
  const waits = !session.canPlay.value;
  return (
    <div class="end files" role="group" aria-label={t3d('stage.files')}>
      <Button class="compact" disabled={waits} onClick={() => void save('scene')}>
        {t3d('stage.save')}
      </Button>
      <Button class="compact" disabled={waits} label={t3d('stage.recording-about')} onClick={() => void save('recording')}>
        {t3d('stage.recording')}
      </Button>
      <Button class="compact" disabled={waits} label={t3d('stage.series-about')} onClick={() => void save('series')}>
        {t3d('stage.series')}
      </Button>
      <Button class="compact" label={t3d('stage.open-file')} disabled={waits} onClick={() => input.current?.click()}>
        {t3d('stage.open')}
      </Button>
      <input
        ref={input}
        hidden
        type="file"
        accept=".json,.rec,.recording,application/json"
        onChange={(event) => {
          void open(event.currentTarget.files?.[0]);
          event.currentTarget.value = '';
        }}
      />
      <Button class="compact" disabled={waits} onClick={() => void link()}>
        {t3d('stage.link')}
      </Button>
    </div>
  );
}

/** Whether a link names a preset and a step; otherwise it holds the scene in its current state. */
function isPresetLink(link: string): boolean {
  return new URLSearchParams(new URL(link).hash.slice(1)).has('preset');
}

/** Some file systems limit names to 255 bytes. */
const LONGEST_NAME = 80;

/** Characters that are valid in file names on every system. */
function fileName(session: Session): string {
  const name = session.preset.value?.preset ?? session.rules.value?.name ?? 'scene';
  // Accents are dropped, not the letters under them.
  return name.normalize('NFD').replace(/\p{M}/gu, '').slice(0, LONGEST_NAME).toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'scene';
}
