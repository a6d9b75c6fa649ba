/** No geometry turns into another. */
export function WebGLMorphtargets() {
  return { update() {} };
}
