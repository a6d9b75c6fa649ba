/** The stage: what moves, how it is driven, and what its marks mean. */
import { useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';

import { Button } from '../../shared/button.tsx';
import { copy, saveText } from '../../shared/downloads.ts';
import { Segments } from '../../shared/fields.tsx';
import { language, words } from '../../shared/i18n.ts';
import { fixed } from '../../shared/numbers.ts';
import { MOST_BYTES } from '../../shared/pack.ts';
import { StageElement } from '../../shared/stage/stage-element.tsx';
import { Toolbar } from '../../shared/stage/toolbar.tsx';
import { ViewTools } from '../../shared/stage/view-tools.tsx';
import { say, tell } from '../../shell/status.tsx';
import { stageLabel } from './describe.ts';
import { titleOf } from './names.ts';
import type { View3d } from './pointer.ts';
import { ContactsCurve } from './contacts-curve.tsx';
import { COLOURINGS, type Colouring, ROW, type Saved } from './protocol.ts';
import { SceneProblem } from './scene-problem.tsx';
import type { Session } from './session.ts';
import { Timeline } from './timeline.tsx';
import { words3d } from './words.ts';

/** Room for a name beside a body, with its line. */
const MARK_AWAY = 210;

export function StagePanel({ session, view }: { session: Session; view: View3d }) {
  const figures = session.report.value?.figures;
  return (
    <section class="panel panel-stage" aria-labelledby="stage-title">
      <div class="panel-head">
        <h2 id="stage-title">{session.rules.value === null ? words('stage.waiting') : titleOf(session)}</h2>
        <p class="muted small stage-line">
          {figures !== undefined &&
            [
              words3d('cost.bodies', { count: figures.bodies }),
              words('stage.touching', { count: figures.touching }),
              words3d('cost.contacts', { count: figures.contacts }),
              words3d('cost.islands', { count: figures.islands }),
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
        note={session.isUnseen.value ? words3d('stage.unseen') : null}
        ratio={0.92}
      >
        <div class="stage-colours">
          <span class="small muted" aria-hidden="true">
            {words3d('stage.colour')}
          </span>
          <Segments<Colouring>
            name="colouring"
            label={words3d('stage.colour')}
            compact
            value={session.looks.value.colouring}
            choices={COLOURINGS.map((value) => ({ value, label: words3d(`stage.colour.${value}`) }))}
            onChange={(colouring) => session.look({ colouring })}
          />
        </div>
        <div class="stage-foot">
          <Legend session={session} />
          <ViewTools zoom={(factor) => view.zoom(factor)} fit={() => view.home()} />
        </div>
        <Mark session={session} />
      </StageElement>
      <SceneProblem session={session} />
      <Toolbar
        driver={session}
        more={
          <Button cap="T" disabled={!session.canDrive.value} onClick={() => view.throw()}>
            {words3d('stage.throw')}
          </Button>
        }
      />
      <Timeline session={session}>
        <ContactsCurve session={session} />
      </Timeline>
    </section>
  );
}

/** The name of the selected body, beside it; it follows without being made anew. */
function Mark({ session }: { session: Session }) {
  const label = useRef<HTMLDivElement>(null);
  useSignalEffect(() => {
    const place = session.selection.mark.value;
    if (label.current === null) return;
    label.current.hidden = place === null;
    if (place === null) return;
    const isLeft = place.x > label.current.offsetWidth + MARK_AWAY;
    label.current.dataset['side'] = isLeft ? 'left' : 'right';
    label.current.style.transform = `translate(${place.x.toFixed(1)}px, ${place.y.toFixed(1)}px)`;
  });
  const row = session.selection.row.value;
  const told = row === null ? undefined : session.report.value?.rows[session.bodies.value.indexOf(row) * ROW.size + ROW.speed];
  const speed = told === undefined || row?.type === 'fixed' ? null : fixed(told, 2, language.value);
  return (
    <div class="stage-mark small" ref={label} aria-hidden="true" hidden>
      {row !== null && (
        <span class="stage-mark-name">
          <strong>{row.name}</strong> {speed !== null && <span class="muted">{speed} m/s</span>}
        </span>
      )}
    </div>
  );
}

/** Whose colours are told apart: as the engine numbers them, and all others. */
const KINDS = ['sphere', 'box', 'capsule', 'hull'] as const;

/** What the colours mean, of those that are there; filled and outlined is what touches and what flies, whatever the colour. */
function Legend({ session }: { session: Session }) {
  const colouring = session.looks.value.colouring;
  const bodies = session.bodies.value;
  const kinds = new Set(bodies.filter(({ type }) => type !== 'fixed').map(({ shape }) => kindOf(shape)));
  const marks = {
    shape: [...KINDS, 'other' as const].filter((kind) => kinds.has(kind)),
    state: [],
    speed: ['slow', 'fast'] as const,
  }[colouring];
  const isStatic = bodies.some(({ type }) => type === 'fixed') ? (['static'] as const) : [];
  return (
    <ul class="stage-legend stage-legend-3d" aria-label={words('stage.legend')}>
      {[...marks, ...isStatic].map((mark) => (
        <li key={mark}>
          <span class={`swatch-3d swatch-3d-${mark}`} aria-hidden="true" />
          {words3d(`legend.${mark}`)}
        </li>
      ))}
      {(['touching', 'free'] as const).map((mark) => (
        <li key={mark}>
          <span class={`swatch-3d swatch-3d-${mark} ${colouring === 'state' ? 'coloured' : ''}`} aria-hidden="true" />
          {words(`stage.legend.${mark}`)}
        </li>
      ))}
    </ul>
  );
}

function kindOf(shape: string): (typeof KINDS)[number] | 'other' {
  return KINDS.find((kind) => kind === (shape === 'cube' ? 'box' : shape)) ?? 'other';
}

function Files({ session }: { session: Session }) {
  const input = useRef<HTMLInputElement>(null);
  const save = async (what: Saved): Promise<void> => {
    // What would not be opened again is not written.
    const { step = 0 } = session.report.value?.figures ?? {};
    const most = session.mostSteps.value;
    if (what === 'recording' && step > most) {
      session.refusals.ofFile(() => words3d('file.too-long', { step, most }), 'save');
      return;
    }
    const text = await session.textNow(what);
    if (text === null) return;
    const file = `${fileName(session)}${what === 'scene' ? '' : '.recording'}.json`;
    saveText(text, file, 'application/json');
    say(() => words('said.saved', { file }));
  };
  const open = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    if (file.size > MOST_BYTES) {
      session.refusals.ofFile(() => words3d('file.too-large', { size: Math.ceil(file.size / 1e6), most: MOST_BYTES / 1e6 }));
      return;
    }
    session.openText(await file.text(), file.name);
  };
  const link = async (): Promise<void> => {
    const link = await session.link();
    if (link === null) tell(() => words3d('stage.link-large'));
    else if (await copy(link)) tell(() => words('said.link'));
    else tell(() => link);
  };
  const waits = !session.canDrive.value;
  return (
    <div class="end files" role="group" aria-label={words3d('stage.files')}>
      <Button class="compact" disabled={waits} onClick={() => void save('scene')}>
        {words3d('stage.save')}
      </Button>
      <Button class="compact" disabled={waits} label={words3d('stage.recording-about')} onClick={() => void save('recording')}>
        {words3d('stage.recording')}
      </Button>
      <Button class="compact" label={words3d('stage.open-file')} disabled={waits} onClick={() => input.current?.click()}>
        {words3d('stage.open')}
      </Button>
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        accept=".json,.rec,.recording,application/json"
        tabIndex={-1}
        aria-label={words3d('stage.open-file')}
        onChange={(event) => {
          void open(event.currentTarget.files?.[0]);
          event.currentTarget.value = '';
        }}
      />
      <Button class="compact" disabled={waits} onClick={() => void link()}>
        {words3d('stage.link')}
      </Button>
    </div>
  );
}

/** More letters are read by nobody, and some systems take no more than 255. */
const LONGEST_NAME = 80;

/** Letters that every system takes in the name of a file. */
function fileName(session: Session): string {
  const name = session.preset.value?.preset ?? session.rules.value?.name ?? 'scene';
  return name.slice(0, LONGEST_NAME).toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'scene';
}
