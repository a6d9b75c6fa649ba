/**
 * Confirmation before the page is left or reloaded, for a scene that cannot be restored afterwards.
 * Returns a function that ends it.
 */
export function confirmLeaving(): () => void {
  const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
  window.addEventListener('beforeunload', ask);
  return () => window.removeEventListener('beforeunload', ask);
}
