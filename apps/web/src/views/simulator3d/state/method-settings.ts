/** Settings that select a method, with the defaults of the others that depend on it. */
import type { Solver } from '../workers/protocol.ts';

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
