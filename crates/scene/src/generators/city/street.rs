//! Street furniture, trees and vehicles; y = 0 is the pavement, or the road for vehicles.

use crate::generators::builder::{Along, Builder, Side};
use crate::random::Random;

/// Leans out over the road to the south.
pub(super) fn lamp(builder: &mut Builder) {
    builder.turned([0.0; 3], 4, &[[0.12, 0.0], [0.08, 6.5]]);
    builder.cuboid([-0.08, 6.3, 0.0], [0.08, 6.45, 1.8]);
}

/// A round crown on a trunk.
pub(super) fn tree(builder: &mut Builder, random: &mut Random) {
    let size = random.between(0.8, 1.3);
    builder.turned([0.0; 3], 4, &[[0.25, 0.0], [0.18, 2.6 * size]]);
    let crown = [[0.0, 1.9], [1.3, 2.9], [1.15, 4.4], [0.0, 5.4]];
    builder.turned([0.0; 3], 6, &crown.map(|ring| ring.map(|length| length * size)));
}

/// A cone on a three-sided trunk: 20 triangles, or all of the last 39 that are `missing`.
pub(super) fn conifer(builder: &mut Builder, missing: usize, height: f32) {
    const TRUNK: u32 = 7;
    let triangles = if missing < 40 { missing as u32 } else { 20 };
    builder.turned([0.0; 3], 3, &[[0.2, 0.0], [0.15, 0.9]]);
    let skirt = [0.25 * height, 0.5];
    builder.turned([0.0; 3], triangles - TRUNK, &[skirt, [0.0, height]]);
}

/// Drives east.
pub(super) fn car(builder: &mut Builder) {
    let body = [[-2.1, 0.3], [2.1, 0.3], [2.2, 0.7], [0.9, 0.95], [-2.0, 0.95]];
    builder.prism(Along::Z, &body, -0.9, 0.9);
    let cabin = [[-1.6, 0.95], [0.9, 0.95], [0.2, 1.45], [-1.2, 1.45]];
    builder.prism(Along::Z, &cabin, -0.75, 0.75);
    for x in [-1.4, 1.4] {
        let hidden = [Side::Up, Side::Down];
        builder.cuboid_without(&hidden, [x - 0.3, 0.0, -0.85], [x + 0.3, 0.31, 0.85]);
    }
}
