/** The frame around every view. */
import { words } from '../shared/i18n.ts';
import { Header } from './header.tsx';
import { Help } from './help.tsx';
import { Notice } from './notice.tsx';
import { Status } from './status.tsx';
import { TroubleBanner } from './trouble.tsx';
import { ViewPlace } from './view-place.tsx';

export function Shell() {
  return (
    <>
      <SkipLink />
      <Header />
      <TroubleBanner />
      <Notice />
      <ViewPlace />
      <Status />
      <Help />
    </>
  );
}

/** Not a real fragment: what follows `#` is the state of the view. */
function SkipLink() {
  const skip = (event: Event): void => {
    event.preventDefault();
    (document.querySelector<HTMLElement>('.stage') ?? document.getElementById('main'))?.focus();
  };
  return (
    <a class="skip-link" href="#main" onClick={skip}>
      {words('page.skip')}
    </a>
  );
}
