/** What is a mesh called, in the reader's language? */
import type { Source } from './protocol.ts';
import { wordsRays } from './words.ts';

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
      return wordsRays(`scene.${scene}`);
    default:
      return scene;
  }
}
