/** Environment panel: presets, rules of the world, obstacles, overlays. */
import { useRef } from 'preact/hooks';

import { Button, Keycap } from '../../../shared/ui/button.tsx';
import { Check, FieldErrorText, Row, Segments } from '../../../shared/ui/fields.tsx';
import { localized, t } from '../../../shared/i18n/translate.ts';
import { SeedButton } from '../../../shared/ui/seed-button.tsx';
import { settings } from '../../../shared/settings.ts';
import type { CommitCallback } from '../../../shared/ui/form-entry.ts';
import { NumberRow, VectorRow } from '../../../shared/ui/number-rows.tsx';
import type { Vector } from '../../../shared/vector.ts';
import { errorText } from '../i18n/engine-errors.ts';
import { aboutOf, presetOf } from '../i18n/names.ts';
import { OVERLAYS, type Rules } from '../workers/protocol.ts';
import { Obstacles } from './obstacles.tsx';
import { SceneTexts } from './scene-texts.tsx';
import type { Session } from '../state/session.ts';
import { TechniqueFields } from './technique.tsx';
import { OVERLAY_KEYS } from '../state/shortcuts.ts';
import { t3d } from '../i18n/translate.ts';

/** Steps per second that the time step is chosen by. */
const STEPS = [30, 60, 120, 240];
/** Time steps that the engine accepts, in s. */
const TIME_STEPS = { min: 1e-6, max: 1 };
/** Gravity that is restored when it is switched on. */
const EARTH: Vector = [0, -9.81, 0];
const DEPTHS = [0, 8] as const;

export function Environment({ session }: { session: Session }) {
  const rules = session.rules.value;
  const editError = session.editError.value;
  return (
    <section class="panel panel-form" aria-labelledby="form-title">
      <div class="panel-head">
        <h2 id="form-title">{t3d('env.title')}</h2>
        <Button
          class="compact end"
          idle={!session.canPlay.value || session.bodies.value.length === 0}
          onClick={() => session.edit({ do: 'clear' }, 'objects')}
        >
          {t3d('env.clear')}
        </Button>
      </div>
      <form onSubmit={(event) => event.preventDefault()} noValidate>
        <PresetFields session={session} />
        {rules !== null && <WorldFields key={`world ${session.openings.value}`} session={session} rules={rules} />}
        {rules !== null && <TechniqueFields key={`technique ${session.openings.value}`} session={session} rules={rules} />}
        <FieldErrorText id="rules-problem" {...errorText(editError?.by === 'rules' ? editError.error : undefined)} />
        <Obstacles session={session} />
        <OverlayFields session={session} />
      </form>
    </section>
  );
}

function PresetFields({ session }: { session: Session }) {
  const presets = session.catalog.value?.presets ?? [];
  const chosen = session.preset.value;
  const preset = presets.find(({ name }) => name === chosen?.preset);
  const seed = chosen?.seed ?? 1;
  const rules = session.rules.value;
  const isOwn = rules !== null && presetOf(session) === undefined;
  return (
    <div class="fields">
      <Row label={t3d('env.preset')} for="preset">
        <select
          id="preset"
          class="select"
          aria-describedby={isOwn ? undefined : 'preset-about'}
          disabled={presets.length === 0}
          value={preset?.name ?? ''}
          onChange={(event) => event.currentTarget.value !== '' && session.choosePreset(event.currentTarget.value, 1)}
        >
          {preset === undefined && (
            <option value="" selected>
              {t3d('env.own')}
            </option>
          )}
          {presets.map((each) => (
            <option key={each.name} value={each.name} selected={each === preset}>
              {localized(each.title)}
            </option>
          ))}
        </select>
      </Row>
      {preset?.takesSeed === true && (
        <NumberRow
          key={preset.name}
          id="seed"
          label={t('form.seed')}
          value={seed}
          limits={{ whole: true, min: 0, max: 2 ** 32 - 1 }}
          onCommit={(value, onResult) => {
            session.choosePreset(preset.name, value);
            onResult(null);
          }}
          beside={<SeedButton onSeed={(seed) => session.choosePreset(preset.name, seed)} />}
        />
      )}
      {isOwn ? (
        <SceneTexts key={session.openings.value} session={session} rules={rules} />
      ) : (
        <p class="field-note" id="preset-about">
          {aboutOf(session)}
        </p>
      )}
    </div>
  );
}

function WorldFields({ session, rules }: { session: Session; rules: Rules }) {
  resetSwitches(session);
  const change: Change = (json, onResult) => session.edit({ do: 'rules', json }, 'rules', onResult);
  const { bounds, gravity } = rules;
  const hasGravity = gravity.some((part) => part !== 0);
  const lastGravity = useRef<Vector>(EARTH);
  if (hasGravity) lastGravity.current = gravity;
  const gravityCheck = (
    <Check checked={hasGravity} onChange={(on) => change({ gravity: on ? lastGravity.current : [0, 0, 0] })}>
      {t3d('env.gravity')}
    </Check>
  );
  return (
    <fieldset class="fields">
      <legend>{t('form.world')}</legend>
      <Bounds bounds={bounds} change={change} enclose={() => session.edit({ do: 'enclose' }, 'rules')} />
      <TimeFields session={session} rules={rules} change={change} />
      <VectorRow
        id="gravity"
        label={gravityCheck}
        name={(axis) => t3d('env.gravity-of', { axis })}
        value={gravity}
        onCommit={(_, onResult, part) => change({ gravity: part }, onResult)}
        shown={hasGravity}
      />
    </fieldset>
  );
}

type Change = (json: object, onResult?: CommitCallback) => void;

/** Resets switches whose change was rejected. */
function resetSwitches(session: Session): void {
  void session.editError.value;
}

interface BoundsProps {
  bounds: Rules['bounds'];
  change: Change;
  /** Creates bounds around all bodies. */
  enclose: () => void;
}

function Bounds({ bounds, change, enclose }: BoundsProps) {
  const check = (
    <Check checked={bounds !== null} onChange={(on) => (on ? enclose() : change({ bounds: null }))}>
      {t3d('env.bounds')}
    </Check>
  );
  // The same element for both states, so that keyboard users keep the focus.
  return (
    <>
      <Row label={check}>
        {bounds !== null && (
          <Segments<'solid' | 'open'>
            name="bounds-mode"
            label={t3d('env.bounds-mode')}
            value={bounds.mode}
            choices={(['solid', 'open'] as const).map((value) => ({ value, label: t3d(`env.bounds-mode.${value}`) }))}
            onChange={(mode) => change({ bounds: { mode } })}
          />
        )}
      </Row>
      {bounds !== null && (
        <>
          <VectorRow
            id="least"
            label={t3d('env.least')}
            name={(axis) => t3d('env.least-of', { axis })}
            value={bounds.min}
            onCommit={(_, onResult, min) => change({ bounds: { min } }, onResult)}
          />
          <VectorRow
            id="most"
            label={t3d('env.most')}
            name={(axis) => t3d('env.most-of', { axis })}
            value={bounds.max}
            onCommit={(_, onResult, max) => change({ bounds: { max } }, onResult)}
          />
        </>
      )}
    </>
  );
}

/** Time step, and the number of sub-steps if the method has any. */
function TimeFields({ session, rules, change }: { session: Session; rules: Rules; change: Change }) {
  const steps = Math.round(1 / rules.time_step);
  const isDefault = STEPS.includes(steps) && Math.abs(steps * rules.time_step - 1) < 1e-4;
  return (
    <>
      <NumberRow
        id="time-step"
        label={t3d('env.time-step')}
        value={rules.time_step}
        limits={TIME_STEPS}
        digits={9}
        step={0.001}
        onCommit={(value, onResult) => change({ time_step: value }, onResult)}
        beside={
          <select
            id="time-step-choice"
            class="select"
            aria-label={t3d('env.time-step-choice')}
            value={isDefault ? String(steps) : ''}
            onChange={(event) => event.currentTarget.value !== '' && change({ time_step: Number((1 / Number(event.currentTarget.value)).toFixed(9)) })}
          >
            {!isDefault && <option value="">…</option>}
            {STEPS.map((each) => (
              <option key={each} value={String(each)} selected={isDefault && each === steps}>
                1/{each} s
              </option>
            ))}
          </select>
        }
      />
      {rules.solver !== 'baseline' && (
        <NumberRow
          id="substeps"
          label={t3d('env.substeps')}
          value={rules.substeps}
          limits={{ whole: true, min: 1, max: session.catalog.value?.mostSubsteps ?? 64 }}
          onCommit={(value, onResult) => change({ substeps: value }, onResult)}
        />
      )}
    </>
  );
}

function OverlayFields({ session }: { session: Session }) {
  const { overlays, depth } = session.display.value;
  return (
    <fieldset class="fields overlays">
      <legend>{t('form.overlays')}</legend>
      <div class="overlay-grid">
        {OVERLAYS.map((name) => (
          <Check key={name} checked={overlays[name]} onChange={() => session.toggleOverlay(name)}>
            <span class={`mark mark-3d-${name}`} aria-hidden="true" />
            {t3d(`overlay.${name}`)}
            {settings.keys.value && <Keycap>{OVERLAY_KEYS[name]}</Keycap>}
          </Check>
        ))}
      </div>
      {overlays.octree && (
        <Row label={`${t3d('env.depth')}: ${depth}`} for="depth" below={<p class="field-note" id="depth-about">{t3d('env.depth-about')}</p>}>
          <input
            id="depth"
            type="range"
            min={DEPTHS[0]}
            max={DEPTHS[1]}
            value={depth}
            aria-describedby="depth-about"
            onInput={(event) => session.setDisplay({ depth: Number(event.currentTarget.value) })}
          />
        </Row>
      )}
    </fieldset>
  );
}
