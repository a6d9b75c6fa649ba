/**
 * How is the selected body marked?
 *
 * By a thick line around all of it, over its neighbours too, with a rim that tells it from whatever colour lies beside. Its own
 * silhouette is left out of both: a mask says where that is.
 */
import {
  AlwaysStencilFunc,
  type BufferGeometry,
  Color,
  DoubleSide,
  KeepStencilOp,
  Mesh,
  NotEqualStencilFunc,
  ReplaceStencilOp,
  type ShaderMaterial,
} from 'three';

import type { Colours } from '../protocol.ts';
import * as shaders from './shaders.ts';

/** CSS pixels, from the body outwards: the line, and the line with its rim. */
const [LINE, RIM] = [3.5, 5];
const MASKED = 1;

type Uniforms = Record<string, { value: unknown }>;

export class Selected {
  readonly #line = { value: new Color() };
  readonly #rim = { value: new Color() };
  readonly #meshes: readonly Mesh<BufferGeometry, ShaderMaterial>[];

  /** `material` knows where the bodies are. */
  constructor(material: (vertex: string, fragment: string, more: Uniforms) => ShaderMaterial) {
    const around = (width: number, ink: { value: Color }): Mesh<BufferGeometry, ShaderMaterial> => {
      const made = material(shaders.OUTLINE_VERTEX, shaders.FLAT_FRAGMENT, { ink, width: { value: width } });
      Object.assign(made, { side: DoubleSide, depthTest: false, depthWrite: false, transparent: true });
      Object.assign(made, { stencilWrite: true, stencilRef: MASKED, stencilFunc: NotEqualStencilFunc, stencilZPass: KeepStencilOp });
      return new Mesh(undefined, made);
    };
    const mask = around(0, this.#line);
    Object.assign(mask.material, { colorWrite: false, stencilFunc: AlwaysStencilFunc, stencilZPass: ReplaceStencilOp });
    this.#meshes = [mask, around(RIM, this.#rim), around(LINE, this.#line)];
  }

  /** In the order in which they are drawn. */
  get meshes(): readonly Mesh[] {
    return this.#meshes;
  }

  theme({ selected, ground }: Colours): void {
    this.#line.value.set(selected);
    this.#rim.value.set(ground);
  }

  /** Marks the triangles from this corner on; none, if there are none. */
  choose(first: number, count: number): void {
    for (const mesh of this.#meshes) {
      mesh.visible = count > 0;
      mesh.geometry.setDrawRange(first, count);
    }
  }
}
