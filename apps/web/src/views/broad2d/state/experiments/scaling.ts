/** The scene of the form with fewer and with more objects: an experiment of the user's own world. */
import { t2d } from '../../i18n/translate.ts';
import type { Catalog, Experiment, Parameters, Technique } from '../../workers/protocol.ts';
import { defaultCellSizes } from './default-cell-size.ts';

/** The number of an experiment that is not of the study. */
export const OWN = 0;

/** Numbers of objects, relative to that of the scene: each is twice the one before. */
const FACTORS = [0.25, 0.5, 1, 2, 4];

export function scalingExperiment(catalog: Catalog, scene: Parameters, running: Technique | undefined): Experiment {
  const [least, most] = catalog.limits.objects;
  const counts = FACTORS.map((factor) => Math.min(most, Math.max(least, Math.round(scene.objects * factor))));
  const cellOf = defaultCellSizes(scene, running);
  const { seed: _, ...world } = scene;
  const text = (key: 'experiment.scaling.title' | 'experiment.scaling.about'): Experiment['title'] => ({ en: t2d(key), 'pt-BR': t2d(key) });
  return {
    number: OWN,
    title: text('experiment.scaling.title'),
    about: text('experiment.scaling.about'),
    varies: 'objects',
    frames: 0,
    cases: [...new Set(counts)].flatMap((objects) =>
      catalog.techniques.map((technique) => ({ ...world, objects, technique: technique.name, cellSize: cellOf(technique) })),
    ),
    techniques: catalog.techniques.map(({ name }) => name),
    published: [],
  };
}
