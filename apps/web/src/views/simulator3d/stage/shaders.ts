/**
 * Shaders of bodies, all drawn in one call.
 *
 * The triangles of all bodies are in one buffer that is uploaded once; poses are in a small
 * texture,
 * four texels per body, that is uploaded every frame. A draw call per body, or instancing, takes
 * five to
 * twenty times as long without a GPU.
 *
 *     texel 0  position, shape and level     texel 2  speed, contacts, asleep, body type (3: static,
 *     translucent)
 *     texel 1  orientation         texel 3  shadow: x, z, radius, strength
 */

/** Bodies per texture row. */
export const A_ROW = 256;
export const TEXELS = 4;
/** The code of a shape is smaller; one more than the level is added as a multiple of it. */
export const A_LEVEL = 16;

const FETCH = /* glsl */ `#version 300 es
  precision highp float;
  precision highp int;
  uniform mat4 seen;
  uniform highp sampler2D poses;
  vec4 texel(float body, int place) {
    int number = int(body + 0.5);
    return texelFetch(poses, ivec2((number % ${A_ROW}) * ${TEXELS} + place, number / ${A_ROW}), 0);
  }
  vec3 turned(vec4 q, vec3 v) {
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
  }
`;

const COLOUR = /* glsl */ `
  // 0 by shape, 1 by state, 2 by speed, 3 by level of the octree.
  uniform float coloring;
  uniform vec3 shapes[5];
  uniform vec3 levels[8];
  uniform vec3 still;
  uniform vec3 free;
  uniform vec3 touching;
  uniform vec3 slow;
  vec3 colorOf(float code, vec4 state) {
    float level = floor(code / ${A_LEVEL}.0);
    float shape = code - level * ${A_LEVEL}.0;
    if (coloring == 3.0) return level < 0.5 ? still : levels[int(min(level, 8.0) - 0.5)];
    if (state.w > 1.5) return still;
    vec3 color = shapes[int(min(shape, 4.0) + 0.5)];
    if (coloring == 1.0) color = state.y > 0.5 ? touching : free;
    if (coloring == 2.0) color = mix(slow, touching, 1.0 - exp(-state.x * 0.25));
    // Sleeping bodies are slightly paler.
    return state.z > 0.5 ? mix(color, still, 0.35) : color;
  }
`;

/**
 * Filled: touching and static bodies. Free: flying bodies, translucent with a rim; also occluding
 * walls. Each in a pass of its own.
 */
export const BODY_VERTEX = /* glsl */ `${FETCH}
  ${COLOUR}
  layout(location = 0) in vec3 position;
  layout(location = 1) in vec3 normal;
  layout(location = 2) in float body;
  uniform vec3 eye;
  uniform float isFree;
  uniform vec3 light;
  uniform float ambient;
  out vec3 shade;
  out vec3 facing;
  out vec3 towards;
  void main() {
    vec4 place = texel(body, 0);
    vec4 turn = texel(body, 1);
    vec4 state = texel(body, 2);
    vec3 at = turned(turn, position) + place.xyz;
    facing = turned(turn, normal);
    towards = normalize(eye - at);
    vec3 color = colorOf(place.w, state);
    float lit = ambient + (1.0 - ambient) * max(0.0, dot(facing, light)) + 0.10 * max(0.0, dot(facing, towards));
    shade = isFree > 0.5 ? color : color * lit;
    gl_Position = seen * vec4(at, 1.0);
  }
`;

export const FREE_FRAGMENT = /* glsl */ `#version 300 es
  precision highp float;
  in vec3 shade;
  in vec3 facing;
  in vec3 towards;
  out vec4 fragColor;
  void main() {
    float rim = smoothstep(0.62, 0.9, 1.0 - abs(dot(normalize(facing), normalize(towards))));
    fragColor = vec4(shade, mix(0.24, 0.95, rim));
  }
`;

/** Edges of free and translucent bodies; flat faces have no rim. */
export const EDGE_VERTEX = /* glsl */ `${FETCH}
  ${COLOUR}
  layout(location = 0) in vec3 position;
  layout(location = 1) in float body;
  out vec3 shade;
  void main() {
    vec4 place = texel(body, 0);
    vec4 state = texel(body, 2);
    shade = colorOf(place.w, state);
    vec3 at = turned(texel(body, 1), position) + place.xyz;
    gl_Position = seen * vec4(at, 1.0);
  }
`;

/** Filled bodies have no rim: without a GPU it would cost time per pixel, including hidden ones. */
export const SHADE_FRAGMENT = /* glsl */ `#version 300 es
  precision highp float;
  in vec3 shade;
  out vec4 fragColor;
  void main() {
    fragColor = vec4(shade, 1.0);
  }
`;

/** Scaled up slightly, as an outline around the body. */
export const OUTLINE_VERTEX = /* glsl */ `${FETCH}
  layout(location = 0) in vec3 position;
  layout(location = 2) in float body;
  uniform vec2 pixel;
  uniform float width;
  void main() {
    vec4 place = texel(body, 0);
    vec3 out3 = turned(texel(body, 1), position);
    vec4 clip = seen * vec4(out3 + place.xyz, 1.0);
    vec4 farther = seen * vec4(out3 * 1.01 + place.xyz, 1.0);
    vec2 away = (farther.xy / farther.w - clip.xy / clip.w) / pixel;
    clip.xy += normalize(away + vec2(1e-6)) * pixel * width * clip.w;
    gl_Position = clip;
  }
`;

/** Ground surfaces. */
export const GROUND_VERTEX = /* glsl */ `#version 300 es
  precision highp float;
  layout(location = 0) in vec3 position;
  uniform mat4 seen;
  void main() {
    gl_Position = seen * vec4(position, 1.0);
  }
`;

export const FLAT_FRAGMENT = /* glsl */ `#version 300 es
  precision highp float;
  uniform vec3 color;
  out vec4 fragColor;
  void main() {
    fragColor = vec4(color, 1.0);
  }
`;

/** A soft shadow on the floor under each body. */
export const SHADOW_VERTEX = /* glsl */ `${FETCH}
  layout(location = 0) in vec2 corner;
  layout(location = 1) in float body;
  uniform float floorHeight;
  out vec2 from;
  out float strength;
  void main() {
    vec4 shadow = texel(body, 3);
    from = corner;
    strength = shadow.w;
    vec3 at = vec3(shadow.x + corner.x * shadow.z, floorHeight, shadow.y + corner.y * shadow.z);
    gl_Position = seen * vec4(at, 1.0);
    if (shadow.w <= 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  }
`;

export const SHADOW_FRAGMENT = /* glsl */ `#version 300 es
  precision highp float;
  in vec2 from;
  in float strength;
  uniform float darkness;
  out vec4 fragColor;
  void main() {
    float fades = 1.0 - smoothstep(0.25, 1.0, length(from));
    fragColor = vec4(0.0, 0.0, 0.0, darkness * strength * fades);
  }
`;
