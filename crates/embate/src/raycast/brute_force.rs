//! Every triangle, eight at a time: simple, fast on a few hundred triangles or a hopeless soup, and the
//! judge of all other structures.

use core::mem::MaybeUninit;
use core::ops::ControlFlow;

use embate_geom::{EightTriangles, Hit, Ray, ShearedRay, Triangle, TriangleBlock};
use embate_mesh::TriangleMesh;
use fearless_simd::{Level, Simd, dispatch};

use super::{RayIndex, RayObserver};

/// All triangles of a mesh, tested in order. Watertight.
#[derive(Clone, Debug)]
pub struct Brute {
    blocks: Vec<TriangleBlock>,
    triangles: u32,
    level: Level,
}

impl Brute {
    /// Copies the corners of every triangle.
    #[must_use]
    pub fn new(mesh: &TriangleMesh) -> Self {
        let corners: Vec<Triangle> = mesh.corners().collect();
        Self {
            blocks: corners.chunks(TriangleBlock::LANES).map(TriangleBlock::new).collect(),
            triangles: corners.len() as u32,
            level: Level::new(),
        }
    }

    #[expect(clippy::inline_always, reason = "vector code belongs inside the dispatched caller")]
    #[inline(always)]
    fn visit_with<S: Simd, O: RayObserver>(
        &self,
        simd: S,
        ray: &Ray<3>,
        observer: &mut O,
        mut found: impl FnMut(Hit) -> ControlFlow<(), f32>,
    ) {
        let sheared = ShearedRay::new(ray);
        let mut t_max = ray.t_max;
        let mut place = MaybeUninit::uninit();
        for (first, block) in (0..self.triangles).step_by(TriangleBlock::LANES).zip(&self.blocks) {
            let lanes = (self.triangles - first).min(TriangleBlock::LANES as u32);
            for triangle in first..first + lanes {
                observer.test(triangle);
            }
            let hits = block.hits(simd, &sheared, (1 << lanes) - 1, t_max, &mut place);
            let Some((mut left, hits)) = hits else { continue };
            while left != 0 {
                let lane = left.trailing_zeros();
                left &= left - 1;
                let hit = hits.hit(lane as usize, first + lane);
                if hit.t <= t_max {
                    match found(hit) {
                        ControlFlow::Continue(reach) => t_max = reach,
                        ControlFlow::Break(()) => return,
                    }
                }
            }
        }
    }
}

impl RayIndex for Brute {
    /// In order of triangle number.
    fn visit_hits<O: RayObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
        found: impl FnMut(Hit) -> ControlFlow<(), f32>,
    ) {
        let level = self.level;
        dispatch!(level, simd => self.visit_with(simd, ray, observer, found));
    }

    fn bytes(&self) -> usize {
        size_of_val(self.blocks.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rays::RayCounts;

    /// Three copies of one triangle at z = 2, then one at z = 1.
    fn copies() -> TriangleMesh {
        let at = |z: f32| [[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]];
        let positions = [at(2.0), at(1.0)].concat();
        TriangleMesh::new(positions, vec![[0, 1, 2], [0, 1, 2], [0, 1, 2], [3, 4, 5]]).unwrap()
    }

    #[test]
    fn of_equal_hits_the_smaller_triangle_number_wins() {
        let index = Brute::new(&copies());
        let ray = Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0]);
        assert_eq!(index.closest_hit(&ray).map(|hit| hit.triangle), Some(3));
        let beyond = ray.within(1.5, 9.0);
        assert_eq!(index.closest_hit(&beyond).map(|hit| hit.triangle), Some(0));
    }

    #[test]
    fn all_hits_come_nearest_first() {
        let ray = Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0]);
        let hits = Brute::new(&copies()).all_hits(&ray);
        assert_eq!(hits.iter().map(|hit| hit.triangle).collect::<Vec<_>>(), [3, 0, 1, 2]);
    }

    #[test]
    fn any_hit_stops_at_the_first_block_that_is_hit() {
        let mut counts = RayCounts::default();
        let ray = Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0]);
        assert!(Brute::new(&copies()).any_hit_observed(&ray, &mut counts));
        assert_eq!(counts, RayCounts { tests: 4, boxes: 0 });
    }

    #[test]
    fn a_batch_answers_each_ray_in_order() {
        let index = Brute::new(&copies());
        let rays: Vec<Ray<3>> =
            (0..2_000).map(|i| Ray::new([i as f32 / 1_000.0, 0.1, 0.0], [0.0, 0.0, 1.0])).collect();
        let expected: Vec<_> = rays.iter().map(|ray| index.closest_hit(ray)).collect();
        assert_eq!(index.closest_hits(&rays), expected);
        let any: Vec<bool> = expected.iter().map(Option::is_some).collect();
        assert_eq!(index.any_hits(&rays), any);
    }
}
