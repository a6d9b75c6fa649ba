//! Structures of Embate.

use embate::raycast::{
    BruteForce, BspTree, BuildQuality, Bvh, CompactOctree, KdTree, Octree, RayIndex, UniformGrid,
};
use embate::{Ray, TriangleMesh};

use super::{Caster, Query};

struct Ours<I>(I);

impl<I: RayIndex> Caster for Ours<I> {
    fn cast(&self, query: Query, rays: &[Ray<3>], out: &mut Vec<f32>) -> Option<()> {
        match query {
            Query::Closest => {
                out.extend(
                    rays.iter()
                        .map(|ray| self.0.closest_hit(ray).map_or(f32::INFINITY, |hit| hit.t)),
                );
            }
            Query::Any => {
                out.extend(
                    rays.iter().map(|ray| if self.0.any_hit(ray) { 0.0 } else { f32::INFINITY }),
                );
            }
            Query::Batch => {
                let hits = self.0.closest_hits(rays);
                out.extend(hits.iter().map(|hit| hit.map_or(f32::INFINITY, |hit| hit.t)));
            }
        }
        Some(())
    }

    fn bytes(&self) -> Option<usize> {
        Some(self.0.memory_usage())
    }
}

#[expect(clippy::unnecessary_wraps, reason = "signature of all entries")]
pub fn bvh(mesh: &TriangleMesh) -> Option<Box<dyn Caster>> {
    Some(Box::new(Ours(Bvh::build(mesh))))
}

pub fn fast(mesh: &TriangleMesh) -> Option<Box<dyn Caster>> {
    with_quality(mesh, BuildQuality::Low)
}

pub fn best(mesh: &TriangleMesh) -> Option<Box<dyn Caster>> {
    with_quality(mesh, BuildQuality::High)
}

pub fn compact(mesh: &TriangleMesh) -> Option<Box<dyn Caster>> {
    with_quality(mesh, BuildQuality::Compact)
}

#[expect(clippy::unnecessary_wraps, reason = "signature of all entries")]
fn with_quality(mesh: &TriangleMesh, quality: BuildQuality) -> Option<Box<dyn Caster>> {
    Some(Box::new(Ours(Bvh::build_with_quality(mesh, quality))))
}

#[expect(clippy::unnecessary_wraps, reason = "signature of all entries")]
pub fn octree(mesh: &TriangleMesh) -> Option<Box<dyn Caster>> {
    Some(Box::new(Ours(Octree::build(mesh))))
}

#[expect(clippy::unnecessary_wraps, reason = "signature of all entries")]
pub fn kd_tree(mesh: &TriangleMesh) -> Option<Box<dyn Caster>> {
    Some(Box::new(Ours(KdTree::build(mesh))))
}

#[expect(clippy::unnecessary_wraps, reason = "signature of all entries")]
pub fn bsp(mesh: &TriangleMesh) -> Option<Box<dyn Caster>> {
    Some(Box::new(Ours(BspTree::build(mesh))))
}

#[expect(clippy::unnecessary_wraps, reason = "signature of all entries")]
pub fn grid(mesh: &TriangleMesh) -> Option<Box<dyn Caster>> {
    Some(Box::new(Ours(UniformGrid::new(mesh))))
}

#[expect(clippy::unnecessary_wraps, reason = "signature of all entries")]
pub fn compact_octree(mesh: &TriangleMesh) -> Option<Box<dyn Caster>> {
    Some(Box::new(Ours(CompactOctree::new(mesh))))
}

#[expect(clippy::unnecessary_wraps, reason = "signature of all entries")]
pub fn brute(mesh: &TriangleMesh) -> Option<Box<dyn Caster>> {
    Some(Box::new(Ours(BruteForce::new(mesh))))
}
