/** Display names of scenes, shapes and methods. */
import { localized } from '../../../shared/i18n/translate.ts';
import type { Method, Preset } from '../workers/protocol.ts';
import type { Session } from '../state/session.ts';
import { t3d } from './translate.ts';

const SHAPES = ['sphere', 'box', 'cube', 'capsule', 'cylinder', 'cone', 'hull', 'halfspace', 'mesh', 'compound'] as const;

export function shapeName(kind: string): string {
  const known = SHAPES.find((shape) => shape === kind);
  return known === undefined ? kind : t3d(`shape.${known}`);
}

/**
 * The preset of the scene, identified by name and description, so that it is also recognized in a
 * link or file and named in the page's language. An edited scene has no texts of a preset.
 */
export function presetOf(session: Session): Preset | undefined {
  const [chosen, rules] = [session.preset.value, session.rules.value];
  const isOwn = ({ own }: Preset): boolean => own.name === rules?.name && own.description === rules?.description;
  return session.catalog.value?.presets.find((preset) => (chosen === null ? isOwn(preset) : preset.name === chosen.preset));
}

/** Title of the preset, or the scene's own name. */
export function titleOf(session: Session): string {
  const preset = presetOf(session);
  return preset === undefined ? (session.rules.value?.name ?? t3d('env.own')) : localized(preset.title);
}

/** Description of the preset, or the scene's own. */
export function aboutOf(session: Session): string {
  const preset = presetOf(session);
  return preset === undefined ? (session.rules.value?.description ?? '') : localized(preset.about);
}

/** Name of a method, with its broad phase, integrator and response if it has a choice of them. */
export function methodName({ solver, broad_phase, integrator, response }: Method, session: Pick<Session, 'catalog'>): string {
  const name = t3d(`env.solver.${solver}`);
  if (solver !== 'baseline') return name;
  const { broadPhases = [], integrators = [], responses = [] } = session.catalog.value ?? {};
  const chosen = [[broadPhases, broad_phase], [integrators, integrator], [responses, response]] as const;
  const labels = chosen.map(([choices, part]) => choices.find(({ name }) => name === part));
  return [name, ...labels.flatMap((choice) => (choice === undefined ? [] : [localized(choice.label)]))].join(', ');
}
