/** Which colours has the picture? Those of the page, as its shaders want them. */
import type { Uniforms } from '../../../shared/stage/gl.ts';
import { type Ink, inkOf } from '../../../shared/stage/ink.ts';
import type { Colours } from '../protocol.ts';
import type { Inks } from './overlays.ts';

/** From above, over the right shoulder. */
const LIGHT = [0.35, 0.86, 0.38].map((part) => part / Math.hypot(0.35, 0.86, 0.38));

export interface Theme {
  ground: Ink;
  floor: Ink;
  inks: Inks;
  /** What the shaders of bodies and shadows ask for. */
  shared: Uniforms;
}

export function themeOf(colours: Colours): Theme {
  return {
    ground: inkOf(colours.ground),
    floor: inkOf(colours.floor),
    inks: {
      grid: inkOf(colours.line),
      line: inkOf(colours.muted),
      text: inkOf(colours.text),
      box: inkOf(colours.box),
      normal: inkOf(colours.normal),
      octree: inkOf(colours.octree),
      island: inkOf(colours.island),
      contact: inkOf(colours.touching),
      selected: inkOf(colours.selected),
    },
    shared: {
      light: LIGHT,
      ambient: colours.isDark ? 0.46 : 0.6,
      darkness: colours.isDark ? 0.5 : 0.2,
      shapes: colours.shapes.flatMap((shape) => [...inkOf(shape)]),
      still: inkOf(colours.still),
      free: inkOf(colours.free),
      touching: inkOf(colours.touching),
      slow: inkOf(colours.shapes[0]),
    },
  };
}
