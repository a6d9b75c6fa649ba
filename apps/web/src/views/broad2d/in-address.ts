/**
 * How does the session stand in the address of the page?
 *
 * What the reader sees is written there a little after it changes. On which thread the stage
 * runs stays in the address, so that a reload keeps it, and not in links for others.
 */
import { keepingThread, linkTo, readAddress, writeAddress } from '../../shared/address.ts';
import { type Shown, write } from './address.ts';
import type { Parameters } from './protocol.ts';
import type { Session } from './session.ts';

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
  return keepingThread(write(shown));
}
