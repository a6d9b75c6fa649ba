//! Garden: lawn, path, fence, hedge, trees, and shrubs that complete the triangle count.

use super::HALF_DEPTH;
use crate::generators::builder::Builder;

/// Corners of the plot. Its longest side sets the scale of the octree's cube.
const WEST: f32 = -6.6;
const EAST: f32 = 6.6;
const NORTH: f32 = -5.6;
const SOUTH: f32 = 7.0;
/// Half the width of the gate before the door.
const GATE: f32 = 0.8;

pub(super) fn build(builder: &mut Builder) {
    builder.cuboid([WEST, -0.3, NORTH], [EAST, 0.0, SOUTH]);
    builder.block([-0.7, 0.0, HALF_DEPTH + 2.0], [0.7, 0.04, SOUTH]);
    fence(builder);
    hedge(builder);
    let tree = [-4.6, 0.0, 5.3];
    builder.turned(tree, 5, &[[0.18, 0.0], [0.12, 1.7]]);
    builder.turned(tree, 8, &[[0.0, 1.3], [1.1, 2.0], [0.9, 3.0], [0.0, 3.8]]);
}

/// Two rails along the street, on posts.
fn fence(builder: &mut Builder) {
    for height in [0.5, 0.95] {
        for (left, right) in [(WEST, -GATE), (GATE, EAST)] {
            builder.cuboid([left, height - 0.14, SOUTH - 0.2], [right, height, SOUTH - 0.16]);
        }
    }
    for x in [WEST, -GATE - 0.1, GATE, EAST - 0.1] {
        builder.block([x, 0.0, SOUTH - 0.3], [x + 0.1, 1.05, SOUTH - 0.2]);
    }
}

/// Clipped square, on the three sides away from the street.
fn hedge(builder: &mut Builder) {
    builder.block([WEST + 0.1, 0.0, NORTH + 0.1], [EAST - 0.1, 1.4, NORTH + 0.7]);
    for x in [WEST + 0.1, EAST - 0.6] {
        builder.block([x, 0.0, NORTH + 0.7], [x + 0.5, 1.2, SOUTH - 0.4]);
    }
}

/// Clipped cones beside the path and along the walls, one triangle a side: as many as bring the
/// house to `triangles`. The last one takes the sides that are left over.
pub(super) fn plant_shrubs(builder: &mut Builder, triangles: usize) {
    const SIDES: usize = 7;
    let mut planted = 0;
    while let missing @ 1.. = triangles.saturating_sub(builder.count()) {
        let sides = if missing < 2 * SIDES { missing } else { SIDES };
        let (row, side) = (planted / 2, if planted % 2 == 0 { -1.0 } else { 1.0 });
        let x = side * (1.3 + 0.8 * row as f32);
        builder.turned([x, 0.0, HALF_DEPTH + 2.4], sides as u32, &[[0.3, 0.0], [0.0, 1.0]]);
        planted += 1;
    }
}
