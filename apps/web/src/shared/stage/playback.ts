/** Playback controls: what the tools and keys of every stage do. */
import type { ReadonlySignal } from '@preact/signals';

import { openHelp } from '../../shell/help.tsx';
import { toggleSound } from '../../shell/sound-switch.ts';
import { showToast } from '../../shell/status.tsx';
import { t } from '../i18n/translate.ts';
import type { Shortcut } from '../keys.ts';

export interface Playback {
  readonly playing: ReadonlySignal<boolean>;
  /** A scene is loaded, and the user may play, step and reset it. */
  readonly canPlay: ReadonlySignal<boolean>;
  togglePlaying(): void;
  step(): void;
  /** One step back, if the stage keeps its history. */
  back?(): void;
  reset(): void;
  /** Text description of the stage. */
  describe(): string;
}

/** Shortcuts of every stage: playback first. */
export function playbackShortcuts(playback: Playback): Shortcut[] {
  const back: Shortcut[] =
    playback.back === undefined
      ? []
      : [{ on: [','], caps: () => [','], about: () => t('key.back'), run: () => playback.back?.() }];
  return [
    { on: [' '], caps: () => [t('key.space')], about: () => t('key.play'), run: () => playback.togglePlaying() },
    { on: ['.'], caps: () => ['.'], about: () => t('key.step'), run: () => playback.step() },
    ...back,
    { on: ['r'], caps: () => ['R'], about: () => t('key.reset'), run: () => playback.reset() },
  ];
}

export function outputShortcuts(playback: Playback): Shortcut[] {
  return [
    { on: ['m'], caps: () => ['M'], about: () => t('key.sound'), run: toggleSound },
    { on: ['d'], caps: () => ['D'], about: () => t('key.describe'), run: () => showToast(() => playback.describe()) },
  ];
}

export const HELP: Shortcut = { on: ['?'], caps: () => ['?'], about: () => t('key.help'), run: openHelp };
