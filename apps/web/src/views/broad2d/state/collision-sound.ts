/** Maps impacts to sounds: pitch by size, loudness by impulse. */
import { sound } from '../../../shared/sound.ts';
import type { Parameters, Impact } from '../workers/protocol.ts';

export function playImpacts(struck: readonly Impact[], scene: Parameters | null): void {
  if (!sound.isOn.value || scene === null) {
    return;
  }
  const min = Math.max(scene.minSize, 1e-3);
  // Pitch is logarithmic in size, as it is in frequency.
  const range = Math.log(Math.max(scene.maxSize, min * 1.01) / min);
  // The largest box at its maximum speed, head-on against a wall; two such boxes head-on have the
  // same impulse.
  const hardest = 2 * scene.maxSize ** 2 * Math.max(scene.maxSpeed, 1e-3);
  sound.strike(
    struck.map(({ across, size, impulse, wall }) => ({
      across,
      mass: Math.log(Math.max(size, min) / min) / range,
      force: impulse / hardest,
      wall,
    })),
  );
}
