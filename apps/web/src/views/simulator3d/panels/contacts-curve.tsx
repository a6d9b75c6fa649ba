/** Curve of the number of contacts over the timeline. */
import { HEIGHT } from '../state/contact-counts.ts';
import type { Session } from '../state/session.ts';
import { t3d } from '../i18n/translate.ts';

export function ContactsCurve({ session }: { session: Session }) {
  return (
    <div class="timeline-curve" aria-hidden="true">
      <svg viewBox={`0 0 1 ${HEIGHT}`} preserveAspectRatio="none">
        <path d={session.contactsCurve} />
      </svg>
      <span class="muted small">{t3d('time.contacts', { max: session.mostContacts.value })}</span>
    </div>
  );
}
