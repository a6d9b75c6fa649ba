//! Persistent manifold: contact points of two convex parts with their warm-start impulses.
//!
//! Points of consecutive updates are matched by feature id, then by distance. A matched point keeps
//! its impulse, so that the solver starts from the solution of the last step (warm starting).

use embate_geom::Vec3;

use crate::narrow_phase::{ContactPoint, MAX_MANIFOLD_POINTS, Manifold};

/// Impulses of a contact point, in N·s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PointImpulse {
    pub(crate) feature_id: u32,
    /// Normal impulse of the last sub-step.
    pub(crate) normal_impulse: f32,
    /// Normal impulse of the whole step.
    pub(crate) total_normal_impulse: f32,
}

/// Contact point as of the last full update of the manifold.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AnchorPoint {
    /// Position relative to the center of mass of A, in world axes.
    pub(crate) anchor_a: Vec3,
    /// Position relative to the center of mass of B, in world axes.
    pub(crate) anchor_b: Vec3,
    pub(crate) position: Vec3,
    pub(crate) penetration: f32,
}

impl AnchorPoint {
    fn new(contact: &ContactPoint, [center_a, center_b]: [Vec3; 2]) -> Self {
        let ContactPoint { position, penetration, .. } = *contact;
        Self { anchor_a: position - center_a, anchor_b: position - center_b, position, penetration }
    }
}

/// Manifold of two convex parts that persists over steps, with its impulses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PersistentManifold {
    /// Current manifold. Recycling updates its positions and penetrations, not the `anchors`.
    pub(crate) manifold: Manifold,
    pub(crate) anchors: [AnchorPoint; MAX_MANIFOLD_POINTS],
    /// Time from the beginning of the step to the poses of the manifold, in seconds: above 0 for a
    /// speculative contact of bodies that approach each other.
    pub(crate) time_to_contact: f32,
    pub(crate) points: [PointImpulse; MAX_MANIFOLD_POINTS],
    /// Friction impulse on B, in world axes.
    pub(crate) tangent_impulse: Vec3,
    /// Torsional friction impulse on B, about the normal.
    pub(crate) torsional_impulse: f32,
    /// Rolling resistance impulse on B, in world axes.
    pub(crate) rolling_impulse: Vec3,
}

impl PersistentManifold {
    /// New manifold without impulses; `centers` are the centers of mass at `time_to_contact`.
    pub(crate) fn new(manifold: Manifold, time_to_contact: f32, centers: [Vec3; 2]) -> Self {
        let mut points = [PointImpulse::default(); MAX_MANIFOLD_POINTS];
        let mut anchors = [AnchorPoint::default(); MAX_MANIFOLD_POINTS];
        let slots = points.iter_mut().zip(&mut anchors);
        for ((impulse, anchor), contact) in slots.zip(manifold.points()) {
            impulse.feature_id = contact.feature_id;
            *anchor = AnchorPoint::new(contact, centers);
        }
        Self {
            manifold,
            anchors,
            time_to_contact,
            points,
            tangent_impulse: Vec3::ZERO,
            torsional_impulse: 0.0,
            rolling_impulse: Vec3::ZERO,
        }
    }

    /// Replaces the manifold and keeps the impulses of matching points. Points of different
    /// features match within `max_distance` meters.
    pub(crate) fn update(&mut self, manifold: Manifold, centers: [Vec3; 2], max_distance: f32) {
        let is_same_point = match (self.manifold.points(), manifold.points()) {
            ([before], [now]) => before.feature_id == now.feature_id,
            _ => false,
        };
        if is_same_point {
            // The common case for spheres and capsules: avoids copying the whole manifold.
            self.anchors[0] = AnchorPoint::new(&manifold.points()[0], centers);
            (self.manifold, self.time_to_contact) = (manifold, 0.0);
            return;
        }
        let before = *self;
        *self = Self::new(manifold, 0.0, centers);
        self.match_points(&before, max_distance);
    }

    /// Transfers the impulses of `before` to the points with the same feature id, then to the
    /// nearest unmatched points within `max_distance` meters.
    ///
    /// Feature ids alone are not sufficient: where vertices of two boxes coincide, the smallest
    /// motion changes the feature id of the same point, and a stack that loses its impulses
    /// jitters.
    pub(crate) fn match_points(&mut self, before: &Self, max_distance: f32) {
        let old_points = before.manifold.points();
        let mut is_taken = [false; MAX_MANIFOLD_POINTS];
        let mut is_matched = [false; MAX_MANIFOLD_POINTS];
        for (index, contact) in self.manifold.points().iter().enumerate() {
            let has_same_feature =
                |&old: &usize| !is_taken[old] && old_points[old].feature_id == contact.feature_id;
            if let Some(old) = (0..old_points.len()).find(has_same_feature) {
                (is_taken[old], is_matched[index]) = (true, true);
                self.points[index].normal_impulse = before.points[old].normal_impulse;
            }
        }
        for (index, contact) in self.manifold.points().iter().enumerate() {
            if is_matched[index] {
                continue;
            }
            let mut nearest = (max_distance * max_distance, None);
            for (old, point) in old_points.iter().enumerate().filter(|&(old, _)| !is_taken[old]) {
                let distance_squared = (point.position - contact.position).length_squared();
                if distance_squared < nearest.0 {
                    nearest = (distance_squared, Some(old));
                }
            }
            if let Some(old) = nearest.1 {
                (is_taken[old], is_matched[index]) = (true, true);
                self.points[index].normal_impulse = before.points[old].normal_impulse;
            }
        }
        if is_matched.contains(&true) {
            self.tangent_impulse = before.tangent_impulse;
            self.torsional_impulse = before.torsional_impulse;
            self.rolling_impulse = before.rolling_impulse;
        }
    }

    /// Contact points with their impulses.
    pub(crate) fn points_with_impulses(
        &self,
    ) -> impl Iterator<Item = (&ContactPoint, &PointImpulse)> {
        self.manifold.points().iter().zip(&self.points)
    }
}
