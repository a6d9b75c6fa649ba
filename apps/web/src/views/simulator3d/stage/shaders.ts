/**
 * How is a body drawn, all of them in one go?
 *
 * The triangles of all bodies lie in one list that is uploaded once; where the bodies are stands in a small
 * texture, four texels each, that is uploaded every frame. Drawing body by body, or by instances, takes a
 * machine without a GPU five to twenty times as long.
 *
 *     texel 0  place, shape        texel 2  speed, points of contact, asleep, what moves it (3: nothing, and it is seen through)
 *     texel 1  turn                texel 3  shadow: x, z, radius, strength
 */

/** Bodies a row of the texture. */
export const A_ROW = 256;
export const TEXELS = 4;

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
  // By shape: 0, by state: 1, by speed: 2.
  uniform float colouring;
  uniform vec3 shapes[5];
  uniform vec3 still;
  uniform vec3 free;
  uniform vec3 touching;
  uniform vec3 slow;
  vec3 colourOf(float shape, vec4 state) {
    if (state.w > 1.5) return still;
    vec3 colour = shapes[int(min(shape, 4.0) + 0.5)];
    if (colouring == 1.0) colour = state.y > 0.5 ? touching : free;
    if (colouring == 2.0) colour = mix(slow, touching, 1.0 - exp(-state.x * 0.25));
    // What sleeps is a little paler.
    return state.z > 0.5 ? mix(colour, still, 0.35) : colour;
  }
`;

/** Filled: what touches, or never moves. Free: what flies, thin, with a rim; so are walls before the others. Each in a pass of its own. */
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
    vec3 colour = colourOf(place.w, state);
    float lit = ambient + (1.0 - ambient) * max(0.0, dot(facing, light)) + 0.10 * max(0.0, dot(facing, towards));
    shade = isFree > 0.5 ? colour : colour * lit;
    gl_Position = seen * vec4(at, 1.0);
  }
`;

export const FREE_FRAGMENT = /* glsl */ `#version 300 es
  precision highp float;
  in vec3 shade;
  in vec3 facing;
  in vec3 towards;
  out vec4 colour;
  void main() {
    float rim = smoothstep(0.62, 0.9, 1.0 - abs(dot(normalize(facing), normalize(towards))));
    colour = vec4(shade, mix(0.24, 0.95, rim));
  }
`;

/** Edges of what flies or is seen through; flat sides have no rim. */
export const EDGE_VERTEX = /* glsl */ `${FETCH}
  ${COLOUR}
  layout(location = 0) in vec3 position;
  layout(location = 1) in float body;
  out vec3 shade;
  void main() {
    vec4 place = texel(body, 0);
    vec4 state = texel(body, 2);
    shade = colourOf(place.w, state);
    vec3 at = turned(texel(body, 1), position) + place.xyz;
    gl_Position = seen * vec4(at, 1.0);
  }
`;

/** What is filled has no rim: without a GPU each pixel of one would cost time, also those that others hide. */
export const SHADE_FRAGMENT = /* glsl */ `#version 300 es
  precision highp float;
  in vec3 shade;
  out vec4 colour;
  void main() {
    colour = vec4(shade, 1.0);
  }
`;

/** A little larger than the body: a line around it. */
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

/** Ground that is no body. */
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
  uniform vec3 ink;
  out vec4 colour;
  void main() {
    colour = vec4(ink, 1.0);
  }
`;

/** A soft spot on the floor under each body. */
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
  out vec4 colour;
  void main() {
    float fades = 1.0 - smoothstep(0.25, 1.0, length(from));
    colour = vec4(0.0, 0.0, 0.0, darkness * strength * fades);
  }
`;
