/** Who drives a stage? What the tools and keys of every stage do. */
import type { ReadonlySignal } from '@preact/signals';

import { openHelp } from '../../shell/help.tsx';
import { toggleSound } from '../../shell/sound-switch.ts';
import { tell } from '../../shell/status.tsx';
import { words } from '../i18n.ts';
import type { Shortcut } from '../keys.ts';

export interface Driver {
  readonly playing: ReadonlySignal<boolean>;
  /** There is a scene, and it is the reader's to play, step and reset. */
  readonly canDrive: ReadonlySignal<boolean>;
  togglePlaying(): void;
  step(): void;
  /** One step back, where the past is kept. */
  back?(): void;
  reset(): void;
  /** What is on the stage, in words. */
  describe(): string;
}

/** Keys that every stage has, those that drive it before the others. */
export function drivingShortcuts(driver: Driver): Shortcut[] {
  const back: Shortcut[] =
    driver.back === undefined
      ? []
      : [{ on: [','], caps: () => [','], about: () => words('key.back'), run: () => driver.back?.() }];
  return [
    { on: [' '], caps: () => [words('key.space')], about: () => words('key.play'), run: () => driver.togglePlaying() },
    { on: ['.'], caps: () => ['.'], about: () => words('key.step'), run: () => driver.step() },
    ...back,
    { on: ['r'], caps: () => ['R'], about: () => words('key.reset'), run: () => driver.reset() },
  ];
}

export function spokenShortcuts(driver: Driver): Shortcut[] {
  return [
    { on: ['m'], caps: () => ['M'], about: () => words('key.sound'), run: toggleSound },
    { on: ['d'], caps: () => ['D'], about: () => words('key.describe'), run: () => tell(() => driver.describe()) },
  ];
}

export const HELP: Shortcut = { on: ['?'], caps: () => ['?'], about: () => words('key.help'), run: openHelp };
