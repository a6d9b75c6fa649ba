//! Study A's two, as published: in units of the mesh, one ray at a time.

use embate::rays::{RayIndex, StudyBrute, StudyOctree};
use embate::{Ray, TriangleMesh};

use super::{Caster, Query};

struct Twin<I>(I);

impl<I: RayIndex> Caster for Twin<I> {
    fn cast(&self, query: Query, rays: &[Ray<3>], out: &mut Vec<f32>) -> Option<()> {
        (query == Query::Closest).then(|| {
            out.extend(
                rays.iter().map(|ray| self.0.closest_hit(ray).map_or(f32::INFINITY, |hit| hit.t)),
            );
        })
    }

    fn bytes(&self) -> Option<usize> {
        Some(self.0.bytes())
    }
}

#[expect(clippy::unnecessary_wraps, reason = "as all entries")]
pub fn octree(mesh: &TriangleMesh) -> Option<Box<dyn Caster>> {
    Some(Box::new(Twin(StudyOctree::new(mesh))))
}

#[expect(clippy::unnecessary_wraps, reason = "as all entries")]
pub fn brute(mesh: &TriangleMesh) -> Option<Box<dyn Caster>> {
    Some(Box::new(Twin(StudyBrute::new(mesh))))
}
