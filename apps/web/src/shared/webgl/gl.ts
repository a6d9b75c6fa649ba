/** Thin WebGL2 wrappers for the 3D stages: context, program, buffers, vertex arrays. */

/** Shader uniforms by name: a number, a vector, an array of 3-vectors, or a matrix. */
export type Uniforms = Readonly<Record<string, number | readonly number[]>>;

/** Creates the context; null if WebGL2 is not available. */
export function contextOf(canvas: OffscreenCanvas | HTMLCanvasElement, wishes: { inSoftware: boolean; stencil: boolean }): WebGL2RenderingContext | null {
  const { inSoftware, stencil } = wishes;
  return canvas.getContext('webgl2', { antialias: !inSoftware, alpha: false, stencil, powerPreference: 'high-performance' }) as WebGL2RenderingContext | null;
}

/** A lost context is restored empty: all its resources must be recreated. */
export function whenRestored({ canvas }: WebGL2RenderingContext, restored: () => void): void {
  // Without this the browser does not restore the context.
  canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
  canvas.addEventListener('webglcontextrestored', restored);
}

export class Program {
  readonly #gl: WebGL2RenderingContext;
  readonly #program: WebGLProgram;
  readonly #places = new Map<string, WebGLUniformLocation | null>();

  constructor(gl: WebGL2RenderingContext, vertex: string, fragment: string) {
    this.#gl = gl;
    this.#program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]] as const) {
      const shader = gl.createShader(kind);
      // A lost context returns null; resources are recreated after it is restored.
      if (shader === null) continue;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(this.#program, shader);
    }
    gl.linkProgram(this.#program);
    if (!gl.getProgramParameter(this.#program, gl.LINK_STATUS) && !gl.isContextLost()) {
      throw new Error(`a shader is not taken: ${gl.getProgramInfoLog(this.#program) ?? ''}`);
    }
  }

  /** Activates the program. Uniforms that it does not declare are ignored. */
  use(values: Uniforms): void {
    const gl = this.#gl;
    gl.useProgram(this.#program);
    for (const [name, value] of Object.entries(values)) {
      let place = this.#places.get(name);
      if (place === undefined) {
        place = gl.getUniformLocation(this.#program, name);
        this.#places.set(name, place);
      }
      if (place === null) continue;
      if (typeof value === 'number') gl.uniform1f(place, value);
      else if (value.length === 2) gl.uniform2fv(place, value);
      else if (value.length === 16) gl.uniformMatrix4fv(place, false, value);
      else gl.uniform3fv(place, value);
    }
  }
}

/** A buffer, reallocated only when its capacity changes. */
class Buffer {
  readonly #gl: WebGL2RenderingContext;
  readonly #target: GLenum;
  readonly #usage: GLenum;
  readonly #buffer: WebGLBuffer;
  #room = 0;

  constructor(gl: WebGL2RenderingContext, target: GLenum, usage: GLenum) {
    this.#gl = gl;
    this.#target = target;
    this.#usage = usage;
    this.#buffer = gl.createBuffer();
  }

  bind(): void {
    this.#gl.bindBuffer(this.#target, this.#buffer);
  }

  /** Uploads the first `used` numbers; the rest is capacity. */
  fill(numbers: Float32Array | Uint32Array, used: number): void {
    const gl = this.#gl;
    this.bind();
    if (numbers.length !== this.#room) {
      this.#room = numbers.length;
      gl.bufferData(this.#target, numbers, this.#usage);
    } else if (used > 0) {
      gl.bufferSubData(this.#target, 0, numbers, 0, used);
    }
  }
}

/** Vertices of a fixed layout, drawn in order or by index. */
export class Vertices {
  readonly #gl: WebGL2RenderingContext;
  readonly #layout: WebGLVertexArrayObject;
  readonly #numbers: Buffer;
  readonly #index: Buffer | null;
  readonly #aCorner: number;
  #count = 0;

  /**
   * `sizes` are the component counts of the interleaved attributes; `index` is the usage hint of
   * the index buffer, if there is one.
   */
  constructor(gl: WebGL2RenderingContext, sizes: readonly number[], index: GLenum | null = null) {
    this.#gl = gl;
    this.#layout = gl.createVertexArray();
    this.#numbers = new Buffer(gl, gl.ARRAY_BUFFER, index === null ? gl.DYNAMIC_DRAW : gl.STATIC_DRAW);
    this.#index = index === null ? null : new Buffer(gl, gl.ELEMENT_ARRAY_BUFFER, index);
    this.#aCorner = sizes.reduce((sum, size) => sum + size, 0);
    gl.bindVertexArray(this.#layout);
    this.#numbers.bind();
    let offset = 0;
    sizes.forEach((size, place) => {
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, gl.FLOAT, false, 4 * this.#aCorner, offset);
      offset += 4 * size;
    });
    this.#index?.bind();
    gl.bindVertexArray(null);
  }

  /** Replaces the vertices. */
  fill(numbers: Float32Array, count: number): void {
    this.#numbers.fill(numbers, count * this.#aCorner);
    this.#count = count;
  }

  /** Replaces the indices. */
  take(index: Uint32Array, count = index.length): void {
    // The element array binding is part of the vertex array.
    this.#gl.bindVertexArray(this.#layout);
    this.#index?.fill(index, count);
    this.#gl.bindVertexArray(null);
    this.#count = count;
  }

  /** Draws all, or a range. */
  draw(mode: GLenum, first = 0, count = this.#count): void {
    if (count === 0) return;
    const gl = this.#gl;
    gl.bindVertexArray(this.#layout);
    if (this.#index === null) gl.drawArrays(mode, first, count);
    else gl.drawElements(mode, count, gl.UNSIGNED_INT, 4 * first);
    gl.bindVertexArray(null);
  }
}
