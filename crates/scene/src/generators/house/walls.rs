//! Walls of the house: plinth, windows and doors, weatherboards, porch.

use super::{GROUND_FLOOR, HALF_DEPTH, HALF_WIDTH, STOREY, WALL};
use crate::generators::builder::{Along, Builder, Heading, Opening, Side, Wall};

/// Courses of boards on the upper storey. Each runs from opening to opening, so these are among
/// the large triangles that make the affinity medium. Six of 0.45 m meet the windows' sills and
/// casings at a joint.
const BOARDS: u32 = 6;
/// How far a board's lower edge stands off the wall.
const LAP: f32 = 0.04;
/// Width of the board around an opening, and how far it stands off the wall.
const CASING: f32 = 0.1;
const PROUD: f32 = LAP + 0.02;

/// Sills and heads above the floor of their storey.
const fn window(left: f32, right: f32) -> Opening {
    Opening { left, right, sill: 0.9, head: 2.15 }
}

const fn door(left: f32, right: f32) -> Opening {
    Opening { left, right, sill: 0.0, head: 2.1 }
}

/// South, east, north, west; measured from each wall's left end as seen from outside.
const GROUND_STOREY: [&[Opening]; 4] = [
    &[window(1.0, 2.6), door(4.0, 5.0), window(6.4, 8.0)],
    &[window(2.6, 4.4)],
    &[door(1.6, 3.4), window(6.0, 8.0)],
    &[],
];
const UPPER_STOREY: [&[Opening]; 4] = [
    &[window(1.2, 2.4), window(3.9, 5.1), window(6.6, 7.8)],
    &[window(2.9, 4.1)],
    &[window(6.4, 7.6)],
    &[],
];

pub(super) fn build(builder: &mut Builder) {
    let (w, d) = (HALF_WIDTH + 0.08, HALF_DEPTH + 0.08);
    builder.block([-w, 0.0, -d], [w, GROUND_FLOOR, d]);
    storey(builder, GROUND_FLOOR, &GROUND_STOREY, 0.0, |_, _| {});
    storey(builder, GROUND_FLOOR + STOREY, &UPPER_STOREY, PROUD, |builder, wall| {
        weatherboards(builder, wall);
        for opening in wall.openings {
            casing(builder, opening);
        }
    });
    builder.at([0.0, 0.0, HALF_DEPTH], Heading::SOUTH, porch);
}

/// Four walls around the house, each with what `face` puts before it and its openings.
fn storey(
    builder: &mut Builder,
    floor: f32,
    openings: &[&[Opening]; 4],
    casing: f32,
    face: impl Fn(&mut Builder, &Wall),
) {
    builder.at([0.0, floor, 0.0], Heading::SOUTH, |builder| {
        builder.on_sides(2.0 * HALF_WIDTH, 2.0 * HALF_DEPTH, |builder, side, width| {
            let openings = openings[side];
            let wall = Wall { width, height: STOREY, thickness: WALL, casing, openings };
            builder.wall(&wall);
            face(builder, &wall);
            for opening in openings {
                joinery(builder, opening);
            }
        });
    });
}

/// Boards around an opening. Their inner edges are the reveals that the wall brought out to them.
fn casing(builder: &mut Builder, opening: &Opening) {
    let &Opening { left, right, sill, head } = opening;
    let (l, r, top) = (left - CASING, right + CASING, head + CASING);
    builder.panel(l, left, sill, head, PROUD);
    builder.panel(right, r, sill, head, PROUD);
    builder.panel(l, r, head, top, PROUD);
    builder.quad([l, sill, 0.0], [l, sill, PROUD], [l, top, PROUD], [l, top, 0.0]);
    builder.quad([r, sill, PROUD], [r, sill, 0.0], [r, top, 0.0], [r, top, PROUD]);
    builder.quad([l, top, PROUD], [r, top, PROUD], [r, top, 0.0], [l, top, 0.0]);
}

/// What fills an opening: a sill and a glazed sash, or a door leaf.
fn joinery(builder: &mut Builder, opening: &Opening) {
    let &Opening { left, right, sill, head } = opening;
    let middle = left.midpoint(right);
    if sill == 0.0 {
        builder.cuboid_without(&[Side::Up, Side::Down], [left, 0.0, -0.15], [right, head, -0.1]);
        return;
    }
    builder.cuboid_without(
        &[Side::North],
        [left - 0.15, sill - 0.06, 0.0],
        [right + 0.15, sill, 0.14],
    );
    builder.panel(left, right, sill, head, -0.13);
    builder.panel(right, left, sill, head, -0.15);
    builder.panel(middle - 0.03, middle + 0.03, sill, head, -0.1);
}

/// Lapped boards from opening to opening: each a leaning face and the edge below it.
fn weatherboards(builder: &mut Builder, wall: &Wall) {
    for board in 0..BOARDS {
        let [low, high] = [board, board + 1].map(|n| wall.height * n as f32 / BOARDS as f32);
        let middle = low.midpoint(high);
        let cutting = wall.openings.iter().filter(|o| o.sill < middle && middle < o.head);
        let mut left = 0.0;
        for opening in cutting {
            lap(builder, left, opening.left - CASING, low, high);
            left = opening.right + CASING;
        }
        lap(builder, left, wall.width, low, high);
    }
}

fn lap(builder: &mut Builder, left: f32, right: f32, low: f32, high: f32) {
    builder.quad([left, low, LAP], [right, low, LAP], [right, high, 0.0], [left, high, 0.0]);
    builder.quad([left, low, 0.0], [right, low, 0.0], [right, low, LAP], [left, low, LAP]);
}

/// A deck before the front door, with steps, posts, rails and a lean-to roof.
fn porch(builder: &mut Builder) {
    let (half, depth, head) = (2.2, 1.5, 2.95);
    builder.cuboid_without(
        &[Side::Down, Side::North],
        [-half, 0.0, 0.08],
        [half, GROUND_FLOOR - 0.02, depth],
    );
    for step in 0..2 {
        let height = 0.15 * (2 - step) as f32;
        let near = depth + 0.3 * step as f32;
        builder.cuboid_without(
            &[Side::Down, Side::North],
            [-0.8, 0.0, near],
            [0.8, height, near + 0.3],
        );
    }
    for x in [-2.1, -0.8, 0.8, 2.1] {
        builder.cuboid_without(
            &[Side::Up, Side::Down],
            [x - 0.07, 0.43, depth - 0.17],
            [x + 0.07, head, depth - 0.03],
        );
    }
    builder.cuboid([-half, head, depth - 0.2], [half, head + 0.16, depth]);
    let lean_to = [
        [head + 0.16, depth + 0.2],
        [head + 0.62, 0.0],
        [head + 0.7, 0.0],
        [head + 0.24, depth + 0.2],
    ];
    builder.prism(Along::X, &lean_to, -half - 0.15, half + 0.15);
}
