//! Ray with its range, as the f32 tests share it.

use embate_geom::{CullMode, Ray, Triangle, TriangleHit, Vec3};

/// A ray that moves triangles to its origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct RayFrame {
    pub(super) origin: Vec3,
    pub(super) direction: Vec3,
    pub(super) culls_back_faces: bool,
    /// NaN for an invalid ray, so that every hit is out of range.
    t_min: f32,
}

impl RayFrame {
    pub(super) fn new(ray: &Ray<3>) -> Self {
        Self {
            origin: ray.origin.into(),
            direction: ray.direction.into(),
            culls_back_faces: ray.cull_mode == CullMode::BackFaces,
            t_min: if ray.is_valid() { ray.t_min } else { f32::NAN },
        }
    }

    /// The vertices relative to the ray's origin.
    pub(super) fn relative(&self, triangle: &Triangle) -> [Vec3; 3] {
        triangle.0.map(|vertex| Vec3::from(vertex) - self.origin)
    }

    /// The hit, if `t` is finite and in the range.
    pub(super) fn hit(
        &self,
        t: f32,
        [u, v]: [f32; 2],
        triangle: u32,
        t_max: f32,
    ) -> Option<TriangleHit> {
        // Adding 0 turns -0 into 0.
        let hit = TriangleHit { t: t + 0.0, triangle, u: u + 0.0, v: v + 0.0 };
        (self.t_min <= t && t <= t_max && t.is_finite()).then_some(hit)
    }
}

/// Whether three signs with the same orientation around the triangle mean a hit: none is opposite
/// to another, and with culling none is that of a back face.
pub(super) fn accepts(volumes: [f32; 3], culls_back_faces: bool) -> bool {
    let any_back = volumes.iter().any(|&volume| volume > 0.0);
    let any_front = volumes.iter().any(|&volume| volume < 0.0);
    if culls_back_faces { !any_back } else { !(any_front && any_back) }
}

/// Parameter at which the ray meets the plane of a triangle with vertices relative to its origin.
pub(super) fn plane_parameter(direction: Vec3, [a, b, c]: [Vec3; 3]) -> f32 {
    let normal = (b - a).cross(c - a);
    normal.dot(a) / normal.dot(direction)
}
