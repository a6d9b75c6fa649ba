/** Names of techniques, as forms and charts show them; files and commands have identifiers. */
import type { StudyName } from '../workers/protocol.ts';
import { en } from './en.ts';
import { tStudies } from './translate.ts';

type Key = Extract<keyof typeof en, `technique.${string}`>;
type AboutKey = Extract<Key, `technique.${string}.about`>;

/** A newer engine may have techniques without a text here: they keep their identifier. */
export function techniqueLabel(name: string, study: StudyName): string {
  // In 2D, the octree is a quadtree.
  const key = `technique.${name === 'octree' && study === 'broad2d' ? 'quadtree' : name}`;
  return Object.hasOwn(en, key) ? tStudies(key as Exclude<Key, AboutKey>) : name;
}

export function techniqueAbout(name: string): string | undefined {
  const key = `technique.${name}.about`;
  return Object.hasOwn(en, key) ? tStudies(key as AboutKey) : undefined;
}
