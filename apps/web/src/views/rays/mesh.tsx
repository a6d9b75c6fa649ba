/** Which mesh is it, and what is it like? A file of the reader's own, or a scene of the studies. */
import { useRef } from 'preact/hooks';

import { Button } from '../../shared/button.tsx';
import { FileProblem } from '../../shared/file-problem.tsx';
import { language, words } from '../../shared/i18n.ts';
import { NumberRow } from '../../shared/number-rows.tsx';
import { plain, significant } from '../../shared/numbers.ts';
import { Facts } from './facts.tsx';
import { sceneName } from './names.ts';
import type { Session } from './session.ts';
import { wordsRays } from './words.ts';

const ACCEPTED = '.obj,.stl,.ply,.gltf,.glb,.gz,.txt,.tri,model/obj,model/stl,model/gltf+json,model/gltf-binary';
const OWN = 'own file';
/** A new random scene has so many triangles. */
const USUAL_COUNT = 2000;

export function MeshPanel({ session }: { session: Session }) {
  const input = useRef<HTMLInputElement>(null);
  const [catalogue, source, facts] = [session.catalogue.value, session.source.value, session.facts.value];
  const made = source !== null && 'scene' in source ? source : null;
  const isRandom = catalogue?.scenes.find(({ name }) => name === made?.scene)?.isRandom === true;
  const spoken = language.value;
  return (
    <section class="panel panel-form panel-mesh" aria-labelledby="mesh-title">
      <div class="panel-head">
        <h2 id="mesh-title">{wordsRays('mesh.title')}</h2>
      </div>
      <div class="fields">
        <div class="mesh-choice">
          <select
            id="scene"
            class="select"
            aria-label={wordsRays('mesh.which')}
            value={source === null ? '' : (made?.scene ?? OWN)}
            disabled={catalogue === null}
            onChange={(event) => {
              const scene = event.currentTarget.value;
              // The list tells what is shown, until something else is.
              event.currentTarget.value = source === null ? '' : (made?.scene ?? OWN);
              if (scene !== OWN) session.openScene(scene, made?.count ?? USUAL_COUNT, made?.seed ?? 1);
            }}
          >
            {source !== null && 'file' in source && <option value={OWN}>{wordsRays('mesh.own', { name: source.file.name })}</option>}
            {catalogue?.scenes.map(({ name }) => (
              <option key={name} value={name}>
                {sceneName(name)}
              </option>
            ))}
          </select>
          <Button label={wordsRays('stage.open-file')} onClick={() => input.current?.click()}>
            {wordsRays('stage.open')}
          </Button>
          <input
            ref={input}
            class="visually-hidden"
            type="file"
            accept={ACCEPTED}
            tabIndex={-1}
            aria-label={wordsRays('stage.open-file')}
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              if (file !== undefined) session.openFile(file);
              event.currentTarget.value = '';
            }}
          />
        </div>
        <p class="muted small">{wordsRays('mesh.drop')}</p>
        {isRandom && made !== null && catalogue !== null && (
          <>
            <NumberRow
              id="count"
              label={wordsRays('mesh.count')}
              value={made.count}
              limits={{ whole: true, least: 1, most: catalogue.mostRandom }}
              onCommit={(count, answered) => {
                session.openScene(made.scene, count, made.seed);
                answered(null);
              }}
            />
            <NumberRow
              id="seed"
              label={words('form.seed')}
              value={made.seed}
              limits={{ whole: true, least: 0, most: 2 ** 32 - 1 }}
              onCommit={(seed, answered) => {
                session.openScene(made.scene, made.count, seed);
                answered(null);
              }}
            />
          </>
        )}
      </div>
      <Opening session={session} />
      {session.refusal.value !== null && (
        <FileProblem title={wordsRays('file.title')} told={session.refusal.value.told()} onClose={() => (session.refusal.value = null)} />
      )}
      {facts !== null && (
        <Facts
          rows={[
            [wordsRays('mesh.triangles'), <strong data-triangles={facts.triangles}>{plain(facts.triangles, spoken)}</strong>],
            [wordsRays('mesh.vertices'), plain(facts.vertices, spoken)],
            [wordsRays('mesh.size'), facts.max.map((greatest, axis) => significant(greatest - facts.min[axis]!, 4, spoken)).join(' × ')],
            facts.degenerate > 0 ? [wordsRays('mesh.degenerate'), plain(facts.degenerate, spoken)] : null,
            facts.format === null ? null : [wordsRays('mesh.format'), /^nine/.test(facts.format) ? wordsRays('mesh.format-text') : facts.format],
          ]}
        />
      )}
    </section>
  );
}

/** What is being opened, how far it is, and how to give it up. */
function Opening({ session }: { session: Session }) {
  const opening = session.opening.value;
  if (opening === null) return null;
  const { name, stage } = opening;
  const isOwn = stage === 'reading' || stage === 'parsing' || stage === 'drawing';
  return (
    <div class="opening" role="group" aria-label={wordsRays('opening.title', { name })}>
      <strong class="opening-name">{wordsRays('opening.title', { name })}</strong>
      <progress aria-label={wordsRays('opening.title', { name })} />
      <span class="muted small">{isOwn ? wordsRays(`opening.${stage}`) : wordsRays('opening.waiting')}</span>
      {session.facts.value !== null && (
        <Button class="compact" onClick={() => session.giveUpOpening()}>
          {words('lab.cancel')}
        </Button>
      )}
    </div>
  );
}
