/** What is this study about? For somebody who never heard of it: a small drawing, what was asked, what was found. */
import { isWide } from '../../shared/media.ts';
import { Drawing } from './drawing.tsx';
import type { Session } from './session.ts';
import { wordsOfStudies as say } from './words.ts';

const PARTS = ['asked', 'found', 'here'] as const;

export function Guide({ session }: { session: Session }) {
  const { study } = session.choice.value;
  return (
    <section class="panel panel-about panel-guide" aria-label={say('guide.title')}>
      <details open={isWide.peek()}>
        <summary>
          <h2>{say('guide.title')}</h2>
        </summary>
        <Drawing study={study} />
        {PARTS.map((part) => (
          <div key={part}>
            <h3>{say(`guide.${part}`)}</h3>
            <p class="muted small">{say(`guide.${study}.${part}`)}</p>
          </div>
        ))}
      </details>
    </section>
  );
}
