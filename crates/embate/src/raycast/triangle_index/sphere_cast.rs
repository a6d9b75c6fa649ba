//! Sphere cast: time of impact of a moving sphere with the mesh, in f64.
//!
//! The sphere is reduced to its center, the triangle grows by the radius (Minkowski sum): the
//! center hits the offset face, a capsule around an edge or a sphere around a vertex.

use embate_geom::{Aabb, DVec3, Ray, Triangle, Vec3};

use crate::raycast::triangle_index::TriangleIndex;

/// First contact of a moving sphere with the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "SphereHit")]
pub struct SphereCastHit {
    /// Ray parameter of the sphere center at the contact, in lengths of the direction.
    pub t: f32,
    /// Contact point on the mesh.
    pub point: Vec3,
    /// Unit vector from the contact point to the sphere center; zero if the center lies on the
    /// mesh.
    pub normal: Vec3,
    /// Triangle of the contact.
    pub triangle: u32,
}

/// Relative growth of the boxes: far above the rounding error of f64, even on a triangle a million
/// times longer than wide.
const CAST_MARGIN_RATIO: f64 = 1e-6;

impl TriangleIndex {
    /// First contact of a sphere of `radius` whose center moves along `ray`, with either side of a
    /// triangle, within the range of the ray; of equal `t`, the smaller triangle index. A sphere
    /// that touches at the start has `t = t_min`. `None` if the radius is negative or not finite,
    /// or if the ray is not [valid](Ray::is_valid).
    #[doc(alias("shape_cast", "swept sphere"))]
    #[must_use]
    pub fn sphere_cast(&self, ray: &Ray<3>, radius: f32) -> Option<SphereCastHit> {
        if !(ray.is_valid() && ray.t_min.is_finite() && radius >= 0.0 && radius.is_finite()) {
            return None;
        }
        let sphere = MovingSphere::new(ray, radius);
        let t_max = f64::from(ray.t_max);
        let mut best: Option<(f64, u32)> = None;
        self.visit_by_distance(
            t_max,
            |bounds| sphere.entry_time(bounds),
            |id, triangle| {
                let limit = best.map_or(t_max, |(t, _)| t);
                if let Some(t) = sphere.time_of_impact(triangle)
                    && t <= limit
                    && best.is_none_or(|(best_t, best_id)| t < best_t || id < best_id)
                {
                    best = Some((t, id));
                }
                best.map_or(t_max, |(t, _)| t)
            },
        );
        let (t, triangle) = best?;
        let center = sphere.center_at(t);
        let point = self.mesh.triangle(triangle).closest_point(center);
        let offset = center - point;
        let length = offset.length();
        let normal = if length > 0.0 {
            // Divided by component: a product with the reciprocal would round twice.
            <[f64; 3]>::from(offset).map(|component| (component / length) as f32).into()
        } else {
            Vec3::ZERO
        };
        Some(SphereCastHit { t: t as f32, point: point.as_vec3(), normal, triangle })
    }
}

struct MovingSphere {
    /// Center at `t = 0`.
    origin: DVec3,
    direction: DVec3,
    t_min: f64,
    radius: f64,
}

impl MovingSphere {
    fn new(ray: &Ray<3>, radius: f32) -> Self {
        Self {
            origin: DVec3::from(Vec3::from(ray.origin)),
            direction: DVec3::from(Vec3::from(ray.direction)),
            t_min: f64::from(ray.t_min),
            radius: f64::from(radius),
        }
    }

    fn center_at(&self, t: f64) -> DVec3 {
        self.origin + self.direction * t
    }

    /// Slab test of the box grown by the radius: a lower bound of the time of impact with anything
    /// in it; infinite if it is missed.
    fn entry_time(&self, bounds: &Aabb<3>) -> f64 {
        let origins = [self.origin.x, self.origin.y, self.origin.z];
        let directions = [self.direction.x, self.direction.y, self.direction.z];
        let (mut t_enter, mut t_exit) = (self.t_min, f64::INFINITY);
        for axis in 0..3 {
            let (min, max) = (f64::from(bounds.min[axis]), f64::from(bounds.max[axis]));
            let (origin, direction) = (origins[axis], directions[axis]);
            let magnitude = min.abs() + max.abs() + origin.abs() + self.radius;
            let margin = self.radius + CAST_MARGIN_RATIO * magnitude;
            let (below, above) = (min - margin - origin, max + margin - origin);
            if direction == 0.0 {
                if below > 0.0 || above < 0.0 {
                    return f64::INFINITY;
                }
                continue;
            }
            let (a, b) = (below / direction, above / direction);
            let (near, far) = if a < b { (a, b) } else { (b, a) };
            t_enter = if near > t_enter { near } else { t_enter };
            t_exit = if far < t_exit { far } else { t_exit };
        }
        let t_margin = CAST_MARGIN_RATIO * (t_enter.abs() + t_exit.abs());
        if t_exit.is_finite() && t_enter - t_margin > t_exit {
            f64::INFINITY
        } else {
            t_enter - CAST_MARGIN_RATIO * t_enter.abs()
        }
    }

    /// First contact with a triangle.
    fn time_of_impact(&self, triangle: &Triangle) -> Option<f64> {
        let start = self.center_at(self.t_min);
        let offset = triangle.closest_point(start) - start;
        if offset.length_squared() <= self.radius * self.radius {
            return Some(self.t_min);
        }
        let [a, b, c] = triangle.vertices_f64();
        let mut first = f64::INFINITY;
        let mut consider = |t: f64| first = if t >= 0.0 && t < first { t } else { first };
        if let Some(t) = self.face_impact([a, b, c], start) {
            consider(t);
        }
        for (from, to) in [(a, b), (b, c), (c, a)] {
            if let Some(t) = self.edge_impact(from, to - from, start) {
                consider(t);
            }
            if let Some(t) = self.ray_sphere_entry(start - from, self.direction) {
                consider(t);
            }
        }
        first.is_finite().then_some(self.t_min + first)
    }

    fn face_impact(&self, [a, b, c]: [DVec3; 3], start: DVec3) -> Option<f64> {
        let normal = (b - a).cross(c - a);
        let length = normal.length();
        let height = normal.dot(start - a) / length;
        let rise = normal.dot(self.direction) / length;
        // Towards the plane from the side of the center; NaN for a degenerate triangle.
        let surface = if height > 0.0 { self.radius } else { -self.radius };
        let t = (surface - height) / rise;
        let contact = start + self.direction * t + normal * (-surface / length);
        (height * rise < 0.0 && Triangle::contains_coplanar([a, b, c], normal, contact))
            .then_some(t)
    }

    fn edge_impact(&self, from: DVec3, edge: DVec3, start: DVec3) -> Option<f64> {
        let length_squared = edge.length_squared();
        let reject = |v: DVec3| v + edge * (-v.dot(edge) / length_squared);
        let t = self.ray_sphere_entry(reject(start - from), reject(self.direction))?;
        let fraction = (start + self.direction * t - from).dot(edge) / length_squared;
        (0.0..=1.0).contains(&fraction).then_some(t)
    }

    /// The least `t` with `|offset + t · direction| = radius`, if the offset is approaching.
    fn ray_sphere_entry(&self, offset: DVec3, direction: DVec3) -> Option<f64> {
        let (a, b) = (direction.length_squared(), offset.dot(direction));
        let c = offset.length_squared() - self.radius * self.radius;
        let discriminant = b * b - a * c;
        (discriminant >= 0.0 && b < 0.0 && a > 0.0).then(|| (-b - discriminant.sqrt()) / a)
    }
}

#[cfg(test)]
mod tests {
    use embate_test_util::Rng;

    use super::*;
    use crate::raycast::test_meshes::{bumpy_terrain, sample_points};

    #[test]
    fn sphere_cast_equals_a_loop_over_all_triangles() {
        let index = TriangleIndex::new(bumpy_terrain());
        let mut rng = Rng::new(1);
        let mut contacts = 0;
        for pair in sample_points(600).chunks_exact(2) {
            let radius = rng.unit();
            let ray = Ray { t_max: f32::INFINITY, ..Ray::segment(pair[0], pair[1]) };
            let sphere = MovingSphere::new(&ray, radius);
            let all = (0..).zip(index.mesh().iter_triangles());
            let times =
                all.filter_map(|(id, triangle)| Some((sphere.time_of_impact(&triangle)?, id)));
            let expected = times.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let found = index.sphere_cast(&ray, radius);
            assert_eq!(
                found.map(|hit| (hit.t, hit.triangle)),
                expected.map(|(t, id)| (t as f32, id))
            );
            let Some(hit) = found else { continue };
            contacts += 1;
            // The distance to the mesh is the radius at the contact, and never less before.
            let distance = |t: f32| index.closest_point(ray.point_at(t)).unwrap().distance;
            if hit.t > 0.0 {
                assert!((distance(hit.t) - radius).abs() < 1e-4, "{ray:?} {radius} {hit:?}");
                let is_clear = |i: i32| distance(hit.t * i as f32 / 20.0) >= radius - 1e-4;
                assert!((0..20).all(is_clear), "{ray:?}");
            }
        }
        assert!(contacts > 100, "{contacts} contacts");
    }

    #[test]
    fn overlap_at_the_start_has_t_zero_and_invalid_input_no_contact() {
        let index = TriangleIndex::new(bumpy_terrain());
        let up = Ray::new([0.2, 0.3, 0.0], [0.0, 0.0, 1.0]);
        assert_eq!(index.sphere_cast(&up, 5.0).map(|hit| hit.t), Some(0.0));
        assert_eq!(index.sphere_cast(&up, f32::NAN), None);
        assert_eq!(index.sphere_cast(&Ray::new([0.0; 3], [0.0; 3]), 1.0), None);
    }

    #[test]
    fn contact_beyond_t_max_is_ignored() {
        let index = TriangleIndex::new(bumpy_terrain());
        let down = Ray::new([0.2, 0.3, 9.0], [0.0, 0.0, -1.0]);
        let t = index.sphere_cast(&down, 0.5).unwrap().t;
        assert!(index.sphere_cast(&down.with_range(0.0, t * 0.999), 0.5).is_none());
        assert!(index.sphere_cast(&down.with_range(0.0, t * 1.001), 0.5).is_some());
    }
}
