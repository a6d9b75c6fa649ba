//! obvhs 0.4: compressed wide BVH, the fastest of the Rust crates; triangles in leaf order, as in
//! its example.

use std::time::Duration;

use embate::{Ray, TriangleMesh};
use glam::Vec3A;
use obvhs::BvhBuildParams;
use obvhs::cwbvh::CwBvh;
use obvhs::cwbvh::builder::build_cwbvh_from_tris;
use obvhs::ray::RayHit;
use obvhs::rt_triangle::RtTriangle;
use obvhs::triangle::Triangle;

use super::{Caster, Query};

struct Obvhs {
    tree: CwBvh,
    triangles: Vec<RtTriangle>,
}

#[expect(clippy::unnecessary_wraps, reason = "signature of all entries")]
pub fn new(mesh: &TriangleMesh) -> Option<Box<dyn Caster>> {
    let corner = |point: [f32; 3]| Vec3A::from_array(point);
    let triangles: Vec<Triangle> = mesh
        .iter_triangles()
        .map(|triangle| {
            let [v0, v1, v2] = triangle.0.map(corner);
            Triangle { v0, v1, v2 }
        })
        .collect();
    let tree =
        build_cwbvh_from_tris(&triangles, BvhBuildParams::medium_build(), &mut Duration::default());
    let triangles =
        tree.primitive_indices.iter().map(|&index| (&triangles[index as usize]).into()).collect();
    Some(Box::new(Obvhs { tree, triangles }))
}

impl Caster for Obvhs {
    fn cast(&self, query: Query, rays: &[Ray<3>], out: &mut Vec<f32>) -> Option<()> {
        let to_obvhs = |ray: &Ray<3>| {
            obvhs::ray::Ray::new_inf(
                Vec3A::from_array(ray.origin),
                Vec3A::from_array(ray.direction),
            )
        };
        match query {
            Query::Closest => out.extend(rays.iter().map(|ray| {
                let mut hit = RayHit::none();
                let is_hit = self.tree.ray_traverse(to_obvhs(ray), &mut hit, |ray, id| {
                    self.triangles[id].intersect(ray)
                });
                if is_hit { hit.t } else { f32::INFINITY }
            })),
            Query::Any => out.extend(rays.iter().map(|ray| {
                let is_miss = self
                    .tree
                    .ray_traverse_miss(to_obvhs(ray), |ray, id| self.triangles[id].intersect(ray));
                if is_miss { f32::INFINITY } else { 0.0 }
            })),
            Query::Batch => return None,
        }
        Some(())
    }
}
