/** List of fixed obstacles: select, add, remove. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

import { Button } from '../../../shared/ui/button.tsx';
import { language } from '../../../shared/i18n/translate.ts';
import { formatFixed } from '../../../shared/i18n/number-format.ts';
import { AXES } from '../../../shared/vector.ts';
import { bodyName } from '../i18n/body-names.ts';
import { ROW } from '../workers/protocol.ts';
import type { Session } from '../state/session.ts';
import { t3d } from '../i18n/translate.ts';

/** Maximum number of listed obstacles; the table of bodies has all. */
const MOST = 12;
/** Shapes in m: a block of 1 m, a level floor without end, a wall of 4 × 2 m, a ramp of 3 m. */
const OBSTACLES = {
  block: { shape: { box: { half: [0.5, 0.5, 0.5] } } },
  floor: { shape: { halfspace: { normal: [0, 1, 0] } } },
  wall: { shape: { box: { half: [2, 1, 0.1] } } },
  // By 20 degrees about z.
  ramp: { shape: { box: { half: [1.5, 0.05, 0.8] } }, orientation: [0, 0, -0.173648, 0.984808] },
} as const;
type Obstacle = keyof typeof OBSTACLES;

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
  const kind = useSignal<Obstacle>('block');
  const add = (): void => {
    left.current = null;
    const json = { name: kind.value, ...OBSTACLES[kind.value], type: 'fixed' };
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
            <button type="button" class="obstacle-name" title={bodyName(body.name)} onClick={() => session.selection.select(body.key)}>
              {bodyName(body.name)}
            </button>
            {AXES.map((axis, column) => (
              <span key={axis} class="muted small obstacle-place">
                {formatFixed(rows?.[place * ROW.size + ROW.place + column] ?? Number.NaN, 2, language.value)}
              </span>
            ))}
            <Button
              class="compact square obstacle-remove"
              label={t3d('env.remove', { name: bodyName(body.name) })}
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
        <select
          class="select compact-select"
          aria-label={t3d('env.obstacle-kind')}
          value={kind.value}
          onChange={(event) => (kind.value = event.currentTarget.value as Obstacle)}
        >
          {(Object.keys(OBSTACLES) as Obstacle[]).map((each) => (
            <option key={each} value={each} selected={each === kind.value}>
              {t3d(`env.obstacle.${each}`)}
            </option>
          ))}
        </select>
        <Button class="compact" label={t3d('env.add-obstacle')} disabled={!session.canPlay.value} onClick={add}>
          {t3d('objects.add')}
        </Button>
      </div>
    </fieldset>
  );
}
