/** Names of techniques, as forms and charts show them; files and commands have identifiers. */
import type { StudyName } from '../workers/protocol.ts';
import { en } from './en.ts';
import { tStudies } from './translate.ts';

type Key = Extract<keyof typeof en, `technique.${string}`>;
type AboutKey = Extract<Key, `technique.${string}.about`>;

/** A newer engine may have techniques without a text here: they keep their identifier. */
export function techniqueLabel(name: string, study: StudyName): string {
  const key = `technique.${textOf(name, study)}`;
  return Object.hasOwn(en, key) ? tStudies(key as Exclude<Key, AboutKey>) : name;
}

export function techniqueAbout(name: string, study: StudyName): string | undefined {
  const key = `technique.${textOf(name, study)}.about`;
  return Object.hasOwn(en, key) ? tStudies(key as AboutKey) : undefined;
}

/** Some identifiers name different structures in different studies: in 2D, the octree is a quadtree. */
function textOf(name: string, study: StudyName): string {
  if (name === 'octree' && study === 'broad2d') return 'quadtree';
  return name === 'grid' && study === 'rays' ? 'uniform-grid' : name;
}
