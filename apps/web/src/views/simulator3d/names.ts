/** What are scenes and shapes called? */
import { spoken } from '../../shared/i18n.ts';
import type { Preset } from './protocol.ts';
import type { Session } from './session.ts';
import { words3d } from './words.ts';

const SHAPES = ['sphere', 'box', 'cube', 'capsule', 'cylinder', 'cone', 'hull', 'halfspace', 'mesh', 'compound'] as const;

export function shapeName(kind: string): string {
  const known = SHAPES.find((shape) => shape === kind);
  return known === undefined ? kind : words3d(`shape.${known}`);
}

/**
 * The preset that the scene is, or was before it was edited: it calls itself as that one does. Known by its words, so that it is
 * also known in a link or a file, and told in the reader's language.
 */
function presetOf(session: Session): Preset | undefined {
  const [chosen, rules] = [session.preset.value, session.rules.value];
  const isOwn = ({ own }: Preset): boolean => own.name === rules?.name && own.description === rules?.description;
  return session.catalogue.value?.presets.find((preset) => (chosen === null ? isOwn(preset) : preset.name === chosen.preset));
}

/** Of the preset that is shown, or what the scene calls itself. */
export function titleOf(session: Session): string {
  const preset = presetOf(session);
  return preset === undefined ? (session.rules.value?.name ?? words3d('env.own')) : spoken(preset.title);
}

/** What there is to see in it. */
export function aboutOf(session: Session): string {
  const preset = presetOf(session);
  return preset === undefined ? (session.rules.value?.description ?? '') : spoken(preset.about);
}
