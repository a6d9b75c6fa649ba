//! The plot: lawn, path, fence, hedge, trees, and the shrubs that bring the count to its number.

use super::HALF_DEPTH;
use crate::scenes::builder::{Builder, Side};

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
    builder.block([WEST + 0.3, 0.0, NORTH + 0.2], [EAST - 0.3, 1.3, NORTH + 0.8]);
    for (x, z, size) in [(-5.0, 5.3, 1.0), (5.4, 4.6, 0.8)] {
        builder.turned([x, 0.0, z], 6, &[[0.16 * size, 0.0], [0.1 * size, 1.6 * size]]);
        let crown = [[0.0, 1.2], [0.9, 1.7], [1.1, 2.4], [0.7, 3.2], [0.0, 3.6]];
        builder.turned([x, 0.0, z], 8, &crown.map(|ring| ring.map(|length| length * size)));
    }
}

/// Posts and rails along the street and both sides.
fn fence(builder: &mut Builder) {
    let (south, north) = (SOUTH - 0.1, NORTH + 0.3);
    let fields = [(WEST, -GATE), (GATE, EAST)];
    for height in [0.35, 0.65, 0.95] {
        for (left, right) in fields {
            builder.cuboid([left, height - 0.12, south - 0.04], [right, height, south]);
        }
        for x in [WEST, EAST - 0.04] {
            builder.cuboid([x, height - 0.12, north], [x + 0.04, height, south - 0.04]);
        }
    }
    for (left, right) in fields {
        for post in 0..4 {
            let x = left + (right - left) * post as f32 / 3.0;
            builder.block([x - 0.05, 0.0, south - 0.14], [x + 0.05, 1.05, south - 0.04]);
        }
    }
    for x in [WEST + 0.04, EAST - 0.14] {
        for post in 0..4 {
            let z = north + (south - north) * post as f32 / 4.0;
            let hidden = [Side::Down];
            builder.cuboid_without(&hidden, [x, 0.0, z], [x + 0.1, 1.05, z + 0.1]);
        }
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
