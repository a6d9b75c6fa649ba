/** What am I looking at? Open where there is room, folded where there is not. */
import { words } from '../../shared/i18n.ts';
import { isWide } from '../../shared/media.ts';

const PARAGRAPHS = ['about.objects', 'about.broad', 'about.study-grid', 'about.measure', 'about.credit'] as const;

export function About() {
  return (
    <section class="panel panel-about" aria-label={words('about.title')}>
      <details open={isWide.peek()}>
        <summary>
          <h2>{words('about.title')}</h2>
        </summary>
        {PARAGRAPHS.map((paragraph) => (
          <p key={paragraph} class="muted small">
            {words(paragraph)}
          </p>
        ))}
      </details>
    </section>
  );
}
