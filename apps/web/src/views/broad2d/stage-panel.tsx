/** The stage: what moves, how it is driven, and what its marks mean. */
import { words } from '../../shared/i18n.ts';
import { StageElement } from '../../shared/stage/stage-element.tsx';
import { Toolbar } from '../../shared/stage/toolbar.tsx';
import { ViewTools } from '../../shared/stage/view-tools.tsx';
import { stageLabel } from './describe.ts';
import { caseText } from './experiments/case-text.ts';
import type { View2d } from './pointer.ts';
import type { Session } from './session.ts';

export function StagePanel({ session, view }: { session: Session; view: View2d }) {
  const held = session.isHeld.value;
  return (
    <section class="panel panel-stage" aria-labelledby="stage-title">
      <div class="panel-head">
        <h2 id="stage-title">{words('stage.title')}</h2>
        <p class="muted small stage-line">
          <StageLine session={session} />
        </p>
        <ViewTools class="end" disabled={held} zoom={(factor) => view.zoomAtMiddle(factor)} fit={() => view.fit()} />
      </div>
      <Stage session={session} view={view} />
      <Toolbar driver={session}>
        <StageLegend session={session} />
      </Toolbar>
    </section>
  );
}

/** How many, and how many touch; while an experiment runs, what is measured. */
function StageLine({ session }: { session: Session }) {
  const progress = session.experiments.progress.value;
  const report = session.report.value;
  if (progress?.now != null) {
    return <>{words('stage.measuring', { what: caseText(session, progress.now) })}</>;
  }
  if (report === null) {
    return <>{words(session.patience.isWaiting.value ? 'stage.searching' : 'stage.waiting')}</>;
  }
  const parts = [words('stage.objects', { count: report.objects }), words('stage.touching', { count: report.touching })];
  if (report.missed !== null && report.missed > 0) {
    parts.push(words('stage.missed', { count: report.missed }));
  }
  return <>{parts.join(', ')}</>;
}

function Stage({ session, view }: { session: Session; view: View2d }) {
  const isWaiting = session.patience.isWaiting.value && !session.isHeld.value;
  const { width = 16, height = 9 } = session.running.value ?? session.draft.value ?? {};
  return (
    <StageElement
      label={stageLabel(session)}
      describe={() => session.describe()}
      open={(element) => {
        session.open(element);
        return view.listen(element);
      }}
      note={isWaiting ? words('stage.searching') : session.seen.nothing.value ? words('stage.empty') : null}
      ratio={height / width}
    />
  );
}

function StageLegend({ session }: { session: Session }) {
  const shape = session.running.value?.bounds === 'circle' ? 'round' : '';
  const { takesCell = false, choosesCell = true } = session.runningTechnique.value ?? {};
  // Of all techniques only the study's grid, which takes any cells it is given, overlooks pairs.
  const canMiss = takesCell && !choosesCell;
  const all = ['free', 'touching', 'missed', 'selected'] as const;
  const marks = all.filter((mark) => mark !== 'missed' || canMiss);
  return (
    <ul class="stage-legend" aria-label={words('stage.legend')}>
      {marks.map((mark) => (
        <li key={mark}>
          <span class={`swatch swatch-${mark} ${shape}`} aria-hidden="true" />
          {words(`stage.legend.${mark}`)}
        </li>
      ))}
    </ul>
  );
}
