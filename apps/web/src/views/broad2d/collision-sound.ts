/** How does a pair that begins to touch become a note? By area for mass, by the smaller one for force. */
import { sound } from '../../shared/sound.ts';
import type { Begun, Parameters } from './protocol.ts';

export function hear(begun: readonly Begun[], scene: Parameters | null): void {
  if (!sound.isOn.value || scene === null) {
    return;
  }
  const least = Math.max(scene.minSize, 1e-3);
  // Pitch is a logarithm of size, as it is of frequency.
  const range = Math.log(Math.max(scene.maxSize, least * 1.01) / least);
  const mass = (size: number): number => Math.log(Math.max(size, least) / least) / range;
  sound.strike(
    begun.map(({ across, smaller, larger }) => ({
      across,
      mass: (mass(smaller) + mass(larger)) / 2,
      force: smaller / scene.maxSize,
    })),
  );
}
