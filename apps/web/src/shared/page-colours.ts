/** Which colours has the page? Only its style sheet knows: what is drawn by other means asks here, by the names it has there. */
export function pageColours(): (name: string) => string {
  const styles = getComputedStyle(document.documentElement);
  return (name) => styles.getPropertyValue(name).trim();
}
