/** What am I looking at, here? */
import { AboutPanel } from '../../shared/about.tsx';
import { words } from '../../shared/i18n.ts';
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
  return <AboutPanel title={words('about.title')} paragraphs={paragraphs} />;
}
