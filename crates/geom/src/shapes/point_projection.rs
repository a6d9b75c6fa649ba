//! Point projection: the closest point on a shape's surface, with signed distance and normal.
//!
//! Computed in f64 and rounded once to f32, without iteration: results are exact to rounding and
//! equal on every platform.

use crate::{DVec3, Vec3};

/// Closest point on the surface of a shape to a query point.
///
/// `query = point + normal · distance`, up to rounding. A query that is not finite yields NaN in
/// all numbers and `is_inside == false`.
///
/// ```
/// use embate_geom::{Vec3, shapes::Cuboid};
///
/// let cuboid = Cuboid::new([1.0, 2.0, 3.0])?;
/// let outside = cuboid.project_point(Vec3::new(4.0, 0.0, 7.0));
/// assert_eq!((outside.point, outside.distance), (Vec3::new(1.0, 0.0, 3.0), 5.0));
/// let inside = cuboid.project_point(Vec3::new(0.75, 0.0, 0.0));
/// assert_eq!((inside.point, inside.distance), (Vec3::X, -0.25));
/// assert!(inside.is_inside && !outside.is_inside);
/// # Ok::<(), embate_geom::shapes::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "SurfacePoint")]
#[doc(alias = "closest_point")]
pub struct PointProjection {
    /// Closest point on the surface.
    pub point: Vec3,
    /// Outward unit normal at that point; at an edge or vertex, the direction to an outside query.
    pub normal: Vec3,
    /// Signed distance from the query to the surface: negative inside, 0 on it.
    #[doc(alias = "signed_distance")]
    pub distance: f32,
    /// Whether the query lies inside the shape or on the surface of a solid. A mesh that is not
    /// closed has no inside.
    pub is_inside: bool,
}

impl PointProjection {
    /// For a query that is NaN or infinite.
    pub(super) const UNDEFINED: Self = Self {
        point: Vec3::splat(f32::NAN),
        normal: Vec3::splat(f32::NAN),
        distance: f32::NAN,
        is_inside: false,
    };

    /// Rounds an f64 result to f32.
    pub(super) fn rounded(point: DVec3, normal: DVec3, distance: f64) -> Self {
        Self {
            point: point.as_vec3(),
            normal: normal.as_vec3(),
            distance: distance as f32,
            is_inside: distance <= 0.0,
        }
    }

    /// Surface at distance `radius` from a core point that is `offset` away from the query. Without
    /// an offset the normal is `fallback_normal`.
    pub(super) fn around_core(
        query: DVec3,
        offset: DVec3,
        radius: f64,
        fallback_normal: DVec3,
    ) -> Self {
        let length = offset.length();
        let normal = if length > 0.0 { offset * (1.0 / length) } else { fallback_normal };
        Self::rounded(query - offset + normal * radius, normal, length - radius)
    }
}

#[cfg(test)]
mod tests {
    use embate_test_util::Rng;

    use super::*;
    use crate::Ray;
    use crate::shapes::{Capsule, ConvexHull, Cuboid, HalfSpace, Sphere};

    struct Shapes {
        sphere: Sphere,
        cuboid: Cuboid,
        capsule: Capsule,
        cone: ConvexHull,
        ground: HalfSpace,
    }

    impl Shapes {
        fn new() -> Self {
            Self {
                sphere: Sphere::new(0.6).unwrap(),
                cuboid: Cuboid::new([0.5, 0.8, 0.2]).unwrap(),
                capsule: Capsule::new(0.4, 0.3).unwrap(),
                cone: ConvexHull::cone(1.0, 0.8, 11).unwrap(),
                ground: HalfSpace::new([0.3, 1.0, -0.2]).unwrap(),
            }
        }

        fn project(&self, point: Vec3) -> [PointProjection; 5] {
            [
                self.sphere.project_point(point),
                self.cuboid.project_point(point),
                self.capsule.project_point(point),
                self.cone.project_point(point),
                self.ground.project_point(point),
            ]
        }

        fn contains(&self, point: Vec3) -> [bool; 5] {
            [
                self.sphere.contains_point(point),
                self.cuboid.contains_point(point),
                self.capsule.contains_point(point),
                self.cone.contains_point(point),
                self.ground.contains_point(point),
            ]
        }
    }

    #[test]
    fn projection_lies_on_the_surface_at_its_distance_along_the_normal() {
        let (shapes, mut rng) = (Shapes::new(), Rng::new(3));
        for _ in 0..5_000 {
            let query = Vec3::from(rng.point(-1.5, 1.5));
            let contained = shapes.contains(query);
            for (shape, found) in shapes.project(query).into_iter().enumerate() {
                let PointProjection { point, normal, distance, is_inside } = found;
                assert_eq!(is_inside, contained[shape], "shape {shape}, {query:?}");
                assert_eq!(is_inside, distance <= 0.0);
                assert!(
                    (normal.length() - 1.0).abs() < 1e-6,
                    "shape {shape}, {query:?}: {found:?}"
                );
                let error = (point + normal * distance - query).length();
                assert!(error < 1e-6, "shape {shape}, {query:?}: {found:?}");
                let on_surface = shapes.project(point)[shape].distance.abs() < 1e-6;
                assert!(on_surface, "shape {shape}, {query:?}: {found:?}");
                assert!(!shapes.contains(point + normal * 1e-5)[shape], "shape {shape}, {query:?}");
            }
        }
    }

    /// No ray from the query reaches the surface earlier, and a sphere of the distance fits.
    #[test]
    fn no_surface_point_is_closer() {
        let (shapes, mut rng) = (Shapes::new(), Rng::new(4));
        for _ in 0..2_000 {
            let query = Vec3::from(rng.point(-1.5, 1.5));
            let found = shapes.project(query);
            for _ in 0..20 {
                let direction = Vec3::from(rng.unit_vector());
                let ray = Ray::new(query.to_array(), direction.to_array());
                let hits = [
                    shapes.sphere.cast_ray(&ray),
                    shapes.cuboid.cast_ray(&ray),
                    shapes.capsule.cast_ray(&ray),
                    shapes.cone.cast_ray(&ray),
                    shapes.ground.cast_ray(&ray),
                ];
                for (shape, hit) in hits.into_iter().enumerate() {
                    let distance = found[shape].distance;
                    if distance > 0.0 {
                        let is_farther = hit.is_none_or(|hit| hit.t >= distance - 1e-5);
                        assert!(is_farther, "shape {shape}, {query:?}: {hit:?}, {distance}");
                    } else {
                        let in_sphere = query + direction * (-distance - 1e-5);
                        assert!(shapes.contains(in_sphere)[shape], "shape {shape}, {query:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn hull_of_a_box_projects_like_the_box() {
        let half_extents = Vec3::new(0.5, 0.8, 0.2);
        let cuboid = Cuboid::new(half_extents).unwrap();
        let sign = |bit: u32| if bit & 1 == 1 { 1.0 } else { -1.0 };
        let vertices: Vec<Vec3> = (0..8_u32)
            .map(|bits| Vec3::new(sign(bits), sign(bits >> 1), sign(bits >> 2)))
            .map(|signs| half_extents.mul_elements(signs))
            .collect();
        let hull = ConvexHull::new(&vertices).unwrap();
        let mut rng = Rng::new(8);
        for _ in 0..5_000 {
            let query = Vec3::from(rng.point(-1.5, 1.5));
            let (expected, found) = (cuboid.project_point(query), hull.project_point(query));
            assert!((expected.distance - found.distance).abs() < 1e-6, "{query:?}");
            assert!((expected.point - found.point).length() < 1e-6, "{query:?}");
            assert_eq!(expected.is_inside, found.is_inside);
        }
        for vertex in vertices {
            let found = hull.project_point(vertex);
            assert_eq!((found.point, found.distance, found.is_inside), (vertex, 0.0, true));
            let beyond = hull.project_point(vertex * 2.0);
            assert_eq!(beyond.point, vertex);
            assert!((beyond.distance - half_extents.length()).abs() < 1e-6);
        }
    }

    #[test]
    fn centers_have_a_defined_projection() {
        let shapes = Shapes::new();
        let found = shapes.sphere.project_point(Vec3::ZERO);
        assert_eq!((found.point, found.distance), (Vec3::X * 0.6, -0.6));
        let found = shapes.capsule.project_point(Vec3::Y * 0.25);
        assert_eq!((found.point, found.normal), (Vec3::new(0.3, 0.25, 0.0), Vec3::X));
        let found = shapes.cuboid.project_point(Vec3::ZERO);
        assert_eq!((found.point, found.distance), (Vec3::Z * 0.2, -0.2));
        let found = shapes.ground.project_point(Vec3::ZERO);
        assert_eq!((found.point, found.distance, found.is_inside), (Vec3::ZERO, 0.0, true));
    }

    #[test]
    fn distant_queries_keep_full_precision() {
        let shapes = Shapes::new();
        let query = Vec3::new(3e5, 4e5, 0.0);
        let found = shapes.sphere.project_point(query);
        assert!((found.point - Vec3::new(0.36, 0.48, 0.0)).length() < 1e-7, "{found:?}");
        assert_eq!(found.distance, 5e5 - 0.6);
        assert_eq!(shapes.cuboid.project_point(query).point, Vec3::new(0.5, 0.8, 0.0));
        assert_eq!(shapes.cone.project_point(Vec3::Y * 1e6).point, Vec3::Y);
        let found = shapes.capsule.project_point(Vec3::Y * 1e6);
        assert_eq!((found.point, found.normal), (Vec3::Y * (0.4 + 0.3), Vec3::Y));
    }

    #[test]
    fn query_that_is_not_finite_yields_nan() {
        let shapes = Shapes::new();
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for found in shapes.project(Vec3::new(0.0, bad, 0.0)) {
                assert!(found.distance.is_nan() && found.point.x.is_nan() && !found.is_inside);
            }
        }
    }
}
