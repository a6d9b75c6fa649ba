/** What does every session say and do with its stage? */
import type { Signal } from '@preact/signals';

import { say } from '../../shell/status.tsx';
import { report } from '../../shell/trouble.tsx';
import { words } from '../i18n.ts';

/** Whether the browser has what engines are made of; who has it not is told. */
export function canRunEngine(): boolean {
  const can = typeof WebAssembly === 'object';
  if (!can) report(() => words('trouble.wasm'));
  return can;
}

/** Says what the engine died of, with a way to begin again; returns how to take it back. */
export function reportStopped(message: string, restart: () => void): () => void {
  return report(() => words('trouble.engine', { message }), restart, 'trouble.restart');
}

/** At once, and said; the stage follows. */
export function togglePlaying(playing: Signal<boolean>, send: (message: { kind: 'play' | 'pause' }) => void): void {
  const play = !playing.value;
  playing.value = play;
  send({ kind: play ? 'play' : 'pause' });
  say(() => words(play ? 'said.playing' : 'said.paused'));
}
