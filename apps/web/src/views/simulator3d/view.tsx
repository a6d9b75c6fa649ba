/**
 * 3D simulator view: build a world, run it, inspect the engine.
 *
 * Three columns: the environment as a form; the stage with its timeline; costs, charts, bodies and
 * contacts.
 */
import { useEffect, useMemo } from 'preact/hooks';

import '../../shared/css/form.css';
import '../../shared/css/stage.css';
import '../../shared/css/side-column.css';
import '../../shared/css/view-layout.css';
import '../../shared/css/view-3d.css';
import './css/form.css';
import './css/side.css';
import './css/stage.css';
import { AboutPanel } from '../../shared/ui/about.tsx';
import { t } from '../../shared/i18n/translate.ts';
import { pointerHelp, shortcuts } from '../../shared/keys.ts';
import { lazy } from '../../shared/ui/lazy.tsx';
import { Charts } from './panels/charts.tsx';
import { Contacts } from './panels/contacts.tsx';
import { Costs } from './panels/step-costs.tsx';
import { Environment } from './panels/environment.tsx';
import { Inspector } from './panels/inspector.tsx';
import { Objects } from './panels/objects.tsx';
import { View3d } from './state/pointer.ts';
import { Session } from './state/session.ts';
import { shortcutsOf } from './state/shortcuts.ts';
import { StagePanel } from './panels/stage-panel.tsx';
import { t3d } from './i18n/translate.ts';

const Comparison = lazy(async () => (await import('./panels/comparison.tsx')).Comparison);

export default function Simulator3d() {
  const session = useMemo(() => new Session(), []);
  const view = useMemo(() => new View3d(session), []);
  useEffect(() => {
    shortcuts.value = shortcutsOf(session, view);
    pointerHelp.value = () => t3d('help.mouse');
    return () => {
      shortcuts.value = [];
      session.close();
    };
  }, []);
  const about = ['about.view', 'about.chain', 'about.same', 'about.credit'] as const;
  return (
    <main id="main" class="lab lab-solid lab-3d" tabIndex={-1}>
      <h1 class="visually-hidden">{t('view.simulator3d')}</h1>
      <div class="column column-form">
        <Environment session={session} />
        <AboutPanel title={t('about.title')} paragraphs={about.map((key) => t3d(key))} />
      </div>
      <div class="column column-stage">
        <StagePanel session={session} view={view} />
        <Contacts session={session} />
      </div>
      <div class="column column-side">
        {session.comparison.value !== null && <Comparison session={session} />}
        <Costs session={session} />
        <Charts session={session} />
        <Objects session={session} />
        <Inspector session={session} />
      </div>
    </main>
  );
}
