//! The two structures of Lorenzi 2014, as published: in mesh units, single rays.

use embate::raycast::RayIndex;
use embate::{Ray, TriangleMesh};
use embate_replica::lorenzi2014::{BruteForce, Octree};

use super::{Caster, Query};

struct Replica<I>(I);

impl<I: RayIndex> Caster for Replica<I> {
    fn cast(&self, query: Query, rays: &[Ray<3>], out: &mut Vec<f32>) -> Option<()> {
        (query == Query::Closest).then(|| {
            out.extend(
                rays.iter().map(|ray| self.0.closest_hit(ray).map_or(f32::INFINITY, |hit| hit.t)),
            );
        })
    }

    fn bytes(&self) -> Option<usize> {
        Some(self.0.memory_usage())
    }
}

#[expect(clippy::unnecessary_wraps, reason = "signature of all entries")]
pub fn octree(mesh: &TriangleMesh) -> Option<Box<dyn Caster>> {
    Some(Box::new(Replica(Octree::new(mesh))))
}

#[expect(clippy::unnecessary_wraps, reason = "signature of all entries")]
pub fn brute(mesh: &TriangleMesh) -> Option<Box<dyn Caster>> {
    Some(Box::new(Replica(BruteForce::new(mesh))))
}
