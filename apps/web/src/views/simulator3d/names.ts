/** What are scenes and shapes called? */
import { spoken } from '../../shared/i18n.ts';
import type { Session } from './session.ts';
import { words3d } from './words.ts';

const SHAPES = ['sphere', 'box', 'cube', 'capsule', 'hull', 'halfspace', 'mesh', 'compound'] as const;

export function shapeName(kind: string): string {
  const known = SHAPES.find((shape) => shape === kind);
  return known === undefined ? kind : words3d(`shape.${known}`);
}

/** Of the preset that is shown, or what the scene calls itself. */
export function titleOf(session: Session): string {
  const chosen = session.preset.value;
  const preset = session.catalogue.value?.presets.find(({ name }) => name === chosen?.preset);
  return preset === undefined ? (session.rules.value?.name ?? words3d('env.own')) : spoken(preset.title);
}
