//! Is a hull convex within its promise?

use super::{Hull, HullFace, Wide, tolerance::Tolerance};

/// A joined face lies within one tolerance of its plane on both sides, its offset is that of its highest
/// corner, and what is stored is rounded.
pub(super) fn promise(tolerance: &Tolerance, unit: Wide) -> f64 {
    2.0 * tolerance.along(unit) + tolerance.of_storing(unit)
}

/// Whether every face is a convex polygon in its plane, and its neighbours lie below that.
///
/// A closed surface that is convex at each edge is convex as a whole.
pub(super) fn is_convex(hull: &Hull, tolerance: &Tolerance) -> bool {
    hull.faces().iter().all(|face| is_flat_and_convex(hull, face, tolerance))
        && hull.edges().iter().all(|edge| {
            let [one, other] = edge.faces.map(|face| &hull.faces()[face as usize]);
            lies_below(hull, one, other, tolerance) && lies_below(hull, other, one, tolerance)
        })
}

fn lies_below(hull: &Hull, neighbour: &HullFace, face: &HullFace, tolerance: &Tolerance) -> bool {
    let normal = Wide::from(face.normal);
    let limit = f64::from(face.offset) + promise(tolerance, normal);
    hull.corners(neighbour)
        .iter()
        .all(|&corner| Wide::from(hull.vertices()[corner as usize]).dot(normal) <= limit)
}

fn is_flat_and_convex(hull: &Hull, face: &HullFace, tolerance: &Tolerance) -> bool {
    let corners = hull.corners(face);
    let at = |corner: usize| Wide::from(hull.vertices()[corners[corner % corners.len()] as usize]);
    let normal = Wide::from(face.normal);
    (0..corners.len()).all(|corner| {
        let (before, here, after) = (at(corner), at(corner + 1), at(corner + 2));
        let below = f64::from(face.offset) - here.dot(normal);
        let out = (after - before).unit().cross(normal);
        let bent_in = (before - here).dot(out);
        below <= promise(tolerance, normal) && bent_in <= promise(tolerance, out)
    })
}
