//! Point projection onto any shape: signed distance, closest surface point and normal.

use embate_geom::{Aabb, DVec3, Pose, Vec3, shapes::PointProjection};

use crate::broad_phase::{DynamicBvh, Neighbor};
use crate::shapes::{Compound, Shape, TriMesh};

/// Distance from a mesh, relative to the coordinates, below which a point is on its surface.
const ON_SURFACE_RATIO: f64 = 1e-12;

/// Relative margin of the search box: above the rounding error of its f32 corners.
const SEARCH_MARGIN: f64 = 1e-5;

impl Shape {
    /// Closest point on the surface to a world-space point, with the signed distance: negative
    /// inside. An open mesh has no inside; its distance is never negative.
    ///
    /// A point inside a compound is projected onto the sub-shape that it penetrates most. A point
    /// that is not finite yields NaN.
    ///
    /// ```
    /// use embate::{Pose, Vec3, shapes::{Cuboid, Shape}};
    ///
    /// let crate_ = Shape::from(Cuboid::new([0.5, 0.5, 0.5])?);
    /// let pose = Pose::from_translation(Vec3::X * 3.0);
    /// let outside = crate_.project_point(&pose, [0.5, 0.0, 0.0]);
    /// assert_eq!((outside.point, outside.distance), (Vec3::X * 2.5, 2.0));
    /// assert_eq!(outside.normal, -Vec3::X);
    /// let inside = crate_.project_point(&pose, [2.75, 0.0, 0.0]);
    /// assert_eq!((inside.distance, inside.is_inside), (-0.25, true));
    /// # Ok::<(), embate::shapes::ShapeError>(())
    /// ```
    #[must_use]
    #[doc(alias = "signed_distance")]
    #[doc(alias = "distance_to_point")]
    #[doc(alias = "closest_point")]
    pub fn project_point(&self, pose: &Pose, point: impl Into<Vec3>) -> PointProjection {
        let local_point = pose.inverse_transform_point(point);
        let local = match self {
            Self::Sphere(sphere) => sphere.project_point(local_point),
            Self::Cuboid(cuboid) => cuboid.project_point(local_point),
            Self::Capsule(capsule) => capsule.project_point(local_point),
            Self::ConvexHull(hull) => hull.project_point(local_point),
            Self::HalfSpace(half_space) => half_space.project_point(local_point),
            Self::TriMesh(mesh) => mesh.project_point(local_point),
            Self::Compound(compound) => compound.project_point(local_point),
        };
        PointProjection {
            point: pose.transform_point(local.point),
            normal: pose.rotation.rotate(local.normal),
            ..local
        }
    }
}

impl TriMesh {
    /// Closest point on the triangles to a local-space point; of equal distances, the one on the
    /// smaller triangle index. The distance is negative inside a closed mesh.
    #[must_use]
    #[doc(alias = "closest_point")]
    pub fn project_point(&self, point: impl Into<Vec3>) -> PointProjection {
        let point = point.into();
        let query = DVec3::from(point);
        let project = |triangle: u32| {
            let closest = self.mesh().triangle(triangle).closest_point(query);
            ((closest - query).length(), closest, triangle)
        };
        let Some(nearby) = nearest_box(self.bvh(), point) else { return undefined() };
        let mut candidates = vec![nearby.id];
        self.triangles_in_aabb(&box_around(point, project(nearby.id).0), &mut candidates);
        candidates.sort_unstable();
        let projections = candidates.into_iter().map(project);
        let closest = projections.reduce(|best, next| if next.0 < best.0 { next } else { best });
        let Some((distance, closest, triangle)) = closest else { return undefined() };
        let is_inside = self.contains_point(point);
        let outward = if is_inside { closest - query } else { query - closest };
        // On the surface, the difference of the points is rounding error.
        let is_on_surface =
            distance <= ON_SURFACE_RATIO * f64::from(closest.as_vec3().abs().max_element());
        let outward = if is_on_surface { None } else { outward.try_normalize_f32() };
        let normal = outward.or_else(|| self.triangle_normal(triangle));
        let distance = if is_inside { -distance } else { distance } as f32;
        PointProjection {
            point: closest.as_vec3(),
            normal: normal.unwrap_or(Vec3::Y),
            distance,
            is_inside,
        }
    }
}

impl Compound {
    /// Closest point on the surface of a sub-shape to a local-space point; inside, the one on the
    /// sub-shape that the point penetrates most. Of equal distances, that of the first sub-shape.
    #[must_use]
    #[doc(alias = "closest_point")]
    pub fn project_point(&self, point: impl Into<Vec3>) -> PointProjection {
        let point = point.into();
        let project = |part: u32| {
            let (pose, shape) = &self.sub_shapes()[part as usize];
            shape.project_point(pose, point)
        };
        let Some(nearby) = nearest_box(self.bvh(), point) else { return undefined() };
        let radius = project(nearby.id).distance.abs();
        let mut candidates = vec![nearby.id];
        self.parts_in_aabb(&box_around(point, radius.into()), &mut candidates);
        candidates.sort_unstable();
        let projections = candidates.into_iter().map(project);
        projections
            .reduce(|best, next| if next.distance < best.distance { next } else { best })
            .unwrap_or_else(undefined)
    }
}

/// Item whose AABB is nearest to a point; `None` if the point is not finite.
fn nearest_box(bvh: &DynamicBvh<3>, point: Vec3) -> Option<Neighbor> {
    let mut nearest = Vec::new();
    bvh.k_nearest(&point.to_array(), 1, &mut nearest);
    nearest.first().copied()
}

/// Cube about a point that contains every point within `distance` of it, in spite of rounding.
fn box_around(point: Vec3, distance: f64) -> Aabb<3> {
    let center = point.abs().max_element();
    let half_extent =
        Vec3::splat((distance + SEARCH_MARGIN * (distance + f64::from(center))) as f32);
    Aabb { min: (point - half_extent).to_array(), max: (point + half_extent).to_array() }
}

/// Projection of a point that is not finite.
fn undefined() -> PointProjection {
    let nan = Vec3::splat(f32::NAN);
    PointProjection { point: nan, normal: nan, distance: f32::NAN, is_inside: false }
}

#[cfg(test)]
mod tests {
    use embate_geom::Rotation;
    use embate_geom::shapes::{Capsule, Cuboid, Sphere};
    use embate_mesh::TriangleMesh;
    use embate_test_util::Rng;

    use super::*;

    /// Closed mesh of a box.
    fn box_mesh(half_extents: Vec3) -> TriangleMesh {
        let corner = |bits: u32| {
            let side = |axis: u32| if bits >> axis & 1 == 1 { 1.0 } else { -1.0 };
            half_extents.mul_elements(Vec3::new(side(0), side(1), side(2))).to_array()
        };
        let quads =
            [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        TriangleMesh::new((0..8).map(corner).collect(), triangles).unwrap()
    }

    #[test]
    fn closed_mesh_projects_like_the_solid() {
        let half_extents = Vec3::new(0.5, 0.8, 0.2);
        let cuboid = Cuboid::new(half_extents).unwrap();
        let mesh = box_mesh(half_extents);
        let triangles: Vec<_> = mesh.iter_triangles().collect();
        let mesh = TriMesh::new(mesh).unwrap();
        let mut rng = Rng::new(11);
        for _ in 0..2_000 {
            let query = Vec3::from(rng.point(-1.5, 1.5));
            let (expected, found) = (cuboid.project_point(query), mesh.project_point(query));
            assert_eq!(found.is_inside, expected.is_inside, "{query:?}");
            assert!((found.distance - expected.distance).abs() < 1e-6, "{query:?}: {found:?}");
            assert!((found.point - expected.point).length() < 1e-5, "{query:?}: {found:?}");
            assert!((found.normal - expected.normal).length() < 1e-2, "{query:?}: {found:?}");
            let query = DVec3::from(query);
            let distances =
                triangles.iter().map(|triangle| (triangle.closest_point(query) - query).length());
            let least = distances.fold(f64::INFINITY, f64::min);
            assert_eq!(found.distance.abs(), least as f32, "{query:?}");
        }
    }

    #[test]
    fn compound_distance_is_the_minimum_of_its_parts() {
        let mut rng = Rng::new(12);
        let parts: Vec<(Pose, Shape)> = (0..40)
            .map(|part| {
                let rotation = Rotation::from_quaternion(rng.unit_quaternion()).unwrap();
                let shape: Shape = match part % 3 {
                    0 => Sphere::new(0.3).unwrap().into(),
                    1 => Cuboid::new([0.4, 0.2, 0.3]).unwrap().into(),
                    _ => Capsule::new(0.4, 0.2).unwrap().into(),
                };
                (Pose { rotation, position: Vec3::from(rng.point(-3.0, 3.0)) }, shape)
            })
            .collect();
        let compound = Shape::from(Compound::new(parts.clone()).unwrap());
        let pose = Pose {
            rotation: Rotation::from_axis_angle(Vec3::X, 0.7).unwrap(),
            position: Vec3::new(1.0, -2.0, 0.5),
        };
        for _ in 0..2_000 {
            let query = Vec3::from(rng.point(-5.0, 5.0));
            let found = compound.project_point(&pose, query);
            let expected = parts.iter().fold(f32::INFINITY, |least, (part_pose, shape)| {
                let distance = shape.project_point(&(pose * *part_pose), query).distance;
                if distance < least { distance } else { least }
            });
            assert!((found.distance - expected).abs() < 1e-5, "{query:?}: {found:?}, {expected}");
            assert_eq!(found.is_inside, compound.contains_point(&pose, query), "{query:?}");
            let error = (found.point + found.normal * found.distance - query).length();
            assert!(error < 1e-5, "{query:?}: {found:?}");
        }
    }

    #[test]
    fn point_on_a_mesh_has_the_normal_of_the_triangle() {
        let triangle = vec![[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
        let open = TriMesh::new(TriangleMesh::new(triangle, vec![[0, 1, 2]]).unwrap()).unwrap();
        let found = open.project_point([1.0, 1.0, 0.0]);
        assert_eq!((found.normal, found.distance, found.is_inside), (Vec3::Z, 0.0, false));
        let behind = open.project_point([1.0, 1.0, -2.0]);
        assert_eq!((behind.normal, behind.distance, behind.is_inside), (-Vec3::Z, 2.0, false));
    }

    #[test]
    fn point_that_is_not_finite_yields_nan() {
        let mesh = Shape::from(TriMesh::new(box_mesh(Vec3::splat(1.0))).unwrap());
        let parts = vec![(Pose::IDENTITY, Shape::from(Sphere::new(1.0).unwrap()))];
        for shape in [mesh, Compound::new(parts).unwrap().into()] {
            let found = shape.project_point(&Pose::IDENTITY, [0.0, f32::NAN, 0.0]);
            assert!(found.distance.is_nan() && !found.is_inside, "{found:?}");
        }
    }
}
