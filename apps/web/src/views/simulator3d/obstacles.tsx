/** What stands in the way, and never moves? Listed, selected, added and taken away. */
import { useLayoutEffect, useRef } from 'preact/hooks';

import { Button } from '../../shared/button.tsx';
import { language } from '../../shared/i18n.ts';
import { fixed } from '../../shared/numbers.ts';
import { AXES } from '../../shared/vector.ts';
import { ROW } from './protocol.ts';
import type { Session } from './session.ts';
import { words3d } from './words.ts';

/** More are not listed here; the table of objects has them all. */
const MOST = 12;
/** In m. */
const HALF = 0.5;

export function Obstacles({ session }: { session: Session }) {
  const rows = session.report.value?.rows;
  const still = session.bodies.value.flatMap((body, place) => (body.type === 'fixed' ? [{ body, place }] : []));
  const list = useRef<HTMLUListElement>(null);
  const addButton = useRef<HTMLDivElement>(null);
  /** The place of the row that was taken away by its own button, which went with it. */
  const left = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (left.current === null) return;
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>('.obstacle-remove') ?? [])];
    const next = buttons[Math.min(left.current, buttons.length - 1)];
    (next ?? addButton.current?.querySelector('button'))?.focus();
    left.current = null;
  }, [still.length]);
  const add = (): void => {
    left.current = null;
    const words = {
      name: words3d('env.obstacle'),
      shape: { box: { half: [HALF, HALF, HALF] } },
      type: 'fixed',
    };
    session.edit({ do: 'add', words, where: 'ground' }, 'objects');
  };
  return (
    <fieldset class="fields obstacles-fields">
      <legend>{words3d('env.obstacles')}</legend>
      {still.length === 0 && <p class="field-note">{words3d('env.no-obstacles')}</p>}
      {still.length > 0 && (
        <div class="obstacles-head muted small" aria-hidden="true">
          {AXES.map((axis) => (
            <span key={axis} class="obstacle-place">
              {words3d('objects.place', { axis })}
            </span>
          ))}
        </div>
      )}
      <ul class="obstacles" ref={list}>
        {still.slice(0, MOST).map(({ body, place }, row) => (
          <li key={body.key}>
            <button type="button" class="obstacle-name" title={body.name} onClick={() => session.selection.select(body.key)}>
              {body.name}
            </button>
            {AXES.map((axis, column) => (
              <span key={axis} class="muted small obstacle-place">
                {fixed(rows?.[place * ROW.size + ROW.place + column] ?? Number.NaN, 2, language.value)}
              </span>
            ))}
            <Button
              class="compact square obstacle-remove"
              label={words3d('env.remove', { name: body.name })}
              onClick={() => {
                left.current = row;
                session.edit({ do: 'remove', key: body.key }, 'objects');
              }}
            >
              ✕
            </Button>
          </li>
        ))}
      </ul>
      {still.length > MOST && <p class="field-note">{words3d('env.more-obstacles', { count: still.length - MOST })}</p>}
      <div ref={addButton} class="obstacle-add">
        <Button class="compact" disabled={!session.canDrive.value} onClick={add}>
          {words3d('env.add-obstacle')}
        </Button>
      </div>
    </fieldset>
  );
}
