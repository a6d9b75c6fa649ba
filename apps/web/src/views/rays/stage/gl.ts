/** The few things of WebGL that the painter needs. */

export class Program {
  readonly #gl: WebGL2RenderingContext;
  readonly #program: WebGLProgram;
  readonly #places = new Map<string, WebGLUniformLocation | null>();

  constructor(gl: WebGL2RenderingContext, vertex: string, fragment: string) {
    this.#gl = gl;
    this.#program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]] as const) {
      const shader = gl.createShader(kind);
      // Nothing is to be had of a lost context; it comes back, and all is made again.
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

  use(values: Readonly<Record<string, number | readonly number[]>>): void {
    const gl = this.#gl;
    gl.useProgram(this.#program);
    for (const [name, value] of Object.entries(values)) {
      let place = this.#places.get(name);
      if (place === undefined) {
        place = gl.getUniformLocation(this.#program, name);
        this.#places.set(name, place);
      }
      if (typeof value === 'number') gl.uniform1f(place, value);
      else if (value.length === 2) gl.uniform2fv(place, value);
      else if (value.length === 3) gl.uniform3fv(place, value);
      else gl.uniformMatrix4fv(place, false, value);
    }
  }
}

/** Corners of a fixed layout, with or without an index. */
export class Corners {
  readonly #gl: WebGL2RenderingContext;
  readonly #layout: WebGLVertexArrayObject;
  readonly #buffer: WebGLBuffer;
  readonly #index: WebGLBuffer | null;
  #room = 0;
  count = 0;

  /** `sizes` are the numbers of each attribute, side by side. */
  constructor(gl: WebGL2RenderingContext, sizes: readonly number[], isIndexed: boolean) {
    this.#gl = gl;
    this.#layout = gl.createVertexArray();
    this.#buffer = gl.createBuffer();
    this.#index = isIndexed ? gl.createBuffer() : null;
    gl.bindVertexArray(this.#layout);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer);
    const stride = 4 * sizes.reduce((sum, size) => sum + size, 0);
    let offset = 0;
    sizes.forEach((size, place) => {
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, gl.FLOAT, false, stride, offset);
      offset += 4 * size;
    });
    if (this.#index !== null) gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.#index);
    gl.bindVertexArray(null);
  }

  /** What was given before is no more. */
  fill(numbers: Float32Array<ArrayBuffer>, count: number, index?: Uint32Array<ArrayBuffer>): void {
    const gl = this.#gl;
    this.count = count;
    gl.bindVertexArray(this.#layout);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer);
    if (numbers.length > this.#room || index !== undefined) {
      this.#room = numbers.length;
      gl.bufferData(gl.ARRAY_BUFFER, numbers, index === undefined ? gl.DYNAMIC_DRAW : gl.STATIC_DRAW);
    } else {
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, numbers);
    }
    if (index !== undefined) gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, index, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
  }

  draw(mode: GLenum): void {
    if (this.count === 0) return;
    const gl = this.#gl;
    gl.bindVertexArray(this.#layout);
    if (this.#index === null) gl.drawArrays(mode, 0, this.count);
    else gl.drawElements(mode, this.count, gl.UNSIGNED_INT, 0);
    gl.bindVertexArray(null);
  }
}
