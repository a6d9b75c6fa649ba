//! Convexity check of a hull after its coplanar faces have been merged.

use crate::shapes::convex_hull::{ConvexHull, DVec3, HullFace, tolerance::Tolerance};

/// Allowed deviation from convexity along a unit direction: a merged face lies within one tolerance
/// of its plane on both sides, its offset is that of its highest vertex, and stored planes are
/// rounded.
pub(super) fn convexity_tolerance(tolerance: &Tolerance, direction: DVec3) -> f64 {
    2.0 * tolerance.along(direction) + tolerance.storage_error(direction)
}

/// Whether every face is a convex polygon in its plane and its neighbors lie below that plane.
///
/// A closed surface that is convex at each edge is convex as a whole.
pub(super) fn is_convex(hull: &ConvexHull, tolerance: &Tolerance) -> bool {
    hull.faces().iter().all(|face| is_flat_and_convex(hull, face, tolerance))
        && hull.edges().iter().all(|edge| {
            let [a, b] = edge.faces.map(|face| &hull.faces()[face as usize]);
            lies_below(hull, a, b, tolerance) && lies_below(hull, b, a, tolerance)
        })
}

/// Whether all vertices of `neighbor` lie below the plane of `face`.
fn lies_below(
    hull: &ConvexHull,
    neighbor: &HullFace,
    face: &HullFace,
    tolerance: &Tolerance,
) -> bool {
    let normal = DVec3::from(face.normal);
    let limit = f64::from(face.offset) + convexity_tolerance(tolerance, normal);
    hull.face_vertices(neighbor)
        .iter()
        .all(|&vertex| DVec3::from(hull.vertices()[vertex as usize]).dot(normal) <= limit)
}

fn is_flat_and_convex(hull: &ConvexHull, face: &HullFace, tolerance: &Tolerance) -> bool {
    let vertices = hull.face_vertices(face);
    let at = |index: usize| DVec3::from(hull.vertices()[vertices[index % vertices.len()] as usize]);
    let normal = DVec3::from(face.normal);
    (0..vertices.len()).all(|index| {
        let (previous, current, next) = (at(index), at(index + 1), at(index + 2));
        let depth = f64::from(face.offset) - current.dot(normal);
        let outward = (next - previous).normalize().cross(normal);
        let indentation = (previous - current).dot(outward);
        depth <= convexity_tolerance(tolerance, normal)
            && indentation <= convexity_tolerance(tolerance, outward)
    })
}
