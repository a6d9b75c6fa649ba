/** Toggles the sound and announces it: for the header, a stage's toolbar and its shortcut. */
import { t } from '../shared/i18n/translate.ts';
import { sound } from '../shared/sound.ts';
import { announce } from './status.tsx';

export function toggleSound(): void {
  sound.toggle();
  const key = sound.isOn.value ? 'announce.sound-on' : 'announce.sound-off';
  announce(() => t(key));
}
