/** What is the selected body, and what should it be? */
import { useRef } from 'preact/hooks';

import { Button } from '../../shared/button.tsx';
import { Check, FieldProblem } from '../../shared/fields.tsx';
import { words } from '../../shared/i18n.ts';
import type { Answered } from '../../shared/entry.ts';
import { type Limits, type Part, PartsRow, TextRow, VectorRow } from '../../shared/number-rows.tsx';
import { errorTold } from './engine-errors.ts';
import { shapeName } from './names.ts';
import type { BodyWords } from './protocol.ts';
import type { Session } from './session.ts';
import { ShapeFields } from './shape-fields.tsx';
import { fromDegrees, toDegrees } from './turns.ts';
import { words3d } from './words.ts';

/** What a body has whose words say nothing of it. */
const USUAL = { restitution: 0, friction: 0.5 };

export function Inspector({ session }: { session: Session }) {
  const [row, body, key] = [session.selection.row.value, session.selection.words.value, session.selection.key.value];
  const title = useRef<HTMLHeadingElement>(null);
  return (
    <section class={`panel panel-selection ${key === null ? '' : 'kept'}`} aria-labelledby="selection-title">
      <div class="panel-head">
        {row !== null && <span class="swatch swatch-selected" aria-hidden="true" />}
        <h2 id="selection-title" ref={title} tabIndex={-1} title={row?.name}>
          {row?.name ?? words3d('inspect.none')}
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
            {words('selection.clear')}
          </Button>
        )}
      </div>
      {key === null ? <p class="muted small">{words3d('inspect.hint')}</p> : <Told session={session} body={body} id={key} />}
    </section>
  );
}

/** The numbers of the body that is named above, and of no other: room for them until they were told. */
function Told({ session, body, id }: { session: Session; body: BodyWords | null; id: number }) {
  const place = useRef<HTMLDivElement>(null);
  const room = body === null ? place.current?.offsetHeight : undefined;
  return (
    <div ref={place} aria-busy={body === null} style={room === undefined ? {} : { minHeight: `${room}px` }}>
      {body !== null && <BodyForm key={`${session.openings.value} ${id}`} session={session} body={body} id={id} />}
    </div>
  );
}

function BodyForm({ session, body, id }: { session: Session; body: BodyWords; id: number }) {
  const change = (words: object, answered?: Answered): void => session.edit({ do: 'change', key: id, words }, 'body', answered);
  const refusal = session.refusal.value;
  const isStatic = body.type === 'fixed';
  const farthest = session.catalogue.value?.farthest ?? Infinity;
  const places: Limits = { least: -farthest, most: farthest };
  return (
    <form class="fields" onSubmit={(event) => event.preventDefault()} noValidate>
      <FieldProblem id="body-problem" {...errorTold(refusal?.by === 'body' ? refusal.error : undefined)} />
      <TextRow
        id="body-name"
        label={words3d('inspect.name')}
        value={body.name ?? ''}
        onCommit={(name, answered) => change({ name: name.trim() === '' ? null : name.trim() }, answered)}
      />
      <ShapeFields shape={body.shape} onCommit={(shape, answered) => change({ shape }, answered)} />
      <Material key={String(isStatic)} body={body} isStatic={isStatic} change={change} />
      <VectorRow
        id="body-position"
        label={words3d('inspect.position')}
        name={(axis) => words3d('inspect.position-of', { axis })}
        value={body.position}
        limits={places}
        moves
        onCommit={(_, answered, position) => change({ position }, answered)}
      />
      <VectorRow
        id="body-turn"
        label={words3d('inspect.turn')}
        name={(axis) => words3d('inspect.turn-of', { axis })}
        value={toDegrees(body.orientation)}
        moves
        onCommit={(degrees, answered) => change({ orientation: fromDegrees(degrees) }, answered)}
      />
      {!isStatic && (
        <>
          <VectorRow
            id="body-velocity"
            label={words3d('inspect.velocity')}
            name={(axis) => words3d('inspect.velocity-of', { axis })}
            value={body.velocity}
            moves
            onCommit={(_, answered, velocity) => change({ velocity }, answered)}
          />
          <VectorRow
            id="body-spin"
            label={words3d('inspect.spin')}
            name={(axis) => words3d('inspect.spin-of', { axis })}
            value={body.angular_velocity}
            moves
            onCommit={(_, answered, spin) => change({ angular_velocity: spin }, answered)}
          />
        </>
      )}
      <Check checked={isStatic} onChange={(on) => change(on ? { type: 'fixed' } : { type: null, mass: body.mass ?? 1 })}>
        {words3d('inspect.static')}
      </Check>
    </form>
  );
}

interface MaterialProps {
  body: BodyWords;
  isStatic: boolean;
  change: (words: object, answered: Answered) => void;
}

function Material({ body, isStatic, change }: MaterialProps) {
  const mass: Part = {
    id: 'body-mass',
    name: words3d('inspect.mass'),
    short: 'm',
    value: body.mass ?? 0,
    limits: { above: 0 },
    onCommit: (mass, answered) => change({ mass }, answered),
  };
  const restitution: Part = {
    id: 'body-restitution',
    name: words3d('inspect.restitution'),
    short: 'e',
    value: body.restitution ?? USUAL.restitution,
    limits: { least: 0, most: 1 },
    onCommit: (restitution, answered) => change({ restitution }, answered),
  };
  const friction: Part = {
    id: 'body-friction',
    name: words3d('inspect.friction'),
    short: 'μ',
    value: body.friction ?? USUAL.friction,
    limits: { least: 0 },
    onCommit: (friction, answered) => change({ friction }, answered),
  };
  return <PartsRow label={words3d('inspect.material')} parts={[...(isStatic ? [] : [mass]), restitution, friction]} />;
}
