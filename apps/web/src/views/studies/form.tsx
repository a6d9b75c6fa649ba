/** Which study, how much of it, and how? */
import { Button } from '../../shared/button.tsx';
import { FieldProblem, NumberInput, Row, Segments } from '../../shared/fields.tsx';
import { words } from '../../shared/i18n.ts';
import {
  chosenOf,
  EXPERIMENTS,
  type Experiment,
  FAMILIES,
  type Field,
  isAll,
  isOffered,
  type ListField,
  listOf,
  type NumberField,
  numberOf,
  offerOf,
  type Problem,
  usualOf,
  workersOf,
} from './choice.ts';
import { ListInput } from './list-input.tsx';
import { type Catalogue, STUDIES } from './protocol.ts';
import { RunButtons } from './run-buttons.tsx';
import type { Session } from './session.ts';
import { wordsOfStudies as say } from './words.ts';
import { en } from './words/en.ts';

interface Props {
  session: Session;
  catalogue: Catalogue;
}

export function StudyForm({ session }: { session: Session }) {
  const catalogue = session.catalogue.value;
  return (
    <section class="panel panel-form panel-study" aria-labelledby="study-title">
      <div class="panel-head">
        <h2 id="study-title">{say('form.title')}</h2>
        {session.isRunning.value && <span class="end muted small">{words('form.held')}</span>}
      </div>
      {catalogue === null ? <p class="muted">{words('stage.waiting')}</p> : <Fields session={session} catalogue={catalogue} />}
    </section>
  );
}

function Fields({ session, catalogue }: Props) {
  const isHeld = session.isRunning.value;
  const choice = session.choice.value;
  const refusal = session.refusal.value;
  return (
    <>
      <fieldset class="fields" disabled={isHeld}>
        <legend class="visually-hidden">{say('form.which')}</legend>
        <Studies session={session} />
        <Segments<'quick' | 'full'>
          name="extent"
          label={say('form.extent')}
          value={choice.quick ? 'quick' : 'full'}
          describedBy="extent-note"
          choices={(['quick', 'full'] as const).map((value) => ({ value, label: say(`form.${value}`) }))}
          onChange={(extent) => session.change({ quick: extent === 'quick' })}
        />
        <p class="field-note" id="extent-note">
          {say(choice.quick ? 'form.quick.about' : 'form.full.about')}
        </p>
      </fieldset>
      <fieldset class="fields" disabled={isHeld}>
        <legend>{say('form.what')}</legend>
        <What session={session} catalogue={catalogue} />
      </fieldset>
      <fieldset class="fields" disabled={isHeld}>
        <legend>{words('form.technique')}</legend>
        <Techniques session={session} catalogue={catalogue} />
      </fieldset>
      <fieldset class="fields" disabled={isHeld}>
        <legend>{say('form.how')}</legend>
        <NumberRow session={session} catalogue={catalogue} field="repeats" />
        <NumberRow session={session} catalogue={catalogue} field="seed" />
        <WorkersRow session={session} />
      </fieldset>
      <FieldProblem id="refusal" lead={say('problem.refused')} lang="en" text={refusal ?? undefined} />
      <RunButtons session={session} />
    </>
  );
}

function Studies({ session }: { session: Session }) {
  const chosen = session.choice.value.study;
  return (
    <div class="study-choices" role="radiogroup" aria-label={say('form.which')}>
      {STUDIES.map((study) => (
        <label key={study} class="study-choice">
          <input type="radio" name="study" value={study} checked={study === chosen} onChange={() => session.chooseStudy(study)} />
          <span>
            <strong>{say(`study.${study}`)}</strong>
            <span class="muted small">{say(`study.${study}.question`)}</span>
          </span>
        </label>
      ))}
    </div>
  );
}

function What({ session, catalogue }: Props) {
  const choice = session.choice.value;
  return (
    <>
      {choice.study === 'broad2d' && (
        <Segments<Experiment>
          name="experiment"
          label={say('form.experiment')}
          compact
          value={choice.experiment}
          choices={EXPERIMENTS.map((value) => ({ value, label: say(`form.experiment.${value}`) }))}
          onChange={(experiment) => session.change({ experiment })}
        />
      )}
      <ListRow session={session} catalogue={catalogue} field="sizes" />
      <ListRow session={session} catalogue={catalogue} field="objects" />
      <Families session={session} catalogue={catalogue} />
      <NumberRow session={session} catalogue={catalogue} field="rays" />
      <NumberRow session={session} catalogue={catalogue} field="frames" />
      <NumberRow session={session} catalogue={catalogue} field="seeds" />
      {choice.study === 'simulator' && <p class="field-note">{say('guide.simulator.here')}</p>}
    </>
  );
}

function NumberRow({ session, catalogue, field }: Props & { field: NumberField }) {
  const choice = session.choice.value;
  const usual = usualOf(catalogue, choice);
  if (!isOffered(usual, choice, field)) return null;
  const label = field === 'seed' ? words('form.seed') : say(`form.${field}`);
  const value = numberOf(usual, choice, field);
  const put = (typed: number): void => {
    const { [field]: _before, ...others } = session.choice.value.numbers;
    // Nothing, where the study decides by itself, is the study's own again.
    const isNone = Number.isNaN(typed) && usual[field] === null;
    session.change({ numbers: isNone ? others : { ...others, [field]: typed } });
  };
  return (
    <Row label={label} for={field} below={<Wrong session={session} field={field} />}>
      <NumberInput
        id={field}
        value={value ?? Number.NaN}
        {...(value === null && { prefix: say('form.frames.auto') })}
        whole
        range={catalogue.limits[field]}
        problem={problemText(session, field)}
        onInput={put}
        onDone={() => undefined}
      />
    </Row>
  );
}

function ListRow({ session, catalogue, field }: Props & { field: ListField }) {
  const choice = session.choice.value;
  const usual = usualOf(catalogue, choice);
  if (!isOffered(usual, choice, field)) return null;
  return (
    <div class="list-row">
      <label for={field}>{field === 'objects' ? words('form.objects') : say(`form.${field}`)}</label>
      <ListInput
        id={field}
        values={listOf(usual, choice, field)}
        problem={problemText(session, field)}
        noteId={`${field}-note`}
        onInput={(values) => session.change({ lists: { ...session.choice.value.lists, [field]: values } })}
      />
      <Wrong session={session} field={field} />
      <p class="field-note" id={`${field}-note`}>
        {say('form.list.about')}
      </p>
    </div>
  );
}

function Families({ session, catalogue }: Props) {
  const choice = session.choice.value;
  if (!isOffered(usualOf(catalogue, choice), choice, 'families')) return null;
  return (
    <Chips
      session={session}
      field="families"
      legend={say('form.families')}
      all={FAMILIES}
      chosen={choice.families}
      label={(family) => say(`form.family.${family}`)}
      onChange={(families) => session.change({ families })}
    />
  );
}

function Techniques({ session, catalogue }: Props) {
  const choice = session.choice.value;
  return (
    <Chips
      session={session}
      field="techniques"
      legend={words('lab.techniques')}
      hiddenLegend
      all={offerOf(catalogue, choice).techniques}
      chosen={choice.techniques}
      label={(name) => name}
      hint={(name) => techniqueText(name)}
      onChange={(techniques) => session.change({ techniques })}
    />
  );
}

type TechniqueKey = Extract<Parameters<typeof say>[0], `technique.${string}`>;

/** An engine that is newer than the page has techniques that it cannot tell of. */
function techniqueText(name: string): string | undefined {
  const key = `technique.${name}`;
  return Object.hasOwn(en, key) ? say(key as TechniqueKey) : undefined;
}

interface ChipsProps<Name extends string> {
  session: Session;
  field: Field;
  legend: string;
  hiddenLegend?: boolean;
  all: readonly Name[];
  chosen: readonly string[] | null;
  label: (name: Name) => string;
  hint?: (name: Name) => string | undefined;
  onChange: (chosen: readonly string[] | null) => void;
}

function Chips<Name extends string>({ session, field, legend, hiddenLegend, all, chosen, label, hint, onChange }: ChipsProps<Name>) {
  const names = chosenOf(all, chosen);
  const put = (name: string, on: boolean): void => {
    const next = on ? [...names, name] : names.filter((each) => each !== name);
    onChange(isAll(all, next) ? null : next);
  };
  return (
    <fieldset class="techniques" aria-describedby={problemText(session, field) === undefined ? undefined : `${field}-problem`}>
      <legend class={hiddenLegend === true ? 'visually-hidden' : 'chips-legend'}>{legend}</legend>
      {all.map((name) => (
        <label key={name} class="chip" title={hint?.(name)}>
          <input type="checkbox" checked={names.includes(name)} onChange={(event) => put(name, event.currentTarget.checked)} />
          {label(name)}
        </label>
      ))}
      <Wrong session={session} field={field} />
    </fieldset>
  );
}

function WorkersRow({ session }: { session: Session }) {
  const choice = session.choice.value;
  return (
    <Row
      label={say('form.workers')}
      for="workers"
      below={
        <>
          <Wrong session={session} field="workers" />
          <p class="field-note" id="workers-note">
            {say('form.workers.about')}
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
      <Button disabled={choice.workers === null} label={say('form.frames.auto')} onClick={() => session.change({ workers: null })}>
        {say('form.frames.auto')}
      </Button>
    </Row>
  );
}

function Wrong({ session, field }: { session: Session; field: Field }) {
  return <FieldProblem id={`${field}-problem`} text={problemText(session, field)} />;
}

function problemText(session: Session, field: Field): string | undefined {
  const problem = (session.problems.value as ReadonlyMap<Field, Problem>).get(field);
  if (problem === undefined) return undefined;
  const isList = field === 'sizes' || field === 'objects';
  switch (problem.kind) {
    case 'too-small':
    case 'too-large':
      return words(`problem.${problem.kind}`, { limit: problem.limit });
    case 'nothing':
    case 'too-many':
      return say(`problem.${problem.kind}`);
    default:
      return isList ? say('problem.list') : words(`problem.${problem.kind}`);
  }
}
