/** When is it? Back and forth over the steps that were made, and how fast time goes. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

import { Button } from '../../shared/button.tsx';
import { language } from '../../shared/i18n.ts';
import { fixed, plain } from '../../shared/numbers.ts';
import { SPEEDS } from './address.ts';
import type { Session } from './session.ts';
import { words3d } from './words.ts';

export function Timeline({ session, children }: { session: Session; children: ComponentChildren }) {
  const report = session.report.value;
  const dragged = useSignal<number | null>(null);
  const step = dragged.value ?? report?.figures.step ?? 0;
  const last = Math.max(1, report?.last ?? 1);
  // Only the engine knows how long each step was; those that are dragged over are like the last.
  const ahead = (step - (report?.figures.step ?? 0)) * (session.rules.value?.time_step ?? 0);
  const seconds = fixed(Math.max(0, (report?.figures.time ?? 0) + ahead), 3, language.value);
  return (
    <div class="timeline" role="group" aria-label={words3d('time.title')}>
      <p class="timeline-now">
        <strong>{words3d('time.seconds', { seconds })}</strong>
        <span class="muted small" data-step={report?.figures.step ?? 0} data-last={report?.last ?? 0}>
          {words3d('time.step', { step, last: report?.last ?? 0 })}
        </span>
      </p>
      <div class="timeline-way">
        {children}
        <input
          class="timeline-scrub"
          type="range"
          min={0}
          max={last}
          step={1}
          value={step}
          disabled={!session.canDrive.value}
          aria-label={words3d('time.scrub')}
          aria-valuetext={words3d('time.value', { step, seconds })}
          onInput={(event) => {
            dragged.value = Number(event.currentTarget.value);
            session.seek(dragged.value);
          }}
          onChange={() => (dragged.value = null)}
        />
      </div>
      <select
        class="select timeline-speed"
        aria-label={words3d('time.speed')}
        value={String(session.speed.value)}
        onChange={(event) => (session.speed.value = Number(event.currentTarget.value))}
      >
        {SPEEDS.map((speed) => (
          <option key={speed} value={String(speed)} selected={speed === session.speed.value}>
            {plain(speed, language.value)} ×
          </option>
        ))}
      </select>
      <Working session={session} />
    </div>
  );
}

/** What takes long is said, and can be stopped. */
function Working({ session }: { session: Session }) {
  const going = session.going.value;
  if (going === null && !session.patience.isWaiting.value) {
    return null;
  }
  return (
    <p class="timeline-working small">
      {going === null ? words3d('time.working') : words3d('time.going', { at: going.at, to: going.to })}{' '}
      <Button class="compact" onClick={() => session.stop()}>
        {words3d('time.stop')}
      </Button>
    </p>
  );
}
