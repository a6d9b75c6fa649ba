//! Heat map: traversal work per pixel of a picture.
//!
//! One ray through the center of every pixel; the work of its closest-hit query is the pixel's
//! heat.

use embate::Aabb;
use embate::geometry::{Camera, PrimaryRays};
use embate::raycast::{RayIndex, TraversalStats};
use embate_replica::structure::AnyRayStructure;
use rayon::prelude::*;

/// Counter that is the heat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Triangles given the fine test.
    Tests,
    /// Cells or nodes entered.
    Cells,
}

impl Metric {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Tests, Self::Cells];

    /// `tests` or `cells`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Tests => "tests",
            Self::Cells => "cells",
        }
    }
}

/// The heat of every pixel, row by row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeatMap {
    /// Heat of each pixel.
    pub heat: Vec<u32>,
    /// Number of pixels whose ray hits the mesh.
    pub hits: usize,
    /// Traversal counters of all pixels.
    pub counts: TraversalStats,
}

impl HeatMap {
    /// Casts one ray per pixel, on rayon's current threads; `row_done` is called after each row.
    #[must_use]
    pub fn new(
        index: &AnyRayStructure,
        rays: &PrimaryRays,
        [width, height]: [u32; 2],
        metric: Metric,
        row_done: &(dyn Fn() + Sync),
    ) -> Self {
        let row = |row: u32| {
            let map = Self::row(index, rays, width, row, metric);
            row_done();
            map
        };
        let rows: Vec<Self> = (0..height).into_par_iter().map(row).collect();
        let mut map = Self { heat: Vec::new(), hits: 0, counts: TraversalStats::default() };
        for row in rows {
            map.heat.extend(row.heat);
            map.hits += row.hits;
            map.counts += row.counts;
        }
        map
    }

    /// Computes one row of a heat map.
    #[must_use]
    pub fn row(
        index: &AnyRayStructure,
        rays: &PrimaryRays,
        width: u32,
        row: u32,
        metric: Metric,
    ) -> Self {
        let mut hits = 0;
        let mut sum = TraversalStats::default();
        let pixel = |column: u32| {
            let mut counts = TraversalStats::default();
            let hit = index.closest_hit_observed(&rays.ray(column, row), &mut counts);
            hits += usize::from(hit.is_some());
            sum += counts;
            let count = match metric {
                Metric::Tests => counts.triangle_tests,
                Metric::Cells => counts.nodes_visited,
            };
            u32::try_from(count).unwrap_or(u32::MAX)
        };
        let heat: Vec<u32> = (0..width).map(pixel).collect();
        Self { heat, hits, counts: sum }
    }

    /// Total heat of all pixels.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.heat.iter().map(|&heat| u64::from(heat)).sum()
    }

    /// Mean heat of a pixel.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.total() as f64 / self.heat.len().max(1) as f64
    }

    /// Heat of the hottest pixel.
    #[must_use]
    pub fn max(&self) -> u32 {
        self.heat.iter().copied().max().unwrap_or(0)
    }
}

/// Position of a heat on the color scale, from 0 for none to 1 for `max`, the hottest pixel of
/// all maps that share the scale. A tenth of the heat is a step down, not a tenth of the color:
/// structures differ by powers of ten.
#[must_use]
pub fn shade(heat: u32, max: u32) -> f32 {
    if max == 0 {
        return 0.0;
    }
    (libm::log1p(f64::from(heat)) / libm::log1p(f64::from(max))) as f32
}

/// From cold to hot, with monotonic brightness: distinguishable without hue.
const COLORS: [[u8; 3]; 6] =
    [[12, 8, 38], [74, 18, 108], [150, 40, 98], [220, 80, 58], [250, 160, 40], [252, 244, 168]];

/// The color of a [`shade`]: red, green, blue.
#[must_use]
pub fn color(shade: f32) -> [u8; 3] {
    let position = shade.clamp(0.0, 1.0) * (COLORS.len() - 1) as f32;
    let below = (position as usize).min(COLORS.len() - 2);
    let share = position - below as f32;
    core::array::from_fn(|channel| {
        let (low, high) =
            (f32::from(COLORS[below][channel]), f32::from(COLORS[below + 1][channel]));
        (low + (high - low) * share).round() as u8
    })
}

/// A camera that sees all of a mesh, from the front, a little to the right and from above.
#[must_use]
pub fn whole_in_view(bounds: &Aabb<3>, vertical_fov: f32, aspect: f32) -> Camera {
    let at: [f32; 3] = core::array::from_fn(|axis| bounds.min[axis] * 0.5 + bounds.max[axis] * 0.5);
    let size = bounds.extents();
    let radius = 0.5 * (size[0] * size[0] + size[1] * size[1] + size[2] * size[2]).sqrt();
    let radius = if radius > 0.0 { radius } else { 1.0 };
    // The narrower of both angles decides.
    let half = f64::from(vertical_fov) * 0.5;
    let sideways = libm::atan(libm::tan(half) * f64::from(aspect));
    let narrow = libm::sin(if sideways < half { sideways } else { half }) as f32;
    let from = [0.48, 0.36, 0.8];
    let eye = core::array::from_fn(|axis| at[axis] + from[axis] * radius / narrow);
    let far = 4.0 * radius / narrow;
    Camera { eye, target: at, up: [0.0, 1.0, 0.0], vertical_fov, aspect, near: far * 1e-4, far }
}

#[cfg(test)]
mod tests {
    use super::*;
    use embate_replica::structure::RayStructure;
    use embate_scene::generators::house;

    #[test]
    fn brute_force_tests_every_triangle_for_every_pixel() {
        let mesh = house();
        let view = whole_in_view(&mesh.bounds().unwrap(), 1.0, 1.5);
        let rays = view.primary_rays(12, 8).unwrap();
        let index = RayStructure::BRUTE_FORCE.build(&mesh);
        let map = HeatMap::new(&index, &rays, [12, 8], Metric::Tests, &|| ());
        assert!(map.heat.iter().all(|&heat| heat as usize == mesh.triangles().len()));
        assert_eq!(map.total(), 96 * mesh.triangles().len() as u64);
        assert_eq!(map.counts.triangle_tests, map.total());
        assert!(
            map.hits > 10 && map.hits < 96,
            "the house is seen, and beside it nothing: {}",
            map.hits
        );
    }

    #[test]
    fn shades_range_from_zero_to_the_maximum() {
        assert_eq!((shade(0, 100), shade(100, 100), shade(0, 0)), (0.0, 1.0, 0.0));
        assert!(shade(10, 100) > 0.4 && shade(10, 100) < 0.6);
    }

    #[test]
    fn every_corner_of_the_bounds_is_in_view() {
        let bounds = Aabb { min: [-3.0, 10.0, 2.0], max: [8.0, 11.0, 40.0] };
        for aspect in [0.4, 1.0, 2.5] {
            let frustum = whole_in_view(&bounds, 0.8, aspect).frustum().unwrap();
            for corner in 0..8 {
                let point = core::array::from_fn(|axis| {
                    if corner >> axis & 1 == 1 { bounds.max[axis] } else { bounds.min[axis] }
                });
                assert!(
                    frustum.intersects_aabb(&Aabb { min: point, max: point }),
                    "{point:?} at {aspect}"
                );
            }
        }
    }
}
