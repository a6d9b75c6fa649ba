/**
 * Colors of the page, read from its style sheet by custom property, for everything that is drawn
 * without CSS.
 */
export function pageColors(): (name: string) => string {
  const styles = getComputedStyle(document.documentElement);
  return (name) => styles.getPropertyValue(name).trim();
}
