/** Inspector: properties of the selected body. */
import { useRef } from 'preact/hooks';

import { Button } from '../../../shared/ui/button.tsx';
import { Check, FieldErrorText } from '../../../shared/ui/fields.tsx';
import { t } from '../../../shared/i18n/translate.ts';
import type { CommitCallback } from '../../../shared/ui/form-entry.ts';
import { type Limits, NumberRow, TextRow, VectorRow } from '../../../shared/ui/number-rows.tsx';
import { errorText } from '../i18n/engine-errors.ts';
import { bodyName } from '../i18n/body-names.ts';
import { shapeName } from '../i18n/names.ts';
import type { BodyJson } from '../workers/protocol.ts';
import type { Session } from '../state/session.ts';
import { ShapeFields } from './shape-fields.tsx';
import { fromDegrees, toDegrees } from '../state/euler-angles.ts';
import { t3d } from '../i18n/translate.ts';

/** Defaults for absent keys of the scene file. */
const DEFAULTS = { restitution: 0, friction: 0.5 };

export function Inspector({ session }: { session: Session }) {
  const [row, body, key] = [session.selection.row.value, session.selection.json.value, session.selection.key.value];
  const title = useRef<HTMLHeadingElement>(null);
  return (
    <section class={`panel panel-selection ${key === null ? '' : 'kept'}`} aria-labelledby="selection-title">
      <div class="panel-head">
        {row !== null && <span class="swatch swatch-selected" aria-hidden="true" />}
        <h2 id="selection-title" ref={title} tabIndex={-1} title={row === null ? undefined : bodyName(row.name)}>
          {row === null ? t3d('inspect.none') : bodyName(row.name)}
        </h2>
        {row !== null && <span class="muted small">{shapeName(row.shape)}</span>}
        {key !== null && (
          <Button
            class="compact end"
            onClick={() => {
              session.selection.select(null);
              title.current?.focus();
            }}
          >
            {t('selection.clear')}
          </Button>
        )}
      </div>
      {key === null ? <p class="muted small">{t3d('inspect.hint')}</p> : <BodyFields session={session} body={body} id={key} />}
    </section>
  );
}

/** Only values of the body in the title; empty rows until they arrive. */
function BodyFields({ session, body, id }: { session: Session; body: BodyJson | null; id: number }) {
  const place = useRef<HTMLDivElement>(null);
  const room = body === null ? place.current?.offsetHeight : undefined;
  return (
    <div ref={place} aria-busy={body === null} style={room === undefined ? {} : { minHeight: `${room}px` }}>
      {body !== null && <BodyForm key={`${session.openings.value} ${id}`} session={session} body={body} id={id} />}
    </div>
  );
}

function BodyForm({ session, body, id }: { session: Session; body: BodyJson; id: number }) {
  const change = (json: object, onResult?: CommitCallback): void => session.edit({ do: 'change', key: id, json }, 'body', onResult);
  const editError = session.editError.value;
  const isStatic = body.type === 'fixed';
  const farthest = session.catalog.value?.farthest ?? Infinity;
  const places: Limits = { min: -farthest, max: farthest };
  return (
    <form class="fields" onSubmit={(event) => event.preventDefault()} noValidate>
      <FieldErrorText id="body-problem" {...errorText(editError?.by === 'body' ? editError.error : undefined)} />
      <TextRow
        id="body-name"
        label={t3d('inspect.name')}
        value={bodyName(body.name ?? '')}
        onCommit={(name, onResult) => change({ name: name.trim() === '' ? null : name.trim() }, onResult)}
      />
      <ShapeFields shape={body.shape} onCommit={(shape, onResult) => change({ shape }, onResult)} />
      <Material body={body} isStatic={isStatic} change={change} />
      <VectorRow
        id="body-position"
        label={t3d('inspect.position')}
        name={(axis) => t3d('inspect.position-of', { axis })}
        value={body.position}
        limits={places}
        moves
        onCommit={(_, onResult, position) => change({ position }, onResult)}
      />
      <VectorRow
        id="body-turn"
        label={t3d('inspect.turn')}
        name={(axis) => t3d('inspect.turn-of', { axis })}
        value={toDegrees(body.orientation)}
        moves
        onCommit={(degrees, onResult) => change({ orientation: fromDegrees(degrees) }, onResult)}
      />
      {!isStatic && (
        <>
          <VectorRow
            id="body-velocity"
            label={t3d('inspect.velocity')}
            name={(axis) => t3d('inspect.velocity-of', { axis })}
            value={body.velocity}
            moves
            onCommit={(_, onResult, velocity) => change({ velocity }, onResult)}
          />
          <VectorRow
            id="body-spin"
            label={t3d('inspect.spin')}
            name={(axis) => t3d('inspect.spin-of', { axis })}
            value={body.angular_velocity}
            moves
            onCommit={(_, onResult, spin) => change({ angular_velocity: spin }, onResult)}
          />
        </>
      )}
      <Check checked={isStatic} onChange={(on) => change(on ? { type: 'fixed' } : { type: null, mass: body.mass ?? 1 })}>
        {t3d('inspect.static')}
      </Check>
    </form>
  );
}

interface MaterialProps {
  body: BodyJson;
  isStatic: boolean;
  change: (json: object, onResult: CommitCallback) => void;
}

function Material({ body, isStatic, change }: MaterialProps) {
  return (
    <>
      {!isStatic && (
        <NumberRow
          id="body-mass"
          label={t3d('inspect.mass')}
          value={body.mass ?? 0}
          limits={{ above: 0 }}
          onCommit={(mass, onResult) => change({ mass }, onResult)}
        />
      )}
      <NumberRow
        id="body-restitution"
        label={t3d('inspect.restitution')}
        value={body.restitution ?? DEFAULTS.restitution}
        limits={{ min: 0, max: 1 }}
        onCommit={(restitution, onResult) => change({ restitution }, onResult)}
      />
      <NumberRow
        id="body-friction"
        label={t3d('inspect.friction')}
        value={body.friction ?? DEFAULTS.friction}
        limits={{ min: 0 }}
        onCommit={(friction, onResult) => change({ friction }, onResult)}
      />
    </>
  );
}
