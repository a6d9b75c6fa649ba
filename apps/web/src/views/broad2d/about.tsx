/** What am I looking at? Open where there is room, folded where there is not. */
import { words } from '../../shared/i18n.ts';
import { isWide } from '../../shared/media.ts';
import { everyPair } from './describe.ts';
import type { Session } from './session.ts';

export function About({ session }: { session: Session }) {
  const count = session.running.value?.objects ?? session.catalogue.value?.defaults.objects ?? 0;
  const paragraphs = [
    words('about.objects'),
    words('about.broad', { count, tests: everyPair(count) }),
    words('about.study-grid'),
    words('about.measure'),
    words('about.credit'),
  ];
  return (
    <section class="panel panel-about" aria-label={words('about.title')}>
      <details open={isWide.peek()}>
        <summary>
          <h2>{words('about.title')}</h2>
        </summary>
        {paragraphs.map((paragraph, place) => (
          <p key={place} class="muted small">
            {paragraph}
          </p>
        ))}
      </details>
    </section>
  );
}
