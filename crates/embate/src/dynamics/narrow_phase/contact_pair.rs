//! Contact pair: two bodies whose fat AABBs overlap; filtering, combined material and manifolds.
//!
//! Update of the manifolds of one pair:
//!
//! ```text
//! sensor              → intersection test; one manifold without forces
//! little relative motion since the last update → recycle the manifolds
//! both shapes convex  → bounding-sphere culling → at most one manifold
//! mesh or compound    → one manifold per pair of sub-shapes
//! ```

use embate_geom::{Vec3, scalar};

use crate::dynamics::body::body_def::{BodyId, BodyType, Material};
use crate::dynamics::body::body_index::BodyPair;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::narrow_phase::culling::bounding_spheres_stay_apart;
use crate::dynamics::narrow_phase::manifold::PersistentManifold;
use crate::dynamics::narrow_phase::recycling::{self, RelativePoseSnapshot};
use crate::narrow_phase::{self, ContactPoint, Manifold, SeparatingAxis};
use crate::shapes::Shape;

/// Contact pair: two bodies near each other.
#[derive(Clone, Debug)]
pub(crate) struct ContactPair {
    /// Body indices, the smaller first: A and B.
    pub(super) bodies: BodyPair,
    /// Ids of A and B, for end events after a body was removed.
    ids: [BodyId; 2],
    /// Poses at the last full update, while the manifolds can be recycled.
    recycle_reference: Option<RelativePoseSnapshot>,
    /// Largest relative motion for which manifolds are recycled, in meters; 0 for none.
    recycle_distance: f32,
    pub(super) material: Material,
    /// Whether one of the bodies is a sensor.
    pub(super) sensor: bool,
    /// Whether the next step updates the pair even if no body is awake: the pair is new, or a body
    /// was teleported.
    pub(super) needs_update: bool,
    /// Whether a begin event was emitted, and no end event since.
    pub(super) is_touching: bool,
    /// Velocity of B relative to A at the deepest contact point when the pair began to touch, in
    /// m/s.
    approach_velocity: Vec3,
    /// Usually one; meshes and compounds can have several.
    pub(super) manifolds: Vec<PersistentManifold>,
}

/// State of a contact pair that is not derived from its two bodies; snapshots store it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactPairState<'p> {
    pub(crate) recycle_reference: Option<RelativePoseSnapshot>,
    pub(crate) needs_update: bool,
    pub(crate) is_touching: bool,
    pub(crate) approach_velocity: Vec3,
    pub(crate) manifolds: &'p [PersistentManifold],
}

impl ContactPair {
    /// Creates a pair; `None` if the bodies never collide: neither is dynamic, both are sensors, a
    /// joint disables their contacts, or the collision filters reject the pair.
    pub(crate) fn of(bodies: &BodySet, pair: BodyPair) -> Option<Self> {
        let [a, b] = pair;
        if bodies.is_joint_filtered(pair) || !(bodies.is_alive(a) && bodies.is_alive(b)) {
            return None;
        }
        let ids = [bodies.id(a), bodies.id(b)];
        let (a, b) = (bodies.data(a), bodies.data(b));
        let any_dynamic = a.body_type == BodyType::Dynamic || b.body_type == BodyType::Dynamic;
        let sensor = a.sensor || b.sensor;
        let both_sensors = a.sensor && b.sensor;
        // A kinematic sensor also detects fixed and kinematic bodies.
        let is_sensor_overlap = sensor
            && !both_sensors
            && !(a.body_type == BodyType::Fixed && b.body_type == BodyType::Fixed);
        if !(any_dynamic && !both_sensors || is_sensor_overlap)
            || !a.collision_filter.should_collide(b.collision_filter)
        {
            return None;
        }
        Some(Self {
            bodies: pair,
            ids,
            recycle_reference: None,
            recycle_distance: recycling::recycle_distance([a, b]),
            material: a.contact_material(b),
            sensor,
            needs_update: true,
            is_touching: false,
            approach_velocity: Vec3::ZERO,
            manifolds: Vec::new(),
        })
    }

    /// State that a snapshot stores.
    pub(crate) fn state(&self) -> ContactPairState<'_> {
        // Every field is named, so that a new one is not forgotten here.
        let Self {
            recycle_reference,
            needs_update,
            is_touching,
            approach_velocity,
            manifolds,
            // Derived from the bodies.
            bodies: _,
            ids: _,
            recycle_distance: _,
            material: _,
            sensor: _,
        } = self;
        ContactPairState {
            recycle_reference: *recycle_reference,
            needs_update: *needs_update,
            is_touching: *is_touching,
            approach_velocity: *approach_velocity,
            manifolds,
        }
    }

    /// Restores the state of a snapshot.
    pub(crate) fn restore_state(&mut self, state: &ContactPairState<'_>) {
        self.recycle_reference = state.recycle_reference;
        self.needs_update = state.needs_update;
        self.is_touching = state.is_touching;
        self.approach_velocity = state.approach_velocity;
        self.manifolds = state.manifolds.to_vec();
    }

    /// Body indices, the smaller first.
    #[inline]
    pub(crate) fn bodies(&self) -> BodyPair {
        self.bodies
    }

    /// Ids of the bodies, valid after a body was removed.
    #[inline]
    pub(crate) fn ids(&self) -> [BodyId; 2] {
        self.ids
    }

    /// Combined material of the bodies.
    #[inline]
    pub(crate) fn material(&self) -> &Material {
        &self.material
    }

    /// Whether one of the bodies is a sensor.
    #[inline]
    pub(crate) fn is_sensor(&self) -> bool {
        self.sensor
    }

    /// Whether the next step updates the pair even if no body is awake.
    #[inline]
    pub(crate) fn needs_update(&self) -> bool {
        self.needs_update
    }

    /// Clears the mark for update, after the step has updated the pair.
    #[inline]
    pub(crate) fn mark_updated(&mut self) {
        self.needs_update = false;
    }

    /// Whether a begin event was emitted, and no end event since.
    #[inline]
    pub(crate) fn is_touching(&self) -> bool {
        self.is_touching
    }

    /// Stores whether the pair touches, with its begin or end event.
    #[inline]
    pub(crate) fn set_touching(&mut self, is_touching: bool) {
        self.is_touching = is_touching;
    }

    /// Velocity of B relative to A when the pair began to touch, in m/s.
    #[inline]
    pub(crate) fn approach_velocity(&self) -> Vec3 {
        self.approach_velocity
    }

    /// Manifolds of the last update, usually one.
    #[inline]
    pub(crate) fn manifolds(&self) -> &[PersistentManifold] {
        &self.manifolds
    }

    /// Manifolds, to store their impulses.
    #[inline]
    pub(crate) fn manifolds_mut(&mut self) -> &mut [PersistentManifold] {
        &mut self.manifolds
    }

    /// Poses at the last full update; `None` if the manifolds cannot be recycled.
    #[inline]
    pub(crate) fn recycle_reference(&self) -> Option<&RelativePoseSnapshot> {
        self.recycle_reference.as_ref()
    }

    /// Makes the next step recompute the manifolds instead of recycling them.
    #[inline]
    pub(crate) fn disable_recycling(&mut self) {
        self.recycle_reference = None;
    }

    /// Whether one of the bodies is awake and not fixed.
    #[inline]
    pub(crate) fn is_awake(&self, bodies: &BodySet) -> bool {
        self.bodies.iter().any(|&index| bodies.is_awake(index))
    }

    /// Recomputes or recycles the manifolds, at the current poses. Returns a separating axis,
    /// perhaps an unknown one, if the bodies can touch within the step at points that the manifolds
    /// lack. `scratch` is overwritten.
    pub(super) fn update(
        &mut self,
        bodies: &BodySet,
        speculative_distance: f32,
        time_step: f32,
        scratch: &mut Vec<Manifold>,
    ) -> Option<SeparatingAxis> {
        let [a, b] = self.bodies;
        let (shape_a, shape_b) = (&bodies.data(a).shape, &bodies.data(b).shape);
        let (pose_a, pose_b) = (bodies.pose(a), bodies.pose(b));
        let centers = [bodies.com_pose(a).center_of_mass, bodies.com_pose(b).center_of_mass];
        if self.sensor {
            let intersects = narrow_phase::intersects(shape_a, pose_a, shape_b, pose_b);
            self.manifolds.clear();
            if intersects {
                let manifold =
                    narrow_phase::contact_manifold(shape_a, pose_a, shape_b, pose_b, 0.0);
                self.manifolds.extend(
                    manifold.map(|manifold| PersistentManifold::new(manifold, 0.0, centers)),
                );
            }
            return None;
        }
        // The last update found all contacts within the speculative distance. Without a manifold,
        // recycling ends at half of it, so that no new contact is missed.
        let max_undetected_motion = if self.manifolds.is_empty() {
            0.5 * speculative_distance
        } else {
            speculative_distance
        };
        let max_drift = scalar::min(self.recycle_distance, max_undetected_motion);
        if let Some(reference) = &self.recycle_reference
            && let Some(drift) = reference.drift(bodies, [a, b], max_drift, time_step)
        {
            self.manifolds.iter_mut().for_each(|manifold| drift.recycle_points(manifold));
            return None;
        }
        self.recycle_reference =
            (self.recycle_distance > 0.0).then(|| RelativePoseSnapshot::new(bodies, [a, b]));
        if is_convex(shape_a) && is_convex(shape_b) {
            // Culling by bounding spheres pays off for polyhedra only: spheres and capsules are
            // cheap.
            if self.recycle_distance > 0.0
                && bounding_spheres_stay_apart(bodies, [a, b], speculative_distance, time_step)
            {
                self.manifolds.clear();
                return None;
            }
            let mut separating_axis = SeparatingAxis::UNKNOWN;
            let found = narrow_phase::contact_or_separating_axis(
                shape_a,
                pose_a,
                shape_b,
                pose_b,
                speculative_distance,
                &mut separating_axis,
            );
            match (found, &mut *self.manifolds) {
                (Some(manifold), [persistent]) => {
                    persistent.update(manifold, centers, speculative_distance);
                }
                (Some(manifold), _) => self.push_manifold(manifold, 0.0, centers),
                (None, _) => {
                    self.manifolds.clear();
                    return Some(separating_axis);
                }
            }
            return None;
        }
        scratch.clear();
        narrow_phase::contact_manifolds(
            shape_a,
            pose_a,
            shape_b,
            pose_b,
            speculative_distance,
            scratch,
        );
        let before = core::mem::take(&mut self.manifolds);
        if scratch.is_empty() {
            return Some(SeparatingAxis::UNKNOWN);
        }
        self.manifolds.reserve_exact(scratch.len());
        self.manifolds.extend(scratch.iter().map(|&manifold| {
            let mut persistent = PersistentManifold::new(manifold, 0.0, centers);
            let sub_shapes = manifold.sub_shapes;
            if let Some(before) =
                before.iter().find(|before| before.manifold.sub_shapes == sub_shapes)
            {
                persistent.match_points(before, speculative_distance);
            }
            persistent
        }));
        Some(SeparatingAxis::UNKNOWN)
    }

    /// Appends a manifold. Most pairs have one, of about 1/3 kB, so no capacity is reserved for
    /// more.
    #[inline(never)]
    pub(crate) fn push_manifold(
        &mut self,
        manifold: Manifold,
        time_to_contact: f32,
        centers: [Vec3; 2],
    ) {
        self.manifolds.reserve_exact(1);
        self.manifolds.push(PersistentManifold::new(manifold, time_to_contact, centers));
    }

    /// Records the relative velocity at the deepest contact point, until the pair touches.
    pub(crate) fn record_approach_velocity(&mut self, bodies: &BodySet) {
        if self.is_touching {
            return;
        }
        let [a, b] = self.bodies;
        let points = self.manifolds.iter().flat_map(|manifold| manifold.manifold.points());
        let deepest =
            points.reduce(
                |deepest, next| if next.penetration > deepest.penetration { next } else { deepest },
            );
        if let Some(&ContactPoint { position, .. }) = deepest {
            self.approach_velocity =
                bodies.velocity_at_point(b, position) - bodies.velocity_at_point(a, position);
        }
    }

    /// Largest penetration at the beginning of the step; negative for a separation. `None` without
    /// a manifold at that time: speculative contacts do not count.
    pub(crate) fn max_penetration(&self) -> Option<f32> {
        let current = self.manifolds.iter().filter(|manifold| manifold.time_to_contact == 0.0);
        current
            .map(|manifold| manifold.manifold.max_penetration())
            .reduce(|deepest, next| if next > deepest { next } else { deepest })
    }

    /// Sum of the normal impulses of the whole step, in N·s.
    pub(crate) fn total_normal_impulse(&self) -> f32 {
        self.manifolds
            .iter()
            .flat_map(PersistentManifold::points_with_impulses)
            .map(|(_, impulse)| impulse.total_normal_impulse)
            .sum()
    }
}

pub(crate) fn is_convex(shape: &Shape) -> bool {
    !matches!(shape, Shape::TriMesh(_) | Shape::Compound(_))
}
