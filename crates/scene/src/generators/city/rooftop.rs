//! Rooftop equipment; y = 0 is the roof.

use crate::generators::builder::{Along, Builder, Side};
use crate::random::Random;

/// A stair head, vents, and now and then a water tank or a row of solar panels.
pub(super) fn clutter(builder: &mut Builder, random: &mut Random, width: f32, depth: f32) {
    let (w, d) = (width / 2.0 - 2.0, depth / 2.0 - 2.0);
    builder.block([-w, 0.0, -d], [-w + 3.0, 2.6, -d + 2.4]);
    for _ in 0..2 + random.below(4) {
        let (x, z) = (random.between(-w, w), random.between(-d, d));
        let height = random.between(0.6, 1.4);
        builder.block([x - 0.6, 0.0, z - 0.5], [x + 0.6, height, z + 0.5]);
    }
    match random.below(3) {
        0 => water_tank(builder, w - 1.0, d - 1.0),
        1 => solar_panels(builder, w),
        _ => {}
    }
}

fn water_tank(builder: &mut Builder, x: f32, z: f32) {
    for (dx, dz) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
        let (x, z) = (x + dx, z + dz);
        let hidden = [Side::Up, Side::Down];
        builder.cuboid_without(&hidden, [x - 0.12, 0.0, z - 0.12], [x + 0.12, 2.0, z + 0.12]);
    }
    let tank = [[0.0, 2.0], [1.7, 2.0], [1.7, 4.6], [0.0, 5.8]];
    builder.turned([x, 0.0, z], 9, &tank);
}

fn solar_panels(builder: &mut Builder, half_width: f32) {
    for panel in 0..(half_width / 1.5) as u32 {
        let x = 2.4 * panel as f32 - half_width + 4.0;
        builder.prism(Along::X, &[[0.2, 1.0], [0.2, -0.8], [1.2, -0.8]], x, x + 1.9);
    }
}

pub(super) fn mast(builder: &mut Builder, height: f32) {
    builder.turned([0.0; 3], 6, &[[0.9, 0.0], [0.5, 0.4 * height], [0.0, height]]);
}
