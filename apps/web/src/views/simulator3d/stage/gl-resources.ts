/** WebGL resources of the renderer. Recreated after a lost context. */
import { Vertices, Program } from '../../../shared/webgl/gl.ts';
import * as lines from '../../../shared/webgl/line-shaders.ts';
import type { Overlays } from './overlays.ts';
import * as shaders from './shaders.ts';

export interface GlResources {
  programs: Record<'filled' | 'free' | 'edge' | 'outline' | 'shadow' | 'ground' | 'line' | 'point', Program>;
  /** Of all bodies, in the order of the passes. */
  bodies: Vertices;
  edges: Vertices;
  shadows: Vertices;
  ground: Vertices;
  lists: Record<keyof Overlays, Vertices>;
  poses: Poses;
}

/** With the programs of other resources of this context, if there are any. */
export function createResources(gl: WebGL2RenderingContext, programs = createPrograms(gl)): GlResources {
  const list = (): Vertices => new Vertices(gl, [3, 3, 1]);
  return {
    programs,
    bodies: new Vertices(gl, [3, 3, 1], gl.DYNAMIC_DRAW),
    edges: new Vertices(gl, [3, 1], gl.DYNAMIC_DRAW),
    shadows: new Vertices(gl, [2, 1], gl.STATIC_DRAW),
    ground: new Vertices(gl, [3]),
    lists: { within: list(), above: list(), points: list() },
    poses: new Poses(gl),
  };
}

function createPrograms(gl: WebGL2RenderingContext): GlResources['programs'] {
  return {
    filled: new Program(gl, shaders.BODY_VERTEX, shaders.SHADE_FRAGMENT),
    free: new Program(gl, shaders.BODY_VERTEX, shaders.FREE_FRAGMENT),
    edge: new Program(gl, shaders.EDGE_VERTEX, shaders.SHADE_FRAGMENT),
    outline: new Program(gl, shaders.OUTLINE_VERTEX, shaders.FLAT_FRAGMENT),
    shadow: new Program(gl, shaders.SHADOW_VERTEX, shaders.SHADOW_FRAGMENT),
    ground: new Program(gl, shaders.GROUND_VERTEX, shaders.FLAT_FRAGMENT),
    line: new Program(gl, lines.LINE_VERTEX, lines.LINE_FRAGMENT),
    point: new Program(gl, lines.POINT_VERTEX, lines.POINT_FRAGMENT),
  };
}

/** Poses of all bodies: the only texture that the shaders read. */
class Poses {
  readonly #gl: WebGL2RenderingContext;
  readonly #texture: WebGLTexture | null;
  #rows = 0;

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl;
    this.#texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.#texture);
    // Texels are fetched without filtering; otherwise mipmaps would be required.
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  }

  /** The bodies drawn next have these poses. */
  upload(texels: Float32Array, rows: number): void {
    const [gl, wide] = [this.#gl, shaders.A_ROW * shaders.TEXELS];
    gl.bindTexture(gl.TEXTURE_2D, this.#texture);
    if (rows !== this.#rows) gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, wide, rows, 0, gl.RGBA, gl.FLOAT, texels);
    else gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, wide, rows, gl.RGBA, gl.FLOAT, texels);
    this.#rows = rows;
  }
}
