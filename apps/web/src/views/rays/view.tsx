/**
 * Rays view: open a mesh, trace a ray through it, compare structures.
 *
 * Three columns: mesh and structure; stage with heat maps and levels below; recommendation, ray,
 * visited nodes, line of sight.
 */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

import '../../shared/css/form.css';
import '../../shared/css/stage.css';
import '../../shared/css/side-column.css';
import '../../shared/css/view-layout.css';
import '../../shared/css/view-3d.css';
import './css/rays.css';
import { t } from '../../shared/i18n/translate.ts';
import { pointerHelp, shortcuts } from '../../shared/keys.ts';
import { showToast } from '../../shell/status.tsx';
import { Advisor } from './panels/advisor.tsx';
import { Guide } from './panels/guide.tsx';
import { HeatPanel } from './panels/heat-maps.tsx';
import { LevelsPanel } from './panels/levels.tsx';
import { MeshPanel } from './panels/mesh.tsx';
import { ViewRays } from './state/pointer.ts';
import { RayPanel } from './panels/ray.tsx';
import { Session } from './state/session.ts';
import { shortcutsOf } from './state/shortcuts.ts';
import { LineOfSightPanel } from './panels/line-of-sight.tsx';
import { StagePanel } from './panels/stage-panel.tsx';
import { StructurePanel } from './panels/structure.tsx';
import { Visited } from './panels/visited-boxes.tsx';
import { tRays } from './i18n/translate.ts';

export default function Rays() {
  const session = useMemo(() => new Session(), []);
  const view = useMemo(() => new ViewRays(session), []);
  /** A file is being dragged over the page. */
  const hovers = useSignal(false);
  useEffect(() => {
    shortcuts.value = shortcutsOf(session, view);
    pointerHelp.value = () => tRays('help.mouse');
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
    if (files.length > 1) showToast(() => tRays('file.many'));
  };
  const leave = (event: DragEvent): void => {
    // `dragleave` also fires between elements of the page.
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
      <h1 class="visually-hidden">{t('view.rays')}</h1>
      <div class="column column-form">
        <MeshPanel session={session} />
        <StructurePanel session={session} />
        <Guide />
      </div>
      <div class="column column-stage">
        <StagePanel session={session} view={view} />
        <HeatPanel session={session} />
        <LevelsPanel session={session} />
      </div>
      <div class="column column-side">
        <Advisor session={session} />
        <RayPanel session={session} />
        <Visited session={session} />
        <LineOfSightPanel session={session} />
      </div>
    </main>
  );
}
