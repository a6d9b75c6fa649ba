//! In which points do two bodies touch whose faces lie over each other?

use embate_geom::{Frame, Vec3};

use super::feature::{Part, feature};
use super::manifold::{ContactPoint, Manifold};
use super::overlay::{self, Overlap, Touch, View};
use super::polytope::{Placed, Polytope};
use super::reduce;

/// Deeper points are kept before others if they are deeper by more than this part of the sizes.
const DEEPER: f32 = 2e-5;

/// The points of contact of two bodies along `view`, of which the incident one is `seen` from the other:
/// at most four, none if the faces do not overlap.
pub(super) fn manifold<R: Polytope, I: Polytope>(
    reference: &Placed<'_, R>,
    incident: &Placed<'_, I>,
    seen: &Frame,
    view: &View,
) -> Manifold {
    if overlay::is_small(reference.body, incident.body, view) {
        let overlap = overlay::overlap::<R, I, 4, 8>(reference.body, incident.body, seen, view);
        kept(reference, incident, view, &overlap)
    } else {
        let overlap = overlay::overlap::<R, I, 32, 64>(reference.body, incident.body, seen, view);
        kept(reference, incident, view, &overlap)
    }
}

/// The four points that say the most, in the world.
#[inline]
fn kept<R: Polytope, I: Polytope, const M: usize>(
    reference: &Placed<'_, R>,
    incident: &Placed<'_, I>,
    view: &View,
    overlap: &Overlap<M>,
) -> Manifold {
    let normal = reference.frame.axes * view.normal;
    let mut manifold = Manifold::along(normal);
    let tolerance = DEEPER * (reference.body.reach() + incident.body.reach());
    let (kept, count) = reduce::reduced(overlap.candidates(), tolerance);
    for &index in &kept[..count] {
        let depth = overlap.candidates()[index].depth;
        manifold.push(point(reference, incident, view, normal, depth, overlap.touches()[index]));
    }
    manifold
}

#[inline]
fn point<R: Polytope, I: Polytope>(
    reference: &Placed<'_, R>,
    incident: &Placed<'_, I>,
    view: &View,
    normal: Vec3,
    depth: f32,
    touch: Touch,
) -> ContactPoint {
    // Midway: half the depth out from the incident body, half of it in from the reference one.
    let half = normal * (0.5 * depth);
    let (point, parts) = match touch {
        Touch::Incident(index) => {
            (incident.point(index) + half, [Part::face(view.reference), Part::corner(index)])
        }
        Touch::Crossing { from, to, share, edge } => {
            let (start, end) = (incident.point(from), incident.point(to));
            let parts = [Part::edge(edge), Part::edge(to)];
            (start + (end - start) * share + half, parts)
        }
        Touch::Reference(index) => {
            (reference.point(index) - half, [Part::corner(index), Part::face(view.incident)])
        }
    };
    ContactPoint { point, depth, feature: feature(parts[0], parts[1]) }
}
