//! parry 0.31: its triangle mesh, queried as in rapier.

use embate::{Ray, TriangleMesh};
use parry3d::query::RayCast;
use parry3d::shape::TriMesh;

use super::{Caster, Query};

struct Parry(TriMesh);

pub fn new(mesh: &TriangleMesh) -> Option<Box<dyn Caster>> {
    let points = mesh.positions().iter().map(|&point| point.into()).collect();
    TriMesh::new(points, mesh.triangles().to_vec()).ok().map(|mesh| Box::new(Parry(mesh)) as _)
}

impl Caster for Parry {
    fn cast(&self, query: Query, rays: &[Ray<3>], out: &mut Vec<f32>) -> Option<()> {
        let to_parry =
            |ray: &Ray<3>| parry3d::query::Ray::new(ray.origin.into(), ray.direction.into());
        match query {
            Query::Closest => out.extend(rays.iter().map(|ray| {
                self.0.cast_local_ray(&to_parry(ray), f32::MAX, false).unwrap_or(f32::INFINITY)
            })),
            Query::Any => out.extend(rays.iter().map(|ray| {
                if self.0.intersects_local_ray(&to_parry(ray), f32::MAX) {
                    0.0
                } else {
                    f32::INFINITY
                }
            })),
            Query::Batch => return None,
        }
        Some(())
    }
}
