/**
 * How is the world drawn?
 *
 * A few draws whatever there is: the floor, shadows, all that is filled, all that is free, edges, and the lines
 * and points of the overlays. No lights, shadow maps or wide lines: without a GPU each costs more than all bodies.
 */
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  ColorManagement,
  DataTexture,
  DoubleSide,
  FloatType,
  GLSL3,
  GreaterDepth,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  LinearSRGBColorSpace,
  LineSegments,
  type Material,
  Mesh,
  MeshBasicMaterial,
  NearestFilter,
  NoBlending,
  type Object3D,
  PerspectiveCamera,
  Points,
  RGBAFormat,
  Scene,
  ShaderMaterial,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three';

import type { Ink } from '../../../shared/stage/line-list.ts';
import { type Extent, FOV, type OrbitCamera } from '../../../shared/stage/orbit-camera.ts';
import type { Size } from '../../../shared/stage/runners.ts';
import type { Colours, Looks } from '../protocol.ts';
import type { Simulator } from './engine.ts';
import { Fineness } from './fineness.ts';
import { Ends } from './lines.ts';
import { drawOverlays, type Inks } from './overlays.ts';
import { Passes } from './passes.ts';
import { Selected } from './selected.ts';
import * as shaders from './shaders.ts';
import type { Floor, SeenFrom, WorldPicture } from './world-picture.ts';

/** Where there is no GPU, more pixels than this are too many. */
const MOST_SOFTWARE_PIXELS = 900_000;
/** The floor is so many times as wide as what stands on it. */
const FLOOR = 3;
/** So much of the distance above the floor, which the depth of a far view does not tell apart. */
const HAIR = 0.0006;
/** From so many contacts on, those behind would only be noise. */
const MANY = 500;
const SOFTWARE = /swiftshader|llvmpipe|software|basic render/i;

export class Painter {
  readonly #renderer: WebGLRenderer;
  readonly #isSoftware: boolean;
  readonly #scene = new Scene();
  readonly #eye = new PerspectiveCamera(FOV);
  readonly #uniforms = {
    poses: { value: null as DataTexture | null },
    colouring: { value: 0 },
    shapes: { value: Array.from({ length: 5 }, () => new Color()) },
    still: { value: new Color() },
    free: { value: new Color() },
    touching: { value: new Color() },
    slow: { value: new Color() },
    light: { value: new Vector3(0.35, 0.86, 0.38).normalize() },
    ambient: { value: 0.5 },
    floorHeight: { value: 0 },
    darkness: { value: 0.5 },
    pixel: { value: new Vector2(1, 1) },
  };
  readonly #filled = new Mesh(new BufferGeometry(), this.#bodyMaterial(false));
  readonly #free = new Mesh(new BufferGeometry(), this.#bodyMaterial(true));
  readonly #edges = new LineSegments(new BufferGeometry(), this.#material(shaders.EDGE_VERTEX, shaders.SHADE_FRAGMENT));
  readonly #selected = new Selected((vertex, fragment, more) => this.#material(vertex, fragment, more));
  readonly #passes = new Passes(this.#filled, this.#free, this.#edges);
  readonly #shadows = new Mesh(new BufferGeometry(), this.#material(shaders.SHADOW_VERTEX, shaders.SHADOW_FRAGMENT));
  readonly #ground = new Mesh(new BufferGeometry(), new MeshBasicMaterial({ side: DoubleSide }));
  readonly #within = new Ends();
  readonly #above = new Ends();
  readonly #points = new Ends();
  readonly #pointRim = { value: new Color() };
  readonly #pointSize = { value: 8 };
  /** Dots are looked for this much nearer than they are: where two bodies touch, one always hides it. */
  readonly #nearer = { value: 0 };
  /** How much is seen of the dots behind. */
  readonly #behind = { value: 0.3 };
  readonly #hidden = new Points(this.#points.geometry, this.#pointMaterial(this.#behind));
  #inks: Inks | null = null;
  #texels = new Float32Array();
  #dot = 8;
  readonly #fineness = new Fineness();
  #size: Size | null = null;
  /** The share of pixels that the picture was last given. */
  #given = 1;
  /** For which scene the ground was laid. */
  #laid = '';

  /** None where nothing can be drawn. */
  static on(canvas: OffscreenCanvas | HTMLCanvasElement, restored: () => void): Painter | null {
    const drawnBy = nameOfDrawer();
    return drawnBy === null ? null : new Painter(canvas, SOFTWARE.test(drawnBy), restored);
  }

  private constructor(canvas: OffscreenCanvas | HTMLCanvasElement, isSoftware: boolean, restored: () => void) {
    ColorManagement.enabled = false;
    this.#isSoftware = isSoftware;
    this.#renderer = new WebGLRenderer({
      canvas,
      antialias: !this.#isSoftware,
      alpha: false,
      // What is selected is marked by it.
      stencil: true,
      powerPreference: 'high-performance',
    });
    this.#renderer.outputColorSpace = LinearSRGBColorSpace;
    this.#renderer.autoClear = true;
    canvas.addEventListener('webglcontextrestored', restored);
    this.#build();
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
    const asked = size.pixelWidth * size.pixelHeight;
    const most = this.#isSoftware && asked > MOST_SOFTWARE_PIXELS ? Math.sqrt(MOST_SOFTWARE_PIXELS / asked) : 1;
    const scale = most * this.#given;
    const [width, height] = [Math.round(size.pixelWidth * scale), Math.round(size.pixelHeight * scale)];
    this.#renderer.setPixelRatio(1);
    this.#renderer.setSize(Math.max(1, width), Math.max(1, height), false);
    const ratio = width / Math.max(1, size.width);
    this.#uniforms.pixel.value.set((2 * ratio) / Math.max(1, width), (2 * ratio) / Math.max(1, height));
    // On a small stage large dots would hide the bodies.
    this.#dot = 7.5 * ratio * Math.min(1, Math.max(0.6, size.width / 700));
  }

  theme(colours: Colours): void {
    this.#renderer.setClearColor(new Color(colours.ground));
    const { shapes, still, free, touching, slow, ambient } = this.#uniforms;
    colours.shapes.forEach((css, place) => shapes.value[place]?.set(css));
    still.value.set(colours.still);
    free.value.set(colours.free);
    touching.value.set(colours.touching);
    slow.value.set(colours.shapes[0]);
    ambient.value = colours.isDark ? 0.46 : 0.6;
    this.#uniforms.darkness.value = colours.isDark ? 0.5 : 0.2;
    this.#selected.theme(colours);
    this.#pointRim.value.set(colours.ground);
    (this.#ground.material as MeshBasicMaterial).color.set(colours.floor);
    this.#inks = {
      grid: ink(colours.line),
      line: ink(colours.muted),
      text: ink(colours.text),
      box: ink(colours.box),
      normal: ink(colours.normal),
      octree: ink(colours.octree),
      island: ink(colours.island),
      contact: ink(colours.touching),
      selected: ink(colours.selected),
    };
  }

  /** There are other bodies. */
  shape(simulator: Simulator): void {
    this.#passes.shape(simulator, this.#selected.meshes);
    this.#shapeShadows(this.#passes.bodies);
  }

  paint(picture: WorldPicture, simulator: Simulator, camera: OrbitCamera, looks: Looks, scene: Shown): void {
    if (this.#inks === null) return;
    // Only now: a picture of another size is empty until it is drawn.
    if (this.#size !== null && this.#given !== this.#fineness.share) this.resize(this.#size);
    const floor = picture.floor(scene.bounds);
    this.#uploadPoses(picture, floor?.height ?? null, { eye: camera.eye, extent: scene.extent });
    this.#uniforms.colouring.value = ['shape', 'state', 'speed'].indexOf(looks.colouring);
    const hair = camera.distance * HAIR;
    this.#uniforms.floorHeight.value = (floor?.height ?? 0) + hair;
    this.#shadows.visible = floor !== null;
    this.#layGround(picture, scene.extent, floor);
    this.#choose(scene.selected);
    const points = picture.contacts.length / picture.aContact;
    this.#pointSize.value = this.#dot * sizeAmong(points);
    this.#nearer.value = picture.usualSize() * (points < MANY ? 1 : 0.3);
    this.#behind.value = points < MANY ? 0.2 : 0.06;
    this.#hidden.visible = points < MANY || !this.#isSoftware;
    const lists = { within: this.#within, above: this.#above, points: this.#points };
    drawOverlays(lists, { picture, simulator, looks, inks: this.#inks, scene, floor, hair, head: camera.distance * 0.016 });
    this.#look(camera);
    this.#renderer.render(this.#scene, this.#eye);
  }

  paintNothing(): void {
    this.#renderer.clear();
  }

  close(): void {
    this.#renderer.dispose();
  }

  /** From where the picture is seen, as three wants it. */
  #look({ eye, target, aspect, near, far }: OrbitCamera): void {
    Object.assign(this.#eye, { aspect, near, far });
    this.#eye.position.set(...eye);
    this.#eye.lookAt(...target);
    this.#eye.updateProjectionMatrix();
  }

  #material(vertexShader: string, fragmentShader: string, more: Record<string, { value: unknown }> = {}): ShaderMaterial {
    const uniforms = { ...this.#uniforms, ...more };
    return new ShaderMaterial({ glslVersion: GLSL3, vertexShader, fragmentShader, uniforms });
  }

  #bodyMaterial(isFree: boolean): ShaderMaterial {
    return this.#material(shaders.BODY_VERTEX, isFree ? shaders.FREE_FRAGMENT : shaders.SHADE_FRAGMENT, { isFree: { value: isFree } });
  }

  #lineMaterial(): ShaderMaterial {
    return this.#material(shaders.LINE_VERTEX, shaders.LINE_FRAGMENT, { dash: { value: 0.16 } });
  }

  #pointMaterial(opacity: { value: number }): ShaderMaterial {
    const [size, rim, nearer] = [this.#pointSize, this.#pointRim, this.#nearer];
    return this.#material(shaders.POINT_VERTEX, shaders.POINT_FRAGMENT, { size, rim, nearer, opacity });
  }

  #build(): void {
    const add = (object: Object3D, order: number): void => {
      object.frustumCulled = false;
      object.renderOrder = order;
      this.#scene.add(object);
    };
    for (const thin of [this.#shadows, this.#free]) {
      const material = thin.material as Material;
      material.transparent = true;
      material.depthWrite = false;
    }
    // Lines that lie on the ground, or on a body that is the ground, are in front of it.
    for (const [mesh, farther] of [[this.#ground, 2], [this.#filled, 1]] as const) {
      const material = mesh.material as Material;
      material.polygonOffset = true;
      material.polygonOffsetFactor = farther;
      material.polygonOffsetUnits = 4 * farther;
    }
    const within = new LineSegments(this.#within.geometry, this.#lineMaterial());
    const above = new LineSegments(this.#above.geometry, this.#lineMaterial());
    (above.material as Material).depthTest = false;
    (above.material as Material).transparent = true;
    const points = new Points(this.#points.geometry, this.#pointMaterial({ value: 1 }));
    for (const dots of [points, this.#hidden]) {
      (dots.material as Material).transparent = true;
      (dots.material as Material).depthWrite = false;
    }
    (this.#hidden.material as Material).depthFunc = GreaterDepth;
    // Drawn among what is seen through, after it; but nothing is seen through these.
    (points.material as Material).blending = NoBlending;
    [this.#ground, this.#filled, this.#edges, within].forEach((object) => add(object, 0));
    add(this.#shadows, 1);
    add(this.#free, 2);
    this.#selected.meshes.forEach((mesh, place) => add(mesh, 3 + place));
    [above, this.#hidden, points].forEach((object, place) => add(object, 6 + place));
  }

  #shapeShadows(bodies: number): void {
    const corners = new Float32Array(bodies * 4 * 4);
    const index = new Uint32Array(bodies * 6);
    for (let body = 0; body < bodies; body += 1) {
      [[-1, -1], [1, -1], [1, 1], [-1, 1]].forEach(([x = 0, y = 0], corner) => {
        corners.set([x, y, 0, body], (body * 4 + corner) * 4);
      });
      index.set([0, 2, 1, 0, 3, 2].map((corner) => body * 4 + corner), body * 6);
    }
    const buffer = new InterleavedBuffer(corners, 4);
    this.#shadows.geometry.dispose();
    this.#shadows.geometry = new BufferGeometry();
    this.#shadows.geometry.setAttribute('position', new InterleavedBufferAttribute(buffer, 3, 0));
    this.#shadows.geometry.setAttribute('body', new InterleavedBufferAttribute(buffer, 1, 3));
    this.#shadows.geometry.setIndex(new BufferAttribute(index, 1));
  }

  #uploadPoses(picture: WorldPicture, floor: number | null, from: SeenFrom): void {
    const rows = Math.max(1, Math.ceil(picture.count / shaders.A_ROW));
    const length = rows * shaders.A_ROW * shaders.TEXELS * 4;
    if (this.#texels.length !== length) {
      this.#texels = new Float32Array(length);
      this.#uniforms.poses.value?.dispose();
      const texture = new DataTexture(this.#texels, shaders.A_ROW * shaders.TEXELS, rows, RGBAFormat, FloatType);
      texture.magFilter = NearestFilter;
      texture.minFilter = NearestFilter;
      this.#uniforms.poses.value = texture;
    }
    this.#passes.sort(picture.texels(this.#texels, floor, from));
    const texture = this.#uniforms.poses.value;
    if (texture !== null) texture.needsUpdate = true;
  }

  /** Half-spaces reach farther than what stands on them; the bottom of a room is as wide as the room. */
  #layGround(picture: WorldPicture, extent: Extent, floor: Floor | null): void {
    const middle = [0, 1, 2].map((axis) => (extent.min[axis]! + extent.max[axis]!) / 2);
    const reach = 0.5 * Math.max(3, extent.max[0] - extent.min[0], extent.max[2] - extent.min[2]) * FLOOR;
    const key = [...picture.grounds, ...middle, reach, JSON.stringify(floor)].join();
    if (key === this.#laid) return;
    this.#laid = key;
    const corners: number[] = [];
    const quad = (point: readonly number[], normal: Vector3): void => {
      const u = new Vector3().crossVectors(Math.abs(normal.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0), normal);
      const v = new Vector3().crossVectors(normal, u.normalize());
      const away = new Vector3(...(middle as [number, number, number])).sub(new Vector3(...(point as [number, number, number])));
      const center = new Vector3(...(middle as [number, number, number])).addScaledVector(normal, -away.dot(normal));
      const at = (a: number, b: number): number[] =>
        center.clone().addScaledVector(u, a * reach).addScaledVector(v, b * reach).toArray();
      corners.push(...at(-1, -1), ...at(1, -1), ...at(1, 1), ...at(-1, -1), ...at(1, 1), ...at(-1, 1));
    };
    for (let at = 0; at < picture.grounds.length; at += 6) {
      const [x, y, z, nx, ny, nz] = picture.grounds.subarray(at, at + 6) as unknown as number[];
      quad([x!, y!, z!], new Vector3(nx, ny, nz));
    }
    if (floor !== null && floor.area !== null && !floor.isBody) {
      const { min, max } = floor.area;
      const at = (x: number, z: number): number[] => [x, floor.height, z];
      corners.push(...at(min[0], min[2]), ...at(max[0], min[2]), ...at(max[0], max[2]));
      corners.push(...at(min[0], min[2]), ...at(max[0], max[2]), ...at(min[0], max[2]));
    }
    this.#ground.geometry.dispose();
    this.#ground.geometry.setAttribute('position', new BufferAttribute(new Float32Array(corners), 3));
    this.#ground.visible = corners.length > 0;
  }

  #choose(selected: number | null): void {
    const [first, count] = selected === null ? [0, 0] : this.#passes.trianglesOf(selected);
    this.#selected.choose(first, count);
  }
}

/** What else there is to know of the scene that is drawn. */
export interface Shown {
  extent: Extent;
  bounds: Extent | null;
  /** The place of the selected body in the list. */
  selected: number | null;
}

/** Many dots are smaller, so that they can be told apart. */
function sizeAmong(count: number): number {
  return count < 400 ? 1 : count < 1500 ? 0.7 : 0.5;
}

function ink(css: string): Ink {
  const colour = new Color(css);
  return [colour.r, colour.g, colour.b];
}

/** What draws in three dimensions, if anything does: asked of another canvas, because the answer shapes our own. */
function nameOfDrawer(): string | null {
  const canvas = typeof OffscreenCanvas === 'function' ? new OffscreenCanvas(1, 1) : document.createElement('canvas');
  const gl = canvas.getContext('webgl2') as WebGL2RenderingContext | null;
  if (gl === null) return null;
  const names = gl.getExtension('WEBGL_debug_renderer_info');
  const name = String(gl.getParameter(names === null ? gl.RENDERER : names.UNMASKED_RENDERER_WEBGL));
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return name;
}
