/**
 * How does a view live in the part of the address after `#`?
 *
 * Written without adding to the history; read when the page opens and when somebody edits it.
 */

/** Browsers refuse more than about a hundred writes in half a minute. */
const PAUSE_MS = 350;

let waiting: number | undefined;
let latest: () => URLSearchParams = readAddress;

export function readAddress(): URLSearchParams {
  return new URLSearchParams(location.hash.replace(/^#/, ''));
}

/** The whole link to what these values show. */
export function linkTo(values: URLSearchParams): string {
  // A comma and a slash are legal in a fragment, and a link is for reading too.
  const fragment = values.toString().replaceAll('%2C', ',');
  return `${location.href.replace(/#.*/, '')}#${fragment}`;
}

/**
 * Asks a little later what to write, so that a burst of changes is one write. A write that waits is not
 * put off by the next change: changes that never pause would be written never.
 */
export function writeAddress(values: () => URLSearchParams): void {
  latest = values;
  waiting ??= window.setTimeout(() => {
    waiting = undefined;
    const link = linkTo(latest());
    if (link !== location.href) {
      history.replaceState(history.state, '', link);
    }
  }, PAUSE_MS);
}

/** Tells when the reader changed the address, by hand or by going back; what is written here makes no such event. */
export function onAddress(told: () => void): () => void {
  const listener = (): void => {
    // What waits to be written belongs to what was shown before.
    window.clearTimeout(waiting);
    waiting = undefined;
    told();
  };
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}
