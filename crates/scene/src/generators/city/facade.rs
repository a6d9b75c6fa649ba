//! Facades of a building, window by window, and the edge of its roof.

use crate::generators::builder::{Builder, Opening, Side};

/// From floor to floor.
pub(super) const FLOOR: f32 = 3.4;
const PARAPET: f32 = 1.1;
/// Tuned, with the city's plan, for 12 % tested: closer fins make more long triangles.
const FIN_SPACING: f32 = 0.95;

/// How a building shows its floors.
#[derive(Clone, Copy, Debug)]
pub(super) enum Facade {
    /// A wall with a recessed window in each bay.
    Punched,
    /// Glass behind projecting bands, two a floor, against the sun.
    Louvres,
    /// Glass between upright fins that run the whole height.
    Fins,
    /// Fins and bands together: a window in each field.
    Grid,
}

/// A box of floors around the origin, with a flat roof behind a parapet.
pub(super) fn tier(builder: &mut Builder, facade: Facade, width: f32, depth: f32, floors: u32) {
    let height = FLOOR * floors as f32;
    builder.on_sides(width, depth, |builder, _, width| {
        match facade {
            Facade::Punched => punched(builder, width, floors),
            Facade::Louvres => {
                builder.panel(0.0, width, 0.0, height, 0.0);
                bands(builder, width, height, FLOOR / 2.0);
            }
            Facade::Fins => {
                fins(builder, width, floors);
                bands(builder, width, height, 4.0 * FLOOR);
            }
            Facade::Grid => {
                fins(builder, width, floors);
                bands(builder, width, height, FLOOR);
            }
        }
        let (inner, top) = (0.4, height + PARAPET);
        builder.panel(0.0, width, height, top, 0.0);
        builder.quad(
            [0.0, top, 0.0],
            [width, top, 0.0],
            [width - inner, top, -inner],
            [inner, top, -inner],
        );
        builder.panel(width - inner, inner, height, top, -inner);
    });
    let (w, d) = (width / 2.0, depth / 2.0);
    builder.sheet([-w, w], [-d, d], height);
}

fn punched(builder: &mut Builder, width: f32, floors: u32) {
    let bays = (width / 3.1) as u32;
    let bay = width / bays as f32;
    let (margin, depth) = (0.2 * bay, 0.25);
    let mut below = 0.0;
    for floor in 0..floors {
        let sill = FLOOR * floor as f32 + 0.9;
        let head = sill + 1.7;
        builder.panel(0.0, width, below, sill, 0.0);
        below = head;
        let mut pier = 0.0;
        for left in (0..bays).map(|n| bay * n as f32 + margin) {
            let window = Opening { left, right: left + bay - 2.0 * margin, sill, head };
            builder.panel(pier, left, sill, head, 0.0);
            builder.reveals(&window, 0.0, -depth);
            builder.panel(left, window.right, sill, head, -depth);
            pier = window.right;
        }
        builder.panel(pier, width, sill, head, 0.0);
    }
    builder.panel(0.0, width, below, FLOOR * floors as f32, 0.0);
}

/// Fins before a face of glass. They run past all floors, and so stay high up in the octree.
fn fins(builder: &mut Builder, width: f32, floors: u32) {
    let height = FLOOR * floors as f32;
    builder.panel(0.0, width, 0.0, height, 0.0);
    let spaces = (width / FIN_SPACING) as u32;
    for x in (0..=spaces).map(|n| (width - 0.3) * n as f32 / spaces as f32) {
        let hidden = [Side::North, Side::Down];
        builder.cuboid_without(&hidden, [x, 0.0, 0.0], [x + 0.3, height + PARAPET, 0.6]);
    }
}

/// Bands across the whole front, one every `spacing`.
fn bands(builder: &mut Builder, width: f32, height: f32, spacing: f32) {
    let thickness = if spacing < FLOOR { 0.5 } else { 0.9 };
    // A little more, because whole floors may divide to just below a whole number.
    let count = (height / spacing + 0.01) as u32;
    for top in (1..=count).map(|n| spacing * n as f32) {
        builder.cuboid_without(&[Side::North], [0.0, top - thickness, 0.0], [width, top, 0.35]);
    }
}
