/** Nothing is done to the picture after it was drawn. */
export function WebGLOutput() {
  throw new Error('the picture is drawn straight to the canvas');
}
