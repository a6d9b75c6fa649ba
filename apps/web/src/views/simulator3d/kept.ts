/**
 * What does the tab keep of scenes that no link can hold?
 *
 * Their words, each under the name that stands for it in a link, so that a reload finds the one that is shown and whoever
 * goes back finds the one that was left. A tab holds a few megabytes: of more than it can hold the oldest go, and
 * whoever promises that a scene is there asks first.
 */

/** Each text is kept under this and its name. */
const TEXT = 'embate.simulator3d.scene.';
/** The names of them all, the oldest first. */
const NAMES = 'embate.simulator3d.scenes';
/** As many steps back as anybody remembers. */
const MOST = 8;

/** Keeps this text, in the place of another if that is named. Whether it is there now; if it is too much for the tab, the others are. */
export function keep(name: string, text: string, instead: string | null = null): boolean {
  try {
    if (instead !== null && instead !== name) sessionStorage.removeItem(TEXT + instead);
    const others = names().filter((other) => other !== name && other !== instead);
    const texts = others.map((other) => kept(other) ?? '');
    for (let first = Math.max(0, others.length - MOST + 1); first <= others.length; first += 1) {
      others.slice(0, first).forEach((other) => sessionStorage.removeItem(TEXT + other));
      if (put(name, text, others.slice(first))) return true;
    }
    sessionStorage.removeItem(TEXT + name);
    others.forEach((other, place) => put(other, texts[place] ?? '', others.slice(0, place)));
    return false;
  } catch {
    // A tab that keeps nothing: a reload will say so.
    return false;
  }
}

export function kept(name: string): string | null {
  try {
    return sessionStorage.getItem(TEXT + name);
  } catch {
    return null;
  }
}

function names(): string[] {
  return (sessionStorage.getItem(NAMES) ?? '').split(' ').filter((name) => name !== '');
}

/** Whether there was room for it. */
function put(name: string, text: string, others: readonly string[]): boolean {
  try {
    sessionStorage.setItem(TEXT + name, text);
    sessionStorage.setItem(NAMES, [...others, name].join(' '));
    return true;
  } catch {
    return false;
  }
}
