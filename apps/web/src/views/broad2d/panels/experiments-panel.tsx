/** Experiments panel: choose, run, inspect, export. */
import { Button } from '../../../shared/ui/button.tsx';
import { FieldErrorText, NumberInput, Segments } from '../../../shared/ui/fields.tsx';
import { lazy } from '../../../shared/ui/lazy.tsx';
import { language, localized } from '../../../shared/i18n/translate.ts';
import { t2d } from '../i18n/translate.ts';
import { formatDuration, formatPercent } from '../../../shared/i18n/number-format.ts';
import type { Choice } from '../state/address.ts';
import type { Session } from '../state/session.ts';
import { captionOf } from '../state/experiments/caption.ts';
import { caseLabel } from '../state/experiments/case-label.ts';
import { OWN } from '../state/experiments/scaling.ts';
import { worldText } from '../state/experiments/world-text.ts';
import { Comparison } from './comparison.tsx';
import { ExportButtons } from './export-buttons.tsx';

export function ExperimentsPanel({ session }: { session: Session }) {
  const { experiments } = session;
  const { choice } = experiments;
  const numbers = session.catalog.value?.experiments.map(({ number }) => number) ?? [1, 2];
  const choices: { value: Choice; label: string }[] = [
    { value: 'compare', label: t2d('experiment.compare') },
    { value: 'scaling', label: t2d('experiment.scaling') },
    ...numbers.map((number) => ({
      value: `experiment-${number}` as const,
      label: t2d('experiment.experiment', { number }),
    })),
    { value: 'capacity', label: t2d('experiment.capacity') },
  ];
  const own = choice.value === 'capacity' ? 'capacity' : 'compare';
  const experiment = experiments.experiment.value;
  return (
    <section class="panel panel-experiments" aria-labelledby="experiments-title">
      <div class="panel-head">
        <h2 id="experiments-title">{t2d('experiment.title')}</h2>
        <div class="end">
          <Segments<Choice>
            name="experiment"
            label={t2d('experiment.choice')}
            compact
            value={choice.value}
            choices={choices}
            onChange={(chosen) => (choice.value = chosen)}
          />
        </div>
      </div>
      <div class="experiment-about">
        <h3>{experiment === undefined ? t2d(`experiment.${own}.title`) : localized(experiment.title)}</h3>
        <p class="muted small">
          {experiment === undefined ? t2d(`experiment.${own}.about`) : localized(experiment.about)}
        </p>
        {experiment !== undefined && (
          <p class="small" id="experiment-world">
            {worldText(experiment.cases)} {experiment.number !== OWN && t2d('experiment.own-world')}
          </p>
        )}
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
  const limits = session.catalog.value?.limits.frames;
  return (
    <div class="experiment-controls">
      <TechniqueChoice session={session} />
      <div class="experiment-run">
        {experiments.choice.value !== 'capacity' && (
          <label class="experiment-frames">
            <span>{t2d('experiment.frames')}</span>
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
        )}
        <Button
          class={isRunning ? 'run' : 'run primary'}
          cap="E"
          disabled={!isRunning && (count === 0 || problem !== undefined)}
          idle={refused !== undefined}
          describedBy={refused === undefined ? undefined : 'form-refused'}
          onClick={() => experiments.toggle()}
        >
          {t2d(isRunning ? 'experiment.cancel' : 'experiment.run')}
        </Button>
        <span class="muted small">{t2d('experiment.cases', { count })}</span>
        <ExportButtons session={session} />
      </div>
      <FieldErrorText id="form-refused" text={refused} />
      <FieldErrorText id="frames-problem" text={problem} />
    </div>
  );
}

function TechniqueChoice({ session }: { session: Session }) {
  const { experiments } = session;
  const names = new Set(experiments.chosen.value.map(({ name }) => name));
  return (
    <fieldset class="techniques" disabled={experiments.progress.value !== null}>
      <legend class="visually-hidden">{t2d('experiment.techniques')}</legend>
      {experiments.offered.value.map(({ name, label, about }) => (
        <label key={name} class="chip" title={localized(about)}>
          <input
            type="checkbox"
            checked={names.has(name)}
            onChange={(event) => experiments.chooseTechnique(name, event.currentTarget.checked)}
          />
          {localized(label)}
        </label>
      ))}
      {names.size === 0 && <FieldErrorText id="techniques-problem" text={t2d('experiment.no-technique')} />}
    </fieldset>
  );
}

/** Remaining time from which on it is shown. */
const LONG_MS = 10_000;
/** Remaining time from which on canceling is suggested. */
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
        aria-label={t2d('experiment.progress')}
        aria-describedby={isLong ? 'experiment-left' : undefined}
      />
      <span class="share">{formatPercent(of === 0 ? 0 : done / of, language.value)}</span>
      <span class="muted small now">{now === null ? t2d('experiment.waits') : caseLabel(session, now)}</span>
      {isLong && (
        <p class="small left" id="experiment-left">
          {t2d('experiment.left', { time: formatDuration(leftMs, language.value) })}
          {leftMs >= VERY_LONG_MS && ` ${t2d('experiment.left.stop')}`}
        </p>
      )}
    </div>
  );
}

// Few users run these.
const CapacityResults = lazy(async () => (await import('./capacity-results.tsx')).CapacityResults);
const ExperimentResults = lazy(async () => (await import('./experiment-results.tsx')).ExperimentResults);

function Outcome({ session }: { session: Session }) {
  const { experiments } = session;
  const results = experiments.results.value;
  if (results === null) {
    return <p class="muted small">{t2d('experiment.empty')}</p>;
  }
  return (
    <>
      {results.rows.length > 0 &&
        (experiments.choice.value === 'compare' ? (
          <Comparison session={session} results={results} />
        ) : experiments.choice.value === 'capacity' ? (
          <CapacityResults session={session} results={results} />
        ) : (
          <ExperimentResults session={session} results={results} />
        ))}
      {results.refused.map((why, place) => (
        <FieldErrorText key={place} id={`refused-${place}`} text={why()} />
      ))}
      <p class="muted small">
        {captionOf(results, experiments.experiment.value)}
        {results.state === 'cancelled' && ` ${t2d('experiment.partial')}`}
      </p>
    </>
  );
}
