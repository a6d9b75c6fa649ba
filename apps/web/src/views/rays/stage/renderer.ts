/**
 * Renderer of a mesh and the rays in it.
 *
 * One draw call for all triangles, and a few for the overlays. Lines are one pixel wide: wider ones
 * cost more than the mesh without a GPU. Hidden lines are drawn a second time, faintly.
 */
import { isSoftwareRenderer, rendererName, drawingBufferSize } from '../../../shared/webgl/renderer-info.ts';
import { contextOf, Vertices, Program, whenRestored } from '../../../shared/webgl/gl.ts';
import { toGlColor } from '../../../shared/webgl/gl-color.ts';
import { LineList } from '../../../shared/webgl/line-list.ts';
import * as lines from '../../../shared/webgl/line-shaders.ts';
import type { OrbitCamera } from '../../../shared/webgl/orbit-camera.ts';
import type { Size } from '../../../shared/stage/worker-or-main-thread.ts';
import type { Colors, ToStageByPort } from '../workers/protocol.ts';
import * as shaders from './shaders.ts';

/** Key light from above, over the left shoulder. */
const LIGHT = unit([-0.28, 0.72, 0.5]);
const DOT_PX = 11;

export type Mesh = Extract<ToStageByPort, { kind: 'mesh' }>;

/** Geometry over the mesh. */
export interface Overlays {
  /** Boxes of the structure. */
  boxes: LineList;
  /** Lines with depth test; hidden parts are drawn faintly. */
  within: LineList;
  /** Lines without depth test. */
  above: LineList;
  /** Triangles, three vertices each. */
  faces: LineList;
  points: LineList;
}

export function noOverlays(): Overlays {
  return { boxes: new LineList(), within: new LineList(), above: new LineList(), faces: new LineList(), points: new LineList() };
}

interface Made {
  mesh: Program;
  floor: Program;
  line: Program;
  point: Program;
  triangles: Vertices;
  square: Vertices;
  lists: Record<keyof Overlays, Vertices>;
}

export class Renderer {
  readonly #gl: WebGL2RenderingContext;
  readonly #isSoftwareRenderer: boolean;
  #made: Made;
  #mesh: Mesh | null = null;
  #colors: Colors | null = null;
  #dot = DOT_PX;

  /** Null without WebGL2. */
  static on(canvas: OffscreenCanvas | HTMLCanvasElement, restored: () => void): Renderer | null {
    const drawnBy = rendererName();
    if (drawnBy === null) return null;
    const inSoftware = isSoftwareRenderer(drawnBy);
    const gl = contextOf(canvas, { inSoftware, stencil: false });
    return gl === null ? null : new Renderer(gl, inSoftware, restored);
  }

  private constructor(gl: WebGL2RenderingContext, inSoftware: boolean, restored: () => void) {
    this.#gl = gl;
    this.#isSoftwareRenderer = inSoftware;
    this.#made = this.#make();
    whenRestored(gl, () => {
      this.#made = this.#make();
      if (this.#mesh !== null) this.shape(this.#mesh);
      restored();
    });
  }

  resize(size: Size): void {
    const { canvas } = this.#gl;
    const [width, height] = drawingBufferSize(size.pixelWidth, size.pixelHeight, this.#isSoftwareRenderer);
    canvas.width = width;
    canvas.height = height;
    this.#dot = (DOT_PX * width) / Math.max(1, size.width);
  }

  theme(colors: Colors): void {
    this.#colors = colors;
  }

  /** Replaces the mesh. */
  shape(mesh: Mesh): void {
    this.#mesh = mesh;
    this.#made.triangles.fill(mesh.vertices, mesh.vertices.length / 6);
    this.#made.triangles.take(mesh.triangles);
  }

  /** Replaces the structure's boxes: they are many, and seldom change. */
  fillBoxes(boxes: LineList): void {
    this.#made.lists.boxes.fill(boxes.numbers, boxes.count);
  }

  paint(camera: OrbitCamera, overlays: Overlays): void {
    const [gl, colors, made] = [this.#gl, this.#colors, this.#made];
    if (colors === null) return;
    gl.viewport(0, 0, gl.canvas.width, gl.canvas.height);
    gl.clearColor(...toGlColor(colors.ground), 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    if (this.#mesh === null) return;
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    const seen = camera.matrix();
    this.#paintFloor(seen, this.#mesh, colors);

    gl.enable(gl.POLYGON_OFFSET_FILL);
    // Offset, so that lines on the surface are in front of it.
    gl.polygonOffset(1, 2);
    made.mesh.use({ seen, eye: camera.eye, light: LIGHT, paint: toGlColor(colors.mesh), ambient: colors.isDark ? 0.38 : 0.56 });
    made.triangles.draw(gl.TRIANGLES);
    gl.disable(gl.POLYGON_OFFSET_FILL);

    const lists = made.lists;
    for (const name of ['within', 'above', 'faces', 'points'] as const) lists[name].fill(overlays[name].numbers, overlays[name].count);
    const dash = camera.distance * 0.02;
    const line = (opacity: number): void => made.line.use({ seen, dash, drawn: 0.5, opacity });
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    line(0.5);
    lists.boxes.draw(gl.LINES);
    line(0.75);
    gl.disable(gl.DEPTH_TEST);
    lists.faces.draw(gl.TRIANGLES);
    gl.enable(gl.DEPTH_TEST);
    line(1);
    lists.within.draw(gl.LINES);
    gl.depthFunc(gl.GREATER);
    line(0.3);
    lists.within.draw(gl.LINES);
    gl.depthFunc(gl.LEQUAL);
    gl.disable(gl.DEPTH_TEST);
    line(1);
    lists.above.draw(gl.LINES);
    made.point.use({ seen, eye: camera.eye, nearer: 0, size: this.#dot, rim: toGlColor(colors.ground), opacity: 1 });
    lists.points.draw(gl.POINTS);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  close(): void {
    this.#gl.getExtension('WEBGL_lose_context')?.loseContext();
  }

  /** A floor under the mesh, if it is seen from above. */
  #paintFloor(seen: readonly number[], { min, max }: Mesh, colors: Colors): void {
    const gl = this.#gl;
    const [wide, deep] = [max[0] - min[0], max[2] - min[2]];
    const long = Math.max(wide, deep);
    const middle = [(min[0] + max[0]) / 2, min[1] - 0.002 * long, (min[2] + max[2]) / 2];
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    this.#made.floor.use({
      seen,
      middle,
      reach: [0.95 * Math.max(wide, 0.4 * long), 0.95 * Math.max(deep, 0.4 * long)],
      darkness: colors.isDark ? 0.62 : 0.2,
      glow: colors.isDark ? [0.09, 0.115, 0.15] : [0.9, 0.92, 0.945],
    });
    this.#made.square.draw(gl.TRIANGLE_STRIP);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  #make(): Made {
    const gl = this.#gl;
    const list = (): Vertices => new Vertices(gl, [3, 3, 1]);
    const square = new Vertices(gl, [2]);
    square.fill(new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), 4);
    return {
      mesh: new Program(gl, shaders.MESH_VERTEX, shaders.MESH_FRAGMENT),
      floor: new Program(gl, shaders.FLOOR_VERTEX, shaders.FLOOR_FRAGMENT),
      line: new Program(gl, lines.LINE_VERTEX, lines.LINE_FRAGMENT),
      point: new Program(gl, lines.POINT_VERTEX, lines.POINT_FRAGMENT),
      triangles: new Vertices(gl, [3, 3], gl.STATIC_DRAW),
      square,
      lists: { boxes: list(), within: list(), above: list(), faces: list(), points: list() },
    };
  }
}

function unit(vector: readonly [number, number, number]): readonly number[] {
  const length = Math.hypot(...vector);
  return vector.map((part) => part / length);
}
