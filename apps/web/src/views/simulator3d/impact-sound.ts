/** How does a hit become a sound? Pitch by mass, loudness by impulse. */
import { sound } from '../../shared/sound.ts';
import type { BodyRow, Struck } from './protocol.ts';

/** The heaviest body at this speed is as loud as it gets. */
const HARDEST_SPEED = 8;

export function hear(struck: readonly Struck[], bodies: readonly BodyRow[]): void {
  if (!sound.isOn.value || struck.length === 0) {
    return;
  }
  let [least, most] = [Infinity, 0];
  for (const { type, mass } of bodies) {
    if (type === 'dynamic') [least, most] = [Math.min(least, mass), Math.max(most, mass)];
  }
  // Pitch is a logarithm of mass, as it is of frequency.
  const range = Math.log(Math.max(most, least * 1.01) / least);
  sound.strike(
    struck.map(({ across, mass, impulse, wall }) => ({
      across,
      mass: range > 0.02 ? Math.log(Math.max(mass, least) / least) / range : 0.5,
      force: impulse / (most * HARDEST_SPEED),
      wall,
    })),
  );
}
