/** Three-component vectors and their axis names. */

export type Vector = [number, number, number];
export const AXES = ['x', 'y', 'z'] as const;
