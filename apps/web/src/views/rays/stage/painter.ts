/**
 * How is a mesh drawn, with what a ray does in it?
 *
 * One draw for all triangles, whatever there are, and a few for what lies over them. Lines are one pixel wide: wider ones
 * cost more than the mesh where there is no GPU. What is hidden is drawn once more, faintly.
 */
import { isSoftware, nameOfDrawer, pixelsToDraw } from '../../../shared/stage/drawer.ts';
import { contextOf, Corners, Program, whenRestored } from '../../../shared/stage/gl.ts';
import { inkOf } from '../../../shared/stage/ink.ts';
import { LineList } from '../../../shared/stage/line-list.ts';
import * as lines from '../../../shared/stage/line-shaders.ts';
import type { OrbitCamera } from '../../../shared/stage/orbit-camera.ts';
import type { Size } from '../../../shared/stage/runners.ts';
import type { Colours, ToStageByPort } from '../protocol.ts';
import * as shaders from './shaders.ts';

/** Over the left shoulder, and above. */
const LIGHT = unit([-0.28, 0.72, 0.5]);
const DOT_PX = 11;

export type Mesh = Extract<ToStageByPort, { kind: 'mesh' }>;

/** What lies over the mesh. */
export interface Overlays {
  /** The structure's own boxes. */
  boxes: LineList;
  /** Lines that what is before them hides, but for a trace. */
  within: LineList;
  /** Lines that nothing hides. */
  above: LineList;
  /** Triangles, three ends each. */
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
  triangles: Corners;
  square: Corners;
  lists: Record<keyof Overlays, Corners>;
}

export class Painter {
  readonly #gl: WebGL2RenderingContext;
  readonly #isSoftware: boolean;
  #made: Made;
  #mesh: Mesh | null = null;
  #colours: Colours | null = null;
  #dot = DOT_PX;

  /** None where nothing can be drawn. */
  static on(canvas: OffscreenCanvas | HTMLCanvasElement, restored: () => void): Painter | null {
    const drawnBy = nameOfDrawer();
    if (drawnBy === null) return null;
    const inSoftware = isSoftware(drawnBy);
    const gl = contextOf(canvas, { inSoftware, stencil: false });
    return gl === null ? null : new Painter(gl, inSoftware, restored);
  }

  private constructor(gl: WebGL2RenderingContext, inSoftware: boolean, restored: () => void) {
    this.#gl = gl;
    this.#isSoftware = inSoftware;
    this.#made = this.#make();
    whenRestored(gl, () => {
      this.#made = this.#make();
      if (this.#mesh !== null) this.shape(this.#mesh);
      restored();
    });
  }

  resize(size: Size): void {
    const { canvas } = this.#gl;
    const [width, height] = pixelsToDraw(size.pixelWidth, size.pixelHeight, this.#isSoftware);
    canvas.width = width;
    canvas.height = height;
    this.#dot = (DOT_PX * width) / Math.max(1, size.width);
  }

  theme(colours: Colours): void {
    this.#colours = colours;
  }

  /** Another mesh. */
  shape(mesh: Mesh): void {
    this.#mesh = mesh;
    this.#made.triangles.fill(mesh.vertices, mesh.vertices.length / 6);
    this.#made.triangles.take(mesh.triangles);
  }

  /** Other boxes of the structure: they are many, and seldom change. */
  fillBoxes(boxes: LineList): void {
    this.#made.lists.boxes.fill(boxes.numbers, boxes.count);
  }

  paint(camera: OrbitCamera, overlays: Overlays): void {
    const [gl, colours, made] = [this.#gl, this.#colours, this.#made];
    if (colours === null) return;
    gl.viewport(0, 0, gl.canvas.width, gl.canvas.height);
    gl.clearColor(...inkOf(colours.ground), 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    if (this.#mesh === null) return;
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    const seen = camera.matrix();
    this.#paintFloor(seen, this.#mesh, colours);

    gl.enable(gl.POLYGON_OFFSET_FILL);
    // Lines that lie on the mesh are in front of it.
    gl.polygonOffset(1, 2);
    made.mesh.use({ seen, eye: camera.eye, light: LIGHT, paint: inkOf(colours.mesh), ambient: colours.isDark ? 0.38 : 0.56 });
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
    made.point.use({ seen, eye: camera.eye, nearer: 0, size: this.#dot, rim: inkOf(colours.ground), opacity: 1 });
    lists.points.draw(gl.POINTS);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  close(): void {
    this.#gl.getExtension('WEBGL_lose_context')?.loseContext();
  }

  /** Under the mesh, where it is looked at from above. */
  #paintFloor(seen: readonly number[], { min, max }: Mesh, colours: Colours): void {
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
      darkness: colours.isDark ? 0.62 : 0.2,
      glow: colours.isDark ? [0.09, 0.115, 0.15] : [0.9, 0.92, 0.945],
    });
    this.#made.square.draw(gl.TRIANGLE_STRIP);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  #make(): Made {
    const gl = this.#gl;
    const list = (): Corners => new Corners(gl, [3, 3, 1]);
    const square = new Corners(gl, [2]);
    square.fill(new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), 4);
    return {
      mesh: new Program(gl, shaders.MESH_VERTEX, shaders.MESH_FRAGMENT),
      floor: new Program(gl, shaders.FLOOR_VERTEX, shaders.FLOOR_FRAGMENT),
      line: new Program(gl, lines.LINE_VERTEX, lines.LINE_FRAGMENT),
      point: new Program(gl, lines.POINT_VERTEX, lines.POINT_FRAGMENT),
      triangles: new Corners(gl, [3, 3], gl.STATIC_DRAW),
      square,
      lists: { boxes: list(), within: list(), above: list(), faces: list(), points: list() },
    };
  }
}

function unit(vector: readonly [number, number, number]): readonly number[] {
  const length = Math.hypot(...vector);
  return vector.map((part) => part / length);
}
