/** Leave guard: closing or reloading the page needs the user's confirmation. */

function requestConfirmation(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/**
 * Guards the page or not. Only while needed: with such a listener, browsers do not keep the page
 * for going back.
 */
export function guardLeaving(needed: boolean): void {
  if (needed) window.addEventListener('beforeunload', requestConfirmation);
  else window.removeEventListener('beforeunload', requestConfirmation);
}
