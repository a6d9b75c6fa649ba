/** Uniforms come one by one. */
export function WebGLUniformsGroups() {
  return { bind() {}, update() {}, dispose() {} };
}
