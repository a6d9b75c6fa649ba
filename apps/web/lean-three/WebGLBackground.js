/** Behind everything there is one colour. */
import { Color } from 'three/src/math/Color.js';

export function WebGLBackground(renderer, environments, state, objects, alpha, premultipliedAlpha) {
  const colour = new Color(0);
  let opacity = alpha === true ? 0 : 1;
  const set = () => state.buffers.color.setClear(colour.r, colour.g, colour.b, opacity, premultipliedAlpha);
  return {
    getClearColor: () => colour,
    setClearColor(other, otherOpacity = 1) {
      colour.set(other);
      opacity = otherOpacity;
      set();
    },
    getClearAlpha: () => opacity,
    setClearAlpha(other) {
      opacity = other;
      set();
    },
    render() {
      set();
      if (!renderer.autoClear) return;
      // What may not be written cannot be cleared.
      state.buffers.depth.setTest(true);
      state.buffers.depth.setMask(true);
      state.buffers.color.setMask(true);
      renderer.clear(renderer.autoClearColor, renderer.autoClearDepth, renderer.autoClearStencil);
    },
    addToRenderList() {},
    dispose() {},
  };
}
