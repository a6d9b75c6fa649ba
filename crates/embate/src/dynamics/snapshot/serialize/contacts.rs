//! Serialization of contact pairs: persistent manifolds, accumulated impulses, recycling
//! references.

use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::narrow_phase::NarrowPhase;
use crate::dynamics::narrow_phase::contact_pair::{ContactPair, ContactPairState};
use crate::dynamics::narrow_phase::manifold::{AnchorPoint, PersistentManifold, PointImpulse};
use crate::dynamics::narrow_phase::recycling::RelativePoseSnapshot;
use crate::dynamics::snapshot::serialize::reader_writer::{Reader, Writer};
use crate::dynamics::snapshot::serialize::{SnapshotDefect, SnapshotError};
use crate::narrow_phase::{ContactPoint, MAX_MANIFOLD_POINTS, Manifold};

/// Two body indices, flags, approach velocity, manifold count.
const MIN_PAIR_BYTES: usize = 25;
/// Lower bound: a manifold with one point takes 121 bytes.
const MIN_MANIFOLD_BYTES: usize = 90;

pub(crate) fn write(out: &mut Writer, narrow_phase: &NarrowPhase) {
    out.count(narrow_phase.pairs().len());
    for pair in narrow_phase.pairs() {
        let ContactPairState {
            recycle_reference,
            needs_update,
            is_touching,
            approach_velocity,
            manifolds,
        } = pair.state();
        for body in pair.bodies() {
            out.u32(body.0);
        }
        out.flags(&[is_touching, recycle_reference.is_some(), needs_update]);
        out.vec3(approach_velocity);
        if let Some(RelativePoseSnapshot { centers, rotations }) = recycle_reference {
            for center in centers {
                out.vec3(center);
            }
            for rotation in rotations {
                out.rotation(rotation);
            }
        }
        out.count(manifolds.len());
        for manifold in manifolds {
            write_manifold(out, manifold);
        }
    }
}

fn write_manifold(out: &mut Writer, persistent: &PersistentManifold) {
    let PersistentManifold {
        manifold,
        anchors,
        time_to_contact,
        points,
        tangent_impulse,
        torsional_impulse,
        rolling_impulse,
    } = persistent;
    out.vec3(manifold.normal);
    for &sub_shape in &manifold.sub_shapes {
        out.u32(sub_shape);
    }
    out.f32(*time_to_contact);
    out.vec3(*tangent_impulse);
    out.f32(*torsional_impulse);
    out.vec3(*rolling_impulse);
    out.u8(manifold.points().len() as u8);
    for ((contact, anchor), impulse) in manifold.points().iter().zip(anchors).zip(points) {
        let ContactPoint { position, penetration, feature_id } = *contact;
        out.vec3(position);
        out.f32(penetration);
        out.u32(feature_id);
        out.vec3(anchor.anchor_a);
        out.vec3(anchor.anchor_b);
        out.vec3(anchor.position);
        out.f32(anchor.penetration);
        // The feature id of the impulse equals that of the contact point.
        out.f32(impulse.normal_impulse);
        out.f32(impulse.total_normal_impulse);
    }
}

pub(crate) fn read(input: &mut Reader<'_>, bodies: &BodySet) -> Result<NarrowPhase, SnapshotError> {
    let count = input.count(MIN_PAIR_BYTES)?;
    let mut pairs: Vec<ContactPair> = Vec::new();
    let mut manifolds = Vec::new();
    for _ in 0..count {
        let indices = [BodyIndex(input.u32()?), BodyIndex(input.u32()?)];
        let previous = pairs.last().map(ContactPair::bodies);
        let sorted = indices[0] < indices[1] && previous.is_none_or(|previous| previous < indices);
        input.ensure(sorted, SnapshotDefect::UnsortedContactPairs)?;
        let Some(mut pair) = ContactPair::of(bodies, indices) else {
            return input.error(SnapshotDefect::ImpossibleContactPair);
        };
        let [is_touching, has_recycle_reference, needs_update] = input.flags()?;
        let approach_velocity = input.vec3()?;
        let recycle_reference = if has_recycle_reference {
            let centers = [input.vec3()?, input.vec3()?];
            let rotations = [input.rotation()?, input.rotation()?];
            Some(RelativePoseSnapshot { centers, rotations })
        } else {
            None
        };
        manifolds.clear();
        for _ in 0..input.count(MIN_MANIFOLD_BYTES)? {
            manifolds.push(read_manifold(input)?);
        }
        pair.restore_state(&ContactPairState {
            recycle_reference,
            needs_update,
            is_touching,
            approach_velocity,
            manifolds: &manifolds,
        });
        pairs.push(pair);
    }
    Ok(NarrowPhase::of(pairs))
}

fn read_manifold(input: &mut Reader<'_>) -> Result<PersistentManifold, SnapshotError> {
    let mut manifold = Manifold::with_normal(input.vec3()?);
    let length_squared = manifold.normal.length_squared();
    input.ensure((length_squared - 1.0).abs() <= 1e-3, SnapshotDefect::ContactNormalNotUnit)?;
    manifold.sub_shapes = [input.u32()?, input.u32()?];
    let time_to_contact = input.finite_f32()?;
    let tangent_impulse = input.vec3()?;
    let torsional_impulse = input.finite_f32()?;
    let rolling_impulse = input.vec3()?;
    let count = usize::from(input.u8()?);
    input.ensure((1..=MAX_MANIFOLD_POINTS).contains(&count), SnapshotDefect::ContactPointCount)?;
    let mut anchors = [AnchorPoint::default(); MAX_MANIFOLD_POINTS];
    let mut points = [PointImpulse::default(); MAX_MANIFOLD_POINTS];
    for (anchor, impulse) in anchors.iter_mut().zip(&mut points).take(count) {
        let (position, penetration, feature_id) =
            (input.vec3()?, input.finite_f32()?, input.u32()?);
        manifold.push(ContactPoint { position, penetration, feature_id });
        let (anchor_a, anchor_b) = (input.vec3()?, input.vec3()?);
        *anchor = AnchorPoint {
            anchor_a,
            anchor_b,
            position: input.vec3()?,
            penetration: input.finite_f32()?,
        };
        *impulse = PointImpulse {
            feature_id,
            normal_impulse: input.finite_f32()?,
            total_normal_impulse: input.finite_f32()?,
        };
    }
    Ok(PersistentManifold {
        manifold,
        anchors,
        time_to_contact,
        points,
        tangent_impulse,
        torsional_impulse,
        rolling_impulse,
    })
}
