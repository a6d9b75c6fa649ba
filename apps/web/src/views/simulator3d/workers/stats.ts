/** Statistics of a world by name, from the engine's row of numbers. */
import type { Stats } from './protocol.ts';
import type { Simulator } from './engine.ts';

export function statsOf(simulator: Simulator): Stats {
  const row = simulator.stats();
  const at = (place: number): number => row[place] ?? 0;
  const size = (place: number): number => Math.hypot(at(place), at(place + 1), at(place + 2));
  return {
    step: at(0),
    time: at(1),
    bodies: at(2),
    touching: at(3),
    asleep: at(4),
    pairs: at(5),
    contacts: at(6),
    islands: at(7),
    energy: at(8),
    kinetic: at(9),
    momentum: size(10),
    angularMomentum: size(13),
    costs: [at(16) * 1e3, at(17) * 1e3, at(18) * 1e3, at(19) * 1e3],
    deepest: at(20),
  };
}
