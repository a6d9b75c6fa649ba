//! Roof: gables, courses, dormers, chimney, gutters.

use super::{EAVES, HALF_DEPTH, HALF_WIDTH, WALL};
use crate::generators::builder::{Along, Builder, Heading, Side};

/// Height of the ridge above the eaves.
const RISE: f32 = 2.9;
const OVERHANG: f32 = 0.5;
const THICKNESS: f32 = 0.16;
/// Courses of tiles on each slope, over the whole length of the roof: the triangles that stay in
/// the octree's root. Tuned, with the boards, for 41 % tested.
const COURSES: u32 = 12;

/// Height of the roof's underside, by distance from the ridge.
fn underside(distance: f32) -> f32 {
    EAVES + RISE * (1.0 - distance / HALF_DEPTH)
}

pub(super) fn build(builder: &mut Builder) {
    let length = HALF_WIDTH + OVERHANG;
    for heading in [Heading::SOUTH, Heading::NORTH] {
        builder.at([0.0; 3], heading, |builder| {
            slope(builder, length);
            gutter(builder, length);
        });
    }
    let ridge = underside(0.0) + THICKNESS;
    builder.prism(
        Along::X,
        &[[ridge - 0.06, 0.14], [ridge - 0.06, -0.14], [ridge + 0.1, 0.0]],
        -length,
        length,
    );
    for heading in [Heading::EAST, Heading::WEST] {
        builder.at([0.0; 3], heading, gable);
    }
    for x in [-2.3, 2.3] {
        builder.at([x, 0.0, 0.0], Heading::SOUTH, dormer);
    }
    builder.at([-HALF_WIDTH, 0.0, 0.0], Heading::SOUTH, chimney);
}

/// The slope that looks south: a slab, and its courses of tiles.
fn slope(builder: &mut Builder, length: f32) {
    let edge = HALF_DEPTH + OVERHANG;
    let (low, high) = (underside(edge), underside(0.0));
    let slab = [[low, edge], [high, 0.0], [high + THICKNESS, 0.0], [low + THICKNESS, edge]];
    builder.prism(Along::X, &slab, -length, length);
    for course in 0..COURSES {
        let [near, far] = [course, course + 1].map(|n| edge * (1.0 - n as f32 / COURSES as f32));
        let top = |distance: f32, lift: f32| [underside(distance) + THICKNESS + lift, distance];
        let ([y0, z0], [y1, z1], [y2, z2]) = (top(near, 0.0), top(near, 0.06), top(far, 0.0));
        builder.quad([-length, y0, z0], [length, y0, z0], [length, y1, z1], [-length, y1, z1]);
        builder.quad([-length, y1, z1], [length, y1, z1], [length, y2, z2], [-length, y2, z2]);
    }
}

fn gutter(builder: &mut Builder, length: f32) {
    let edge = HALF_DEPTH + OVERHANG;
    let low = underside(edge);
    builder.cuboid([-length, low - 0.02, edge], [length, low + 0.1, edge + 0.12]);
    let downpipe = [HALF_WIDTH - 0.12, 0.0, HALF_DEPTH + 0.1];
    builder.turned(downpipe, 4, &[[0.06, 0.0], [0.06, EAVES - 0.1]]);
}

/// The gable that looks east, seen by [`Builder::at`] as looking south.
fn gable(builder: &mut Builder) {
    for (z, out) in [(HALF_WIDTH, 1.0), (HALF_WIDTH - WALL, -1.0)] {
        let half = HALF_DEPTH * out;
        builder.polygon([[-half, EAVES, z], [half, EAVES, z], [0.0, EAVES + RISE, z]]);
    }
    // A board under each edge of the roof hides where the slab ends.
    let edge = HALF_DEPTH + OVERHANG;
    let front = HALF_WIDTH + OVERHANG;
    for side in [-1.0, 1.0] {
        let (low, high) = (underside(edge), underside(0.0));
        let mut board = [
            [0.0, high - 0.1],
            [edge * side, low - 0.1],
            [edge * side, low + THICKNESS],
            [0.0, high + THICKNESS],
        ];
        if side < 0.0 {
            board.reverse();
        }
        builder.prism(Along::Z, &board, front, front + 0.05);
    }
    attic_window(builder, EAVES + 0.5, EAVES + 1.5, HALF_WIDTH);
}

/// A window as a frame on the wall, for there is no room behind it.
fn attic_window(builder: &mut Builder, sill: f32, head: f32, wall: f32) {
    builder.cuboid_without(&[Side::North], [-0.5, sill, wall], [0.5, head, wall + 0.05]);
    builder.panel(-0.4, -0.03, sill + 0.1, head - 0.1, wall + 0.06);
    builder.panel(0.03, 0.4, sill + 0.1, head - 0.1, wall + 0.06);
}

/// A small gabled house in the southern slope.
fn dormer(builder: &mut Builder) {
    let (half, front, sill, head, ridge) = (0.75, 3.0, EAVES + 0.55, EAVES + 1.75, EAVES + 2.35);
    // Where the roof's surface has risen to a height, the dormer ends.
    let meets = |height: f32| HALF_DEPTH * (1.0 - (height - EAVES - THICKNESS) / RISE);
    let foot = underside(front) + THICKNESS;
    builder.polygon([
        [-half, foot, front],
        [half, foot, front],
        [half, head, front],
        [0.0, ridge, front],
        [-half, head, front],
    ]);
    attic_window(builder, sill, head - 0.1, front);
    let back = meets(head);
    builder.polygon([[-half, foot, front], [-half, head, front], [-half, head, back]]);
    builder.polygon([[half, foot, front], [half, head, back], [half, head, front]]);
    let (out, eave) = (half + 0.15, head - 0.12);
    for side in [-1.0, 1.0] {
        let mut slab =
            [[0.0, ridge], [out * side, eave], [out * side, eave + 0.1], [0.0, ridge + 0.1]];
        if side < 0.0 {
            slab.reverse();
        }
        builder.prism(Along::Z, &slab, meets(ridge), front + 0.2);
    }
}

/// Against the west wall, from the ground past the ridge.
fn chimney(builder: &mut Builder) {
    let top = EAVES + RISE + 1.0;
    builder.block([-0.5, 0.0, -1.0], [0.0, 2.6, 1.0]);
    builder.block([-0.5, 2.6, -0.5], [0.1, top, 0.5]);
    builder.cuboid([-0.6, top, -0.6], [0.2, top + 0.15, 0.6]);
    for z in [-0.22, 0.22] {
        builder.turned([-0.2, top + 0.15, z], 5, &[[0.14, 0.0], [0.11, 0.4]]);
    }
}
