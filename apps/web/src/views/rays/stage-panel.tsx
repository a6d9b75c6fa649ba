/** The stage: the mesh, the ray in it, how it is followed, and what the marks mean. */
import { useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';

import { Button } from '../../shared/button.tsx';
import { copy } from '../../shared/downloads.ts';
import { Segments } from '../../shared/fields.tsx';
import { language, words } from '../../shared/i18n.ts';
import { significant } from '../../shared/numbers.ts';
import { StageElement } from '../../shared/stage/stage-element.tsx';
import { Toolbar } from '../../shared/stage/toolbar.tsx';
import { ViewTools } from '../../shared/stage/view-tools.tsx';
import { tell } from '../../shell/status.tsx';
import { hitOf, stageLabel } from './describe.ts';
import type { ViewRays } from './pointer.ts';
import { type Click, CLICKS, type TagName } from './protocol.ts';
import type { Session } from './session.ts';
import { wordsRays } from './words.ts';

export function StagePanel({ session, view }: { session: Session; view: ViewRays }) {
  return (
    <section class="panel panel-stage" aria-labelledby="stage-title">
      <div class="panel-head">
        <h2 id="stage-title">{session.title()}</h2>
        <p class="muted small stage-line">{lineOf(session)}</p>
        <div class="end files">
          <Button class="compact" disabled={session.facts.value === null} onClick={() => void copyLink(session)}>
            {wordsRays('stage.link')}
          </Button>
        </div>
      </div>
      <StageElement
        label={stageLabel(session)}
        describe={() => session.describe()}
        open={(element) => {
          session.open(element);
          return view.listen(element);
        }}
        note={session.isUnseen.value ? wordsRays('stage.unseen') : null}
        ratio={0.62}
      >
        <p class="stage-drop" aria-hidden="true">
          {wordsRays('stage.drop')}
        </p>
        <div class="stage-colours">
          <span class="small muted" aria-hidden="true">
            {wordsRays('stage.click')}
          </span>
          <Segments<Click>
            name="click"
            label={wordsRays('stage.click')}
            compact
            value={session.chosen.click.value}
            choices={CLICKS.map((value) => ({ value, label: wordsRays(`stage.click.${value}`), hint: wordsRays(`stage.click.${value}-about`) }))}
            onChange={(click) => session.chosen.chooseClick(click)}
          />
        </div>
        <div class="stage-foot">
          <Legend session={session} />
          <ViewTools zoom={(factor) => view.zoom(factor)} fit={() => view.home()} />
        </div>
        {(['origin', 'hit', 'a', 'b'] as const).map((name) => (
          <TagLabel key={name} session={session} name={name} />
        ))}
      </StageElement>
      <Toolbar driver={session}>
        <Steps session={session} />
      </Toolbar>
    </section>
  );
}

function lineOf(session: Session): string {
  const own = session.answers.cast.value?.structures.find(({ name }) => name === session.chosen.technique.value);
  if (own === undefined) return '';
  const hit = own.t === null ? wordsRays('stage.miss') : wordsRays('stage.hit', { t: significant(own.t, 5, language.value) });
  return wordsRays('stage.line', { cells: own.boxes, tests: own.tests, hit });
}

async function copyLink(session: Session): Promise<void> {
  const link = session.link();
  const source = session.source.value;
  if (!(await copy(link))) tell(() => link);
  else if (source !== null && 'file' in source) tell(() => wordsRays('stage.link-file'));
  else tell(() => words('said.link'));
}

/** How far the ray is followed. */
function Steps({ session }: { session: Session }) {
  const { step, count } = session.answers.walked;
  const told = wordsRays('stage.step-of', { step: step.value, all: count.value });
  return (
    <label class="steps">
      <span class="muted small" data-step={step.value} data-steps={count.value}>
        {told}
      </span>
      <input
        id="walk-step"
        type="range"
        min={0}
        max={Math.max(1, count.value)}
        step={1}
        value={step.value}
        disabled={!session.canDrive.value}
        aria-label={wordsRays('stage.step-slider')}
        aria-valuetext={told}
        onInput={(event) => session.answers.walked.go(event.currentTarget.valueAsNumber)}
      />
    </label>
  );
}

/** A name beside what is drawn; it follows without being made anew. */
function TagLabel({ session, name }: { session: Session; name: Exclude<TagName, 'block'> }) {
  const label = useRef<HTMLSpanElement>(null);
  useSignalEffect(() => {
    const tag = session.tags.value.find((tag) => tag.name === name);
    if (label.current === null) return;
    label.current.hidden = tag === undefined;
    if (tag !== undefined) label.current.style.transform = `translate(${tag.x.toFixed(1)}px, ${tag.y.toFixed(1)}px)`;
  });
  const hit = hitOf(session);
  return (
    <span class={`stage-tag stage-tag-${name} small`} ref={label} aria-hidden="true" hidden>
      {name === 'a' || name === 'b' ? (
        <span>{name.toUpperCase()}</span>
      ) : (
        <span>
          {wordsRays(`tag.${name}`)}
          {name === 'hit' && hit !== null && <strong> {significant(hit, 4, language.value)}</strong>}
        </span>
      )}
    </span>
  );
}

function Legend({ session }: { session: Session }) {
  const marks = [
    ...(session.chosen.drawsBoxes.value && session.chosen.technique.value !== 'brute' ? (['boxes'] as const) : []),
    ...(session.canDrive.value ? (['visited', 'now'] as const) : []),
    ...(session.answers.walked.tested().length > 0 ? (['tested'] as const) : []),
    ...(session.answers.cast.value?.at == null ? [] : (['hit', 'normal'] as const)),
  ];
  return (
    <ul class="stage-legend stage-legend-3d" aria-label={words('stage.legend')}>
      {marks.map((mark) => (
        <li key={mark}>
          <span class={`swatch-ray swatch-ray-${mark}`} aria-hidden="true" />
          {wordsRays(`legend.${mark}`)}
        </li>
      ))}
    </ul>
  );
}
