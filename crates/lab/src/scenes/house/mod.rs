//! Stand-in for study A's `building`, whose file is lost: a house of 1,567 triangles.
//!
//! ```text
//!            ▁▁  ╱╲  ┌┐            attic     gables, dormers, chimney
//!         ╱▔▔▔▔▔▔▔▔▔▔▔▔╲
//!         │ ▢    ▢    ▢ │          storey 2  weatherboards
//!         ├─┬────────┬──┤
//!   ┼┼┼┼  │ ▢  │▯│   ▢ │  ┼┼┼┼    storey 1  plain walls, porch
//!   ▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔    garden    fence, hedge, trees
//! ```
//!
//! Metres, y up, x east, z south; the front looks south. The published model had medium affinity and
//! 40.91 % of its triangles tested. So has this one, because a house is made of long thin parts:
//! boards, roof courses, rails and joists that straddle the octree's middle planes.

mod fabric;
mod garden;
mod inside;
mod roof;

use embate::TriangleMesh;

use super::builder::Builder;

/// As many as the lost model had.
const TRIANGLES: usize = 1_567;

/// Outer corner of the walls; the house stands around the origin.
const HALF_WIDTH: f32 = 4.5;
const HALF_DEPTH: f32 = 3.5;
/// Top of the plinth, where the ground floor lies.
const GROUND_FLOOR: f32 = 0.45;
/// From floor to floor.
const STOREY: f32 = 2.7;
/// Where the roof rests on the walls.
const EAVES: f32 = GROUND_FLOOR + 2.0 * STOREY;
const WALL: f32 = 0.25;

/// The house, the same to the bit each time.
#[must_use]
pub fn house() -> TriangleMesh {
    let mut builder = Builder::new();
    fabric::build(&mut builder);
    roof::build(&mut builder);
    inside::build(&mut builder);
    garden::build(&mut builder);
    garden::plant_shrubs(&mut builder, TRIANGLES);
    builder.finish()
}
