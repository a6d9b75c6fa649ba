/** Shaders of lines and points over a picture, with one color per vertex. */

/** Dashes are cut by the distance along the line. Also draws faces. */
export const LINE_VERTEX = /* glsl */ `#version 300 es
  precision highp float;
  layout(location = 0) in vec3 position;
  layout(location = 1) in vec3 color;
  layout(location = 2) in float along;
  uniform mat4 seen;
  out vec3 shade;
  out float way;
  void main() {
    shade = color;
    way = along;
    gl_Position = seen * vec4(position, 1.0);
  }
`;

/** A dash and its gap together are `dash` long, of which the share `drawn` is drawn. */
export const LINE_FRAGMENT = /* glsl */ `#version 300 es
  precision highp float;
  in vec3 shade;
  in float way;
  uniform float dash;
  uniform float drawn;
  uniform float opacity;
  out vec4 fragColor;
  void main() {
    if (way >= 0.0 && fract(way / dash) > drawn) discard;
    fragColor = vec4(shade, opacity);
  }
`;

/** At the projected position, moved towards the eye by a bias. */
export const POINT_VERTEX = /* glsl */ `#version 300 es
  precision highp float;
  layout(location = 0) in vec3 position;
  layout(location = 1) in vec3 color;
  uniform mat4 seen;
  uniform vec3 eye;
  uniform float size;
  uniform float nearer;
  out vec3 shade;
  void main() {
    shade = color;
    vec3 away = position - eye;
    gl_Position = seen * vec4(eye + away * max(0.1, 1.0 - nearer / length(away)), 1.0);
    gl_PointSize = size;
  }
`;

export const POINT_FRAGMENT = /* glsl */ `#version 300 es
  precision highp float;
  in vec3 shade;
  uniform vec3 rim;
  uniform float opacity;
  out vec4 fragColor;
  void main() {
    vec2 from = gl_PointCoord - 0.5;
    float away = dot(from, from);
    if (away > 0.5 * 0.5) discard;
    fragColor = vec4(away > 0.36 * 0.36 ? rim : shade, opacity);
  }
`;
