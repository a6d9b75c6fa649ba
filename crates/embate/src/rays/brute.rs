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
