/** Three numbers, and what they are called. */

export type Vector = [number, number, number];
export const AXES = ['x', 'y', 'z'] as const;
