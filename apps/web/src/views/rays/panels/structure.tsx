/** Inspected structure: build time, memory, depth. */
import { Button, Keycap } from '../../../shared/ui/button.tsx';
import { Check, Segments } from '../../../shared/ui/fields.tsx';
import { language, t } from '../../../shared/i18n/translate.ts';
import { formatBytes, formatFixed, formatNumber, formatSignificant } from '../../../shared/i18n/number-format.ts';
import { FactList } from './fact-list.tsx';
import { isForComparison, volumeOf } from '../state/mesh-names.ts';
import { type Technique, TECHNIQUES } from '../workers/protocol.ts';
import type { Session } from '../state/session.ts';
import { tRays } from '../i18n/translate.ts';

export function StructurePanel({ session }: { session: Session }) {
  const technique = session.selection.technique.value;
  return (
    <section class="panel panel-structure" aria-labelledby="structure-title">
      <div class="panel-head">
        <h2 id="structure-title">{tRays('structure.title')}</h2>
      </div>
      <Segments<Technique>
        name="structure"
        label={tRays('structure.which')}
        value={technique}
        choices={TECHNIQUES.map((value) => ({ value, label: tRays(`structure.${value}-name`) }))}
        onChange={(value) => session.selection.chooseTechnique(value)}
      />
      <StructureFacts session={session} />
      {technique !== 'brute' && <Depth session={session} />}
    </section>
  );
}

function StructureFacts({ session }: { session: Session }) {
  const technique = session.selection.technique.value;
  const structure = session.results.structures.value[technique];
  const locale = language.value;
  if (structure === undefined) {
    if (session.results.working.value === technique) return <p class="muted small structure-note">{tRays('structure.building')}</p>;
    if (!session.results.leftOut.value.includes(technique)) return <p class="muted small structure-note">{tRays('structure.waiting')}</p>;
    return (
      <div class="structure-note">
        <p class="muted small">{tRays(isForComparison(technique) ? 'structure.on-request' : 'structure.left-out')}</p>
        <Button class="compact" onClick={() => session.build(technique)}>
          {tRays('structure.build-now')}
        </Button>
      </div>
    );
  }
  const hasTree = structure.boxes > 0;
  return (
    <>
      {!hasTree && <p class="muted small structure-note">{tRays('structure.brute-about')}</p>}
      <FactList
        rows={[
          hasTree ? [tRays(`structure.count-${volumeOf(technique)}`), formatNumber(structure.boxes, locale)] : null,
          hasTree ? [tRays('structure.leaves'), formatNumber(structure.leaves, locale)] : null,
          hasTree ? [tRays('structure.deepest'), formatNumber(structure.deepest + 1, locale)] : null,
          hasTree ? [tRays('structure.references'), formatFixed(structure.references, 2, locale)] : null,
          [t('live.bytes'), formatBytes(structure.bytes, locale)],
          [tRays('structure.build'), `${formatSignificant(structure.build_s * 1e3, 3, locale)} ms`],
        ]}
      />
      {structure.budget !== null && <p class="muted small">{tRays('structure.budget', { bytes: formatBytes(structure.budget, locale) })}</p>}
    </>
  );
}

function Depth({ session }: { session: Session }) {
  const depth = Math.min(session.selection.depth.value, session.deepest.value);
  return (
    <div class="structure-draw">
      <Check checked={session.selection.drawsBoxes.value} onChange={(on) => session.selection.drawBoxes(on)}>
        <span class="mark" aria-hidden="true" />
        {tRays('structure.draw')}
        <Keycap>O</Keycap>
      </Check>
      <label class="slider-row">
        <span class="muted">{tRays('structure.depth')}</span>
        <input
          id="depth"
          type="range"
          min={0}
          max={session.deepest.value}
          step={1}
          value={depth}
          disabled={!session.selection.drawsBoxes.value}
          onInput={(event) => (session.selection.depth.value = event.currentTarget.valueAsNumber)}
        />
        <strong>{formatNumber(depth, language.value)}</strong>
      </label>
    </div>
  );
}
