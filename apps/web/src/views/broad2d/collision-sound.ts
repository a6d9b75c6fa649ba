/** How does what is struck become a sound? Pitch by size, loudness by impulse. */
import { sound } from '../../shared/sound.ts';
import type { Parameters, Struck } from './protocol.ts';

export function hear(struck: readonly Struck[], scene: Parameters | null): void {
  if (!sound.isOn.value || scene === null) {
    return;
  }
  const least = Math.max(scene.minSize, 1e-3);
  // Pitch is a logarithm of size, as it is of frequency.
  const range = Math.log(Math.max(scene.maxSize, least * 1.01) / least);
  // The largest box, as fast as it gets, straight against a wall; two such that meet head on strike as hard.
  const hardest = 2 * scene.maxSize ** 2 * Math.max(scene.maxSpeed, 1e-3);
  sound.strike(
    struck.map(({ across, size, impulse, wall }) => ({
      across,
      mass: Math.log(Math.max(size, least) / least) / range,
      force: impulse / hardest,
      wall,
    })),
  );
}
