//! Face clipping: the incident face against the reference face, reduced to at most four points.

pub(crate) mod clip_polygon;
pub(crate) mod polygon;
pub(crate) mod projection;
pub(crate) mod reduce_points;

use embate_geom::RigidTransform;

use crate::narrow_phase::convex::clip::clip_polygon::ClippedPolygon;
use crate::narrow_phase::convex::clip::projection::{ClipInput, FaceProjection, Unprojection};
use crate::narrow_phase::convex::polyhedron::{PolyhedralShape, PosedPolyhedron};
use crate::narrow_phase::feature_id::pack_features;
use crate::narrow_phase::manifold::{ContactPoint, Manifold};

/// Contact points of two polyhedra along `input.normal`; `incident_in_reference` is the pose of the
/// incident shape in the reference shape's frame. At most four points; none if the faces do not
/// overlap in projection.
#[inline]
pub(crate) fn manifold<R: PolyhedralShape, I: PolyhedralShape>(
    reference: &PosedPolyhedron<'_, R>,
    incident: &PosedPolyhedron<'_, I>,
    incident_in_reference: &RigidTransform,
    input: &ClipInput,
) -> Manifold {
    match clip_polygon::max_vertex_count(reference.shape, incident.shape, input) {
        0..=4 => {
            manifold_with_capacity::<R, I, 4, 8>(reference, incident, incident_in_reference, input)
        }
        5..=8 => {
            manifold_with_capacity::<R, I, 8, 16>(reference, incident, incident_in_reference, input)
        }
        _ => manifold_with_capacity::<
            R,
            I,
            { clip_polygon::MAX_CLIP_VERTICES },
            { 2 * clip_polygon::MAX_CLIP_VERTICES },
        >(reference, incident, incident_in_reference, input),
    }
}

fn manifold_with_capacity<
    R: PolyhedralShape,
    I: PolyhedralShape,
    const N: usize,
    const M: usize,
>(
    reference: &PosedPolyhedron<'_, R>,
    incident: &PosedPolyhedron<'_, I>,
    incident_in_reference: &RigidTransform,
    input: &ClipInput,
) -> Manifold {
    let projection = FaceProjection::new(input.normal);
    let polygon: ClippedPolygon<M> = clip_polygon::clip::<R, I, N, M>(
        reference.shape,
        incident.shape,
        incident_in_reference,
        &projection,
        input,
    );
    let unprojection = Unprojection::new(&projection, reference.shape, &reference.frame, input);
    let mut manifold = Manifold::with_normal(unprojection.normal);
    let (kept, count) = reduce_points::reduce_to_four(polygon.points(), input.tolerance);
    for &index in &kept[..count] {
        let point = polygon.points()[index];
        let [reference_feature, incident_feature] = polygon.features(index);
        let feature_id = pack_features(reference_feature, incident_feature);
        // By rounding, the boundary walk may emit a vertex twice (2 of 1,000,000 pairs); one point
        // is kept.
        if manifold.points().iter().any(|point| point.feature_id == feature_id) {
            continue;
        }
        manifold.push(ContactPoint {
            // Midpoint between the plane of the reference face and the incident face.
            position: unprojection.unproject(point.uv, -0.5 * point.penetration)
                + reference.frame.translation,
            penetration: point.penetration,
            feature_id,
        });
    }
    manifold
}
