/** Two touching bodies: one outlined, one filled, as on the stages. */
export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 20 14" width="20" height="14" aria-hidden="true">
      <circle class="logo-free" cx="7" cy="7" r="5.2" />
      <circle class="logo-touching" cx="13" cy="7" r="6" />
    </svg>
  );
}
