//! Test of Möller and Trumbore (1997): barycentric coordinates by Cramer's rule, with early exits.

use embate_geom::{DVec3, Ray, Triangle, TriangleHit, Vec3};

use super::ray_frame::RayFrame;
use super::{TriangleTest, TriangleTestKind};
use crate::lorenzi2014::{CubeRay, CubeTriangle};

/// The published two-sided variant in f32. Its epsilon is 0: an absolute one, as published, depends
/// on the unit of the scene.
#[derive(Clone, Copy, Debug)]
pub struct MollerTrumbore(RayFrame);

impl TriangleTest for MollerTrumbore {
    const KIND: TriangleTestKind = TriangleTestKind::MollerTrumbore;

    fn new(ray: &Ray<3>) -> Self {
        Self(RayFrame::new(ray))
    }

    #[inline]
    fn intersect(&self, triangle: &Triangle, index: u32, t_max: f32) -> Option<TriangleHit> {
        let [a, b, c] = triangle.0.map(Vec3::from);
        let (edge1, edge2) = (b - a, c - a);
        let p = self.0.direction.cross(edge2);
        let det = edge1.dot(p);
        if det == 0.0 || (self.0.culls_back_faces && det < 0.0) {
            return None;
        }
        let inv_det = 1.0 / det;
        let from_a = self.0.origin - a;
        let u = from_a.dot(p) * inv_det;
        if !(0.0..=1.0).contains(&u) {
            return None;
        }
        let q = from_a.cross(edge1);
        let v = self.0.direction.dot(q) * inv_det;
        if v < 0.0 || u + v > 1.0 {
            return None;
        }
        self.0.hit(edge2.dot(q) * inv_det, [u, v], index, t_max)
    }
}

/// The test of Lorenzi 2014, as in [`crate::lorenzi2014::BruteForce`]: f64, back faces and
/// determinants below 1e-5 culled, hits behind the origin counted at `|t|`.
#[derive(Clone, Copy, Debug)]
pub struct StudyMollerTrumbore {
    ray: CubeRay,
    t_min: f32,
}

impl TriangleTest for StudyMollerTrumbore {
    const KIND: TriangleTestKind = TriangleTestKind::StudyMollerTrumbore;

    fn new(ray: &Ray<3>) -> Self {
        let [origin, direction] = [ray.origin, ray.direction].map(|v| DVec3::from(Vec3::from(v)));
        let t_min = if ray.is_valid() { ray.t_min } else { f32::NAN };
        Self { ray: CubeRay { origin, direction }, t_min }
    }

    #[inline]
    fn intersect(&self, triangle: &Triangle, index: u32, t_max: f32) -> Option<TriangleHit> {
        let vertices = triangle.0.map(|vertex| DVec3::from(Vec3::from(vertex)));
        CubeTriangle(vertices).intersect(&self.ray, (self.t_min, t_max), index)
    }
}
