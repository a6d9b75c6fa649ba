/**
 * URL fragment of a view: its state as `#key=value&…`.
 *
 * Written with `replaceState`, without new history entries; read when the page opens and on
 * `hashchange`.
 */

/** Browsers refuse more than about a hundred writes in half a minute. */
const PAUSE_MS = 350;

let waiting: number | undefined;
let latest: () => URLSearchParams = readAddress;
/** `location.href` when the pending write was scheduled. */
let scheduledFrom = '';

export function readAddress(): URLSearchParams {
  return new URLSearchParams(location.hash.replace(/^#/, ''));
}

/** Absolute link with these values as its fragment. */
export function linkTo(values: URLSearchParams): string {
  // Commas are legal in a fragment and keep the link readable.
  const fragment = values.toString().replaceAll('%2C', ',');
  return `${location.href.replace(/#.*/, '')}#${fragment}`;
}

/**
 * Schedules a write of the address: a burst of changes causes one write. Later changes do not
 * postpone a pending write; otherwise continuous changes would never be written.
 */
export function scheduleAddressWrite(values: () => URLSearchParams): void {
  latest = values;
  if (waiting === undefined) {
    scheduledFrom = location.href;
    waiting = window.setTimeout(flushAddress, PAUSE_MS);
  }
}

/** Drops the pending write: its values are out of date and the new ones are not known yet. */
export function cancelAddressWrite(): void {
  window.clearTimeout(waiting);
  waiting = undefined;
}

/** Performs the pending write at once, before the page or view is left. */
export function flushAddress(): void {
  if (waiting === undefined) {
    return;
  }
  window.clearTimeout(waiting);
  waiting = undefined;
  // The user has just changed the address and `hashchange` is still queued: do not overwrite it.
  if (location.href !== scheduledFrom) {
    return;
  }
  const link = linkTo(latest());
  if (link !== location.href) {
    history.replaceState(history.state, '', link);
  }
}

/**
 * Pushes a history entry: `link` stays behind as the previous entry and the current state becomes a
 * new one with its own link, because browsers fire no event between two entries with the same link.
 * Returns whether an entry was pushed.
 */
export function pushHistoryEntry(link: string): boolean {
  // The user has just navigated and `hashchange` is still queued.
  if (waiting !== undefined && location.href !== scheduledFrom) {
    return false;
  }
  flushAddress();
  const now = location.href;
  if (now === link) {
    return false;
  }
  history.replaceState(history.state, '', link);
  history.pushState(null, '', now);
  return true;
}

/**
 * Calls `onChange` when the user changes the address (by hand, by a link or by going back), with
 * the previous fragment. Writes of this module fire no such event. A listener that returns `true`
 * stops propagation to listeners registered later.
 */
export function onAddressChange(onChange: (before: string) => boolean | void): () => void {
  const listener = (event: HashChangeEvent): void => {
    // The pending write belongs to the previous address.
    cancelAddressWrite();
    if (onChange(event.oldURL.replace(/^[^#]*/, '')) === true) {
      event.stopImmediatePropagation();
    }
  };
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

/**
 * `main-thread=1` runs a stage on the main thread: for tests, and to rule the worker out when
 * debugging.
 */
const MAIN_THREAD = 'main-thread';

export function wantsMainThread(): boolean {
  return readAddress().get(MAIN_THREAD) === '1';
}

/** These values with the thread option of the current address. */
export function withThreadOption(values: URLSearchParams): URLSearchParams {
  if (wantsMainThread()) {
    values.set(MAIN_THREAD, '1');
  }
  return values;
}
