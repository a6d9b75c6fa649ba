/**
 * Worlds that another scene has replaced: undo returns to them, with their history, and redo leads
 * back.
 *
 * Only the user's own scenes are stored; an unedited preset can be chosen again.
 */

/** A world of a thousand bodies takes up to 80 MB with its keyframes. */
const MOST = 3;

interface Replaceable {
  /** Edited, or opened from a file or link. */
  readonly isOwn: boolean;
  free(): void;
}

export class ReplacedWorlds<World extends Replaceable> {
  /** Oldest first. */
  readonly #earlier: World[] = [];
  /** Worlds left by undo, the latest one last. */
  readonly #later: World[] = [];

  get undoable(): number {
    return this.#earlier.length;
  }

  get redoable(): number {
    return this.#later.length;
  }

  /** Another scene was opened: stores this world, or frees it. */
  replace(world: World): void {
    this.dropLater();
    if (world.isOwn) this.#earlier.push(world);
    else world.free();
    if (this.#earlier.length > MOST) this.#earlier.shift()?.free();
  }

  /** The world before this one, or after it; null if there is none. */
  exchange(world: World, direction: 'undo' | 'redo'): World | null {
    const [from, to] = direction === 'undo' ? [this.#earlier, this.#later] : [this.#later, this.#earlier];
    const other = from.pop();
    if (other === undefined) return null;
    to.push(world);
    return other;
  }

  /** An edit: there is nothing to redo any more. */
  dropLater(): void {
    for (const world of this.#later.splice(0)) world.free();
  }

  free(): void {
    for (const world of [...this.#earlier.splice(0), ...this.#later.splice(0)]) world.free();
  }
}
