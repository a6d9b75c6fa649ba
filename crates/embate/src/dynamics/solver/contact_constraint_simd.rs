//! SIMD constraint block: eight contact constraints of one color, one per lane (structure of
//! arrays).
//!
//! Holds everything the contact solver reads and writes. [Graph
//! coloring](crate::dynamics::solver::constraint_graph) decides which constraints may share one.

use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::narrow_phase::contact_pair::ContactPair;
use crate::dynamics::narrow_phase::manifold::PersistentManifold;
use crate::dynamics::solver::contact_constraint::{
    ConstraintPoint, ContactConstraint, ManifoldKey,
};
use crate::dynamics::solver::simd::{
    F32Lanes, LANES, Mat3Lanes, Vec3Lanes, set_mat3_lane, set_vec3_lane, vec3_lane,
};
use crate::dynamics::solver::{Softness, StepContext};
use crate::narrow_phase::MAX_MANIFOLD_POINTS;

const ZERO_LANES: F32Lanes = [0.0; LANES];

/// One contact point per lane. A lane whose manifold has fewer points is zero-filled: with an
/// effective mass of 0 it applies no impulse.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConstraintPoint8 {
    pub(crate) r_cross_n_a: Vec3Lanes,
    pub(crate) r_cross_n_b: Vec3Lanes,
    /// Separation at the last position update; negative if the bodies penetrate.
    pub(crate) separation: F32Lanes,
    /// Separation when the step began.
    pub(crate) base_separation: F32Lanes,
    pub(crate) normal_mass: F32Lanes,
    pub(crate) lever_arm: F32Lanes,
    pub(crate) normal_impulse: F32Lanes,
    pub(crate) total_normal_impulse: F32Lanes,
}

/// SIMD constraint block: up to eight contact constraints. Fields of [`ContactConstraint`], with
/// one array of lanes per component, plus softness, inverse masses and the current separation.
#[derive(Clone, Debug)]
pub(crate) struct ContactConstraint8 {
    /// Indices of the bodies.
    pub(crate) body_a: [BodyIndex; LANES],
    pub(crate) body_b: [BodyIndex; LANES],
    /// Number of lanes in use. The others hold stale data and are never scattered.
    pub(crate) lane_count: usize,
    /// Maximum number of points of any lane.
    pub(crate) point_count: usize,
    /// Some lane has rolling resistance.
    pub(crate) has_rolling_resistance: bool,
    /// Some lane has torsional friction: it has several contact points, whose lever arms bound it,
    /// or its material has torsional resistance.
    pub(crate) has_torsional_friction: bool,
    /// Whether A and B are dynamic. Only the states of dynamic bodies are written back.
    pub(crate) is_dynamic: [[bool; 2]; LANES],
    /// Inverse mass along each world axis; 0 along a locked axis.
    pub(crate) inverse_mass_a: Vec3Lanes,
    pub(crate) inverse_mass_b: Vec3Lanes,
    pub(crate) inverse_inertia_a: Mat3Lanes,
    pub(crate) inverse_inertia_b: Mat3Lanes,
    pub(crate) normal: Vec3Lanes,
    pub(crate) tangent: Vec3Lanes,
    pub(crate) bitangent: Vec3Lanes,
    pub(crate) points: [ConstraintPoint8; MAX_MANIFOLD_POINTS],
    /// [`Softness`] of each lane.
    pub(crate) bias_rate: F32Lanes,
    pub(crate) mass_scale: F32Lanes,
    pub(crate) impulse_scale: F32Lanes,
    pub(crate) restitution: F32Lanes,
    pub(crate) friction: F32Lanes,
    pub(crate) rolling_resistance: F32Lanes,
    pub(crate) torsional_resistance: F32Lanes,
    /// Friction anchors.
    pub(crate) anchor_a: Vec3Lanes,
    pub(crate) anchor_b: Vec3Lanes,
    /// Symmetric 2 × 2 matrices: xx, xy, yy.
    pub(crate) tangent_mass: Vec3Lanes,
    pub(crate) tangent_impulse: [F32Lanes; 2],
    pub(crate) torsional_mass: F32Lanes,
    pub(crate) torsional_impulse: F32Lanes,
    pub(crate) rolling_mass: Vec3Lanes,
    pub(crate) rolling_impulse: [F32Lanes; 2],
}

impl ConstraintPoint8 {
    const EMPTY: Self = Self {
        r_cross_n_a: [ZERO_LANES; 3],
        r_cross_n_b: [ZERO_LANES; 3],
        separation: ZERO_LANES,
        base_separation: ZERO_LANES,
        normal_mass: ZERO_LANES,
        lever_arm: ZERO_LANES,
        normal_impulse: ZERO_LANES,
        total_normal_impulse: ZERO_LANES,
    };

    /// Writes a prepared point into a lane; its total impulse of this step starts at 0.
    fn set_lane(&mut self, lane: usize, point: &ConstraintPoint) {
        set_vec3_lane(&mut self.r_cross_n_a, lane, point.r_cross_n_a);
        set_vec3_lane(&mut self.r_cross_n_b, lane, point.r_cross_n_b);
        self.separation[lane] = point.base_separation;
        self.base_separation[lane] = point.base_separation;
        self.normal_mass[lane] = point.normal_mass;
        self.lever_arm[lane] = point.lever_arm;
        self.normal_impulse[lane] = point.normal_impulse;
        self.total_normal_impulse[lane] = 0.0;
    }
}

impl ContactConstraint8 {
    pub(crate) const EMPTY: Self = Self {
        body_a: [BodyIndex(0); LANES],
        body_b: [BodyIndex(0); LANES],
        lane_count: 0,
        point_count: 0,
        has_rolling_resistance: false,
        has_torsional_friction: false,
        is_dynamic: [[false; 2]; LANES],
        inverse_mass_a: [ZERO_LANES; 3],
        inverse_mass_b: [ZERO_LANES; 3],
        inverse_inertia_a: [ZERO_LANES; 6],
        inverse_inertia_b: [ZERO_LANES; 6],
        normal: [ZERO_LANES; 3],
        tangent: [ZERO_LANES; 3],
        bitangent: [ZERO_LANES; 3],
        points: [ConstraintPoint8::EMPTY; MAX_MANIFOLD_POINTS],
        bias_rate: ZERO_LANES,
        mass_scale: ZERO_LANES,
        impulse_scale: ZERO_LANES,
        restitution: ZERO_LANES,
        friction: ZERO_LANES,
        rolling_resistance: ZERO_LANES,
        torsional_resistance: ZERO_LANES,
        anchor_a: [ZERO_LANES; 3],
        anchor_b: [ZERO_LANES; 3],
        tangent_mass: [ZERO_LANES; 3],
        tangent_impulse: [ZERO_LANES; 2],
        torsional_mass: ZERO_LANES,
        torsional_impulse: ZERO_LANES,
        rolling_mass: [ZERO_LANES; 3],
        rolling_impulse: [ZERO_LANES; 2],
    };

    /// Prepares the constraints of up to eight manifolds, one per lane.
    pub(crate) fn prepare(
        &mut self,
        keys: &[ManifoldKey],
        bodies: &BodySet,
        pairs: &[ContactPair],
        context: &StepContext,
    ) {
        let find = |key: &ManifoldKey| {
            let pair = &pairs[key.pair as usize];
            (pair, &pair.manifolds()[key.manifold as usize])
        };
        let point_counts = keys.iter().map(|key| find(key).1.manifold.points().len());
        self.point_count = point_counts.max().unwrap_or(0);
        self.lane_count = keys.len();
        (self.has_rolling_resistance, self.has_torsional_friction) = (false, false);
        for (lane, &key) in keys.iter().enumerate() {
            let (pair, manifold) = find(&key);
            let constraint = ContactConstraint::prepare(
                bodies,
                context.speculative_distance,
                key,
                pair,
                manifold,
            );
            let Softness { bias_rate, mass_scale, impulse_scale } =
                context.softness_under_load(constraint.load_velocity);
            self.bias_rate[lane] = bias_rate;
            self.mass_scale[lane] = mass_scale;
            self.impulse_scale[lane] = impulse_scale;
            self.set_lane(bodies, lane, &constraint);
        }
    }

    fn set_lane(&mut self, bodies: &BodySet, lane: usize, constraint: &ContactConstraint) {
        let [a, b] = constraint.bodies;
        (self.body_a[lane], self.body_b[lane]) = (a, b);
        let material = &constraint.material;
        self.has_rolling_resistance |= material.rolling_resistance > 0.0;
        // A single point is its own friction anchor: its lever arm is 0.
        self.has_torsional_friction |=
            constraint.point_count > 1 || material.torsional_resistance > 0.0;
        self.is_dynamic[lane] = [bodies.is_dynamic(a), bodies.is_dynamic(b)];
        set_vec3_lane(&mut self.inverse_mass_a, lane, bodies.inverse_mass(a));
        set_vec3_lane(&mut self.inverse_mass_b, lane, bodies.inverse_mass(b));
        set_mat3_lane(&mut self.inverse_inertia_a, lane, &constraint.inverse_inertias[0]);
        set_mat3_lane(&mut self.inverse_inertia_b, lane, &constraint.inverse_inertias[1]);
        set_vec3_lane(&mut self.normal, lane, constraint.normal);
        set_vec3_lane(&mut self.tangent, lane, constraint.tangent);
        set_vec3_lane(&mut self.bitangent, lane, constraint.bitangent);
        // Points beyond `constraint.point_count` are all 0.
        for (lanes, point) in self.points[..self.point_count].iter_mut().zip(&constraint.points) {
            lanes.set_lane(lane, point);
        }
        self.restitution[lane] = material.restitution;
        self.friction[lane] = material.friction;
        self.rolling_resistance[lane] = material.rolling_resistance;
        self.torsional_resistance[lane] = material.torsional_resistance;
        set_vec3_lane(&mut self.anchor_a, lane, constraint.anchor_a);
        set_vec3_lane(&mut self.anchor_b, lane, constraint.anchor_b);
        for (component, value) in self.tangent_mass.iter_mut().zip(constraint.tangent_mass) {
            component[lane] = value;
        }
        self.tangent_impulse[0][lane] = constraint.tangent_impulse[0];
        self.tangent_impulse[1][lane] = constraint.tangent_impulse[1];
        self.torsional_mass[lane] = constraint.torsional_mass;
        self.torsional_impulse[lane] = constraint.torsional_impulse;
        for (component, value) in self.rolling_mass.iter_mut().zip(constraint.rolling_mass) {
            component[lane] = value;
        }
        self.rolling_impulse[0][lane] = constraint.rolling_impulse[0];
        self.rolling_impulse[1][lane] = constraint.rolling_impulse[1];
    }

    /// Stores the impulses of a lane in its manifold, for warm starting the next step. Impulses of
    /// restitution are added to the totals afterwards.
    pub(crate) fn store_impulses(&self, lane: usize, manifold: &mut PersistentManifold) {
        let count = manifold.manifold.points().len();
        for (stored, point) in manifold.points.iter_mut().zip(&self.points[..count]) {
            stored.normal_impulse = point.normal_impulse[lane];
            stored.total_normal_impulse = point.total_normal_impulse[lane];
        }
        let tangent = vec3_lane(&self.tangent, lane);
        let bitangent = vec3_lane(&self.bitangent, lane);
        let to_world =
            |impulse: &[F32Lanes; 2]| tangent * impulse[0][lane] + bitangent * impulse[1][lane];
        manifold.tangent_impulse = to_world(&self.tangent_impulse);
        manifold.rolling_impulse = to_world(&self.rolling_impulse);
        manifold.torsional_impulse = self.torsional_impulse[lane];
    }
}
