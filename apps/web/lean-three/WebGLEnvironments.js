/** There are no surroundings to reflect. */
export function WebGLEnvironments() {
  return { get: (texture) => texture, dispose() {} };
}
