/**
 * Synchronizes the session with the page's address; the state is written shortly after it changes.
 */
import { linkTo, readAddress, scheduleAddressWrite } from '../../../shared/address.ts';
import { type Shown, write } from './address.ts';
import type { Session } from './session.ts';

/** Everything in a link besides the mesh. */
export function linkState({ selection, results, heatMaps, seen, playing }: Session): Shown {
  const { step, count } = results.playback;
  return {
    technique: selection.technique.value,
    boxes: selection.drawsBoxes.value ? selection.depth.value : null,
    click: selection.click.value,
    ray: selection.ray.value,
    step: step.value === count.value || playing.value ? null : step.value,
    sight: selection.drawsSight.value ? selection.ends.value : null,
    metric: heatMaps.metric.value,
    camera: seen.value === null || seen.value.isHome ? null : seen.value.place,
  };
}

export function linkOf(session: Session): string {
  return linkTo(written(session));
}

/** Schedules a write of the current state, and subscribes to every signal it depends on. */
export function syncAddress(session: Session): void {
  if (session.facts.value === null) return;
  // Read here to subscribe to all its signals.
  written(session);
  scheduleAddressWrite(() => written(session));
}

function written(session: Session): URLSearchParams {
  const catalog = session.catalog.value;
  return catalog === null ? readAddress() : write(session.source.value, catalog, linkState(session));
}
