/**
 * Rays and meshes: open a mesh, follow a ray through it, compare structures.
 *
 * Three columns: the mesh and its structure; the stage with the work per pixel below; the ray, what it visits, who sees whom.
 */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

import '../../shared/css/form.css';
import '../../shared/css/stage.css';
import '../../shared/css/side.css';
import '../../shared/css/lab.css';
import '../../shared/css/lab-solid.css';
import './css/rays.css';
import { words } from '../../shared/i18n.ts';
import { pointerHelp, shortcuts } from '../../shared/keys.ts';
import { tell } from '../../shell/status.tsx';
import { Advisor } from './advisor.tsx';
import { Guide } from './guide.tsx';
import { HeatPanel } from './heat.tsx';
import { LevelsPanel } from './levels.tsx';
import { MeshPanel } from './mesh.tsx';
import { ViewRays } from './pointer.ts';
import { RayPanel } from './ray.tsx';
import { Session } from './session.ts';
import { shortcutsOf } from './shortcuts.ts';
import { SightPanel } from './sight.tsx';
import { StagePanel } from './stage-panel.tsx';
import { StructurePanel } from './structure.tsx';
import { Visited } from './visited.tsx';
import { wordsRays } from './words.ts';

export default function Rays() {
  const session = useMemo(() => new Session(), []);
  const view = useMemo(() => new ViewRays(session), []);
  /** Something is being dragged over the page. */
  const hovers = useSignal(false);
  useEffect(() => {
    shortcuts.value = shortcutsOf(session, view);
    pointerHelp.value = () => wordsRays('help.mouse');
    return () => {
      shortcuts.value = [];
      session.close();
    };
  }, []);
  const hover = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    hovers.value = true;
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    hovers.value = false;
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files[0] !== undefined) session.openFile(files[0]);
    if (files.length > 1) tell(() => wordsRays('file.many'));
  };
  const leave = (event: DragEvent): void => {
    // From one element to another it only seems to leave.
    if (!(event.relatedTarget instanceof Node)) hovers.value = false;
  };
  return (
    <main
      id="main"
      class={hovers.value ? 'lab lab-solid lab-rays hovered' : 'lab lab-solid lab-rays'}
      tabIndex={-1}
      onDragOver={hover}
      onDragLeave={leave}
      onDrop={drop}
    >
      <h1 class="visually-hidden">{words('view.rays')}</h1>
      <div class="column column-form">
        <MeshPanel session={session} />
        <StructurePanel session={session} />
        <LevelsPanel session={session} />
        <Guide />
      </div>
      <div class="column column-stage">
        <StagePanel session={session} view={view} />
        <HeatPanel session={session} />
      </div>
      <div class="column column-side">
        <RayPanel session={session} />
        <Visited session={session} />
        <SightPanel session={session} />
        <Advisor session={session} />
      </div>
    </main>
  );
}
