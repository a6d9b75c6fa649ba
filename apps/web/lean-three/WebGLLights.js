/** There are no lights: the stage's shaders shade by themselves. */
export function WebGLLights() {
  const none = () => [];
  const state = {
    version: 0,
    ambient: [0, 0, 0],
    probe: none(),
    sun: none(),
    sunShadow: none(),
    sunShadowMap: none(),
    sunShadowMatrix: none(),
    sunShadowCascade: none(),
    directional: none(),
    directionalShadow: none(),
    directionalShadowMap: none(),
    directionalShadowMatrix: none(),
    spot: none(),
    spotLightMap: none(),
    spotLightMatrix: none(),
    spotShadow: none(),
    spotShadowMap: none(),
    rectArea: none(),
    rectAreaLTC1: null,
    rectAreaLTC2: null,
    point: none(),
    pointShadow: none(),
    pointShadowMap: none(),
    pointShadowMatrix: none(),
    hemi: none(),
    numSpotLightShadowsWithMaps: 0,
    numLightProbes: 0,
  };
  return { setup() {}, setupView() {}, state };
}
