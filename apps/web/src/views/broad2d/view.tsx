/**
 * The 2D broad phase: many moving objects, who touches whom, and what it costs to know.
 *
 * Three columns: the scene as a form; the stage with the experiments below; what is measured.
 */
import { useEffect, useMemo } from 'preact/hooks';

import { words } from '../../shared/i18n.ts';
import { pointerHelp, shortcuts } from '../../shared/keys.ts';
import { About } from './about.tsx';
import '../../shared/css/form.css';
import '../../shared/css/stage.css';
import '../../shared/css/side.css';
import '../../shared/css/lab.css';
import '../../shared/css/measuring.css';
import './css/experiments.css';
// Last: on narrow screens it rearranges what the others lay out.
import './css/layout.css';
import { ExperimentsPanel } from './experiments/panel.tsx';
import { SceneForm } from './form.tsx';
import { LiveChart } from './live-chart.tsx';
import { LiveNumbers } from './live-numbers.tsx';
import { View2d } from './pointer.ts';
import { SelectionPanel } from './selection-panel.tsx';
import { Session } from './session.ts';
import { shortcutsOf } from './shortcuts.ts';
import { StagePanel } from './stage-panel.tsx';

export default function Broad2d() {
  const session = useMemo(() => new Session(), []);
  const view = useMemo(() => new View2d(session), []);
  useEffect(() => {
    shortcuts.value = shortcutsOf(session, view);
    pointerHelp.value = () => words('help.mouse');
    return () => {
      shortcuts.value = [];
      session.close();
    };
  }, []);
  return (
    <main id="main" class="lab" tabIndex={-1}>
      <h1 class="visually-hidden">{words('view.broad2d')}</h1>
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
