//! Interior: floors, partitions, the stair, some furniture.

use super::{EAVES, GROUND_FLOOR, HALF_DEPTH, HALF_WIDTH, STOREY, WALL};
use crate::generators::builder::{Builder, Heading, Opening, Side, Wall};

const SLAB: f32 = 0.25;
const STEPS: u32 = 10;

pub(super) fn build(builder: &mut Builder) {
    let (w, d) = (HALF_WIDTH - WALL, HALF_DEPTH - WALL);
    let upper = GROUND_FLOOR + STOREY;
    // The upper floor leaves a well for the stair along the north wall.
    let (well_west, well_south) = (-1.8, -2.2);
    builder.cuboid([-w, upper - SLAB, well_south], [w, upper, d]);
    builder.cuboid([-w, upper - SLAB, -d], [well_west, upper, well_south]);
    builder.cuboid([well_west + 3.4, upper - SLAB, -d], [w, upper, well_south]);
    builder.cuboid([-w, EAVES - 0.15, -d], [w, EAVES, d]);

    for (floor, left) in [(GROUND_FLOOR, 1.2), (upper, 3.0)] {
        let openings = &[Opening { left, right: left + 0.9, sill: 0.0, head: 2.05 }];
        let height = STOREY - SLAB;
        let wall = Wall { width: 2.0 * d, height, thickness: 0.12, casing: 0.0, openings };
        builder.at([1.9, floor, d], Heading::EAST, |builder| builder.wall(&wall));
    }
    builder.at([well_west, GROUND_FLOOR, -d], Heading::SOUTH, stair);
    builder.at([-2.6, GROUND_FLOOR, 1.4], Heading::SOUTH, table);
    builder.at([2.2, GROUND_FLOOR, 1.6], Heading::EAST, sofa);
    builder.at([-3.0, upper, 2.0], Heading::EAST, bed);
    // The kitchen's counter, and a wardrobe above it.
    builder.block([2.1, GROUND_FLOOR, -d], [w, GROUND_FLOOR + 0.9, -d + 0.6]);
    builder.block([-w, upper, -d + 0.2], [-w + 0.6, upper + 2.0, -1.2]);
}

/// Rises eastwards; the last step is the upper floor itself.
fn stair(builder: &mut Builder) {
    let (rise, going) = (STOREY / STEPS as f32, 3.4 / STEPS as f32);
    for step in 1..STEPS {
        let (height, x) = (rise * step as f32, going * step as f32);
        let hidden = [Side::Down, Side::North, Side::East];
        builder.cuboid_without(&hidden, [x, height - rise, 0.0], [x + going, height, 0.9]);
    }
}

fn table(builder: &mut Builder) {
    builder.cuboid([-0.8, 0.7, -0.45], [0.8, 0.75, 0.45]);
    for x in [-0.7, 0.6] {
        let hidden = [Side::Up, Side::Down];
        builder.cuboid_without(&hidden, [x, 0.0, -0.35], [x + 0.1, 0.7, 0.35]);
    }
}

fn sofa(builder: &mut Builder) {
    builder.block([-1.0, 0.0, 0.0], [1.0, 0.42, 0.85]);
    builder.block([-1.0, 0.0, -0.2], [1.0, 0.85, 0.0]);
}

fn bed(builder: &mut Builder) {
    builder.block([-0.8, 0.0, -1.0], [0.8, 0.5, 1.0]);
    builder.block([-0.85, 0.0, -1.1], [0.85, 1.0, -1.0]);
}
