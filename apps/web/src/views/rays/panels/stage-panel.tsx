/** Stage panel: mesh, ray, traversal playback and legend. */
import { useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';

import { Button } from '../../../shared/ui/button.tsx';
import { copy } from '../../../shared/downloads.ts';
import { Segments } from '../../../shared/ui/fields.tsx';
import { language, t } from '../../../shared/i18n/translate.ts';
import { formatSignificant } from '../../../shared/i18n/number-format.ts';
import { StageElement } from '../../../shared/stage/stage-element.tsx';
import { Toolbar } from '../../../shared/stage/toolbar.tsx';
import { ZoomButtons } from '../../../shared/stage/zoom-buttons.tsx';
import { showToast } from '../../../shell/status.tsx';
import { distanceAt, hitParameter, stageLabel } from '../state/describe.ts';
import { volumeOf } from '../state/mesh-names.ts';
import type { ViewRays } from '../state/pointer.ts';
import { type Click, CLICKS, type TagName } from '../workers/protocol.ts';
import type { Session } from '../state/session.ts';
import { tRays } from '../i18n/translate.ts';

export function StagePanel({ session, view }: { session: Session; view: ViewRays }) {
  return (
    <section class="panel panel-stage" aria-labelledby="stage-title">
      <div class="panel-head">
        <h2 id="stage-title">{session.title()}</h2>
        <p class="muted small stage-line">{lineOf(session)}</p>
        <div class="end files">
          <Button class="compact" disabled={session.facts.value === null} onClick={() => void copyLink(session)}>
            {tRays('stage.link')}
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
        note={session.hasNoRenderer.value ? tRays('stage.unseen') : null}
        ratio={0.62}
      >
        <p class="stage-drop" aria-hidden="true">
          {tRays('stage.drop')}
        </p>
        <div class="stage-colours">
          <span class="small muted" aria-hidden="true">
            {tRays('stage.click')}
          </span>
          <Segments<Click>
            name="click"
            label={tRays('stage.click')}
            compact
            value={session.selection.click.value}
            choices={CLICKS.map((value) => ({ value, label: tRays(`stage.click.${value}`), hint: tRays(`stage.click.${value}-about`) }))}
            onChange={(click) => session.selection.chooseClick(click)}
          />
          <ClickHint session={session} />
        </div>
        <div class="stage-foot">
          <Legend session={session} />
          <ZoomButtons zoom={(factor) => view.zoom(factor)} fit={() => view.home()} />
        </div>
        {(['origin', 'hit', 'a', 'b'] as const).map((name) => (
          <TagLabel key={name} session={session} name={name} />
        ))}
      </StageElement>
      <Toolbar playback={session}>
        <Steps session={session} />
      </Toolbar>
    </section>
  );
}

function lineOf(session: Session): string {
  const own = session.results.cast.value?.structures.find(({ name }) => name === session.selection.technique.value);
  if (own === undefined) return '';
  const ray = session.selection.ray.value;
  const hit =
    own.t === null || ray === null
      ? tRays('stage.miss')
      : tRays('stage.hit', { distance: formatSignificant(distanceAt(ray, own.t), 5, language.value), t: formatSignificant(own.t, 5, language.value) });
  return own.name === 'brute'
    ? tRays('stage.line-brute', { tests: own.tests, hit })
    : tRays(`stage.line-${volumeOf(own.name)}`, { cells: own.boxes, tests: own.tests, hit });
}

async function copyLink(session: Session): Promise<void> {
  const link = session.link();
  const source = session.source.value;
  if (!(await copy(link))) showToast(() => link);
  else if (source !== null && 'file' in source) showToast(() => tRays('stage.link-file'));
  else showToast(() => t('announce.link'));
}

/** What the next of two clicks does. */
function ClickHint({ session }: { session: Session }) {
  const { click, placed } = session.selection;
  if (click.value !== 'points' && click.value !== 'sight') return null;
  return <p class="small click-hint">{tRays(placed.value === null ? 'stage.place-first' : 'stage.place-second')}</p>;
}

/** Position of the traversal playback. */
function Steps({ session }: { session: Session }) {
  const { step, count } = session.results.playback;
  const volume = volumeOf(session.selection.technique.value);
  const stepLabel = tRays(`stage.step-${volume}`, { step: step.value, all: count.value });
  return (
    <label class="steps">
      <span class="muted small" data-step={step.value} data-steps={count.value}>
        {stepLabel}
      </span>
      <input
        id="walk-step"
        type="range"
        min={0}
        max={Math.max(1, count.value)}
        step={1}
        value={step.value}
        disabled={!session.canPlay.value}
        aria-label={tRays('stage.step-slider')}
        aria-valuetext={stepLabel}
        onInput={(event) => session.results.playback.go(event.currentTarget.valueAsNumber)}
      />
    </label>
  );
}

/** Label of an object on the stage; it moves without re-rendering. */
function TagLabel({ session, name }: { session: Session; name: Exclude<TagName, 'block'> }) {
  const label = useRef<HTMLSpanElement>(null);
  useSignalEffect(() => {
    const tag = session.tags.value.find((tag) => tag.name === name);
    if (label.current === null) return;
    label.current.hidden = tag === undefined;
    if (tag === undefined) return;
    label.current.style.transform = `translate(${tag.x.toFixed(1)}px, ${tag.y.toFixed(1)}px)`;
    // On the side that has room for it.
    label.current.classList.toggle('at-left', tag.x > (label.current.parentElement?.clientWidth ?? 0) / 2);
  });
  const [ray, hit] = [session.selection.ray.value, hitParameter(session)];
  return (
    <span class={`stage-tag stage-tag-${name} small`} ref={label} aria-hidden="true" hidden>
      {name === 'a' || name === 'b' ? (
        <span>{name.toUpperCase()}</span>
      ) : (
        <span>
          {tRays(`tag.${name}`)}
          {name === 'hit' && hit !== null && ray !== null && (
            <strong>
              {' '}
              {tRays('tag.hit-at', { distance: formatSignificant(distanceAt(ray, hit), 4, language.value), t: formatSignificant(hit, 4, language.value) })}
            </strong>
          )}
        </span>
      )}
    </span>
  );
}

function Legend({ session }: { session: Session }) {
  const marks = [
    ...(session.selection.drawsBoxes.value && session.selection.technique.value !== 'brute' ? (['boxes'] as const) : []),
    ...(session.canPlay.value ? (['visited', 'now'] as const) : []),
    ...(session.results.playback.tested().length > 0 ? (['tested'] as const) : []),
    ...(session.results.cast.value?.at == null ? [] : (['hit', 'normal'] as const)),
  ];
  return (
    <ul class="stage-legend stage-legend-3d" aria-label={t('stage.legend')}>
      {marks.map((mark) => (
        <li key={mark}>
          <span class={`swatch-ray swatch-ray-${mark}`} aria-hidden="true" />
          {tRays(`legend.${mark}`)}
        </li>
      ))}
    </ul>
  );
}
