/** Stage panel: canvas, toolbar and legend. */
import { coloredLevels, levelName } from '../../../shared/octree-levels.ts';
import { t2d } from '../i18n/translate.ts';
import { StageElement } from '../../../shared/stage/stage-element.tsx';
import { Toolbar } from '../../../shared/stage/toolbar.tsx';
import { ZoomButtons } from '../../../shared/stage/zoom-buttons.tsx';
import { stageLabel } from '../state/describe.ts';
import { caseLabel } from '../state/experiments/case-label.ts';
import type { View2d } from '../state/pointer.ts';
import type { Session } from '../state/session.ts';

export function StagePanel({ session, view }: { session: Session; view: View2d }) {
  const isLocked = session.isLocked.value;
  return (
    <section class="panel panel-stage" aria-labelledby="stage-title">
      <div class="panel-head">
        <h2 id="stage-title">{t2d('stage.title')}</h2>
        <p class="muted small stage-line">
          <StageLine session={session} />
        </p>
        <ZoomButtons class="end" disabled={isLocked} zoom={(factor) => view.zoomAtMiddle(factor)} fit={() => view.fit()} />
      </div>
      <Stage session={session} view={view} />
      <Toolbar playback={session}>
        <StageLegend session={session} />
      </Toolbar>
    </section>
  );
}

/** Object counts; during an experiment, the current case. */
function StageLine({ session }: { session: Session }) {
  const progress = session.experiments.progress.value;
  const report = session.report.value;
  if (progress?.now != null) {
    return <>{t2d('stage.measuring', { what: caseLabel(session, progress.now) })}</>;
  }
  if (report === null) {
    return <>{t2d(session.busyIndicator.isBusy.value ? 'stage.searching' : 'stage.waiting')}</>;
  }
  const parts = [t2d('stage.objects', { count: report.objects }), t2d('stage.touching', { count: report.touching })];
  if (report.missed !== null && report.missed > 0) {
    parts.push(t2d('stage.missed', { count: report.missed }));
  }
  return <>{parts.join(', ')}</>;
}

function Stage({ session, view }: { session: Session; view: View2d }) {
  const isWaiting = session.busyIndicator.isBusy.value && !session.isLocked.value;
  const { width = 16, height = 9 } = session.running.value ?? session.draft.value ?? {};
  return (
    <StageElement
      label={stageLabel(session)}
      describe={() => session.describe()}
      open={(element) => {
        session.open(element);
        return view.listen(element);
      }}
      note={isWaiting ? t2d('stage.searching') : session.seen.nothing.value ? t2d('stage.empty') : null}
      ratio={height / width}
    />
  );
}

function StageLegend({ session }: { session: Session }) {
  const shape = session.running.value?.bounds === 'circle' ? 'round' : '';
  const { takesCell = false, choosesCell = true } = session.runningTechnique.value ?? {};
  // Only the study's grid, whose cell size is free, misses pairs.
  const canMiss = takesCell && !choosesCell;
  const all = ['free', 'touching', 'missed', 'selected'] as const;
  const marks = all.filter((mark) => mark !== 'missed' || canMiss);
  const levels = coloredLevels(session.report.value?.levels ?? null);
  return (
    <ul class={levels.length > 0 ? 'stage-legend by-level' : 'stage-legend'} aria-label={t2d('stage.legend')}>
      {marks.map((mark) => (
        <li key={mark}>
          <span class={`swatch swatch-${mark} ${shape}`} aria-hidden="true" />
          {t2d(`stage.legend.${mark}`)}
        </li>
      ))}
      {levels.map(({ level }) => (
        <li key={`level ${level}`}>
          <span class="swatch swatch-level" style={{ '--level': `var(--series-${level})` }} aria-hidden="true" />
          {levelName(level)}
        </li>
      ))}
    </ul>
  );
}
