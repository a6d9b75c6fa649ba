/** The "What am I looking at?" panel: open on wide screens, collapsed on narrow ones. */
import { isWide } from '../media.ts';

export function AboutPanel({ title, paragraphs }: { title: string; paragraphs: readonly string[] }) {
  return (
    <section class="panel panel-about" aria-label={title}>
      <details open={isWide.peek()}>
        <summary>
          <h2>{title}</h2>
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
