/** Settings that select a method, with the defaults of the others that depend on it. */
import type { Method, Solver } from '../workers/protocol.ts';

export const SOLVERS: readonly Solver[] = ['soft-step', 'event-driven', 'baseline'];

/** Parts of a method that has none to choose; the defaults of the study's. */
const DEFAULTS = { broad_phase: 'auto', integrator: 'semi-implicit-euler', response: 'impulse' };

export function methodSettings(solver: Solver): object {
  return {
    solver,
    broad_phase: null,
    integrator: null,
    response: null,
    tolerance: null,
    position_iterations: null,
    octree: null,
  };
}

/** Settings of the second world of a comparison; null without one. */
export function comparisonSettings(method: Method | null): object | null {
  if (method === null) return null;
  const { solver, ...parts } = method;
  return solver === 'baseline' ? { ...methodSettings(solver), ...parts } : methodSettings(solver);
}

export function methodOf(solver: Solver): Method {
  return { solver, ...DEFAULTS };
}
