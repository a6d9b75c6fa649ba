/** Maps impacts to sounds: pitch by mass, loudness by impulse. */
import { sound } from '../../../shared/sound.ts';
import type { BodyRow, Impact } from '../workers/protocol.ts';

/** The heaviest body at this speed has the maximum loudness. */
const HARDEST_SPEED = 8;

export function playImpacts(impacts: readonly Impact[], bodies: readonly BodyRow[]): void {
  if (!sound.isOn.value || impacts.length === 0) {
    return;
  }
  let [min, max] = [Infinity, 0];
  for (const { type, mass } of bodies) {
    if (type === 'dynamic') [min, max] = [Math.min(min, mass), Math.max(max, mass)];
  }
  // Pitch is logarithmic in mass, as it is in frequency.
  const range = Math.log(Math.max(max, min * 1.01) / min);
  sound.strike(
    impacts.map(({ across, mass, impulse, wall }) => ({
      across,
      mass: range > 0.02 ? Math.log(Math.max(mass, min) / min) / range : 0.5,
      force: impulse / (max * HARDEST_SPEED),
      wall,
    })),
  );
}
