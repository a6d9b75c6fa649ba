/** Display names of meshes, and of the parts of a structure. */
import { FOR_COMPARISON, type Source, type Technique } from '../workers/protocol.ts';
import { tRays } from '../i18n/translate.ts';

export function nameOf(source: Source): string {
  return 'file' in source ? source.file.name : sceneName(source.scene);
}

export function sceneName(scene: string): string {
  switch (scene) {
    case 'city':
    case 'house':
    case 'random-low':
    case 'random-medium':
    case 'random-high':
      return tRays(`scene.${scene}`);
    default:
      return scene;
  }
}

/** The mesh as a part of a file name: letters and digits, without the extension of its file. */
export function fileStem(source: Source | null): string {
  const name = source === null ? '' : 'file' in source ? source.file.name.replace(/\.gz$/i, '').replace(/\.[^.]*$/, '') : source.scene;
  return name.normalize('NFD').replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '').toLowerCase() || 'mesh';
}

/** What the structure divides: a hierarchy of boxes has nodes, a partition of space has cells. */
export function volumeOf(technique: Technique): 'node' | 'cell' {
  return technique === 'bvh' || technique === 'brute' ? 'node' : 'cell';
}

export function isForComparison(technique: Technique): boolean {
  return FOR_COMPARISON.some((each) => each === technique);
}
