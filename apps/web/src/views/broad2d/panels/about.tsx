/** The "What am I looking at?" panel of the 2D view. */
import { AboutPanel } from '../../../shared/ui/about.tsx';
import { t2d } from '../i18n/translate.ts';
import { everyPair } from '../state/describe.ts';
import type { Session } from '../state/session.ts';

export function About({ session }: { session: Session }) {
  const count = session.running.value?.objects ?? session.catalog.value?.defaults.objects ?? 0;
  const paragraphs = [
    t2d('about.objects'),
    t2d('about.broad', { count, tests: everyPair(count) }),
    t2d('about.study-grid'),
    t2d('about.measure'),
    t2d('about.credit'),
  ];
  return <AboutPanel title={t2d('about.title')} paragraphs={paragraphs} />;
}
