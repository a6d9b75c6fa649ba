/**
 * How does the session stand in the address of the page?
 *
 * What the reader sees is written there a little after it changes. `main-thread=1` beside it runs the stage
 * on the page's own thread, for tests and for who wants to know whether the worker is to blame; it stays in
 * the address, so that a reload keeps it, and not in links for others.
 */
import { linkTo, readAddress, writeAddress } from '../../shared/address.ts';
import { type Shown, write } from './address.ts';
import type { Parameters } from './protocol.ts';
import type { Session } from './session.ts';

const MAIN_THREAD = 'main-thread';

export function wantsMainThread(): boolean {
  return readAddress().get(MAIN_THREAD) === '1';
}

/** A link for others to what the reader sees. */
export function linkOf(session: Session): string {
  const shown = shownBy(session);
  return shown === null ? location.href : linkTo(write(shown));
}

/** Writes what the reader sees now, and reads every signal on which that depends. */
export function keepAddress(session: Session): void {
  if (shownBy(session) !== null) {
    writeAddress(() => {
      const shown = shownBy(session);
      return shown === null ? readAddress() : written(shown);
    });
  }
}

/** The page anew, with another scene if one is given. */
export function reloadWith(session: Session, parameters: Parameters | null): void {
  const shown = shownBy(session);
  if (shown !== null && parameters !== null) {
    history.replaceState(history.state, '', linkTo(written({ ...shown, parameters })));
  }
  location.reload();
}

function shownBy({ running, overlays, seen, experiments }: Session): Shown | null {
  const parameters = running.value;
  const { choice, soundFrames, techniques } = experiments;
  return parameters === null
    ? null
    : {
        parameters,
        overlays: overlays.value,
        selected: seen.kept.value,
        choice: choice.value,
        frames: soundFrames.value,
        techniques: techniques.value,
      };
}

function written(shown: Shown): URLSearchParams {
  const values = write(shown);
  if (wantsMainThread()) {
    values.set(MAIN_THREAD, '1');
  }
  return values;
}
