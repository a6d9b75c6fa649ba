/** Introduction to the chosen study: a drawing, its question, its findings. */
import { isWide } from '../../../shared/media.ts';
import { Drawing } from './drawing.tsx';
import type { Session } from '../state/session.ts';
import { tStudies } from '../i18n/translate.ts';

const PARTS = ['question', 'findings', 'here'] as const;

export function Guide({ session }: { session: Session }) {
  const { study } = session.choice.value;
  return (
    <section class="panel panel-about panel-guide" aria-label={tStudies('guide.title')}>
      <details open={isWide.peek()}>
        <summary>
          <h2>{tStudies('guide.title')}</h2>
        </summary>
        <Drawing study={study} />
        {PARTS.map((part) => (
          <div key={part}>
            <h3>{tStudies(`guide.${part}`)}</h3>
            <p class="muted small">{tStudies(`guide.${study}.${part}`)}</p>
          </div>
        ))}
      </details>
    </section>
  );
}
