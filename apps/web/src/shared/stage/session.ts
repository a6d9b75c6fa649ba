/** Functions shared by the sessions of all views. */
import type { Signal } from '@preact/signals';

import { announce } from '../../shell/status.tsx';
import { reportError } from '../../shell/error-banner.tsx';
import { t } from '../i18n/translate.ts';

/** Whether the browser supports WebAssembly; reports an error if not. */
export function canRunEngine(): boolean {
  const can = typeof WebAssembly === 'object';
  if (!can) reportError(() => t('failure.wasm'));
  return can;
}

/**
 * Reports why the engine stopped, with a restart button; returns a function that withdraws the
 * report.
 */
export function reportStopped(message: string, restart: () => void): () => void {
  return reportError(() => t('failure.engine', { message }), restart, 'failure.restart');
}

/** Toggles at once and announces it; the stage follows. */
export function togglePlaying(playing: Signal<boolean>, send: (message: { kind: 'play' | 'pause' }) => void): void {
  const play = !playing.value;
  playing.value = play;
  send({ kind: play ? 'play' : 'pause' });
  announce(() => t(play ? 'announce.playing' : 'announce.paused'));
}
