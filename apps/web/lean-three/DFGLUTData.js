/** There are no materials that reflect. */
export function getDFGLUT() {
  return null;
}
