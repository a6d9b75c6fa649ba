//! Contact constraint preparation: anchors, effective masses and warm-start impulses of a manifold.
//!
//! Corresponds to `b2PrepareContactsTask`. Everything here is evaluated once per step, at the poses
//! of the beginning of the step.

use embate_geom::{Mat3, Vec3, scalar};

use crate::dynamics::body::body_def::Material;
use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::narrow_phase::contact_pair::ContactPair;
use crate::dynamics::narrow_phase::manifold::PersistentManifold;
use crate::dynamics::solver::effective_mass::{
    LOCKED_RATIO, angular_inverse_mass, inverse_2x2, pseudo_inverse_2x2, tangent_inverse_mass,
};
use crate::narrow_phase::MAX_MANIFOLD_POINTS;

/// Weight in the friction anchor of a point beyond the speculative distance. Not 0: the sum of the
/// weights must be positive.
const MIN_POINT_WEIGHT: f32 = 1e-6;

/// Identifies a manifold within a step: the index of its pair, and its own index within the pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ManifoldKey {
    pub(crate) pair: u32,
    pub(crate) manifold: u32,
}

/// Constraint of one contact point.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ConstraintPoint {
    /// Anchor × normal of each body: the angular part of the Jacobian.
    pub(crate) r_cross_n_a: Vec3,
    pub(crate) r_cross_n_b: Vec3,
    /// Separation when the step began, in meters; negative if the bodies penetrate. That of a
    /// speculative manifold is the approach during the time to contact.
    pub(crate) base_separation: f32,
    /// Effective mass along the normal, in kg; 0 if neither body can move.
    pub(crate) normal_mass: f32,
    /// Distance from the friction anchor, in meters: lever arm of torsional friction.
    pub(crate) lever_arm: f32,
    /// Accumulated normal impulse of the last sub-step of the previous step, in N·s, for warm
    /// starting.
    pub(crate) normal_impulse: f32,
    /// Sum over all sub-steps of the normal impulses of restitution or of the event-driven solver,
    /// in N·s. The sum of the contact solver is in [`ContactConstraint8`];
    /// `StepScratch::store_impulses` adds the two.
    ///
    /// [`ContactConstraint8`]: crate::dynamics::solver::contact_constraint_simd::ContactConstraint8
    pub(crate) total_normal_impulse: f32,
}

/// Scalar contact constraint of one manifold.
///
/// The contact solver copies it to a lane of a SIMD constraint block. Restitution and the
/// event-driven solver use it directly, as an impact constraint, and accumulate
/// `total_normal_impulse`: restitution for the manifolds of solved pairs with restitution above 0,
/// the event-driven solver for all manifolds but those of sensors.
#[derive(Clone, Debug)]
pub(crate) struct ContactConstraint {
    /// Indices of A and B.
    pub(crate) bodies: [BodyIndex; 2],
    pub(crate) key: ManifoldKey,
    pub(crate) material: Material,
    /// Unit normal from A to B, in world space. Separations along it are positive while the bodies
    /// are apart; an impulse along it acts on B, its opposite on A.
    pub(crate) normal: Vec3,
    pub(crate) tangent: Vec3,
    pub(crate) bitangent: Vec3,
    /// Inverse inertias of A and B in world space when the step began. All effective masses here
    /// are derived from these.
    pub(crate) inverse_inertias: [Mat3; 2],
    pub(crate) point_count: usize,
    pub(crate) points: [ConstraintPoint; MAX_MANIFOLD_POINTS],
    /// Sum of the warm-start normal impulses over the sum of the effective masses, in m/s: see
    /// [`softness_under_load`](crate::dynamics::solver::StepContext::softness_under_load).
    pub(crate) load_velocity: f32,
    /// From each center of mass to the friction anchor.
    pub(crate) anchor_a: Vec3,
    pub(crate) anchor_b: Vec3,
    /// Effective mass in the tangent plane, a symmetric 2 × 2 matrix: xx, xy, yy.
    pub(crate) tangent_mass: [f32; 3],
    pub(crate) tangent_impulse: [f32; 2],
    pub(crate) torsional_mass: f32,
    pub(crate) torsional_impulse: f32,
    /// Effective angular mass about the tangents, a symmetric 2 × 2 matrix: xx, xy, yy.
    pub(crate) rolling_mass: [f32; 3],
    pub(crate) rolling_impulse: [f32; 2],
}

/// Inverse effective mass of two bodies at their anchors, along two directions: xx, xy, yy.
/// [`tangent_inverse_mass`] is the same for one body, in f64.
fn pair_tangent_inverse_mass(
    directions: [Vec3; 2],
    inverse_mass: Vec3,
    [anchor_a, anchor_b]: [Vec3; 2],
    inverse_inertias: &[Mat3; 2],
) -> [f32; 3] {
    let r_cross_a = directions.map(|direction| anchor_a.cross(direction));
    let r_cross_b = directions.map(|direction| anchor_b.cross(direction));
    let angular_a = r_cross_a.map(|r_cross| inverse_inertias[0] * r_cross);
    let angular_b = r_cross_b.map(|r_cross| inverse_inertias[1] * r_cross);
    let element = |row: usize, column: usize| {
        inverse_mass.dot(directions[row].mul_elements(directions[column]))
            + r_cross_a[row].dot(angular_a[column])
            + r_cross_b[row].dot(angular_b[column])
    };
    [element(0, 0), element(0, 1), element(1, 1)]
}

/// Effective angular mass of two bodies about the tangents: xx, xy, yy.
fn effective_rolling_mass(tangents: [Vec3; 2], inverse_inertias: &[Mat3; 2]) -> [f32; 3] {
    let [tangent, bitangent] = tangents;
    let inverse_inertia = inverse_inertias[0] + inverse_inertias[1];
    let about_tangent = inverse_inertia * tangent;
    let about_bitangent = inverse_inertia * bitangent;
    let rolling_inverse =
        [tangent.dot(about_tangent), tangent.dot(about_bitangent), bitangent.dot(about_bitangent)];
    inverse_2x2(rolling_inverse).unwrap_or_else(|| {
        pseudo_inverse_2x2(
            [0, 1].map(|side| angular_inverse_mass(tangents, &inverse_inertias[side])),
        )
    })
}

/// Friction anchors, relative to each center of mass: the weighted mean of the contact points. The
/// weight of a point is 1 up to half the speculative distance, then falls linearly to almost 0 at
/// that distance, so that the anchor moves continuously.
fn friction_anchors(manifold: &PersistentManifold, speculative_distance: f32) -> [Vec3; 2] {
    let (mut anchor_a, mut anchor_b, mut weights) = (Vec3::ZERO, Vec3::ZERO, 0.0);
    for (contact, anchor) in manifold.manifold.points().iter().zip(&manifold.anchors) {
        let weight = scalar::max(
            scalar::min(2.0 + contact.penetration / speculative_distance * 2.0, 1.0),
            MIN_POINT_WEIGHT,
        );
        anchor_a += anchor.anchor_a * weight;
        anchor_b += anchor.anchor_b * weight;
        weights += weight;
    }
    [anchor_a / weights, anchor_b / weights]
}

impl ContactConstraint {
    /// Prepares the constraint of a manifold of `pair`.
    pub(crate) fn prepare(
        bodies: &BodySet,
        speculative_distance: f32,
        key: ManifoldKey,
        pair: &ContactPair,
        manifold: &PersistentManifold,
    ) -> Self {
        let [a, b] = pair.bodies();
        let inverse_inertias = [bodies.inverse_inertia(a), bodies.inverse_inertia(b)];
        let (state_a, state_b) = (bodies.state(a), bodies.state(b));
        let inverse_mass = bodies.inverse_mass(a) + bodies.inverse_mass(b);
        let normal = manifold.manifold.normal;
        let normal_squared = normal.mul_elements(normal);
        let linear_inverse_mass = inverse_mass.dot(normal_squared);
        let min_inverse_mass = LOCKED_RATIO * inverse_mass.max_element();
        let tangent = normal.any_orthonormal_vector();
        let bitangent = normal.cross(tangent);
        let [anchor_a, anchor_b] = friction_anchors(manifold, speculative_distance);
        let mut points = [ConstraintPoint::default(); MAX_MANIFOLD_POINTS];
        let warm_points = manifold.points_with_impulses().zip(&manifold.anchors);
        for (point, ((contact, impulse), anchor)) in points.iter_mut().zip(warm_points) {
            let r_cross_n_a = anchor.anchor_a.cross(normal);
            let r_cross_n_b = anchor.anchor_b.cross(normal);
            let angular_inverse_masses = [
                r_cross_n_a.dot(inverse_inertias[0] * r_cross_n_a),
                r_cross_n_b.dot(inverse_inertias[1] * r_cross_n_b),
            ];
            let point_inverse_mass =
                linear_inverse_mass + angular_inverse_masses[0] + angular_inverse_masses[1];
            // See `effective_mass`: locked relative to each body's own largest inverse mass.
            let can_move = point_inverse_mass > min_inverse_mass
                || [a, b].into_iter().zip(angular_inverse_masses).any(|(body, angular)| {
                    let linear = bodies.inverse_mass(body);
                    linear.dot(normal_squared) + angular > LOCKED_RATIO * linear.max_element()
                });
            // A speculative manifold describes the bodies `time_to_contact` seconds later, when
            // they are closer by approach velocity × time.
            let approach_velocity = normal.dot(state_a.linear_velocity - state_b.linear_velocity)
                + r_cross_n_a.dot(state_a.angular_velocity)
                - r_cross_n_b.dot(state_b.angular_velocity);
            *point = ConstraintPoint {
                r_cross_n_a,
                r_cross_n_b,
                base_separation: approach_velocity * manifold.time_to_contact - contact.penetration,
                normal_mass: if can_move { 1.0 / point_inverse_mass } else { 0.0 },
                lever_arm: (anchor.anchor_a - anchor_a).length(),
                normal_impulse: impulse.normal_impulse,
                total_normal_impulse: 0.0,
            };
        }

        let (impulse, mass) = points.iter().fold((0.0, 0.0), |sum, point| {
            (sum.0 + point.normal_impulse, sum.1 + point.normal_mass)
        });
        let load_velocity = if mass > 0.0 { impulse / mass } else { 0.0 };

        let inverse_masses = [bodies.inverse_mass(a), bodies.inverse_mass(b)];
        let (tangents, anchors) = ([tangent, bitangent], [anchor_a, anchor_b]);
        let tangent_inverse =
            pair_tangent_inverse_mass(tangents, inverse_mass, anchors, &inverse_inertias);
        let tangent_mass = inverse_2x2(tangent_inverse).unwrap_or_else(|| {
            pseudo_inverse_2x2([0, 1].map(|side| {
                tangent_inverse_mass(
                    tangents,
                    inverse_masses[side],
                    anchors[side],
                    &inverse_inertias[side],
                )
            }))
        });

        let inverse_inertia = inverse_inertias[0] + inverse_inertias[1];
        let torsional_inverse = normal.dot(inverse_inertia * normal);
        let (mut rolling_mass, mut rolling_impulse) = ([0.0; 3], [0.0; 2]);
        if pair.material().rolling_resistance > 0.0 {
            rolling_mass = effective_rolling_mass(tangents, &inverse_inertias);
            rolling_impulse =
                [manifold.rolling_impulse.dot(tangent), manifold.rolling_impulse.dot(bitangent)];
        }
        Self {
            bodies: [a, b],
            key,
            material: *pair.material(),
            normal,
            tangent,
            bitangent,
            inverse_inertias,
            point_count: manifold.manifold.points().len(),
            points,
            load_velocity,
            anchor_a,
            anchor_b,
            tangent_mass,
            tangent_impulse: [
                manifold.tangent_impulse.dot(tangent),
                manifold.tangent_impulse.dot(bitangent),
            ],
            torsional_mass: if torsional_inverse > 0.0 { 1.0 / torsional_inverse } else { 0.0 },
            torsional_impulse: manifold.torsional_impulse,
            rolling_mass,
            rolling_impulse,
        }
    }
}
