//! Back-face validation: rejects false back-face penetrations, and adds a contact where every
//! triangle deferred to a neighbor.
//!
//! ```text
//!         ┌──────┐            The body lies on the left slope. Its center is behind the plane of
//!         │  ·   │   ╱ plane  the right triangle, which therefore reports a back-face
//!         └──────┘ ╱          penetration. But the body does not touch that triangle.
//!     ─────▲─────╱
//!        ╱   ╲ ╱
//!     convex edge
//! ```
//!
//! A per-triangle test uses only the plane of the triangle and the normals of its neighbors. A
//! penetration behind the plane is therefore valid only if the body intersects the triangle itself,
//! or a triangle that is connected to it without a convex edge between. And at a vertex every
//! triangle may defer to the others. The triangles from which no contact separates the body are
//! resolved last.
//!
//! Guarantees: a body separated from a mesh has no contact with a penetration above 0, and a body
//! that touches it has at least one contact.

use embate_geom::{Vec3, scalar};

use crate::narrow_phase::closest_points::ClosestFeatures;
use crate::narrow_phase::convex::polyhedron::PolyhedralShape;
use crate::narrow_phase::manifold::Manifold;
use crate::narrow_phase::mesh::depenetration;
use crate::narrow_phase::mesh::internal_edges::is_active_edge;
use crate::narrow_phase::mesh::{TriangleVisitor, closer_of, closest_features};

/// Contacts tested for whether they separate the body from a triangle; if there are more, the
/// first.
const MAX_TESTED_CONTACTS: usize = 64;

/// Result of the test of one triangle against a convex shape.
#[derive(Clone, Copy)]
pub(crate) enum TriangleResult {
    /// Farther away than the margin.
    None,
    Contact(Manifold),
    /// Penetration behind the plane on one side of the triangle, without proof that the body
    /// intersects the triangle.
    BackFace(Manifold, u32),
    /// Contact over the face that is farther away than the closest features, which belong to a
    /// neighbor.
    Deferred(Manifold, ClosestFeatures),
    /// The closest features are within the margin, but the face has no contact there.
    Rejected(ClosestFeatures),
    /// The plane is within the margin; the closest features were not computed.
    Unknown,
}

/// Triangles left to resolve after all triangles have been tested.
#[derive(Default)]
pub(crate) struct Unresolved {
    /// Triangle and side of each manifold that may be a false back-face contact, in ascending order
    /// of triangle.
    unverified: Vec<(u32, u32)>,
    rejected: Vec<(u32, ClosestFeatures)>,
    has_unknown: bool,
}

/// A triangle near the body.
struct NearTriangle {
    triangle: u32,
    /// The side that contains the center of the body.
    side: u32,
    /// Whether the body intersects it.
    intersects: bool,
    /// Whether the body intersects this triangle or one connected to it without an active edge;
    /// `None` until computed.
    surface_intersects: Option<bool>,
}

impl Unresolved {
    /// Stores the result of one triangle. Triangles arrive in ascending order of index.
    pub(crate) fn record(
        &mut self,
        triangle: u32,
        result: TriangleResult,
        manifolds: &mut Vec<Manifold>,
        first: usize,
    ) {
        let mut manifold = match result {
            TriangleResult::None => return,
            TriangleResult::Unknown => {
                self.has_unknown = true;
                return;
            }
            TriangleResult::Rejected(closest) => {
                self.rejected.push((triangle, closest));
                return;
            }
            TriangleResult::BackFace(manifold, side) => {
                self.unverified.push((triangle, side));
                manifold
            }
            TriangleResult::Deferred(manifold, closest) => {
                self.rejected.push((triangle, closest));
                manifold
            }
            TriangleResult::Contact(manifold) => manifold,
        };
        manifold.sub_shapes = [0, triangle];
        if !is_duplicate(&manifolds[first..], &manifold) {
            manifolds.push(manifold);
        }
    }

    /// Removes the back-face manifolds whose triangle is not connected to a surface that the body
    /// intersects.
    pub(crate) fn remove_false_back_faces(
        &self,
        visitor: &TriangleVisitor<'_>,
        manifolds: &mut Vec<Manifold>,
        first: usize,
    ) {
        if self.unverified.is_empty() {
            return;
        }
        let mut near = Vec::new();
        visitor.for_each_nearby(0.0, |triangle, context| {
            let side = context.triangle.face_toward(visitor.inner_point(context));
            let intersects =
                closest_features(visitor.shape, &visitor.frame, context, 0.0).is_some();
            near.push(NearTriangle { triangle, side, intersects, surface_intersects: None });
            false
        });
        let mut index = 0;
        manifolds.retain(|contact| {
            index += 1;
            // Triangles were recorded in ascending order.
            let entry =
                self.unverified.binary_search_by_key(&contact.sub_shapes[1], |entry| entry.0);
            let entry =
                entry.ok().filter(|_| index > first).map(|position| self.unverified[position]);
            entry.is_none_or(|(triangle, side)| {
                intersects_surface(&mut near, visitor, triangle, side)
            })
        });
    }

    /// Appends contacts that separate the body from the triangles that it touches and no manifold
    /// so far separates it from.
    pub(crate) fn add_missing_contacts(
        &self,
        visitor: &TriangleVisitor<'_>,
        margin: f32,
        manifolds: &mut Vec<Manifold>,
        first: usize,
    ) {
        let tolerance = visitor.separation_tolerance(self.max_triangle_extent(visitor));
        let is_cleared = |triangle: u32, manifolds: &[Manifold]| {
            manifolds.iter().take(MAX_TESTED_CONTACTS).any(|contact| {
                let displacement =
                    contact.normal * -(scalar::max(contact.max_penetration(), 0.0) + tolerance);
                visitor.translated(displacement).penetration(triangle).is_none()
            })
        };
        let mut uncleared: Vec<(u32, ClosestFeatures)> = Vec::new();
        for &(triangle, closest) in &self.rejected {
            if closest.distance <= 0.0 && !is_cleared(triangle, &manifolds[first..]) {
                uncleared.push((triangle, closest));
            }
        }
        if uncleared.is_empty()
            && manifolds.len() == first
            && (self.has_unknown || !self.rejected.is_empty())
        {
            let mut overall: Option<(u32, ClosestFeatures)> = None;
            visitor.for_each_nearby(margin, |triangle, context| {
                let closest = closest_features(visitor.shape, &visitor.frame, context, margin);
                if let Some(closest) = closest {
                    if closest.distance <= 0.0 {
                        uncleared.push((triangle, closest));
                    }
                    if overall.as_ref().is_none_or(|(_, best)| closest.distance < best.distance) {
                        overall = Some((triangle, closest));
                    }
                }
                false
            });
            if let Some((triangle, closest)) = overall.filter(|_| uncleared.is_empty()) {
                manifolds.push(to_manifold(triangle, &closest));
            }
        }
        if let Some(mtv) = minimum_translation(visitor, &uncleared, tolerance) {
            manifolds.push(mtv);
        }
        // A separated triangle that is closer than every contact gets a contact as well.
        let separated = self.rejected.iter().filter(|(_, closest)| closest.distance > 0.0);
        let nearest = separated.reduce(|a, b| if b.1.distance < a.1.distance { b } else { a });
        let max_penetration =
            manifolds[first..].iter().fold(f32::NEG_INFINITY, |deepest, contact| {
                scalar::max(deepest, contact.max_penetration())
            });
        if let Some((triangle, nearest)) = nearest
            && -nearest.distance > max_penetration + visitor.precision(*triangle)
        {
            manifolds.push(to_manifold(*triangle, nearest));
        }
    }

    fn max_triangle_extent(&self, visitor: &TriangleVisitor<'_>) -> f32 {
        self.rejected.iter().fold(0.0, |largest, &(triangle, _)| {
            let extent = visitor
                .triangle_context(triangle)
                .map_or(0.0, |context| context.triangle.max_abs_coordinate());
            scalar::max(largest, extent)
        })
    }
}

/// Whether the body intersects a triangle, or one that is connected to it without an active edge on
/// this side. A flood fill over the nearby triangles.
fn intersects_surface(
    near: &mut [NearTriangle],
    visitor: &TriangleVisitor<'_>,
    triangle: u32,
    side: u32,
) -> bool {
    let mut pending = vec![triangle];
    let mut visited = Vec::new();
    let mut any_intersects = false;
    while let Some(triangle) = pending.pop() {
        let Ok(position) = near.binary_search_by_key(&triangle, |near| near.triangle) else {
            continue;
        };
        let current = &mut near[position];
        if current.side != side {
            continue;
        }
        if let Some(known) = current.surface_intersects {
            any_intersects |= known;
            continue;
        }
        // Provisional, until the flood fill is complete.
        current.surface_intersects = Some(current.intersects);
        any_intersects |= current.intersects;
        visited.push(position);
        let mesh_edges = visitor.mesh.shape.edges(triangle).iter();
        pending.extend(
            mesh_edges
                .filter(|edge| !is_active_edge(edge.kind, side))
                .filter_map(|edge| edge.neighbor),
        );
    }
    for position in visited {
        near[position].surface_intersects = Some(any_intersects);
    }
    any_intersects
}

/// Minimum translation: of the separating translations of some triangles, the shortest that
/// separates the body from all of them; if there is none, the longest.
fn minimum_translation(
    visitor: &TriangleVisitor<'_>,
    uncleared: &[(u32, ClosestFeatures)],
    tolerance: f32,
) -> Option<Manifold> {
    let deepest = |displacement: Vec3| {
        let translated = visitor.translated(displacement);
        let depths = uncleared.iter().map(|&(triangle, _)| translated.penetration(triangle));
        depths.fold(None, closer_of)
    };
    let mut best: Option<(u32, ClosestFeatures)> = None;
    for &(triangle, closest) in uncleared.iter().take(depenetration::MAX_DIRECTIONS) {
        let max_depth = best.as_ref().map_or(f32::INFINITY, |(_, best)| -best.distance);
        let advanced = depenetration::advance_until_clear(
            closest.closest_points(),
            max_depth,
            tolerance,
            &deepest,
        );
        if let Some(advanced) = advanced.filter(|advanced| -advanced.distance < max_depth) {
            best = Some((
                triangle,
                ClosestFeatures { distance: advanced.distance, points: advanced.points, ..closest },
            ));
        }
    }
    let deepest_of_all =
        || uncleared.iter().copied().reduce(|a, b| if b.1.distance < a.1.distance { b } else { a });
    best.or_else(deepest_of_all).map(|(triangle, closest)| to_manifold(triangle, &closest))
}

/// As a manifold of one point.
fn to_manifold(triangle: u32, closest: &ClosestFeatures) -> Manifold {
    let mut manifold = closest.manifold();
    manifold.sub_shapes = [0, triangle];
    manifold
}

/// Manifolds that a new one is compared with: few vertices have more neighbors than this.
const MAX_COMPARED_MANIFOLDS: usize = 32;

/// Whether a neighbor already has the same single-point contact, on a shared edge or vertex, at no
/// less penetration.
fn is_duplicate(manifolds: &[Manifold], new: &Manifold) -> bool {
    let [point] = new.points() else { return false };
    manifolds.iter().rev().take(MAX_COMPARED_MANIFOLDS).any(|earlier| {
        // Vertices that two triangles share round alike. Far from the origin, positions lie on a
        // coarse grid; penetrations do not.
        let max_distance =
            1e-5 * (point.penetration.abs() + 4e-2 * point.position.abs().max_element());
        let extra_depth = point.penetration - earlier.points()[0].penetration;
        earlier.normal.dot(new.normal) > 1.0 - 1e-6
            && earlier.points().len() == 1
            && (earlier.points()[0].position - point.position).length_squared()
                <= max_distance * max_distance
            && extra_depth <= 0.05 * point.penetration.abs()
    })
}
