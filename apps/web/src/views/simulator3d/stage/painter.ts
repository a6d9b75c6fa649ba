/**
 * How is the world drawn?
 *
 * A few draws whatever there is: the floor, shadows, all that is filled, all that is free, edges, and the lines
 * and points of the overlays. No lights, shadow maps or wide lines: without a GPU each costs more than all bodies.
 */
import { isSoftware, nameOfDrawer, pixelsToDraw } from '../../../shared/stage/drawer.ts';
import { contextOf, type Uniforms, whenRestored } from '../../../shared/stage/gl.ts';
import { LineList } from '../../../shared/stage/line-list.ts';
import type { Extent, OrbitCamera } from '../../../shared/stage/orbit-camera.ts';
import type { Size } from '../../../shared/stage/runners.ts';
import type { Colours, Looks } from '../protocol.ts';
import type { Simulator } from './engine.ts';
import { Fineness } from './fineness.ts';
import { groundUnder } from './ground.ts';
import { type Made, makeAll } from './made.ts';
import { drawOverlays, type Overlays } from './overlays.ts';
import { Passes } from './passes.ts';
import { markSelected } from './selected.ts';
import { A_ROW, TEXELS } from './shaders.ts';
import { type Theme, themeOf } from './theme.ts';
import type { Floor, WorldPicture } from './world-picture.ts';

/** So much of the distance above the floor, which the depth of a far view does not tell apart. */
const HAIR = 0.0006;
/** From so many contacts on, those behind would only be noise. */
const MANY = 500;
const COLOURINGS: readonly Looks['colouring'][] = ['shape', 'state', 'speed'];

/** What else there is to know of the scene that is drawn. */
export interface Shown {
  extent: Extent;
  bounds: Extent | null;
  /** The place of the selected body in the list. */
  selected: number | null;
}

export class Painter {
  readonly #gl: WebGL2RenderingContext;
  readonly #isSoftware: boolean;
  readonly #fineness = new Fineness();
  readonly #passes = new Passes();
  readonly #overlays: Overlays = { within: new LineList(), above: new LineList(), points: new LineList() };
  #made: Made;
  #theme: Theme | null = null;
  #texels = new Float32Array();
  /** What a CSS pixel is of the picture, which goes from -1 to 1, and how many pixels wide a dot is. */
  #pixel: readonly [number, number] = [1, 1];
  #dot = 8;
  #size: Size | null = null;
  /** The share of pixels that the picture was last given. */
  #given = 1;
  /** For which scene the ground was laid. */
  #laid = '';

  /** None where nothing can be drawn. After `restored` there are no shapes. */
  static on(canvas: OffscreenCanvas | HTMLCanvasElement, restored: () => void): Painter | null {
    const drawnBy = nameOfDrawer();
    if (drawnBy === null) return null;
    const inSoftware = isSoftware(drawnBy);
    // What is selected is marked by a stencil.
    const gl = contextOf(canvas, { inSoftware, stencil: true });
    return gl === null ? null : new Painter(gl, inSoftware, restored);
  }

  private constructor(gl: WebGL2RenderingContext, inSoftware: boolean, restored: () => void) {
    this.#gl = gl;
    this.#isSoftware = inSoftware;
    this.#made = makeAll(gl);
    whenRestored(gl, () => {
      this.#made = makeAll(gl);
      this.#laid = '';
      restored();
    });
  }

  /** So many pictures a second are made; or it rests. */
  pace(fps: number | 'rests'): void {
    if (!this.#isSoftware) return;
    if (fps === 'rests') this.#fineness.rest();
    else this.#fineness.pace(fps, performance.now());
  }

  resize(size: Size): void {
    this.#size = size;
    this.#given = this.#fineness.share;
    const [width, height] = pixelsToDraw(size.pixelWidth, size.pixelHeight, this.#isSoftware, this.#given);
    Object.assign(this.#gl.canvas, { width, height });
    const ratio = width / Math.max(1, size.width);
    this.#pixel = [(2 * ratio) / width, (2 * ratio) / height];
    // On a small stage large dots would hide the bodies.
    this.#dot = 7.5 * ratio * Math.min(1, Math.max(0.6, size.width / 700));
  }

  theme(colours: Colours): void {
    this.#theme = themeOf(colours);
  }

  /** There are other bodies. */
  shape(simulator: Simulator): void {
    const { bodies, edges } = this.#made;
    simulator.draw();
    const [corners, ends] = [simulator.drawnVertices(), simulator.drawnEdges()];
    bodies.fill(corners, corners.length / 7);
    edges.fill(ends, ends.length / 4);
    this.#passes.shape(simulator, ends.length / 4);
    this.#shapeShadows(this.#passes.bodies);
  }

  paint(picture: WorldPicture, simulator: Simulator, camera: OrbitCamera, looks: Looks, scene: Shown): void {
    const theme = this.#theme;
    if (theme === null) return;
    // Only now: a picture of another size is empty until it is drawn.
    if (this.#size !== null && this.#given !== this.#fineness.share) this.resize(this.#size);
    const floor = picture.floor(scene.bounds);
    const hair = camera.distance * HAIR;
    this.#place(picture, floor, camera, scene.extent);
    this.#layGround(picture, scene.extent, floor);
    drawOverlays(this.#overlays, { picture, simulator, looks, inks: theme.inks, scene, floor, hair, head: camera.distance * 0.016 });
    const shared = {
      ...theme.shared,
      seen: camera.matrix(),
      eye: camera.eye,
      colouring: COLOURINGS.indexOf(looks.colouring),
      floorHeight: (floor?.height ?? 0) + hair,
      pixel: this.#pixel,
    };
    this.paintNothing();
    this.#paintSolid(shared, theme);
    this.#paintThin(shared, floor !== null);
    this.#paintSelected(shared, theme, scene.selected);
    this.#paintOverlays(shared, theme, picture);
  }

  /** But for the colour of the ground. */
  paintNothing(): void {
    const gl = this.#gl;
    const [red, green, blue] = this.#theme?.ground ?? [0, 0, 0];
    gl.viewport(0, 0, gl.canvas.width, gl.canvas.height);
    gl.clearColor(red, green, blue, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
  }

  close(): void {
    this.#gl.getExtension('WEBGL_lose_context')?.loseContext();
  }

  /** What hides what is behind it. */
  #paintSolid(shared: Uniforms, theme: Theme): void {
    const [gl, { programs, bodies, ground, edges, lists }] = [this.#gl, this.#made];
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    // Lines that lie on the ground, or on a body that is the ground, are in front of it.
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.enable(gl.CULL_FACE);
    gl.polygonOffset(1, 4);
    programs.filled.use({ ...shared, isFree: 0 });
    bodies.draw(gl.TRIANGLES, 0, this.#passes.filled);
    gl.disable(gl.CULL_FACE);
    gl.polygonOffset(2, 8);
    programs.ground.use({ ...shared, ink: theme.floor });
    ground.draw(gl.TRIANGLES);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    programs.edge.use(shared);
    edges.draw(gl.LINES);
    const { within } = this.#overlays;
    lists.within.fill(within.numbers, within.count);
    programs.line.use({ ...shared, dash: 0.16, drawn: 0.55, opacity: 1 });
    lists.within.draw(gl.LINES);
  }

  /** What is seen through. From here on nothing hides. */
  #paintThin(shared: Uniforms, isFloored: boolean): void {
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

  #paintSelected(shared: Uniforms, { inks, ground }: Theme, selected: number | null): void {
    if (selected === null) return;
    const [gl, { programs, bodies }, [first, count]] = [this.#gl, this.#made, this.#passes.trianglesOf(selected)];
    markSelected(gl, programs.outline, shared, { line: inks.selected, rim: ground }, () => bodies.draw(gl.TRIANGLES, first, count));
  }

  #paintOverlays(shared: Uniforms, theme: Theme, picture: WorldPicture): void {
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
    // Dots are looked for this much nearer than they are: where two bodies touch, one always hides it.
    const nearer = picture.usualSize() * (isMany ? 0.3 : 1);
    // How much is seen of those behind.
    const opacity = isMany ? 0.06 : 0.2;
    programs.point.use({ ...shared, size, nearer, rim: theme.ground, opacity });
    gl.depthFunc(gl.GREATER);
    if (!isMany || !this.#isSoftware) lists.points.draw(gl.POINTS);
    gl.depthFunc(gl.LEQUAL);
    gl.disable(gl.BLEND);
    programs.point.use({ opacity: 1 });
    lists.points.draw(gl.POINTS);
    gl.depthMask(true);
  }

  /** A square a body, under which its shadow lies. */
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

  /** Where all bodies are now, and which of them are thin. */
  #place(picture: WorldPicture, floor: Floor | null, { eye }: OrbitCamera, extent: Extent): void {
    const rows = Math.max(1, Math.ceil(picture.count / A_ROW));
    const length = rows * A_ROW * TEXELS * 4;
    if (this.#texels.length !== length) this.#texels = new Float32Array(length);
    const isOther = this.#passes.sort(picture.texels(this.#texels, floor?.height ?? null, { eye, extent }));
    this.#made.poses.upload(this.#texels, rows);
    if (!isOther) return;
    this.#made.bodies.take(this.#passes.triangles);
    this.#made.edges.take(this.#passes.edges, this.#passes.ends);
  }

  #layGround(picture: WorldPicture, extent: Extent, floor: Floor | null): void {
    const scene = JSON.stringify([[...picture.grounds], extent, floor]);
    if (scene === this.#laid) return;
    this.#laid = scene;
    const corners = groundUnder(picture, extent, floor);
    this.#made.ground.fill(corners, corners.length / 3);
  }
}

/** Many dots are smaller, so that they can be told apart. */
function sizeAmong(count: number): number {
  return count < 400 ? 1 : count < 1500 ? 0.7 : 0.5;
}
