/** Display names of meshes. */
import type { Source } from '../workers/protocol.ts';
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
