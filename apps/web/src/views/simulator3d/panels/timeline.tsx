/** Timeline: seek over the simulated steps, and set the speed. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

import { Button } from '../../../shared/ui/button.tsx';
import { language } from '../../../shared/i18n/translate.ts';
import { formatFixed, formatNumber } from '../../../shared/i18n/number-format.ts';
import { SPEEDS } from '../state/address.ts';
import type { Session } from '../state/session.ts';
import { t3d } from '../i18n/translate.ts';

export function Timeline({ session, children }: { session: Session; children: ComponentChildren }) {
  const report = session.report.value;
  const dragged = useSignal<number | null>(null);
  const step = dragged.value ?? report?.figures.step ?? 0;
  const last = Math.max(1, report?.last ?? 1);
  // Only the engine knows the length of each step; while dragging, steps are assumed to be as long
  // as the last.
  const ahead = (step - (report?.figures.step ?? 0)) * (session.rules.value?.time_step ?? 0);
  const seconds = formatFixed(Math.max(0, (report?.figures.time ?? 0) + ahead), 3, language.value);
  return (
    <div class="timeline" role="group" aria-label={t3d('time.title')}>
      <p class="timeline-now">
        <strong>{t3d('time.seconds', { seconds })}</strong>
        <span class="muted small" data-step={report?.figures.step ?? 0} data-last={report?.last ?? 0}>
          {t3d('time.step', { step, last: report?.last ?? 0 })}
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
          disabled={!session.canPlay.value}
          aria-label={t3d('time.scrub')}
          aria-valuetext={t3d('time.value', { step, seconds })}
          onInput={(event) => {
            dragged.value = Number(event.currentTarget.value);
            session.seek(dragged.value);
          }}
          onChange={() => (dragged.value = null)}
        />
      </div>
      <select
        class="select timeline-speed"
        aria-label={t3d('time.speed')}
        value={String(session.speed.value)}
        onChange={(event) => (session.speed.value = Number(event.currentTarget.value))}
      >
        {SPEEDS.map((speed) => (
          <option key={speed} value={String(speed)} selected={speed === session.speed.value}>
            {formatNumber(speed, language.value)} ×
          </option>
        ))}
      </select>
      <Working session={session} />
    </div>
  );
}

/** Long seeks are announced and can be stopped. */
function Working({ session }: { session: Session }) {
  const seekProgress = session.seekProgress.value;
  if (seekProgress === null && !session.busyIndicator.isBusy.value) {
    return null;
  }
  return (
    <p class="timeline-working small">
      {seekProgress === null ? t3d('time.working') : t3d('time.going', { at: seekProgress.at, to: seekProgress.to })}{' '}
      <Button class="compact" onClick={() => session.stop()}>
        {t3d('time.stop')}
      </Button>
    </p>
  );
}
