/** When were there many contacts? A curve over the timeline. */
import { HEIGHT } from './known-contacts.ts';
import type { Session } from './session.ts';
import { words3d } from './words.ts';

export function ContactsCurve({ session }: { session: Session }) {
  return (
    <div class="timeline-curve" aria-hidden="true">
      <svg viewBox={`0 0 1 ${HEIGHT}`} preserveAspectRatio="none">
        <path d={session.contactsCurve} />
      </svg>
      <span class="muted small">{words3d('time.contacts')}</span>
    </div>
  );
}
