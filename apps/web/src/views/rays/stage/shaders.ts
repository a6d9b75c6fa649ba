/** Mesh shaders. Few operations per fragment: without a GPU each costs noticeable time. */

/** Both sides of a triangle are lit as if facing the eye: a triangle soup has no outside. */
export const MESH_VERTEX = /* glsl */ `#version 300 es
  precision highp float;
  layout(location = 0) in vec3 position;
  layout(location = 1) in vec3 normal;
  uniform mat4 seen;
  uniform vec3 eye;
  out vec3 facing;
  out vec3 towards;
  void main() {
    facing = normal;
    towards = eye - position;
    gl_Position = seen * vec4(position, 1.0);
  }
`;

/** A key light over the left shoulder, sky light from above, little from below, and a rim light. */
export const MESH_FRAGMENT = /* glsl */ `#version 300 es
  precision highp float;
  in vec3 facing;
  in vec3 towards;
  uniform vec3 light;
  uniform vec3 paint;
  uniform float ambient;
  out vec4 fragColor;
  void main() {
    vec3 n = normalize(facing);
    vec3 v = normalize(towards);
    float seen = dot(n, v);
    if (seen < 0.0) { n = -n; seen = -seen; }
    float key = max(0.0, dot(n, light));
    float sky = 0.5 + 0.5 * n.y;
    float lit = ambient * (0.72 + 0.28 * sky) + (1.0 - ambient) * key + 0.06 * seen;
    float rim = (1.0 - seen) * (1.0 - seen) * 0.10;
    fragColor = vec4(paint * lit + rim, 1.0);
  }
`;

/** A soft shadow under the mesh. */
export const FLOOR_VERTEX = /* glsl */ `#version 300 es
  precision highp float;
  layout(location = 0) in vec2 corner;
  uniform mat4 seen;
  uniform vec3 middle;
  uniform vec2 reach;
  out vec2 from;
  void main() {
    from = corner;
    gl_Position = seen * vec4(middle.x + corner.x * reach.x, middle.y, middle.z + corner.y * reach.y, 1.0);
  }
`;

export const FLOOR_FRAGMENT = /* glsl */ `#version 300 es
  precision highp float;
  in vec2 from;
  uniform float darkness;
  uniform vec3 glow;
  out vec4 fragColor;
  void main() {
    float away = length(from);
    float shadow = darkness * (1.0 - smoothstep(0.15, 0.62, away));
    float light = (1.0 - smoothstep(0.3, 1.0, away)) * 0.5;
    fragColor = vec4(mix(glow, vec3(0.0), shadow / max(0.001, shadow + light)), max(shadow, light));
  }
`;
