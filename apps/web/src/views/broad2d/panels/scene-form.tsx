/** Form of the scene, with the engine's validation errors at each field. */
import type { ComponentChildren } from 'preact';

import { Keycap } from '../../../shared/ui/button.tsx';
import { Check, FieldErrorText, NumberInput, Row, Segments } from '../../../shared/ui/fields.tsx';
import { localized } from '../../../shared/i18n/translate.ts';
import { type PlainKey, t2d } from '../i18n/translate.ts';
import { SeedButton } from '../../../shared/ui/seed-button.tsx';
import { settings } from '../../../shared/settings.ts';
import { problemOf } from '../state/form-errors.ts';
import type { Bounds, Catalog, Parameters } from '../workers/protocol.ts';
import type { Session } from '../state/session.ts';

type NumberField = Exclude<keyof Parameters, 'bounds' | 'technique'>;

const LIMITS: Record<NumberField, keyof Catalog['limits'] | null> = {
  width: 'side',
  height: 'side',
  objects: 'objects',
  minSize: 'size',
  maxSize: 'size',
  minSpeed: 'speed',
  maxSpeed: 'speed',
  cellSize: null,
  seed: 'seed',
};
const WHOLE: readonly NumberField[] = ['objects', 'seed'];

export function SceneForm({ session }: { session: Session }) {
  return (
    <section class="panel panel-form" aria-labelledby="form-title">
      <div class="panel-head">
        <h2 id="form-title">{t2d('form.title')}</h2>
        {session.isLocked.value && (
          <span class="end muted small held" id="form-held">
            <LockIcon />
            {t2d('form.held')}
          </span>
        )}
      </div>
      {session.experiments.choice.value !== 'compare' && (
        <p class="small form-other" id="form-other">
          {t2d('form.other-world')}
        </p>
      )}
      <form onSubmit={(event) => event.preventDefault()} noValidate>
        <fieldset class="fields" {...locked(session)}>
          <legend>{t2d('form.world')}</legend>
          <Pair
            session={session}
            label="form.size-of-world"
            first={['width', 'form.width', 'form.width.short']}
            second={['height', 'form.height', 'form.height.short']}
          />
          <Single session={session} field="seed" label="form.seed">
            <SeedButton onSeed={(seed) => session.edit({ seed }, 'now')} />
          </Single>
        </fieldset>
        <fieldset class="fields" {...locked(session)}>
          <legend>{t2d('form.objects')}</legend>
          <Single session={session} field="objects" label="form.total" />
          <Row label={t2d('form.bounds')}>
            <Segments<Bounds>
              name="bounds"
              label={t2d('form.bounds')}
              value={session.draft.value?.bounds ?? 'aabb'}
              choices={[
                { value: 'aabb', label: t2d('form.bounds.aabb') },
                { value: 'circle', label: t2d('form.bounds.circle') },
              ]}
              onChange={(bounds) => session.edit({ bounds }, 'now')}
            />
          </Row>
          <Pair
            session={session}
            label="form.size"
            first={['minSize', 'form.min-size', 'form.min']}
            second={['maxSize', 'form.max-size', 'form.max']}
          />
          <Pair
            session={session}
            label="form.speed"
            first={['minSpeed', 'form.min-speed', 'form.min']}
            second={['maxSpeed', 'form.max-speed', 'form.max']}
          />
        </fieldset>
        <TechniqueFields session={session} />
        <OverlayFields session={session} />
      </form>
    </section>
  );
}

/** The scene is locked while an experiment runs; the reason is shown beside the title. */
function locked(session: Session) {
  return session.isLocked.value ? { disabled: true, 'aria-describedby': 'form-held' } : { disabled: false };
}

function TechniqueFields({ session }: { session: Session }) {
  const catalog = session.catalog.value;
  const technique = session.technique.value;
  const problem = problemOf(session.problems.value, 'technique');
  const groups = [
    { label: t2d('form.of-engine'), ofStudy: false },
    { label: t2d('form.of-study'), ofStudy: true },
  ];
  return (
    <fieldset class="fields" {...locked(session)}>
      <legend>{t2d('form.technique')}</legend>
      <Row
        label={t2d('form.broad-phase')}
        for="technique"
        below={
          <>
            <FieldErrorText id="technique-problem" text={problem} />
            <p class="field-note" id="technique-about">
              {technique === undefined ? '' : localized(technique.about)}
              {technique?.takesCell === true && ` ${t2d('form.hashing')}`}
            </p>
          </>
        }
      >
        <select
          id="technique"
          class="select"
          aria-describedby="technique-about"
          disabled={catalog === null}
          value={session.draft.value?.technique}
          onChange={(event) => session.edit({ technique: event.currentTarget.value }, 'now')}
        >
          {groups.map(({ label, ofStudy }) => (
            <optgroup key={ofStudy} label={label}>
              {catalog?.techniques
                .filter((each) => each.ofStudy === ofStudy)
                .map((each) => (
                  <option key={each.name} value={each.name} selected={each === technique}>
                    {localized(each.label)}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      </Row>
      {technique?.takesCell === true && (
        <Single
          session={session}
          field="cellSize"
          label="form.cell"
          note={technique.choosesCell ? t2d('form.cell-chosen') : undefined}
        />
      )}
    </fieldset>
  );
}

function OverlayFields({ session }: { session: Session }) {
  const hasCells = session.technique.value?.drawsCells ?? true;
  const hasLevels = session.technique.value?.hasLevels ?? true;
  const { cells, boxes, groups, levels } = session.overlays.value;
  const usesKeys = settings.keys.value;
  return (
    <fieldset class="fields overlays">
      <legend>{t2d('form.overlays')}</legend>
      <Check
        checked={cells && hasCells}
        disabled={!hasCells}
        describedBy={hasCells ? undefined : 'no-cells'}
        onChange={() => session.toggleOverlay('cells')}
      >
        <span class="mark mark-cells" aria-hidden="true" />
        {t2d('form.cells')}
        {usesKeys && <Keycap>G</Keycap>}
      </Check>
      <Check checked={boxes} onChange={() => session.toggleOverlay('boxes')}>
        <span class="mark mark-boxes" aria-hidden="true" />
        {t2d('form.boxes')}
        {usesKeys && <Keycap>B</Keycap>}
      </Check>
      <Check checked={groups} onChange={() => session.toggleOverlay('groups')}>
        <span class="mark mark-groups" aria-hidden="true" />
        {t2d('form.groups')}
        {usesKeys && <Keycap>O</Keycap>}
      </Check>
      <Check
        checked={levels && hasLevels}
        disabled={!hasLevels}
        describedBy={hasLevels ? undefined : 'no-levels'}
        onChange={() => session.toggleOverlay('levels')}
      >
        <span class="mark mark-levels" aria-hidden="true" />
        {t2d('form.levels')}
        {usesKeys && <Keycap>L</Keycap>}
      </Check>
      {!hasLevels && (
        <p class="field-note" id="no-levels">
          {t2d('form.no-levels')}
        </p>
      )}
      {!hasCells && (
        <p class="field-note" id="no-cells">
          {t2d('form.no-cells')}
        </p>
      )}
    </fieldset>
  );
}

interface SingleProps {
  session: Session;
  field: NumberField;
  label: PlainKey;
  /** Explanation of a value that is not self-explanatory. */
  note?: string | undefined;
  children?: ComponentChildren;
}

function Single({ session, field, label, note, children }: SingleProps) {
  const problem = problemOf(session.problems.value, field);
  const text = t2d(label);
  const noteId = `${field}-note`;
  return (
    <Row
      label={text}
      for={field}
      below={
        <>
          <FieldErrorText id={`${field}-problem`} text={problem} />
          {note !== undefined && (
            <p class="field-note" id={noteId}>
              {note}
            </p>
          )}
        </>
      }
    >
      <FieldInput session={session} field={field} noteId={note === undefined ? undefined : noteId} />
      {children}
    </Row>
  );
}

type Half = [field: NumberField, label: PlainKey, prefix: PlainKey];

function Pair(props: { session: Session; label: PlainKey; first: Half; second: Half }) {
  const { session } = props;
  const halves = [props.first, props.second];
  return (
    <Row
      label={t2d(props.label)}
      below={halves.map(([field, , prefix]) => {
        const problem = problemOf(session.problems.value, field);
        return <FieldErrorText key={field} id={`${field}-problem`} text={problem === undefined ? undefined : `${t2d(prefix)}: ${problem}`} />;
      })}
    >
      {halves.map(([field, label, prefix]) => (
        <FieldInput
          key={field}
          session={session}
          field={field}
          label={t2d(label)}
          prefix={t2d(prefix)}
        />
      ))}
    </Row>
  );
}

interface FieldInputProps {
  session: Session;
  field: NumberField;
  label?: string;
  prefix?: string;
  noteId?: string | undefined;
}

function FieldInput(props: FieldInputProps) {
  const { session, field, ...naming } = props;
  const name = LIMITS[field];
  const limits = name === null ? undefined : session.catalog.value?.limits[name];
  return (
    <NumberInput
      id={field}
      {...naming}
      value={session.draft.value?.[field] ?? Number.NaN}
      range={typeof limits === 'object' ? limits : undefined}
      whole={WHOLE.includes(field)}
      problem={problemOf(session.problems.value, field)}
      disabled={session.draft.value === null}
      onInput={(value) => session.edit({ [field]: value }, 'typing')}
      onDone={() => session.apply()}
    />
  );
}

function LockIcon() {
  return (
    <svg class="icon" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      <path d="M2.5 5.5h7v5h-7zM4 5.5V3.6a2 2 0 0 1 4 0v1.9" />
    </svg>
  );
}
