/** Mesh panel: choose a file or a scene of the studies; size, bounds and quality of the mesh. */
import { useRef } from 'preact/hooks';

import { Button } from '../../../shared/ui/button.tsx';
import { FileError } from '../../../shared/ui/file-error.tsx';
import { language, t } from '../../../shared/i18n/translate.ts';
import { NumberRow } from '../../../shared/ui/number-rows.tsx';
import { formatNumber, formatSignificant } from '../../../shared/i18n/number-format.ts';
import { FactList } from './fact-list.tsx';
import { MESH_FORMATS } from '../state/commands.ts';
import { sceneName } from '../state/mesh-names.ts';
import type { Session } from '../state/session.ts';
import { tRays } from '../i18n/translate.ts';

const ACCEPTED = '.obj,.stl,.ply,.gltf,.glb,.gz,.txt,.tri,model/obj,model/stl,model/gltf+json,model/gltf-binary';
const OWN = 'own file';
/** Default triangle count of a random scene. */
const USUAL_COUNT = 2000;

export function MeshPanel({ session }: { session: Session }) {
  const input = useRef<HTMLInputElement>(null);
  const [catalog, source, facts] = [session.catalog.value, session.source.value, session.facts.value];
  const made = source !== null && 'scene' in source ? source : null;
  const isRandom = catalog?.scenes.find(({ name }) => name === made?.scene)?.isRandom === true;
  const locale = language.value;
  return (
    <section class="panel panel-form panel-mesh" aria-labelledby="mesh-title">
      <div class="panel-head">
        <h2 id="mesh-title">{tRays('mesh.title')}</h2>
      </div>
      <div class="fields">
        <div class="mesh-choice">
          <select
            id="scene"
            class="select"
            aria-label={tRays('mesh.which')}
            value={source === null ? '' : (made?.scene ?? OWN)}
            disabled={catalog === null}
            onChange={(event) => {
              const scene = event.currentTarget.value;
              // The list shows the current scene until another one is open.
              event.currentTarget.value = source === null ? '' : (made?.scene ?? OWN);
              if (scene !== OWN) session.openScene(scene, made?.count ?? USUAL_COUNT, made?.seed ?? 1);
            }}
          >
            {source !== null && 'file' in source && <option value={OWN}>{tRays('mesh.own', { name: source.file.name })}</option>}
            {catalog?.scenes.map(({ name }) => (
              <option key={name} value={name}>
                {sceneName(name)}
              </option>
            ))}
          </select>
          <Button label={tRays('stage.open-file')} onClick={() => input.current?.click()}>
            {tRays('stage.open')}
          </Button>
          <input
            ref={input}
            hidden
            type="file"
            accept={ACCEPTED}
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              if (file !== undefined) session.openFile(file);
              event.currentTarget.value = '';
            }}
          />
        </div>
        <p class="muted small">{tRays('mesh.drop')}</p>
        {isRandom && made !== null && catalog !== null && (
          <>
            <NumberRow
              id="count"
              label={tRays('mesh.count')}
              value={made.count}
              limits={{ whole: true, min: 1, max: catalog.mostRandom }}
              onCommit={(count, onResult) => {
                session.openScene(made.scene, count, made.seed);
                onResult(null);
              }}
            />
            <NumberRow
              id="seed"
              label={t('form.seed')}
              value={made.seed}
              limits={{ whole: true, min: 0, max: 2 ** 32 - 1 }}
              onCommit={(seed, onResult) => {
                session.openScene(made.scene, made.count, seed);
                onResult(null);
              }}
            />
          </>
        )}
      </div>
      {made !== null && <SaveButtons session={session} />}
      <Opening session={session} />
      {session.refusal.value !== null && (
        <FileError title={tRays('file.title')} message={session.refusal.value.content()} onClose={() => (session.refusal.value = null)} />
      )}
      {facts !== null && (
        <FactList
          rows={[
            [tRays('mesh.triangles'), <strong data-triangles={facts.triangles}>{formatNumber(facts.triangles, locale)}</strong>],
            [tRays('mesh.vertices'), formatNumber(facts.vertices, locale)],
            [tRays('mesh.size'), facts.max.map((max, axis) => formatSignificant(max - facts.min[axis]!, 4, locale)).join(' × ')],
            facts.degenerate > 0 ? [tRays('mesh.degenerate'), formatNumber(facts.degenerate, locale)] : null,
            facts.format === null ? null : [tRays('mesh.format'), /^nine/.test(facts.format) ? tRays('mesh.format-text') : facts.format],
          ]}
        />
      )}
    </section>
  );
}

/** Saves a generated scene, from which the copied commands and other programs can read it. */
function SaveButtons({ session }: { session: Session }) {
  return (
    <div class="mesh-save" role="group" aria-labelledby="mesh-save">
      <span class="small muted" id="mesh-save">
        {tRays('mesh.save')}
      </span>
      {MESH_FORMATS.map((format) => (
        <Button key={format} class="compact" label={tRays('mesh.save-as', { format: `.${format}` })} onClick={() => session.saveScene(format)}>
          .{format}
        </Button>
      ))}
    </div>
  );
}

/** Progress of opening, with a cancel button. */
function Opening({ session }: { session: Session }) {
  const opening = session.opening.value;
  if (opening === null) return null;
  const { name, stage } = opening;
  const isOwn = stage === 'reading' || stage === 'parsing' || stage === 'drawing';
  return (
    <div class="opening">
      <strong class="opening-name" id="opening-name">{tRays('opening.title', { name })}</strong>
      <progress aria-labelledby="opening-name" />
      <span class="muted small">{isOwn ? tRays(`opening.${stage}`) : tRays('opening.waiting')}</span>
      {session.facts.value !== null && (
        <Button class="compact" onClick={() => session.giveUpOpening()}>
          {t('experiment.cancel')}
        </Button>
      )}
    </div>
  );
}
