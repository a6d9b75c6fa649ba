/** The frame around every view. */
import { useEffect } from 'preact/hooks';

import { t } from '../shared/i18n/translate.ts';
import { handlePageKey } from '../shared/keys.ts';
import { Header } from './header.tsx';
import { Help } from './help.tsx';
import { Notice } from './notice.tsx';
import { Status } from './status.tsx';
import { ErrorBanner } from './error-banner.tsx';
import { ViewPlace } from './view-place.tsx';

export function Shell() {
  useEffect(() => window.addEventListener('keydown', handlePageKey), []);
  return (
    <>
      <SkipLink />
      <Header />
      <ErrorBanner />
      <Notice />
      <ViewPlace />
      <Status />
      <Help />
    </>
  );
}

/** Not a real fragment link: the fragment holds the state of the view. */
function SkipLink() {
  const skip = (event: Event): void => {
    event.preventDefault();
    (document.querySelector<HTMLElement>('.stage') ?? document.getElementById('main'))?.focus();
  };
  return (
    <a class="skip-link" href="#main" onClick={skip}>
      {t('page.skip')}
    </a>
  );
}
