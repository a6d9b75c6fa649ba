//! Every triangle, one after the other: slow, simple, and the judge of all other structures.

use embate_geom::{Hit, Ray, ShearedRay, Triangle};
use embate_mesh::TriangleMesh;

use super::{RayIndex, RayObserver, sort_hits};

/// All triangles of a mesh, tested in order. Watertight.
#[derive(Clone, Debug)]
pub struct Brute {
    triangles: Vec<Triangle>,
}

impl Brute {
    /// Copies the corners of every triangle.
    #[must_use]
    pub fn new(mesh: &TriangleMesh) -> Self {
        Self { triangles: mesh.corners().collect() }
    }

    fn tested<'a, O: RayObserver>(
        &'a self,
        observer: &'a mut O,
    ) -> impl Iterator<Item = (u32, &'a Triangle)> {
        (0..).zip(&self.triangles).inspect(|&(index, _)| observer.test(index))
    }
}

impl RayIndex for Brute {
    fn closest_hit_observed<O: RayObserver>(&self, ray: &Ray<3>, observer: &mut O) -> Option<Hit> {
        let sheared = ShearedRay::new(ray);
        let mut closest: Option<Hit> = None;
        for (index, triangle) in self.tested(observer) {
            let t_max = closest.map_or(ray.t_max, |hit| hit.t);
            if let Some(hit) = sheared.hit(triangle, index, t_max)
                && closest.is_none_or(|other| hit.precedes(&other))
            {
                closest = Some(hit);
            }
        }
        closest
    }

    fn any_hit_observed<O: RayObserver>(&self, ray: &Ray<3>, observer: &mut O) -> bool {
        let sheared = ShearedRay::new(ray);
        self.tested(observer)
            .any(|(index, triangle)| sheared.hit(triangle, index, ray.t_max).is_some())
    }

    fn all_hits_observed<O: RayObserver>(&self, ray: &Ray<3>, observer: &mut O) -> Vec<Hit> {
        let sheared = ShearedRay::new(ray);
        let mut hits: Vec<Hit> = self
            .tested(observer)
            .filter_map(|(index, triangle)| sheared.hit(triangle, index, ray.t_max))
            .collect();
        sort_hits(&mut hits);
        hits
    }

    fn bytes(&self) -> usize {
        size_of_val(self.triangles.as_slice())
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
    fn any_hit_stops_at_the_first() {
        let mut counts = RayCounts::default();
        let ray = Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0]);
        assert!(Brute::new(&copies()).any_hit_observed(&ray, &mut counts));
        assert_eq!(counts, RayCounts { tests: 1, boxes: 0 });
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
