/**
 * 2D broad phase view: many moving objects, the overlapping pairs, and the cost of finding them.
 *
 * Three columns: the form of the scene; the stage with the experiments below; live numbers.
 */
import { useEffect, useMemo } from 'preact/hooks';

import { t2d } from './i18n/translate.ts';
import { pointerHelp, shortcuts } from '../../shared/keys.ts';
import { About } from './panels/about.tsx';
import '../../shared/css/form.css';
import '../../shared/css/stage.css';
import '../../shared/css/side-column.css';
import '../../shared/css/view-layout.css';
import '../../shared/css/measurements.css';
import './css/experiments.css';
import './css/guide.css';
// Last: on narrow screens it overrides the layout of the others.
import './css/layout.css';
import { ExperimentsPanel } from './panels/experiments-panel.tsx';
import { SceneForm } from './panels/scene-form.tsx';
import { LiveChart } from './panels/live-chart.tsx';
import { LiveNumbers } from './panels/live-numbers.tsx';
import { View2d } from './state/pointer.ts';
import { SelectionPanel } from './panels/selection-panel.tsx';
import { Session } from './state/session.ts';
import { shortcutsOf } from './state/shortcuts.ts';
import { StagePanel } from './panels/stage-panel.tsx';

export default function Broad2d() {
  const session = useMemo(() => new Session(), []);
  const view = useMemo(() => new View2d(session), []);
  useEffect(() => {
    shortcuts.value = shortcutsOf(session, view);
    pointerHelp.value = () => t2d('help.mouse');
    return () => {
      shortcuts.value = [];
      session.close();
    };
  }, []);
  return (
    <main id="main" class="lab lab-2d" tabIndex={-1}>
      <h1 class="visually-hidden">{t2d('view.broad2d')}</h1>
      <div class="column column-form">
        <SceneForm session={session} />
        <About session={session} />
      </div>
      <div class="column column-stage">
        <StagePanel session={session} view={view} />
        <ExperimentsPanel session={session} />
      </div>
      <div class="column column-side">
        <LiveNumbers session={session} />
        <LiveChart session={session} />
        <SelectionPanel session={session} />
      </div>
    </main>
  );
}
