/** A small example catalog of an engine. */
const defaults = { seed: 1, repeats: 3 };

/** @type {import('../workers/protocol.ts').Catalog} */
export const CATALOG = {
  studies: [
    {
      name: 'rays',
      techniques: ['study-brute', 'study-octree', 'brute', 'bvh', 'kd-tree'],
      quick: { ...defaults, technique: ['study-brute', 'study-octree', 'brute', 'bvh'], sizes: [100, 500], families: ['low', 'medium', 'high'], rays: 1000 },
      full: { ...defaults, sizes: [100, 500, 1000], families: ['low', 'medium', 'high'], rays: 10000 },
    },
    {
      name: 'broad2d',
      techniques: ['study-brute', 'study-grid', 'brute', 'tree'],
      quick: { ...defaults, repeats: 1, objects: [10, 100], frames: 100, seeds: 2 },
      full: { ...defaults, repeats: 1, objects: [10, 100], frames: 500, seeds: 5 },
    },
    {
      name: 'broad3d',
      techniques: ['brute', 'sweep-x'],
      quick: { ...defaults, repeats: 1, objects: [100, 1000], frames: null, seeds: 1 },
      full: { ...defaults, repeats: 1, objects: [100, 1000], frames: null, seeds: 3 },
    },
    { name: 'simulator', techniques: ['brute', 'contact', 'impulse'], quick: defaults, full: defaults },
    { name: 'triangle-tests', techniques: ['moller-trumbore', 'woop'], quick: { ...defaults, rays: 3000 }, full: { ...defaults, rays: 30000 } },
  ],
  limits: { seed: [0, 4294967295], repeats: [1, 1000], sizes: [1, 300000], rays: [1, 10000000], objects: [1, 50000], frames: [1, 1000000], seeds: [1, 10000] },
};
