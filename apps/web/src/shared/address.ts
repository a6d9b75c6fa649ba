/**
 * How does a view live in the part of the address after `#`?
 *
 * Written without adding to the history; read when the page opens and when somebody edits it.
 */

/** Browsers refuse more than about a hundred writes in half a minute. */
const PAUSE_MS = 300;

let waiting: number | undefined;
let written = '';

export function readAddress(): URLSearchParams {
  return new URLSearchParams(location.hash.replace(/^#/, ''));
}

/** The whole link to what these values show. */
export function linkTo(values: URLSearchParams): string {
  // A comma and a slash are legal in a fragment, and a link is for reading too.
  const fragment = values.toString().replaceAll('%2C', ',');
  return `${location.href.replace(/#.*/, '')}#${fragment}`;
}

/** Asks late what to write, so that a burst of changes is one write. */
export function writeAddress(values: () => URLSearchParams): void {
  window.clearTimeout(waiting);
  waiting = window.setTimeout(() => {
    const link = linkTo(values());
    if (link !== location.href) {
      written = link;
      history.replaceState(history.state, '', link);
    }
  }, PAUSE_MS);
}

/** Tells when somebody else changed the address. */
export function onAddress(told: () => void): () => void {
  const listener = (): void => {
    if (location.href !== written) {
      window.clearTimeout(waiting);
      told();
    }
  };
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}
