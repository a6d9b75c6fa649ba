/**
 * How does a view live in the part of the address after `#`?
 *
 * Written without adding to the history; read when the page opens and when somebody edits it.
 */

/** Browsers refuse more than about a hundred writes in half a minute. */
const PAUSE_MS = 350;

let waiting: number | undefined;
let latest: () => URLSearchParams = readAddress;
/** The address that a write which waits would replace. */
let standing = '';

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
  if (waiting === undefined) {
    standing = location.href;
    waiting = window.setTimeout(writeNow, PAUSE_MS);
  }
}

/** What waits to be written is no longer so, and what is so is not known yet. */
export function writeNothing(): void {
  window.clearTimeout(waiting);
  waiting = undefined;
}

/** What waits to be written is: somebody is about to leave it. */
export function writeNow(): void {
  if (waiting === undefined) {
    return;
  }
  window.clearTimeout(waiting);
  waiting = undefined;
  // The reader has just changed it, and the news is on its way: it must not be overwritten.
  if (location.href !== standing) {
    return;
  }
  const link = linkTo(latest());
  if (link !== location.href) {
    history.replaceState(history.state, '', link);
  }
}

/**
 * This link stays in the history, to be gone back to, and what is shown now is another entry. With its own link at once: of two
 * entries with one link nobody is told who goes from one to the other. Whether it does.
 */
export function leaveInHistory(link: string): boolean {
  // The reader has just gone elsewhere, and the news is on its way.
  if (waiting !== undefined && location.href !== standing) {
    return false;
  }
  writeNow();
  const now = location.href;
  if (now === link) {
    return false;
  }
  history.replaceState(history.state, '', link);
  history.pushState(null, '', now);
  return true;
}

/**
 * Tells when the reader changed the address, by hand, by a link or by going back, and what it said after `#` until then; what is
 * written here makes no such event.
 * Whoever answers `true` keeps it from those who asked later.
 */
export function onAddress(told: (before: string) => boolean | void): () => void {
  const listener = (event: HashChangeEvent): void => {
    // What waits to be written belongs to what was shown before.
    writeNothing();
    if (told(event.oldURL.replace(/^[^#]*/, '')) === true) {
      event.stopImmediatePropagation();
    }
  };
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

/** `main-thread=1` runs a stage on the page's own thread: for tests, and to know whether the worker is to blame. */
const MAIN_THREAD = 'main-thread';

export function wantsMainThread(): boolean {
  return readAddress().get(MAIN_THREAD) === '1';
}

/** These values, and the thread that the address asks for. */
export function keepingThread(values: URLSearchParams): URLSearchParams {
  if (wantsMainThread()) {
    values.set(MAIN_THREAD, '1');
  }
  return values;
}
