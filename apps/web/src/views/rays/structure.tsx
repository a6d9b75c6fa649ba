/** Which structure is looked into, and what does it take? */
import { Button, Keycap } from '../../shared/button.tsx';
import { Check, Segments } from '../../shared/fields.tsx';
import { language, words } from '../../shared/i18n.ts';
import { bytes, fixed, plain, significant } from '../../shared/numbers.ts';
import { Facts } from './facts.tsx';
import { type Technique, TECHNIQUES } from './protocol.ts';
import type { Session } from './session.ts';
import { wordsRays } from './words.ts';

export function StructurePanel({ session }: { session: Session }) {
  const technique = session.chosen.technique.value;
  return (
    <section class="panel panel-structure" aria-labelledby="structure-title">
      <div class="panel-head">
        <h2 id="structure-title">{wordsRays('structure.title')}</h2>
      </div>
      <Segments<Technique>
        name="structure"
        label={wordsRays('structure.title')}
        value={technique}
        choices={TECHNIQUES.map((value) => ({ value, label: wordsRays(`structure.${value}`), hint: wordsRays(`structure.${value}-name`) }))}
        onChange={(value) => session.chosen.chooseTechnique(value)}
      />
      <Told session={session} />
      {technique !== 'brute' && <Depth session={session} />}
    </section>
  );
}

function Told({ session }: { session: Session }) {
  const technique = session.chosen.technique.value;
  const told = session.answers.structures.value[technique];
  const spoken = language.value;
  if (told === undefined) {
    if (session.answers.working.value === technique) return <p class="muted small structure-note">{wordsRays('structure.building')}</p>;
    if (session.answers.leftOut.value !== technique) return <p class="muted small structure-note">{wordsRays('structure.waiting')}</p>;
    return (
      <div class="structure-note">
        <p class="muted small">{wordsRays('structure.left-out')}</p>
        <Button class="compact" onClick={() => session.build(technique)}>
          {wordsRays('structure.build-now')}
        </Button>
      </div>
    );
  }
  const hasTree = told.boxes > 0;
  return (
    <>
      {!hasTree && <p class="muted small structure-note">{wordsRays('structure.brute-about')}</p>}
      <Facts
        rows={[
          hasTree ? [wordsRays('structure.boxes'), plain(told.boxes, spoken)] : null,
          hasTree ? [wordsRays('structure.leaves'), plain(told.leaves, spoken)] : null,
          hasTree ? [wordsRays('structure.deepest'), plain(told.deepest + 1, spoken)] : null,
          hasTree ? [wordsRays('structure.references'), fixed(told.references, 2, spoken)] : null,
          [words('live.bytes'), bytes(told.bytes, spoken)],
          [wordsRays('structure.build'), `${significant(told.build_s * 1e3, 3, spoken)} ms`],
        ]}
      />
      {told.budget !== null && <p class="muted small">{wordsRays('structure.budget', { bytes: bytes(told.budget, spoken) })}</p>}
    </>
  );
}

function Depth({ session }: { session: Session }) {
  const depth = Math.min(session.chosen.depth.value, session.deepest.value);
  return (
    <div class="structure-draw">
      <Check checked={session.chosen.drawsBoxes.value} onChange={(on) => session.chosen.drawBoxes(on)}>
        <span class="mark" aria-hidden="true" />
        {wordsRays('structure.draw')}
        <Keycap>O</Keycap>
      </Check>
      <label class="slider-row">
        <span class="muted">{wordsRays('structure.depth')}</span>
        <input
          id="depth"
          type="range"
          min={0}
          max={session.deepest.value}
          step={1}
          value={depth}
          disabled={!session.chosen.drawsBoxes.value}
          onInput={(event) => (session.chosen.depth.value = event.currentTarget.valueAsNumber)}
        />
        <strong>{plain(depth, language.value)}</strong>
      </label>
    </div>
  );
}
