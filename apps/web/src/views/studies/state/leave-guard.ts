/** Leave guard: the browser asks before it closes or reloads the page. */

function ask(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/**
 * Guards the page or not. Only while needed: with such a listener, browsers do not keep the page
 * for going back.
 */
export function guardLeaving(needed: boolean): void {
  if (needed) window.addEventListener('beforeunload', ask);
  else window.removeEventListener('beforeunload', ask);
}
