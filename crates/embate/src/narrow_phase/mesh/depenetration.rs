//! Depenetration: minimum translation vector (MTV) of two meshes that intersect.
//!
//! Each pair of intersecting triangles has its own shortest separating translation. The longest of
//! these is a lower bound, but only a translation that clears all other pairs as well separates the
//! meshes. Each candidate direction, and their depth-weighted sum, is extended until no pair
//! intersects, in the worst case past the supports of both meshes. The shortest translation is
//! returned. For two solids whose surfaces cross it is the MTV of their hulls, if that direction is
//! among the candidates. A convex body and a mesh: see `minimum_translation`.
//!
//! Guarantee: a mesh moved along the normal by the returned depth is separated from the other.

use embate_geom::{Vec3, scalar};

use crate::narrow_phase::closest_points::ClosestFeatures;
use crate::narrow_phase::manifold::{ClosestPoints, Manifold};
use crate::narrow_phase::mesh::redundant_contacts::SAME_NORMAL_COSINE;
use crate::narrow_phase::posed::Posed;
use crate::shapes::Shape;

/// Candidate directions tried, the shortest first. One that separates solids is among the first
/// few.
pub(crate) const MAX_DIRECTIONS: usize = 32;

/// Pairs tested in all directions together, apart from [`MIN_DIRECTIONS`]: with thousands of
/// intersecting pairs fewer directions are tried.
const MAX_TRIANGLE_TESTS: usize = 16_384;

/// Directions tried regardless of cost.
const MIN_DIRECTIONS: usize = 4;

/// Extensions of one direction, each for the deepest triangle that is still penetrated.
const MAX_EXTENSIONS: usize = 8;

/// Smallest cosine between a direction and the separating normal of a triangle for which the
/// direction is extended.
const MIN_ADVANCE_COSINE: f32 = 0.1;

/// Candidate translations that separate a mesh A from a mesh B: those of the intersecting pairs of
/// triangles and of the contacts.
#[derive(Default)]
pub(crate) struct SeparationCandidates {
    candidates: Vec<ClosestPoints>,
    /// Intersecting pairs of triangles.
    touching_count: usize,
    /// Largest extent of an intersecting triangle: its largest absolute coordinate relative to the
    /// centroid.
    max_triangle_extent: f32,
}

impl SeparationCandidates {
    /// Adds the separating translation of one pair of triangles, and the translations of equal depth
    /// along `normals`, the triangle normals.
    pub(crate) fn add(
        &mut self,
        closest: &ClosestFeatures,
        normals: &[Vec3],
        max_triangle_extent: f32,
    ) {
        let closest = closest.closest_points();
        self.max_triangle_extent = scalar::max(self.max_triangle_extent, max_triangle_extent);
        self.touching_count += 1;
        self.candidates.push(closest);
        for &normal in normals {
            let normal = if normal.dot(closest.normal) < 0.0 { -normal } else { normal };
            self.candidates.push(ClosestPoints { normal, ..closest });
        }
    }

    /// Largest extent of an intersecting triangle.
    pub(crate) fn max_triangle_extent(&self) -> f32 {
        self.max_triangle_extent
    }

    /// Whether several pairs intersect, so that the translation out of one may not clear another.
    pub(crate) fn has_several(&self) -> bool {
        self.touching_count > 1
    }

    /// Adds the deepest point of a contact as a candidate.
    pub(crate) fn add_contact(&mut self, contact: &Manifold) {
        let points = contact.points().iter();
        if let Some(point) = points.reduce(|a, b| if b.penetration > a.penetration { b } else { a })
            && point.penetration >= 0.0
        {
            let half = contact.normal * (0.5 * point.penetration);
            self.candidates.push(ClosestPoints {
                distance: -point.penetration,
                normal: contact.normal,
                points: [point.position + half, point.position - half],
            });
        }
    }

    /// The shortest translation that separates A from B, if it is shorter than `max_depth`.
    /// `remaining` returns the deepest penetration of A displaced by a vector, `None` if it is
    /// clear. `tolerance` is the distance beyond the depth at which it must be clear.
    pub(crate) fn minimum_translation(
        mut self,
        bodies: [Posed<'_, Shape>; 2],
        max_depth: f32,
        tolerance: f32,
        remaining: impl Fn(Vec3) -> Option<ClosestFeatures>,
    ) -> Option<ClosestPoints> {
        let sum = self
            .candidates
            .iter()
            .fold(Vec3::ZERO, |sum, candidate| sum - candidate.normal * candidate.distance);
        // A stable sort: of equal depths the first candidate wins.
        self.candidates.sort_by(|a, b| b.distance.total_cmp(&a.distance));
        let mut directions: Vec<ClosestPoints> = Vec::new();
        let max_directions = (MAX_TRIANGLE_TESTS / (MAX_EXTENSIONS * self.touching_count.max(1)))
            .clamp(MIN_DIRECTIONS, MAX_DIRECTIONS);
        for candidate in &self.candidates {
            if directions.len() < max_directions
                && !directions
                    .iter()
                    .any(|kept| kept.normal.dot(candidate.normal) > SAME_NORMAL_COSINE)
            {
                directions.push(*candidate);
            }
        }
        if let (Some(normal), Some(first)) = (sum.try_normalize(), directions.first()) {
            directions.push(ClosestPoints { normal, ..*first });
        }
        let mut best: Option<ClosestPoints> = None;
        for candidate in directions {
            let max_depth = best.map_or(max_depth, |best| -best.distance);
            let advanced = advance_until_clear(candidate, max_depth, tolerance, &remaining)
                .or_else(|| advance_past_supports(candidate, max_depth, bodies));
            best = advanced.filter(|advanced| -advanced.distance < max_depth).or(best);
        }
        best
    }
}

/// Extends a candidate until it clears all triangles; `None` if that takes more than `max_depth`.
pub(crate) fn advance_until_clear(
    candidate: ClosestPoints,
    max_depth: f32,
    tolerance: f32,
    remaining: &impl Fn(Vec3) -> Option<ClosestFeatures>,
) -> Option<ClosestPoints> {
    let mut candidate = candidate;
    for _ in 0..MAX_EXTENSIONS {
        if candidate.distance <= -max_depth {
            return None;
        }
        let Some(deepest) = remaining(candidate.normal * (candidate.distance - tolerance)) else {
            return Some(candidate);
        };
        let cosine = candidate.normal.dot(deepest.normal);
        if cosine < MIN_ADVANCE_COSINE {
            return None;
        }
        candidate.distance -= scalar::max(-deepest.distance, tolerance) / cosine;
        let on_b = deepest.points[1];
        candidate.points = [on_b - candidate.normal * candidate.distance, on_b];
    }
    None
}

/// The candidate direction extended past the support points of both shapes, which certainly
/// separates them. May be `None` if that takes more than `max_depth`.
fn advance_past_supports(
    candidate: ClosestPoints,
    max_depth: f32,
    [a, b]: [Posed<'_, Shape>; 2],
) -> Option<ClosestPoints> {
    let normal = candidate.normal;
    let support = |body: Posed<'_, Shape>, direction: Vec3| {
        let local = body.shape.support_point(body.pose.rotation.inverse_rotate(direction))?;
        Some(body.pose.transform_point(local))
    };
    let on_a = support(a, normal)?;
    if certainly_deeper(b, normal, on_a, max_depth) {
        return None;
    }
    let on_b = support(b, -normal)?;
    // The shapes touch, even if rounding of world coordinates leaves a gap.
    let distance = scalar::min(normal.dot(on_b - on_a), 0.0);
    // The two support points need not coincide: use their midpoint.
    let midpoint = (on_a + on_b) * 0.5;
    let half = normal * (0.5 * distance);
    Some(ClosestPoints { distance, points: [midpoint - half, midpoint + half], ..candidate })
}

/// Whether a sample of the vertices of a mesh shows that it extends behind a point, against
/// `normal`, by more than `depth`. The support point of a mesh is the extreme of all its vertices,
/// and this test usually saves that loop.
fn certainly_deeper(mesh: Posed<'_, Shape>, normal: Vec3, point: Vec3, depth: f32) -> bool {
    const SAMPLE_COUNT: usize = 16;
    let Shape::TriMesh(shape) = mesh.shape else { return false };
    let triangles = shape.mesh().triangles();
    let mut sample = triangles.iter().step_by(triangles.len().div_ceil(SAMPLE_COUNT).max(1));
    sample.any(|&[vertex, ..]| {
        let vertex = mesh.pose.transform_point(shape.mesh().positions()[vertex as usize]);
        // 1e-4 exceeds the rounding error of the coordinates.
        let rounding = 1e-4 * (vertex.abs().max_element() + point.abs().max_element());
        normal.dot(point - vertex) > depth + rounding
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use embate_geom::{
        Pose, Rotation, Vec3,
        shapes::{ConvexHull, Cuboid},
    };
    use embate_mesh::TriangleMesh;

    use crate::narrow_phase::{closest_points, contact_manifold, intersects};
    use crate::shapes::{Shape, TriMesh};

    /// A convex hull, and the mesh of its faces.
    fn hull_and_mesh(points: &[[f32; 3]]) -> [Shape; 2] {
        let vertices: Vec<Vec3> = points.iter().copied().map(Vec3::from).collect();
        let hull = ConvexHull::new(&vertices).unwrap();
        let vertices = hull.vertices().iter().map(|vertex| vertex.to_array()).collect();
        let mut triangles = Vec::new();
        for face in hull.faces() {
            let vertices = hull.face_vertices(face);
            triangles.extend(vertices[1..].windows(2).map(|pair| [vertices[0], pair[0], pair[1]]));
        }
        let mesh = TriangleMesh::new(vertices, triangles).unwrap();
        [Shape::from(hull), Shape::TriMesh(Arc::new(TriMesh::new(mesh).unwrap()))]
    }

    const PYRAMID: [[f32; 3]; 5] =
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 1.0]];
    const CUBE: [[f32; 3]; 8] = [
        [-1.0, -1.0, -1.0],
        [1.0, -1.0, -1.0],
        [-1.0, 1.0, -1.0],
        [1.0, 1.0, -1.0],
        [-1.0, -1.0, 1.0],
        [1.0, -1.0, 1.0],
        [-1.0, 1.0, 1.0],
        [1.0, 1.0, 1.0],
    ];

    /// Regression: `closest_points` returned the depth of one pair of triangles, which left other
    /// pairs penetrating, and `contact_manifold` returned another normal.
    #[test]
    fn mesh_pyramids_have_the_mtv_of_solid_pyramids() {
        let [solid, mesh] = hull_and_mesh(&PYRAMID);
        let offset_pose = Pose::from_translation(Vec3::new(0.5, 0.0, 0.0));
        let expected = closest_points(&solid, &Pose::IDENTITY, &solid, &offset_pose);
        let closest = closest_points(&mesh, &Pose::IDENTITY, &mesh, &offset_pose);
        assert!(
            (closest.distance - expected.distance).abs() < 1e-4,
            "{closest:?}, truly {expected:?}"
        );
        let manifold = contact_manifold(&mesh, &Pose::IDENTITY, &mesh, &offset_pose, 0.0).unwrap();
        assert!(
            (manifold.max_penetration() + closest.distance).abs() < 1e-4,
            "{manifold:?}, {closest:?}"
        );
        assert!(manifold.normal.dot(closest.normal) > 0.999, "{manifold:?}, {closest:?}");
    }

    #[test]
    fn mtv_clears_the_mesh_and_matches_that_of_its_hull() {
        for points in [&PYRAMID[..], &CUBE[..]] {
            let [solid, mesh] = hull_and_mesh(points);
            let other = Shape::from(Cuboid::new(Vec3::new(0.6, 0.5, 0.4)).unwrap());
            for step in 0..12_u8 {
                let t = f32::from(step);
                let rotation =
                    Rotation::from_axis_angle(Vec3::new(1.0, 0.3 * t, -0.2), 0.37 * t).unwrap();
                let direction =
                    Rotation::from_axis_angle(Vec3::new(0.2, 1.0, 0.1 * t), 0.71 * t).unwrap();
                let position = Vec3::splat(0.25) + direction.rotate(Vec3::X) * 0.7;
                let pose = Pose { rotation, position };
                for (a, solid_a) in [(&mesh, &solid), (&other, &other)] {
                    let expected = closest_points(solid_a, &pose, &solid, &Pose::IDENTITY);
                    let closest = closest_points(a, &pose, &mesh, &Pose::IDENTITY);
                    let context = format!("{step}: {closest:?}, truly {expected:?}");
                    let overlaps = intersects(a, &pose, &mesh, &Pose::IDENTITY);
                    assert_eq!(overlaps, closest.distance <= 0.0, "{context}");
                    if !overlaps || expected.distance > -0.02 {
                        continue;
                    }
                    let mtv = closest.normal * (closest.distance - 1e-3);
                    let moved = Pose { position: pose.position + mtv, ..pose };
                    assert!(!intersects(a, &moved, &mesh, &Pose::IDENTITY), "{context}");
                    // At larger depths the body may be clear inside the hollow mesh, or only in a
                    // direction that no triangle offers.
                    if expected.distance > -0.4 {
                        assert!((closest.distance - expected.distance).abs() < 1e-4, "{context}");
                    }
                }
            }
        }
    }
}
