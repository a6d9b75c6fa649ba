/** Lines and points that change every frame, as three draws them. */
import { BufferGeometry, DynamicDrawUsage, InterleavedBuffer, InterleavedBufferAttribute } from 'three';

import { LineList, NUMBERS_AN_END } from '../../../shared/stage/line-list.ts';

export class Ends extends LineList {
  readonly geometry = new BufferGeometry();
  #buffer: InterleavedBuffer | null = null;

  /** What was added is what is drawn. */
  upload(): void {
    const { numbers, count } = this;
    if (this.#buffer?.array !== numbers) {
      this.geometry.dispose();
      const buffer = new InterleavedBuffer(numbers, NUMBERS_AN_END).setUsage(DynamicDrawUsage);
      for (const [name, size, at] of [['position', 3, 0], ['ink', 3, 3], ['along', 1, 6]] as const) {
        this.geometry.setAttribute(name, new InterleavedBufferAttribute(buffer, size, at));
      }
      this.#buffer = buffer;
    }
    this.#buffer.clearUpdateRanges();
    this.#buffer.addUpdateRange(0, count * NUMBERS_AN_END);
    this.#buffer.needsUpdate = count > 0;
    this.geometry.setDrawRange(0, count);
  }
}
