/** What stands in the way, and never moves? Listed, selected, added and taken away. */
import { useLayoutEffect, useRef } from 'preact/hooks';

import { Button } from '../../shared/button.tsx';
import { language } from '../../shared/i18n.ts';
import { fixed } from '../../shared/numbers.ts';
import { ROW } from './protocol.ts';
import type { Session } from './session.ts';
import { words3d } from './words.ts';

/** More are not listed here; the table of objects has them all. */
const MOST = 12;
const HALF = 0.5;
/** From one new obstacle to the next. */
const APART = 1.2;

export function Obstacles({ session }: { session: Session }) {
  const rows = session.report.value?.rows;
  const still = session.bodies.value.flatMap((body, place) => (body.kind === 'static' ? [{ body, place }] : []));
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
      position: freePlace(rows),
      static: true,
    };
    session.edit({ do: 'add', words }, 'objects');
  };
  return (
    <fieldset class="fields obstacles-fields">
      <legend>{words3d('env.obstacles')}</legend>
      {still.length === 0 && <p class="field-note">{words3d('env.no-obstacles')}</p>}
      <ul class="obstacles" ref={list}>
        {still.slice(0, MOST).map(({ body, place }, row) => (
          <li key={body.key}>
            <button type="button" class="obstacle-name" onClick={() => session.select(body.key)}>
              {body.name}
            </button>
            <span class="muted small">
              {[0, 1, 2].map((axis) => fixed(rows?.[place * ROW.size + ROW.place + axis] ?? Number.NaN, 2, language.value)).join('  ')}
            </span>
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

/** On the ground, the first place along x that is no other body's middle. */
function freePlace(rows: Float32Array | undefined): [number, number, number] {
  const isTaken = (x: number): boolean => {
    for (let at = 0; at < (rows?.length ?? 0); at += ROW.size) {
      const [bx = 0, by = 0, bz = 0] = rows?.subarray(at + ROW.place, at + ROW.place + 3) ?? [];
      if (Math.max(Math.abs(bx - x), Math.abs(by - HALF), Math.abs(bz)) < HALF) return true;
    }
    return false;
  };
  let x = 0;
  while (isTaken(x)) x += APART;
  return [Math.round(x * 100) / 100, HALF, 0];
}
