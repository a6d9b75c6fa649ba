/**
 * The 3D simulator: build a world, run it, look into what the engine does.
 *
 * Three columns: the environment as a form; the stage with its time below; costs, charts, bodies and contacts.
 */
import { useEffect, useMemo } from 'preact/hooks';

import '../../shared/css/form.css';
import '../../shared/css/stage.css';
import '../../shared/css/side.css';
import '../../shared/css/lab.css';
import '../../shared/css/lab-solid.css';
import './css/form.css';
import './css/side.css';
import './css/stage.css';
import { AboutPanel } from '../../shared/about.tsx';
import { words } from '../../shared/i18n.ts';
import { pointerHelp, shortcuts } from '../../shared/keys.ts';
import { Charts } from './charts.tsx';
import { Contacts } from './contacts.tsx';
import { Costs } from './costs.tsx';
import { Environment } from './environment.tsx';
import { Inspector } from './inspector.tsx';
import { Objects } from './objects.tsx';
import { View3d } from './pointer.ts';
import { Session } from './session.ts';
import { shortcutsOf } from './shortcuts.ts';
import { StagePanel } from './stage-panel.tsx';
import { words3d } from './words.ts';

export default function Simulator3d() {
  const session = useMemo(() => new Session(), []);
  const view = useMemo(() => new View3d(session), []);
  useEffect(() => {
    shortcuts.value = shortcutsOf(session, view);
    pointerHelp.value = () => words3d('help.mouse');
    return () => {
      shortcuts.value = [];
      session.close();
    };
  }, []);
  const about = ['about.view', 'about.chain', 'about.same', 'about.credit'] as const;
  return (
    <main id="main" class="lab lab-solid lab-3d" tabIndex={-1}>
      <h1 class="visually-hidden">{words('view.simulator3d')}</h1>
      <div class="column column-form">
        <Environment session={session} />
        <AboutPanel title={words('about.title')} paragraphs={about.map((key) => words3d(key))} />
      </div>
      <div class="column column-stage">
        <StagePanel session={session} view={view} />
        <Contacts session={session} />
      </div>
      <div class="column column-side">
        <Costs session={session} />
        <Charts session={session} />
        <Objects session={session} />
        <Inspector session={session} />
      </div>
    </main>
  );
}
