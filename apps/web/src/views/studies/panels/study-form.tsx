/** Form of the study: which one, its size, its options. */
import { Button } from '../../../shared/ui/button.tsx';
import { FieldErrorText, NumberInput, Row, Segments } from '../../../shared/ui/fields.tsx';
import { t } from '../../../shared/i18n/translate.ts';
import {
  chosenOf,
  EXPERIMENTS,
  type Experiment,
  FAMILIES,
  type Field,
  isStandard,
  isOffered,
  type ListField,
  listOf,
  type NumberField,
  numberOf,
  offerOf,
  standardTechniques,
  defaultsOf,
  workersOf,
} from '../state/choice.ts';
import { ListInput } from './list-input.tsx';
import { type Catalog, STUDIES } from '../workers/protocol.ts';
import { EntryError, fieldLabel, problemText } from './field-problem.tsx';
import type { Session } from '../state/session.ts';
import { tStudies } from '../i18n/translate.ts';
import { techniqueAbout, techniqueLabel } from '../i18n/technique-names.ts';

interface Props {
  session: Session;
  catalog: Catalog;
}

export function StudyForm({ session }: { session: Session }) {
  const catalog = session.catalog.value;
  return (
    <section class="panel panel-form panel-study" aria-labelledby="study-title">
      <div class="panel-head">
        <h2 id="study-title">{tStudies('form.title')}</h2>
        {session.runs.isRunning.value && <span class="end muted small">{t('form.held')}</span>}
      </div>
      {catalog === null ? <p class="muted">{t('stage.waiting')}</p> : <Fields session={session} catalog={catalog} />}
    </section>
  );
}

function Fields({ session, catalog }: Props) {
  const isLocked = session.runs.isRunning.value;
  const choice = session.choice.value;
  const refusal = session.refusal.value;
  return (
    <>
      <Studies session={session} isLocked={isLocked} />
      <fieldset class="fields" role="none" disabled={isLocked}>
        <Segments<'quick' | 'full'>
          name="extent"
          label={tStudies('form.extent')}
          value={choice.quick ? 'quick' : 'full'}
          describedBy="extent-note"
          choices={(['quick', 'full'] as const).map((value) => ({ value, label: tStudies(`form.${value}`) }))}
          onChange={(extent) => session.change({ quick: extent === 'quick' })}
        />
        <p class="field-note" id="extent-note">
          {tStudies(choice.quick ? 'form.quick.about' : 'form.full.about')}
        </p>
      </fieldset>
      <fieldset class="fields" disabled={isLocked}>
        <legend>{tStudies('form.what')}</legend>
        <What session={session} catalog={catalog} />
      </fieldset>
      <fieldset class="fields" role="none" disabled={isLocked}>
        <Techniques session={session} catalog={catalog} />
      </fieldset>
      <fieldset class="fields" disabled={isLocked}>
        <legend>{tStudies('form.how')}</legend>
        <NumberRow session={session} catalog={catalog} field="repeats" />
        <NumberRow session={session} catalog={catalog} field="seed" />
        <WorkersRow session={session} />
      </fieldset>
      <FieldErrorText id="refusal" lead={tStudies('problem.refused')} lang="en" text={refusal ?? undefined} />
    </>
  );
}

function Studies({ session, isLocked }: { session: Session; isLocked: boolean }) {
  const chosen = session.choice.value.study;
  return (
    <fieldset class="study-choices" role="radiogroup" disabled={isLocked}>
      <legend class="visually-hidden">{tStudies('form.which')}</legend>
      {STUDIES.map((study) => (
        <label key={study} class="study-choice">
          <input type="radio" name="study" value={study} checked={study === chosen} onChange={() => session.chooseStudy(study)} />
          <span>
            <strong>{tStudies(`study.${study}`)}</strong>
            <span class="muted small">{tStudies(`study.${study}.question`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function What({ session, catalog }: Props) {
  const choice = session.choice.value;
  return (
    <>
      {choice.study === 'broad2d' && (
        <Segments<Experiment>
          name="experiment"
          label={tStudies('form.experiment')}
          compact
          value={choice.experiment}
          choices={EXPERIMENTS.map((value) => ({ value, label: tStudies(`form.experiment.${value}`) }))}
          onChange={(experiment) => session.change({ experiment })}
        />
      )}
      <ListRow session={session} catalog={catalog} field="sizes" />
      <ListRow session={session} catalog={catalog} field="objects" />
      <Families session={session} catalog={catalog} />
      <NumberRow session={session} catalog={catalog} field="rays" />
      <NumberRow session={session} catalog={catalog} field="frames" />
      <NumberRow session={session} catalog={catalog} field="seeds" />
      {choice.study === 'simulator' && <p class="field-note">{tStudies('guide.simulator.here')}</p>}
    </>
  );
}

function NumberRow({ session, catalog, field }: Props & { field: NumberField }) {
  const choice = session.choice.value;
  const defaults = defaultsOf(catalog, choice);
  if (!isOffered(defaults, choice, field)) return null;
  const label = fieldLabel(field);
  const value = numberOf(defaults, choice, field);
  const put = (typed: number): void => {
    const { [field]: _before, ...others } = session.choice.value.numbers;
    // An empty field restores the default, where the study has an automatic one.
    const isNone = Number.isNaN(typed) && defaults[field] === null;
    session.change({ numbers: isNone ? others : { ...others, [field]: typed } });
  };
  return (
    <Row label={label} for={field} below={<EntryError session={session} field={field} />}>
      <NumberInput
        id={field}
        value={value ?? Number.NaN}
        {...(value === null && { prefix: tStudies('form.frames.auto') })}
        whole
        range={catalog.limits[field]}
        problem={problemText(session, field)}
        onInput={put}
        onDone={() => undefined}
      />
    </Row>
  );
}

function ListRow({ session, catalog, field }: Props & { field: ListField }) {
  const choice = session.choice.value;
  const defaults = defaultsOf(catalog, choice);
  if (!isOffered(defaults, choice, field)) return null;
  return (
    <div class="list-row">
      <label for={field}>{fieldLabel(field)}</label>
      <ListInput
        id={field}
        values={listOf(defaults, choice, field)}
        problem={problemText(session, field)}
        noteId={`${field}-note`}
        onInput={(values) => session.change({ lists: { ...session.choice.value.lists, [field]: values } })}
      />
      <EntryError session={session} field={field} />
      <p class="field-note" id={`${field}-note`}>
        {tStudies('form.list.about')}
      </p>
    </div>
  );
}

function Families({ session, catalog }: Props) {
  const choice = session.choice.value;
  if (!isOffered(defaultsOf(catalog, choice), choice, 'families')) return null;
  return (
    <Chips
      session={session}
      field="families"
      legend={tStudies('form.families')}
      all={FAMILIES}
      chosen={choice.families}
      label={(family) => tStudies(`form.family.${family}`)}
      onChange={(families) => session.change({ families })}
    />
  );
}

function Techniques({ session, catalog }: Props) {
  const choice = session.choice.value;
  return (
    <Chips
      session={session}
      field="techniques"
      legend={t('experiment.techniques')}
      all={offerOf(catalog, choice).techniques}
      chosen={choice.techniques}
      standard={standardTechniques(catalog, choice)}
      label={(name) => techniqueLabel(name, choice.study)}
      hint={(name) => techniqueAbout(name, choice.study)}
      onChange={(techniques) => session.change({ techniques })}
    />
  );
}

interface ChipsProps<Name extends string> {
  session: Session;
  field: Field;
  legend: string;
  all: readonly Name[];
  chosen: readonly string[] | null;
  /** Chosen unless others are; default: all. */
  standard?: readonly Name[];
  label: (name: Name) => string;
  hint?: (name: Name) => string | undefined;
  onChange: (chosen: readonly string[] | null) => void;
}

function Chips<Name extends string>({ session, field, legend, all, chosen, standard = all, label, hint, onChange }: ChipsProps<Name>) {
  const names = chosenOf(all, chosen, standard);
  const put = (name: string, on: boolean): void => {
    const next = on ? [...names, name] : names.filter((each) => each !== name);
    onChange(isStandard(all, next, standard) ? null : next);
  };
  return (
    <fieldset class="techniques" aria-describedby={problemText(session, field) === undefined ? undefined : `${field}-problem`}>
      <legend class="chips-legend">{legend}</legend>
      {all.map((name) => (
        <label key={name} class="chip" title={hint?.(name)}>
          <input type="checkbox" checked={names.includes(name)} onChange={(event) => put(name, event.currentTarget.checked)} />
          {label(name)}
        </label>
      ))}
      <EntryError session={session} field={field} />
    </fieldset>
  );
}

function WorkersRow({ session }: { session: Session }) {
  const choice = session.choice.value;
  const isAutomatic = choice.workers === null;
  return (
    <Row
      label={tStudies('form.workers')}
      for="workers"
      below={
        <>
          <EntryError session={session} field="workers" />
          <p class="field-note" id="workers-note">
            {isAutomatic && `${tStudies('form.workers.auto')} `}
            {tStudies('form.workers.about')}
          </p>
        </>
      }
    >
      <NumberInput
        id="workers"
        value={choice.workers ?? workersOf(choice, session.cores)}
        whole
        range={[1, session.cores]}
        problem={problemText(session, 'workers')}
        noteId="workers-note"
        onInput={(workers) => session.change({ workers })}
        onDone={() => undefined}
      />
      <Button pressed={isAutomatic} describedBy="workers-note" onClick={() => session.change({ workers: isAutomatic ? workersOf(choice, session.cores) : null })}>
        {tStudies('form.frames.auto')}
      </Button>
    </Row>
  );
}
