/**
 * Session storage of scenes that are too large for a link.
 *
 * Each scene JSON is stored under the key that a link names, so that a reload and history
 * navigation find it. The capacity is a few megabytes: the oldest scenes are dropped first, and
 * callers check whether a scene was stored.
 */

/** Prefix of the storage keys. */
const TEXT = 'embate.simulator3d.scene.';
/** List of all keys, oldest first. */
const NAMES = 'embate.simulator3d.scenes';
/** Maximum number of stored scenes. */
const MOST = 8;

/**
 * Stores the text, replacing the scene `instead` if given. Returns whether it is stored now; if it
 * exceeds the capacity, the others are kept.
 */
export function storeScene(name: string, text: string, instead: string | null = null): boolean {
  try {
    if (instead !== null && instead !== name) sessionStorage.removeItem(TEXT + instead);
    const others = names().filter((other) => other !== name && other !== instead);
    const texts = others.map((other) => storedScene(other) ?? '');
    for (let first = Math.max(0, others.length - MOST + 1); first <= others.length; first += 1) {
      others.slice(0, first).forEach((other) => sessionStorage.removeItem(TEXT + other));
      if (put(name, text, others.slice(first))) return true;
    }
    sessionStorage.removeItem(TEXT + name);
    others.forEach((other, place) => put(other, texts[place] ?? '', others.slice(0, place)));
    return false;
  } catch {
    // Storage is not available.
    return false;
  }
}

export function storedScene(name: string): string | null {
  try {
    return sessionStorage.getItem(TEXT + name);
  } catch {
    return null;
  }
}

function names(): string[] {
  return (sessionStorage.getItem(NAMES) ?? '').split(' ').filter((name) => name !== '');
}

/** Returns whether there was space. */
function put(name: string, text: string, others: readonly string[]): boolean {
  try {
    sessionStorage.setItem(TEXT + name, text);
    sessionStorage.setItem(NAMES, [...others, name].join(' '));
    return true;
  } catch {
    return false;
  }
}
