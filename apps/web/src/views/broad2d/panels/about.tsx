/** The "What am I looking at?" panel of the 2D view, with a drawing of the idea. */
import { isWide } from '../../../shared/media.ts';
import { t2d } from '../i18n/translate.ts';
import { everyPair } from '../state/describe.ts';
import type { Session } from '../state/session.ts';
import { GuideDrawing } from './guide-drawing.tsx';

/** On spatial hashing. */
const FURTHER = [
  {
    work: 'Teschner et al. 2003, Optimized Spatial Hashing for Collision Detection of Deformable Objects',
    address: 'https://matthias-research.github.io/pages/publications/tetraederCollision.pdf',
  },
  { work: 'Ericson 2005, Real-Time Collision Detection, 7', address: 'https://realtimecollisiondetection.net/' },
] as const;

export function About({ session }: { session: Session }) {
  const count = session.running.value?.objects ?? session.catalog.value?.defaults.objects ?? 0;
  return (
    <section class="panel panel-about" aria-label={t2d('about.title')}>
      <details open={isWide.peek()}>
        <summary>
          <h2>{t2d('about.title')}</h2>
        </summary>
        <p class="muted small">{t2d('about.objects')}</p>
        <p class="muted small">{t2d('about.broad', { count, tests: everyPair(count) })}</p>
        <GuideDrawing />
        <p class="muted small">{t2d('about.hashing')}</p>
        <p class="muted small">
          {t2d('about.further')}{' '}
          {FURTHER.map(({ work, address }, place) => (
            <>
              {place > 0 && '; '}
              <a key={address} href={address} lang="en" target="_blank" rel="noreferrer">
                {work}
              </a>
            </>
          ))}
          .
        </p>
        {(['study-grid', 'measure', 'study'] as const).map((name) => (
          <p key={name} class="muted small">
            {t2d(`about.${name}`)}
          </p>
        ))}
      </details>
    </section>
  );
}
