//! Elevated road over the avenue, and the guideway that crosses the grid of streets.

use crate::generators::builder::{Along, Builder, Heading, Side};

/// From pier to pier. At 21 m no pier of the guideway comes down through the road.
const SPAN: f32 = 21.0;

/// A road on piers, running south from the origin.
pub(super) fn road(builder: &mut Builder, length: f32) {
    let spans = (length / SPAN) as u32;
    for z in (0..spans).map(|span| SPAN * span as f32) {
        let hidden = [Side::North, Side::South];
        builder.cuboid_without(&hidden, [-5.0, 8.2, z], [5.0, 9.0, z + SPAN]);
        for x in [-5.0, 4.7] {
            builder.cuboid_without(
                &[Side::North, Side::South, Side::Down],
                [x, 9.0, z],
                [x + 0.3, 9.9, z + SPAN],
            );
        }
        builder.turned([0.0, 0.0, z + SPAN / 2.0], 6, &[[1.0, 0.0], [0.9, 6.6], [3.0, 8.2]]);
    }
}

/// A beam on slender piers with a train on it, running south from the origin.
pub(super) fn guideway(builder: &mut Builder, length: f32) {
    // Best enough to clear the road and what drives on it.
    let height = 16.0;
    let spans = (length / SPAN) as u32;
    for z in (0..spans).map(|span| SPAN * span as f32) {
        let beam = [[-1.0, height - 1.6], [1.0, height - 1.6], [1.6, height], [-1.6, height]];
        builder.prism(Along::Z, &beam, z, z + SPAN - 0.1);
        builder.turned([0.0, 0.0, z + SPAN / 2.0], 6, &[[1.1, 0.0], [0.7, height - 1.6]]);
    }
    for car in 0..6 {
        builder.at([0.0, height, 0.45 * length + 13.0 * car as f32], Heading::SOUTH, |builder| {
            let hull = [[-1.5, 0.1], [1.5, 0.1], [1.8, 1.2], [1.2, 2.9], [-1.2, 2.9], [-1.8, 1.2]];
            builder.prism(Along::Z, &hull, 0.0, 12.4);
        });
    }
}
