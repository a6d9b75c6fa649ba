/** What would you like to measure? Choose, run, look, take away. */
import { Button } from '../../../shared/button.tsx';
import { FieldProblem, NumberInput, Segments } from '../../../shared/fields.tsx';
import { language, spoken, words } from '../../../shared/i18n.ts';
import { duration, percent } from '../../../shared/numbers.ts';
import type { Choice } from '../address.ts';
import type { Session } from '../session.ts';
import { caseText } from './case-text.ts';
import { Comparison } from './comparison.tsx';
import { ExperimentResults } from './results.tsx';
import { TakeAway } from './take-away.tsx';

export function ExperimentsPanel({ session }: { session: Session }) {
  const { experiments } = session;
  const { choice } = experiments;
  const numbers = session.catalogue.value?.experiments.map(({ number }) => number) ?? [1, 2];
  const choices: { value: Choice; label: string }[] = [
    { value: 'compare', label: words('lab.compare') },
    ...numbers.map((number) => ({
      value: `experiment-${number}` as const,
      label: words('lab.experiment', { number }),
    })),
  ];
  const experiment = experiments.experiment.value;
  return (
    <section class="panel panel-experiments" aria-labelledby="experiments-title">
      <div class="panel-head">
        <h2 id="experiments-title">{words('lab.title')}</h2>
        <div class="end">
          <Segments<Choice>
            name="experiment"
            label={words('lab.choice')}
            compact
            value={choice.value}
            choices={choices}
            onChange={(chosen) => (choice.value = chosen)}
          />
        </div>
      </div>
      <div class="experiment-about">
        <h3>{experiment === undefined ? words('lab.compare.title') : spoken(experiment.title)}</h3>
        <p class="muted small">
          {experiment === undefined ? words('lab.compare.about') : spoken(experiment.about)}
        </p>
      </div>
      <Controls session={session} />
      <ProgressLine session={session} />
      <Outcome session={session} />
    </section>
  );
}

function Controls({ session }: { session: Session }) {
  const { experiments } = session;
  const isRunning = experiments.progress.value !== null;
  const problem = experiments.framesProblem.value;
  const refused = isRunning ? undefined : experiments.formProblem.value;
  const count = experiments.cases.value.length;
  const limits = session.catalogue.value?.limits.frames;
  return (
    <div class="experiment-controls">
      <TechniqueChoice session={session} />
      <div class="experiment-run">
        <label class="experiment-frames">
          <span>{words('lab.frames')}</span>
          <NumberInput
            id="frames"
            value={experiments.frames.value}
            range={limits}
            whole
            problem={problem}
            disabled={isRunning}
            onInput={(frames) => experiments.typeFrames(frames)}
            onDone={() => undefined}
          />
        </label>
        <Button
          class={isRunning ? 'run' : 'run primary'}
          cap="E"
          disabled={!isRunning && (count === 0 || problem !== undefined)}
          idle={refused !== undefined}
          describedBy={refused === undefined ? undefined : 'form-refused'}
          onClick={() => experiments.toggle()}
        >
          {words(isRunning ? 'lab.cancel' : 'lab.run')}
        </Button>
        <span class="muted small">{words('lab.cases', { count })}</span>
        <TakeAway session={session} />
      </div>
      <FieldProblem id="form-refused" text={refused} />
      <FieldProblem id="frames-problem" text={problem} />
    </div>
  );
}

function TechniqueChoice({ session }: { session: Session }) {
  const { experiments } = session;
  const names = new Set(experiments.chosen.value.map(({ name }) => name));
  return (
    <fieldset class="techniques" disabled={experiments.progress.value !== null}>
      <legend class="visually-hidden">{words('lab.techniques')}</legend>
      {experiments.offered.value.map(({ name, label, about }) => (
        <label key={name} class="chip" title={spoken(about)}>
          <input
            type="checkbox"
            checked={names.has(name)}
            onChange={(event) => experiments.chooseTechnique(name, event.currentTarget.checked)}
          />
          {spoken(label)}
        </label>
      ))}
      {names.size === 0 && <FieldProblem id="techniques-problem" text={words('lab.no-technique')} />}
    </fieldset>
  );
}

/** Who waits longer wants to know it. */
const LONG_MS = 10_000;
/** Who waits longer may rather not. */
const VERY_LONG_MS = 60_000;

function ProgressLine({ session }: { session: Session }) {
  const progress = session.experiments.progress.value;
  if (progress === null) {
    return null;
  }
  const { done, of, now, leftMs } = progress;
  const isLong = leftMs !== null && leftMs >= LONG_MS;
  return (
    <div class="experiment-progress">
      <progress
        value={done}
        max={of}
        aria-label={words('lab.progress')}
        aria-describedby={isLong ? 'experiment-left' : undefined}
      />
      <span class="share">{percent(of === 0 ? 0 : done / of, language.value)}</span>
      <span class="muted small now">{now === null ? words('lab.waits') : caseText(session, now)}</span>
      {isLong && (
        <p class="small left" id="experiment-left">
          {words('lab.left', { time: duration(leftMs, language.value) })}
          {leftMs >= VERY_LONG_MS && ` ${words('lab.left.stop')}`}
        </p>
      )}
    </div>
  );
}

function Outcome({ session }: { session: Session }) {
  const { experiments } = session;
  const results = experiments.results.value;
  if (results === null) {
    return <p class="muted small">{words('lab.empty')}</p>;
  }
  return (
    <>
      {results.rows.length > 0 &&
        (experiments.choice.value === 'compare' ? (
          <Comparison session={session} results={results} />
        ) : (
          <ExperimentResults session={session} results={results} />
        ))}
      {results.refused.map((why, place) => (
        <FieldProblem key={place} id={`refused-${place}`} text={why()} />
      ))}
      <p class="muted small">
        {words('lab.measured-with', { seed: String(results.seed), count: results.frames })}
        {results.state === 'cancelled' && ` ${words('lab.partial')}`}
      </p>
    </>
  );
}
