/** Method of the simulation, and the settings of the study's method. */
import { useLayoutEffect, useRef } from 'preact/hooks';

import { Button } from '../../../shared/ui/button.tsx';
import { Row } from '../../../shared/ui/fields.tsx';
import { localized, t } from '../../../shared/i18n/translate.ts';
import type { CommitCallback } from '../../../shared/ui/form-entry.ts';
import { NumberRow } from '../../../shared/ui/number-rows.tsx';
import { methodSettings, SOLVERS } from '../state/method-settings.ts';
import type { Session } from '../state/session.ts';
import type { Rules, Solver } from '../workers/protocol.ts';
import { ComparisonFields } from './comparison-fields.tsx';
import { t3d } from '../i18n/translate.ts';

type Change = (json: object, onResult?: CommitCallback) => void;

export function TechniqueFields({ session, rules }: { session: Session; rules: Rules }) {
  // Resets selects whose change was rejected.
  void session.editError.value;
  const change: Change = (json, onResult) => session.edit({ do: 'rules', json }, 'rules', onResult);
  const { broadPhases = [], integrators = [], responses = [] } = session.catalog.value ?? {};
  const { octree } = rules;
  return (
    <fieldset class="fields technique-fields">
      <legend>{t('form.technique')}</legend>
      <Method session={session} solver={rules.solver} change={change} />
      {rules.solver === 'baseline' && (
        <>
          <Row label={t('form.broad-phase')} for="broad-phase">
            <select
              id="broad-phase"
              class="select"
              value={rules.broad_phase}
              onChange={(event) => change({ broad_phase: event.currentTarget.value })}
            >
              {broadPhases.map(({ name, label }) => (
                <option key={name} value={name} selected={name === rules.broad_phase}>
                  {localized(label)}
                </option>
              ))}
            </select>
          </Row>
          {rules.broad_phase === 'octree-strict' && (
            <>
              <NumberRow
                id="octree-depth"
                label={t3d('env.octree-depth')}
                value={octree.max_depth}
                limits={{ min: 1, max: 64, whole: true }}
                onCommit={(max_depth, onResult) => change({ octree: { ...octree, max_depth } }, onResult)}
              />
              <NumberRow
                id="octree-cell"
                label={t3d('env.octree-cell')}
                value={octree.min_cell_size}
                limits={{ min: 0 }}
                onCommit={(min_cell_size, onResult) => change({ octree: { ...octree, min_cell_size } }, onResult)}
              />
            </>
          )}
          <Row label={t3d('env.integrator')} for="integrator">
            <select
              id="integrator"
              class="select"
              value={rules.integrator}
              onChange={(event) => change({ integrator: event.currentTarget.value })}
            >
              {integrators.map(({ name, label }) => (
                <option key={name} value={name} selected={name === rules.integrator}>
                  {localized(label)}
                </option>
              ))}
            </select>
          </Row>
          <Row label={t3d('env.response')} for="response">
            <select
              id="response"
              class="select"
              value={rules.response}
              onChange={(event) => change({ response: event.currentTarget.value })}
            >
              {responses.map(({ name, label }) => (
                <option key={name} value={name} selected={name === rules.response}>
                  {localized(label)}
                </option>
              ))}
            </select>
          </Row>
          <NumberRow
            id="tolerance"
            label={t3d('env.tolerance')}
            value={rules.tolerance}
            limits={{ min: 0 }}
            onCommit={(tolerance, onResult) => change({ tolerance }, onResult)}
          />
        </>
      )}
      <ComparisonFields session={session} />
    </fieldset>
  );
}

/** Method of the simulation; from the current step on, or from the start. */
function Method({ session, solver, change }: { session: Session; solver: Solver; change: Change }) {
  const select = useRef<HTMLSelectElement>(null);
  // A rejected choice stays in the DOM until it is reset explicitly.
  useLayoutEffect(() => {
    if (select.current !== null) select.current.value = solver;
  });
  return (
    <>
      <select
        ref={select}
        id="solver"
        class="select"
        aria-label={t3d('env.solver')}
        aria-describedby="solver-about"
        value={solver}
        onChange={(event) => change(methodSettings(event.currentTarget.value as Solver))}
      >
        {SOLVERS.map((value) => (
          <option key={value} value={value} selected={value === solver}>
            {t3d(`env.solver.${value}`)}
          </option>
        ))}
      </select>
      <p class="field-note" id="solver-about">
        {t3d(`env.solver.${solver}.about`)}
      </p>
      <div class="restart-with">
        <Button class="compact" idle={session.isAtStart.value} describedBy="restart-about" onClick={() => session.restartWith(solver)}>
          {t3d('env.restart-with')}
        </Button>
        <span class="visually-hidden" id="restart-about">
          {t3d('env.restart-with.about')}
        </span>
      </div>
    </>
  );
}
