/** List of static obstacles: select, add, remove. */
import { useLayoutEffect, useRef } from 'preact/hooks';

import { Button } from '../../../shared/ui/button.tsx';
import { language } from '../../../shared/i18n/translate.ts';
import { formatFixed } from '../../../shared/i18n/number-format.ts';
import { AXES } from '../../../shared/vector.ts';
import { ROW } from '../workers/protocol.ts';
import type { Session } from '../state/session.ts';
import { t3d } from '../i18n/translate.ts';

/** Maximum number of listed obstacles; the table of bodies has all. */
const MOST = 12;
/** Half edge in m. */
const HALF = 0.5;

export function Obstacles({ session }: { session: Session }) {
  const rows = session.report.value?.rows;
  const still = session.bodies.value.flatMap((body, place) => (body.type === 'fixed' ? [{ body, place }] : []));
  const list = useRef<HTMLUListElement>(null);
  const addButton = useRef<HTMLDivElement>(null);
  /** Index of the row that was removed by its own button, to restore the focus. */
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
    const json = {
      name: t3d('env.obstacle'),
      shape: { box: { half: [HALF, HALF, HALF] } },
      type: 'fixed',
    };
    session.edit({ do: 'add', json, where: 'ground' }, 'objects');
  };
  return (
    <fieldset class="fields obstacles-fields">
      <legend>{t3d('env.obstacles')}</legend>
      {still.length === 0 && <p class="field-note">{t3d('env.no-obstacles')}</p>}
      {still.length > 0 && (
        <div class="obstacles-head muted small" aria-hidden="true">
          {AXES.map((axis) => (
            <span key={axis} class="obstacle-place">
              {t3d('objects.place', { axis })}
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
                {formatFixed(rows?.[place * ROW.size + ROW.place + column] ?? Number.NaN, 2, language.value)}
              </span>
            ))}
            <Button
              class="compact square obstacle-remove"
              label={t3d('env.remove', { name: body.name })}
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
      {still.length > MOST && <p class="field-note">{t3d('env.more-obstacles', { count: still.length - MOST })}</p>}
      <div ref={addButton} class="obstacle-add">
        <Button class="compact" disabled={!session.canPlay.value} onClick={add}>
          {t3d('env.add-obstacle')}
        </Button>
      </div>
    </fieldset>
  );
}
