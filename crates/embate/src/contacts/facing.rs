//! In which points do two bodies touch whose faces lie over each other?

use embate_geom::Frame;

use super::feature::feature;
use super::flat::{Back, Flat, View};
use super::manifold::{ContactPoint, Manifold};
use super::overlay::{self, Overlap};
use super::polytope::{Placed, Polytope};
use super::reduce;

/// The points of contact of two bodies along `view`, of which the incident one is `seen` from the other:
/// at most four, none if the faces do not overlap.
#[inline]
pub(super) fn manifold<R: Polytope, I: Polytope>(
    reference: &Placed<'_, R>,
    incident: &Placed<'_, I>,
    seen: &Frame,
    view: &View,
) -> Manifold {
    match overlay::most_corners(reference.body, incident.body, view) {
        0..=4 => sized::<R, I, 4, 8>(reference, incident, seen, view),
        5..=8 => sized::<R, I, 8, 16>(reference, incident, seen, view),
        _ => sized::<R, I, { overlay::MOST_CORNERS }, { 2 * overlay::MOST_CORNERS }>(
            reference, incident, seen, view,
        ),
    }
}

fn sized<R: Polytope, I: Polytope, const N: usize, const M: usize>(
    reference: &Placed<'_, R>,
    incident: &Placed<'_, I>,
    seen: &Frame,
    view: &View,
) -> Manifold {
    let flat = Flat::along(view.normal);
    let overlap: Overlap<M> =
        overlay::overlap::<R, I, N, M>(reference.body, incident.body, seen, &flat, view);
    let back = Back::new(&flat, reference.body, &reference.frame, view);
    let mut manifold = Manifold::along(back.normal);
    let (kept, count) = reduce::reduced(overlap.candidates(), view.slack);
    for &index in &kept[..count] {
        let candidate = overlap.candidates()[index];
        let [one, other] = overlap.parts(index);
        let feature = feature(one, other);
        // Where rounding let the walk pass a corner twice (2 of 1,000,000 pairs), one point stands for both.
        if manifold.points().iter().any(|point| point.feature == feature) {
            continue;
        }
        manifold.push(ContactPoint {
            // Midway between the plane of the reference face and the incident one.
            point: back.point(candidate.at, -0.5 * candidate.depth) + reference.frame.origin,
            depth: candidate.depth,
            feature,
        });
    }
    manifold
}
