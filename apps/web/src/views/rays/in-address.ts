/** How does the session stand in the address of the page? What the reader sees is written there a little after it changes. */
import { linkTo, readAddress, writeAddress } from '../../shared/address.ts';
import { type Shown, write } from './address.ts';
import type { Session } from './session.ts';

/** All that a link says beside the mesh. */
export function shownBy({ chosen, answers, heating, seen, playing }: Session): Shown {
  const { step, count } = answers.walked;
  return {
    technique: chosen.technique.value,
    boxes: chosen.drawsBoxes.value ? chosen.depth.value : null,
    click: chosen.click.value,
    ray: chosen.ray.value,
    step: step.value === count.value || playing.value ? null : step.value,
    sight: chosen.drawsSight.value ? chosen.ends.value : null,
    metric: heating.metric.value,
    camera: seen.value === null || seen.value.isHome ? null : seen.value.place,
  };
}

export function linkOf(session: Session): string {
  return linkTo(written(session));
}

/** Writes what the reader sees now, and reads every signal on which that depends. */
export function keepAddress(session: Session): void {
  if (session.facts.value === null) return;
  // Read here, so that whatever it says is written when it changes.
  written(session);
  writeAddress(() => written(session));
}

function written(session: Session): URLSearchParams {
  const catalogue = session.catalogue.value;
  return catalogue === null ? readAddress() : write(session.source.value, catalogue, shownBy(session));
}
