/** Seek of two compared worlds to the same step. */
import type { Seekable } from './seek.ts';

/** The two take turns within a slice, so that neither waits for the whole way of the other. */
export function together(first: Seekable, second: Seekable): Seekable {
  return {
    get at(): number {
      return first.at;
    },
    get seekTarget(): number | undefined {
      return first.seekTarget ?? second.seekTarget;
    },
    setSeekTarget(step: number): void {
      first.setSeekTarget(step);
      second.setSeekTarget(step);
    },
    advanceSeek(milliseconds: number): boolean {
      const isThere = [first, second].map((world) => world.seekTarget === undefined || world.advanceSeek(milliseconds / 2));
      return isThere.every(Boolean);
    },
    cancelSeek(): void {
      first.cancelSeek();
      second.cancelSeek();
    },
  };
}
