/** Theme colors as shader uniforms. */
import type { Uniforms } from '../../../shared/webgl/gl.ts';
import { type GlColor, toGlColor } from '../../../shared/webgl/gl-color.ts';
import type { Colors } from '../workers/protocol.ts';
import type { GlColors } from './overlays.ts';

/** Key light from above, over the right shoulder. */
const LIGHT = [0.35, 0.86, 0.38].map((part) => part / Math.hypot(0.35, 0.86, 0.38));

export interface Theme {
  ground: GlColor;
  floor: GlColor;
  glColors: GlColors;
  /** Uniforms of the body and shadow shaders. */
  shared: Uniforms;
}

export function themeOf(colors: Colors): Theme {
  return {
    ground: toGlColor(colors.ground),
    floor: toGlColor(colors.floor),
    glColors: {
      grid: toGlColor(colors.line),
      line: toGlColor(colors.muted),
      text: toGlColor(colors.text),
      box: toGlColor(colors.box),
      normal: toGlColor(colors.normal),
      octree: toGlColor(colors.octree),
      island: toGlColor(colors.island),
      contact: toGlColor(colors.touching),
      selected: toGlColor(colors.selected),
    },
    shared: {
      light: LIGHT,
      ambient: colors.isDark ? 0.46 : 0.6,
      darkness: colors.isDark ? 0.5 : 0.2,
      shapes: colors.shapes.flatMap((shape) => [...toGlColor(shape)]),
      still: toGlColor(colors.still),
      levels: colors.levels.flatMap((level) => [...toGlColor(level)]),
      free: toGlColor(colors.free),
      touching: toGlColor(colors.touching),
      slow: toGlColor(colors.shapes[0]),
    },
  };
}
