/**
 * Which pixels of the display does an object cover?
 *
 * Everybody who draws objects, or marks around them, asks here, so that all round alike.
 */

/** Where the world lies, in pixels of the display, and how many of them are a CSS pixel. */
export interface OnDisplay {
  scale: number;
  x: number;
  y: number;
  line: number;
}

/** As many specks of three pixels cover a hundredth of a stage. */
const FEW = 1000;

/** Far edges are exclusive. One place is put again and again: a frame may ask for fifty thousand. */
export class Place {
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
    // The size is rounded by itself: an object that moves does not breathe.
    this.right = this.left + this.#sized((this.#objects[at + 2] as number) * scale);
    this.bottom = this.top + this.#sized((this.#objects[at + 3] as number) * scale);
  }

  #sized(size: number): number {
    const pixels = Math.round(size);
    return pixels < this.#smallest ? this.#smallest : pixels;
  }
}

/**
 * How small an object may be on the display. A world may be a thousand times as wide as the stage: each
 * object is then drawn larger than it is, as long as few enough are there to be told apart.
 */
function smallestDrawn(objects: number, line: number): number {
  return objects <= FEW ? 3 * line : 1;
}
