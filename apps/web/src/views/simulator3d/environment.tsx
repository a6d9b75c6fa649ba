/** Which world? Presets, what holds for all bodies, obstacles, and what is drawn beside. */
import { useRef } from 'preact/hooks';

import { Keycap } from '../../shared/button.tsx';
import { Check, FieldProblem, Row, Segments } from '../../shared/fields.tsx';
import { language, spoken, words } from '../../shared/i18n.ts';
import { fixed } from '../../shared/numbers.ts';
import { SeedButton } from '../../shared/seed.tsx';
import { settings } from '../../shared/settings.ts';
import type { Answered } from '../../shared/entry.ts';
import { NumberRow, type Part, PartsRow, VectorRow } from '../../shared/number-rows.tsx';
import type { Vector } from '../../shared/vector.ts';
import { errorTold } from './engine-errors.ts';
import { aboutOf } from './names.ts';
import { OVERLAYS, type Rules, type Solver } from './protocol.ts';
import { Obstacles } from './obstacles.tsx';
import type { Session } from './session.ts';
import { OVERLAY_KEYS } from './shortcuts.ts';
import { words3d } from './words.ts';

const STEPS = [30, 60, 120, 240];
const SOLVERS: readonly Solver[] = ['soft-step', 'event-driven', 'baseline'];
/** Gravity that comes back when it is switched on. */
const EARTH: Vector = [0, -9.81, 0];
const DEPTHS = [0, 8] as const;

export function Environment({ session }: { session: Session }) {
  const rules = session.rules.value;
  const refusal = session.refusal.value;
  return (
    <section class="panel panel-form" aria-labelledby="form-title">
      <div class="panel-head">
        <h2 id="form-title">{words3d('env.title')}</h2>
      </div>
      <form onSubmit={(event) => event.preventDefault()} noValidate>
        <PresetFields session={session} />
        {rules !== null && <WorldFields key={`world ${session.openings.value}`} session={session} rules={rules} />}
        {rules !== null && <TechniqueFields key={`technique ${session.openings.value}`} session={session} rules={rules} />}
        <FieldProblem id="rules-problem" {...errorTold(refusal?.by === 'rules' ? refusal.error : undefined)} />
        <Obstacles session={session} />
        <OverlayFields session={session} />
      </form>
    </section>
  );
}

function PresetFields({ session }: { session: Session }) {
  const presets = session.catalogue.value?.presets ?? [];
  const chosen = session.preset.value;
  const preset = presets.find(({ name }) => name === chosen?.preset);
  const seed = chosen?.seed ?? 1;
  return (
    <fieldset class="fields">
      <legend class="visually-hidden">{words3d('env.preset')}</legend>
      <Row label={words3d('env.preset')} for="preset">
        <select
          id="preset"
          class="select"
          aria-describedby="preset-about"
          disabled={presets.length === 0}
          value={preset?.name ?? ''}
          onChange={(event) => event.currentTarget.value !== '' && session.choosePreset(event.currentTarget.value, 1)}
        >
          {preset === undefined && (
            <option value="" selected>
              {words3d('env.own')}
            </option>
          )}
          {presets.map((each) => (
            <option key={each.name} value={each.name} selected={each === preset}>
              {spoken(each.title)}
            </option>
          ))}
        </select>
      </Row>
      {preset?.takesSeed === true && (
        <NumberRow
          key={preset.name}
          id="seed"
          label={words('form.seed')}
          value={seed}
          limits={{ whole: true, least: 0, most: 2 ** 32 - 1 }}
          onCommit={(value, answered) => {
            session.choosePreset(preset.name, value);
            answered(null);
          }}
          beside={<SeedButton onSeed={(seed) => session.choosePreset(preset.name, seed)} />}
        />
      )}
      <p class="field-note" id="preset-about">
        {aboutOf(session)}
      </p>
    </fieldset>
  );
}

function WorldFields({ session, rules }: { session: Session; rules: Rules }) {
  showWhatHolds(session);
  const change: Change = (words, answered) => session.edit({ do: 'rules', words }, 'rules', answered);
  const { bounds, gravity } = rules;
  const hasGravity = gravity.some((part) => part !== 0);
  const lastGravity = useRef<Vector>(EARTH);
  if (hasGravity) lastGravity.current = gravity;
  const gravityCheck = (
    <Check checked={hasGravity} onChange={(on) => change({ gravity: on ? lastGravity.current : [0, 0, 0] })}>
      {words3d('env.gravity')}
    </Check>
  );
  return (
    <fieldset class="fields">
      <legend>{words('form.world')}</legend>
      <Bounds bounds={bounds} change={change} enclose={() => session.edit({ do: 'enclose' }, 'rules')} />
      <TimeFields session={session} rules={rules} change={change} />
      <VectorRow
        id="gravity"
        label={gravityCheck}
        name={(axis) => words3d('env.gravity-of', { axis })}
        value={gravity}
        onCommit={(_, answered, part) => change({ gravity: part }, answered)}
        shown={hasGravity}
      />
    </fieldset>
  );
}

type Change = (words: object, answered?: Answered) => void;

/** Switches that were pressed in vain are drawn again when that is told, as they are. */
function showWhatHolds(session: Session): void {
  void session.refusal.value;
}

interface BoundsProps {
  bounds: Rules['bounds'];
  change: Change;
  /** Bounds come, around all that is there. */
  enclose: () => void;
}

function Bounds({ bounds, change, enclose }: BoundsProps) {
  const check = (
    <Check checked={bounds !== null} onChange={(on) => (on ? enclose() : change({ bounds: null }))}>
      {words3d('env.bounds')}
    </Check>
  );
  // The switch is the same one, on or off: whoever pressed it by a key is still there.
  return (
    <>
      <Row label={check}>
        {bounds !== null && (
          <Segments<'solid' | 'open'>
            name="bounds-mode"
            label={words3d('env.bounds-mode')}
            value={bounds.mode}
            choices={(['solid', 'open'] as const).map((value) => ({ value, label: words3d(`env.bounds-mode.${value}`) }))}
            onChange={(mode) => change({ bounds: { mode } })}
          />
        )}
      </Row>
      {bounds !== null && (
        <>
          <VectorRow
            id="least"
            label={words3d('env.least')}
            name={(axis) => words3d('env.least-of', { axis })}
            value={bounds.min}
            onCommit={(_, answered, min) => change({ bounds: { min } }, answered)}
          />
          <VectorRow
            id="most"
            label={words3d('env.most')}
            name={(axis) => words3d('env.most-of', { axis })}
            value={bounds.max}
            onCommit={(_, answered, max) => change({ bounds: { max } }, answered)}
          />
        </>
      )}
    </>
  );
}

/** How long a step is, and of how many parts where the solver has any. */
function TimeFields({ session, rules, change }: { session: Session; rules: Rules; change: Change }) {
  const steps = Math.round(1 / rules.time_step);
  const isUsual = STEPS.includes(steps) && Math.abs(steps * rules.time_step - 1) < 1e-4;
  const hasParts = rules.solver !== 'baseline';
  const substeps: Part = {
    id: 'substeps',
    name: words3d('env.substeps'),
    short: words3d('env.substeps.short'),
    value: rules.substeps,
    limits: { whole: true, least: 1, most: session.catalogue.value?.mostSubsteps ?? 64 },
    onCommit: (value, answered) => change({ substeps: value }, answered),
  };
  return (
    <PartsRow
      key={String(hasParts)}
      label={words3d('env.time-step')}
      for="time-step"
      before={
        <select
          id="time-step"
          class="select"
          value={isUsual ? String(steps) : ''}
          onChange={(event) => change({ time_step: Number((1 / Number(event.currentTarget.value)).toFixed(9)) })}
        >
          {!isUsual && <option value="">{fixed(rules.time_step, 5, language.value)} s</option>}
          {STEPS.map((each) => (
            <option key={each} value={String(each)} selected={isUsual && each === steps}>
              1/{each} s
            </option>
          ))}
        </select>
      }
      parts={hasParts ? [substeps] : []}
    />
  );
}

function TechniqueFields({ session, rules }: { session: Session; rules: Rules }) {
  showWhatHolds(session);
  const change: Change = (words, answered) => session.edit({ do: 'rules', words }, 'rules', answered);
  const { broadPhases = [], responses = [] } = session.catalogue.value ?? {};
  return (
    <fieldset class="fields">
      <legend>{words('form.technique')}</legend>
      <Segments<Solver>
        name="solver"
        label={words3d('env.solver')}
        describedBy="solver-about"
        value={rules.solver}
        choices={SOLVERS.map((value) => ({ value, label: words3d(`env.solver.${value}`) }))}
        onChange={(solver) => change({ solver, broad_phase: null, response: null, tolerance: null })}
      />
      <p class="field-note" id="solver-about">
        {words3d(`env.solver.${rules.solver}.about`)}
      </p>
      {rules.solver === 'baseline' && (
        <>
          <Row label={words('form.broad-phase')} for="broad-phase">
            <select
              id="broad-phase"
              class="select"
              value={rules.broad_phase}
              onChange={(event) => change({ broad_phase: event.currentTarget.value })}
            >
              {broadPhases.map(({ name, label }) => (
                <option key={name} value={name} selected={name === rules.broad_phase}>
                  {spoken(label)}
                </option>
              ))}
            </select>
          </Row>
          <Row label={words3d('env.response')} for="response">
            <select
              id="response"
              class="select"
              value={rules.response}
              onChange={(event) => change({ response: event.currentTarget.value })}
            >
              {responses.map(({ name, label }) => (
                <option key={name} value={name} selected={name === rules.response}>
                  {spoken(label)}
                </option>
              ))}
            </select>
          </Row>
          <NumberRow
            id="tolerance"
            label={words3d('env.tolerance')}
            value={rules.tolerance}
            limits={{ least: 0 }}
            onCommit={(tolerance, answered) => change({ tolerance }, answered)}
          />
        </>
      )}
    </fieldset>
  );
}

function OverlayFields({ session }: { session: Session }) {
  const { overlays, depth } = session.looks.value;
  return (
    <fieldset class="fields overlays">
      <legend>{words('form.overlays')}</legend>
      <div class="overlay-grid">
        {OVERLAYS.map((name) => (
          <Check key={name} checked={overlays[name]} onChange={() => session.toggleOverlay(name)}>
            <span class={`mark mark-3d-${name}`} aria-hidden="true" />
            {words3d(`overlay.${name}`)}
            {settings.keys.value && <Keycap>{OVERLAY_KEYS[name]}</Keycap>}
          </Check>
        ))}
      </div>
      {overlays.octree && (
        <Row label={`${words3d('env.depth')}: ${depth}`} for="depth">
          <input
            id="depth"
            type="range"
            min={DEPTHS[0]}
            max={DEPTHS[1]}
            value={depth}
            onInput={(event) => session.look({ depth: Number(event.currentTarget.value) })}
          />
        </Row>
      )}
    </fieldset>
  );
}
