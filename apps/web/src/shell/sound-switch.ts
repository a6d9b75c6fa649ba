/** Sound on or off, and said so: from the header, a stage's tools or a key. */
import { words } from '../shared/i18n.ts';
import { sound } from '../shared/sound.ts';
import { say } from './status.tsx';

export function toggleSound(): void {
  sound.toggle();
  const key = sound.isOn.value ? 'said.sound-on' : 'said.sound-off';
  say(() => words(key));
}
