/**
 * Pixel bounds of objects.
 *
 * Used by everything that draws objects or marks around them, so that all round alike.
 */

/** Position of the world in display pixels, and display pixels per CSS pixel. */
export interface OnDisplay {
  scale: number;
  x: number;
  y: number;
  line: number;
}

/** This many objects of three pixels cover a hundredth of a stage. */
const FEW = 1000;

/** Far edges are exclusive. One mutable instance is reused: a frame may need fifty thousand. */
export class PixelBounds {
  left = 0;
  top = 0;
  right = 0;
  bottom = 0;
  readonly #objects: Float32Array;
  readonly #on: OnDisplay;
  readonly #smallest: number;

  constructor(objects: Float32Array, on: OnDisplay) {
    this.#objects = objects;
    this.#on = on;
    this.#smallest = smallestDrawn(objects.length / 4, on.line);
  }

  put(object: number): void {
    const { scale, x, y } = this.#on;
    const at = 4 * object;
    this.left = Math.round((this.#objects[at] as number) * scale + x);
    this.top = Math.round((this.#objects[at + 1] as number) * scale + y);
    // The size is rounded on its own: the drawn size of a moving object does not vary.
    this.right = this.left + this.#sized((this.#objects[at + 2] as number) * scale);
    this.bottom = this.top + this.#sized((this.#objects[at + 3] as number) * scale);
  }

  #sized(size: number): number {
    const pixels = Math.round(size);
    return pixels < this.#smallest ? this.#smallest : pixels;
  }
}

/**
 * Minimum drawn size. In a world a thousand times as wide as the stage, objects are drawn larger
 * than to scale, if there are few enough to be distinguished.
 */
function smallestDrawn(objects: number, line: number): number {
  return objects <= FEW ? 3 * line : 1;
}
