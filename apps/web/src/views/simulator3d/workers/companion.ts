/**
 * The second world of a comparison: a copy of the world that another method continues, step by step
 * with the first one.
 */
import type { ComparisonReport, Rules, Stats } from './protocol.ts';
import type { Simulator } from './engine.ts';
import { InstanceRows } from '../stage/instance-rows.ts';
import { statsOf } from './stats.ts';

export class Companion {
  readonly simulator: Simulator;
  readonly settings: object;
  /** Step at which both worlds were equal. */
  readonly from: number;
  readonly picture = new InstanceRows();
  readonly #rules: Rules;

  constructor(first: Simulator, settings: object) {
    this.simulator = first.fork(JSON.stringify(settings));
    this.settings = settings;
    this.from = first.at;
    this.#rules = JSON.parse(this.simulator.settings()) as Rules;
  }

  step(): void {
    this.simulator.step();
    // Only the impacts of the first world are heard.
    this.simulator.takeImpacts();
  }

  report(first: Simulator): ComparisonReport {
    const figures: Stats = statsOf(this.simulator);
    const [max = 0, mean = 0, key = null] = first.positionDifference(this.simulator);
    const { solver, broad_phase, integrator, response } = this.#rules;
    return { from: this.from, method: { solver, broad_phase, integrator, response }, figures, max, mean, key };
  }

  free(): void {
    this.simulator.free();
  }
}
