/**
 * Synchronizes the session with the page's address.
 *
 * The state is written shortly after it changes. The thread option stays in the address, so that a
 * reload keeps it, but not in shared links.
 */
import { withThreadOption, linkTo, readAddress, scheduleAddressWrite } from '../../../shared/address.ts';
import { type Shown, write } from './address.ts';
import type { Parameters } from '../workers/protocol.ts';
import type { Session } from './session.ts';

/** A shareable link to the current state. */
export function linkOf(session: Session): string {
  const shown = shownBy(session);
  return shown === null ? location.href : linkTo(write(shown));
}

/** Schedules a write of the current state, and subscribes to every signal it depends on. */
export function syncAddress(session: Session): void {
  if (shownBy(session) !== null) {
    scheduleAddressWrite(() => {
      const shown = shownBy(session);
      return shown === null ? readAddress() : written(shown);
    });
  }
}

/** Reloads the page, optionally with another scene. */
export function reloadWith(session: Session, parameters: Parameters | null): void {
  const shown = shownBy(session);
  if (shown !== null && parameters !== null) {
    history.replaceState(history.state, '', linkTo(written({ ...shown, parameters })));
  }
  location.reload();
}

function shownBy({ running, overlays, seen, experiments }: Session): Shown | null {
  const parameters = running.value;
  const { choice, validFrames, techniques } = experiments;
  return parameters === null
    ? null
    : {
        parameters,
        overlays: overlays.value,
        selected: seen.kept.value,
        choice: choice.value,
        frames: validFrames.value,
        techniques: techniques.value,
      };
}

function written(shown: Shown): URLSearchParams {
  return withThreadOption(write(shown));
}
