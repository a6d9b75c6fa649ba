/** Lines and points that change every frame, as three draws them. */
import { BufferAttribute, BufferGeometry, DynamicDrawUsage } from 'three';

import { LineList, NUMBERS_AN_END } from '../../../shared/stage/line-list.ts';

export class Ends extends LineList {
  readonly geometry = new BufferGeometry();
  #room = 0;

  /** What was added is what is drawn. */
  upload(): void {
    const { numbers, count } = this;
    if (this.#room !== numbers.length) {
      this.#room = numbers.length;
      this.geometry.dispose();
      for (const [name, size] of [['position', 3], ['ink', 3], ['along', 1]] as const) {
        const attribute = new BufferAttribute(new Float32Array((this.#room / NUMBERS_AN_END) * size), size);
        attribute.setUsage(DynamicDrawUsage);
        this.geometry.setAttribute(name, attribute);
      }
    }
    const { position, ink, along } = this.geometry.attributes as Record<'position' | 'ink' | 'along', BufferAttribute>;
    for (let end = 0; end < count; end += 1) {
      const at = end * NUMBERS_AN_END;
      position.array.set(numbers.subarray(at, at + 3), end * 3);
      ink.array.set(numbers.subarray(at + 3, at + 6), end * 3);
      along.array[end] = numbers[at + 6]!;
    }
    for (const attribute of [position, ink, along]) {
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, count * attribute.itemSize);
      attribute.needsUpdate = count > 0;
    }
    this.geometry.setDrawRange(0, count);
  }
}
