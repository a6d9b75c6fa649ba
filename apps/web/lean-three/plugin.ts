/**
 * three.js without what the 3D stage never asks of it.
 *
 * Its renderer mentions all it can do: lights, shadow maps, environments, headsets, morphing, and the shaders of twenty
 * materials. Nothing that is mentioned is left out by a bundler, so half of what a browser would fetch could never run.
 * Here its sources are bundled instead of its one file, and those parts are replaced by the few lines beside this
 * file that say "there is none". The version of three.js is fixed in package.json: another may mention other things.
 */
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Plugin } from 'vite';

const HERE = dirname(fileURLToPath(import.meta.url));

/** Replaced by the file of the same name beside this one. */
const REPLACED: ReadonlySet<string> = new Set([
  'DFGLUTData',
  'WebGLBackground',
  'WebGLEnvironments',
  'WebGLLights',
  'WebGLMorphtargets',
  'WebGLOutput',
  'WebGLShadowMap',
  'WebGLUniformsGroups',
  'WebXRManager',
]);

/** Pieces of shaders that say something where there are no lights, maps, fog or skin: the others are empty there anyway. */
const PIECES: ReadonlySet<string> = new Set([
  'begin_vertex',
  'colorspace_fragment',
  'colorspace_pars_fragment',
  'common',
  'opaque_fragment',
  'project_vertex',
]);

/** The one material of its own that the stage uses. */
const MATERIAL = 'meshbasic';

export function leanThree(): Plugin {
  return {
    name: 'lean-three',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (source === 'three') return this.resolve('three/src/Three.js', importer, { skipSelf: true });
      const name = basename(source, '.js');
      const isOfThree = importer !== undefined && importer.includes('/three/src/');
      return isOfThree && REPLACED.has(name) ? join(HERE, `${name}.js`) : null;
    },
    load(id) {
      const [, folder, name = ''] = /three\/src\/renderers\/shaders\/(ShaderChunk|ShaderLib)\/(\w+)\.glsl\.js$/.exec(id) ?? [];
      if (folder === 'ShaderChunk' && !PIECES.has(name)) return 'export default "";';
      if (folder === 'ShaderLib' && name !== MATERIAL) return 'export const vertex = "", fragment = "";';
      return null;
    },
  };
}
