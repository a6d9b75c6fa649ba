/**
 * Renderer of the 3D stage.
 *
 * A few draw calls independent of the number of bodies: floor, shadows, filled bodies, free bodies,
 * edges, and the overlays' lines and points. No lights, shadow maps or wide lines: without a GPU
 * each of these costs more than all bodies.
 */
import { isSoftwareRenderer, rendererName, drawingBufferSize } from '../../../shared/webgl/renderer-info.ts';
import { contextOf, type Uniforms, whenRestored } from '../../../shared/webgl/gl.ts';
import { LineList } from '../../../shared/webgl/line-list.ts';
import type { Extent, OrbitCamera } from '../../../shared/webgl/orbit-camera.ts';
import type { Size } from '../../../shared/stage/worker-or-main-thread.ts';
import type { Colors, DisplayOptions } from '../workers/protocol.ts';
import type { Simulator } from '../workers/engine.ts';
import { ResolutionScale } from './resolution-scale.ts';
import { groundTriangles } from './ground.ts';
import { type GlResources, createResources } from './gl-resources.ts';
import { drawOverlays, type Overlays } from './overlays.ts';
import { DrawPasses } from './draw-passes.ts';
import { drawHighlight } from './selection-highlight.ts';
import { A_ROW, TEXELS } from './shaders.ts';
import { type Theme, themeOf } from './theme.ts';
import type { Floor, InstanceRows } from './instance-rows.ts';

/** Offset above the floor relative to the distance: the depth resolution of a far view. */
const HAIR = 0.0006;
/** Number of contacts from which on hidden ones are drawn faintly. */
const MANY = 500;
const COLORINGS: readonly DisplayOptions['coloring'][] = ['shape', 'state', 'speed', 'level'];

/** Part of the drawing buffer, in shares of its size; the origin is at the bottom left. */
export type Region = readonly [left: number, bottom: number, width: number, height: number];

const WHOLE: Region = [0, 0, 1, 1];

/** Other state of the drawn scene. */
export interface Shown {
  extent: Extent;
  bounds: Extent | null;
  /** Index of the selected body. */
  selected: number | null;
}

export class Renderer {
  readonly #gl: WebGL2RenderingContext;
  readonly #isSoftwareRenderer: boolean;
  /** The renderer that owns canvas, size and theme, if it is another one. */
  readonly #owner: Renderer | null;
  #twin: Renderer | null = null;
  readonly #resolution = new ResolutionScale();
  readonly #passes = new DrawPasses();
  readonly #overlays: Overlays = { within: new LineList(), above: new LineList(), points: new LineList() };
  #made: GlResources;
  #theme: Theme | null = null;
  #texels = new Float32Array();
  /** Size of a CSS pixel in normalized device coordinates, and the width of a dot in pixels. */
  #pixel: readonly [number, number] = [1, 1];
  #dot = 8;
  /** Pixels of the drawing buffer per CSS pixel. */
  #ratio = 1;
  #size: Size | null = null;
  /** Resolution scale of the current drawing buffer. */
  #given = 1;
  /** The scene whose ground is uploaded. */
  #laid = '';

  /** Null without WebGL2. After `restored` all shapes must be uploaded again. */
  static on(canvas: OffscreenCanvas | HTMLCanvasElement, restored: () => void): Renderer | null {
    const drawnBy = rendererName();
    if (drawnBy === null) return null;
    const inSoftware = isSoftwareRenderer(drawnBy);
    // The selection highlight uses the stencil buffer.
    const gl = contextOf(canvas, { inSoftware, stencil: true });
    return gl === null ? null : new Renderer(gl, inSoftware, restored);
  }

  private constructor(gl: WebGL2RenderingContext, inSoftware: boolean, from: Renderer | (() => void)) {
    this.#gl = gl;
    this.#isSoftwareRenderer = inSoftware;
    if (from instanceof Renderer) {
      this.#owner = from;
      this.#made = createResources(gl, from.#made.programs);
      return;
    }
    this.#owner = null;
    this.#made = createResources(gl);
    whenRestored(gl, () => {
      this.#made = createResources(gl);
      this.#laid = '';
      this.#twin = null;
      from();
    });
  }

  /** Draws another world on the same canvas, in a region of its own. */
  get twin(): Renderer {
    this.#twin ??= new Renderer(this.#gl, this.#isSoftwareRenderer, this);
    return this.#twin;
  }

  /** Reports the frame rate, or that the scene is at rest. */
  pace(fps: number | 'rests'): void {
    if (!this.#isSoftwareRenderer) return;
    if (fps === 'rests') this.#resolution.rest();
    else this.#resolution.pace(fps, performance.now());
  }

  resize(size: Size): void {
    this.#size = size;
    this.#given = this.#resolution.share;
    const [width, height] = drawingBufferSize(size.pixelWidth, size.pixelHeight, this.#isSoftwareRenderer, this.#given);
    Object.assign(this.#gl.canvas, { width, height });
    this.#ratio = width / Math.max(1, size.width);
    // On a small stage large dots would hide the bodies.
    this.#dot = 7.5 * this.#ratio * Math.min(1, Math.max(0.6, size.width / 700));
  }

  theme(colors: Colors): void {
    this.#theme = themeOf(colors);
  }

  /** Replaces the bodies. */
  shape(simulator: Simulator): void {
    const { bodies, edges } = this.#made;
    simulator.updateRenderMesh();
    const [corners, ends] = [simulator.meshVertices(), simulator.meshEdges()];
    bodies.fill(corners, corners.length / 7);
    edges.fill(ends, ends.length / 4);
    this.#passes.shape(simulator, ends.length / 4);
    this.#shapeShadows(this.#passes.bodies);
  }

  paint(picture: InstanceRows, simulator: Simulator, camera: OrbitCamera, display: DisplayOptions, scene: Shown, region = WHOLE): void {
    const owner = this.#owner ?? this;
    const theme = owner.#theme;
    if (theme === null) return;
    // Deferred to this point: resizing clears the drawing buffer.
    if (this.#size !== null && this.#given !== this.#resolution.share) this.resize(this.#size);
    this.#dot = owner.#dot;
    const [width, height] = this.#aim(region);
    this.#pixel = [(2 * owner.#ratio) / width, (2 * owner.#ratio) / height];
    const floor = picture.floor(scene.bounds);
    const hair = camera.distance * HAIR;
    this.#place(picture, floor, camera, scene.extent);
    this.#layGround(picture, scene.extent, floor);
    drawOverlays(this.#overlays, { picture, simulator, display, glColors: theme.glColors, scene, floor, hair, head: camera.distance * 0.016 });
    const shared = {
      ...theme.shared,
      seen: camera.matrix(),
      eye: camera.eye,
      coloring: COLORINGS.indexOf(display.coloring),
      floorHeight: (floor?.height ?? 0) + hair,
      pixel: this.#pixel,
    };
    this.#clear(theme.ground);
    this.#drawOpaque(shared, theme);
    this.#drawTranslucent(shared, floor !== null);
    this.#paintSelected(shared, theme, scene.selected);
    this.#drawOverlayLists(shared, theme, picture);
  }

  /** Clears to the background color. */
  clear(): void {
    this.#aim(WHOLE);
    this.#clear(this.#theme?.ground ?? [0, 0, 0]);
  }

  /** Draws only in this region from here on; returns its size in pixels. */
  #aim([left, bottom, wide, high]: Region): [width: number, height: number] {
    const gl = this.#gl;
    const { width, height } = gl.canvas;
    const at = [Math.round(left * width), Math.round(bottom * height)] as const;
    const size: [number, number] = [Math.round((left + wide) * width) - at[0], Math.round((bottom + high) * height) - at[1]];
    gl.viewport(...at, ...size);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(...at, ...size);
    return size;
  }

  #clear([red, green, blue]: readonly [number, number, number]): void {
    const gl = this.#gl;
    gl.clearColor(red, green, blue, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
  }

  close(): void {
    this.#gl.getExtension('WEBGL_lose_context')?.loseContext();
  }

  /** Opaque geometry, with depth writes. */
  #drawOpaque(shared: Uniforms, theme: Theme): void {
    const [gl, { programs, bodies, ground, edges, lists }] = [this.#gl, this.#made];
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    // Lines on the ground, or on a body that is the ground, must be in front of it.
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.enable(gl.CULL_FACE);
    gl.polygonOffset(1, 4);
    programs.filled.use({ ...shared, isFree: 0 });
    bodies.draw(gl.TRIANGLES, 0, this.#passes.filled);
    gl.disable(gl.CULL_FACE);
    gl.polygonOffset(2, 8);
    programs.ground.use({ ...shared, color: theme.floor });
    ground.draw(gl.TRIANGLES);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    programs.edge.use(shared);
    edges.draw(gl.LINES);
    const { within } = this.#overlays;
    lists.within.fill(within.numbers, within.count);
    programs.line.use({ ...shared, dash: 0.16, drawn: 0.55, opacity: 1 });
    lists.within.draw(gl.LINES);
  }

  /** Translucent geometry. No depth writes from here on. */
  #drawTranslucent(shared: Uniforms, isFloored: boolean): void {
    const [gl, { programs, shadows, bodies }, { filled, triangles }] = [this.#gl, this.#made, this.#passes];
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    gl.enable(gl.CULL_FACE);
    programs.shadow.use(shared);
    if (isFloored) shadows.draw(gl.TRIANGLES);
    programs.free.use({ ...shared, isFree: 1 });
    bodies.draw(gl.TRIANGLES, filled, triangles.length - filled);
    gl.disable(gl.CULL_FACE);
  }

  #paintSelected(shared: Uniforms, { glColors, ground }: Theme, selected: number | null): void {
    if (selected === null) return;
    const [gl, { programs, bodies }, [first, count]] = [this.#gl, this.#made, this.#passes.trianglesOf(selected)];
    drawHighlight(gl, programs.outline, shared, { line: glColors.selected, rim: ground }, () => bodies.draw(gl.TRIANGLES, first, count));
  }

  #drawOverlayLists(shared: Uniforms, theme: Theme, picture: InstanceRows): void {
    const [gl, { programs, lists }, { above, points }] = [this.#gl, this.#made, this.#overlays];
    lists.above.fill(above.numbers, above.count);
    lists.points.fill(points.numbers, points.count);
    gl.disable(gl.DEPTH_TEST);
    programs.line.use({ ...shared, dash: 0.16, drawn: 0.55, opacity: 1 });
    lists.above.draw(gl.LINES);
    gl.enable(gl.DEPTH_TEST);

    const contacts = picture.contacts.length / picture.aContact;
    const isMany = contacts >= MANY;
    const size = this.#dot * sizeAmong(contacts);
    // Depth bias of dots: at a contact one of the bodies always hides the point.
    const nearer = picture.usualSize() * (isMany ? 0.3 : 1);
    // Opacity of hidden dots.
    const opacity = isMany ? 0.06 : 0.2;
    programs.point.use({ ...shared, size, nearer, rim: theme.ground, opacity });
    gl.depthFunc(gl.GREATER);
    if (!isMany || !this.#isSoftwareRenderer) lists.points.draw(gl.POINTS);
    gl.depthFunc(gl.LEQUAL);
    gl.disable(gl.BLEND);
    programs.point.use({ opacity: 1 });
    lists.points.draw(gl.POINTS);
    gl.depthMask(true);
  }

  /** One square per body for its shadow. */
  #shapeShadows(bodies: number): void {
    const corners = new Float32Array(bodies * 4 * 3);
    const index = new Uint32Array(bodies * 6);
    for (let body = 0; body < bodies; body += 1) {
      corners.set([-1, -1, body, 1, -1, body, 1, 1, body, -1, 1, body], body * 12);
      index.set([0, 2, 1, 0, 3, 2].map((corner) => body * 4 + corner), body * 6);
    }
    this.#made.shadows.fill(corners, bodies * 4);
    this.#made.shadows.take(index);
  }

  /** Uploads poses, and which bodies are translucent. */
  #place(picture: InstanceRows, floor: Floor | null, { eye }: OrbitCamera, extent: Extent): void {
    const rows = Math.max(1, Math.ceil(picture.count / A_ROW));
    const length = rows * A_ROW * TEXELS * 4;
    if (this.#texels.length !== length) this.#texels = new Float32Array(length);
    const isOther = this.#passes.sort(picture.texels(this.#texels, floor?.height ?? null, { eye, extent }));
    this.#made.poses.upload(this.#texels, rows);
    if (!isOther) return;
    this.#made.bodies.take(this.#passes.triangles);
    this.#made.edges.take(this.#passes.edges, this.#passes.ends);
  }

  #layGround(picture: InstanceRows, extent: Extent, floor: Floor | null): void {
    const scene = JSON.stringify([[...picture.grounds], extent, floor]);
    if (scene === this.#laid) return;
    this.#laid = scene;
    const corners = groundTriangles(picture, extent, floor);
    this.#made.ground.fill(corners, corners.length / 3);
  }
}

/** Many dots are drawn smaller, to stay distinguishable. */
function sizeAmong(count: number): number {
  return count < 400 ? 1 : count < 1500 ? 0.7 : 0.5;
}
