/** Choice of the second method of a comparison. */
import { FieldErrorText, Row } from '../../../shared/ui/fields.tsx';
import { localized, t } from '../../../shared/i18n/translate.ts';
import { errorText } from '../i18n/engine-errors.ts';
import { methodOf, SOLVERS } from '../state/method-settings.ts';
import type { Session } from '../state/session.ts';
import type { Choice, Method, Solver } from '../workers/protocol.ts';
import { t3d } from '../i18n/translate.ts';

export function ComparisonFields({ session }: { session: Session }) {
  const method = session.comparedMethod.value;
  const { broadPhases = [], integrators = [], responses = [] } = session.catalog.value ?? {};
  return (
    <>
      <Row label={t3d('compare.with')} for="compare-solver">
        <select
          id="compare-solver"
          class="select"
          title={t3d('compare.about')}
          aria-describedby="compare-about"
          value={method?.solver ?? ''}
          onChange={({ currentTarget: { value } }) => session.compareWith(value === '' ? null : methodOf(value as Solver))}
        >
          <option value="" selected={method === null}>
            {t3d('compare.none')}
          </option>
          {SOLVERS.map((solver) => (
            <option key={solver} value={solver} selected={solver === method?.solver}>
              {t3d(`env.solver.${solver}`)}
            </option>
          ))}
        </select>
      </Row>
      {method?.solver === 'baseline' && (
        <>
          <MethodChoice session={session} method={method} of="broad_phase" label={t('form.broad-phase')} choices={broadPhases} />
          <MethodChoice session={session} method={method} of="integrator" label={t3d('env.integrator')} choices={integrators} />
          <MethodChoice session={session} method={method} of="response" label={t3d('env.response')} choices={responses} />
        </>
      )}
      <FieldErrorText id="compare-problem" {...errorText(session.comparisonError.value ?? undefined)} />
      <span class="visually-hidden" id="compare-about">
        {t3d('compare.about')}
      </span>
    </>
  );
}

interface MethodChoiceProps {
  session: Session;
  method: Method;
  of: 'broad_phase' | 'integrator' | 'response';
  label: string;
  choices: readonly Choice[];
}

function MethodChoice({ session, method, of, label, choices }: MethodChoiceProps) {
  const id = `compare-${of === 'broad_phase' ? 'broad-phase' : of}`;
  return (
    <Row label={t3d('compare.of-b', { what: label })} for={id}>
      <select id={id} class="select" value={method[of]} onChange={(event) => session.compareWith({ ...method, [of]: event.currentTarget.value })}>
        {choices.map(({ name, label }) => (
          <option key={name} value={name} selected={name === method[of]}>
            {localized(label)}
          </option>
        ))}
      </select>
    </Row>
  );
}
