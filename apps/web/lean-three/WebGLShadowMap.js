/** Shadows are drawn by the stage. */
export function WebGLShadowMap() {
  return { enabled: false, autoUpdate: false, needsUpdate: false, type: 0, render() {} };
}
