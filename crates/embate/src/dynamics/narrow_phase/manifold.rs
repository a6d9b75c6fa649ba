//! Where do two convex parts touch, and which impulses held them there?
//!
//! A point that was there before, by its feature or by its place, takes over its impulse, so that the solver begins
//! where it ended.

use embate_geom::Vec3;

use crate::contacts::{ContactPoint, MAX_POINTS, Manifold};

/// What was needed to hold a contact point, in N·s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PointMemory {
    pub(super) feature: u32,
    /// Along the normal in the last sub-step.
    pub(super) impulse: f32,
    /// Along the normal in the whole step.
    pub(super) total: f32,
}

/// A contact point as it was when it was found.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FoundPoint {
    /// From each centre of mass, in the world.
    pub(super) arm_a: Vec3,
    pub(super) arm_b: Vec3,
    pub(super) point: Vec3,
    pub(super) depth: f32,
}

impl FoundPoint {
    fn new(contact: &ContactPoint, [center_a, center_b]: [Vec3; 2]) -> Self {
        let ContactPoint { point, depth, .. } = *contact;
        Self { arm_a: point - center_a, arm_b: point - center_b, point, depth }
    }
}

/// Where two convex parts touch, and what held them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    /// As it is now; what it acts on is as it was found.
    pub(super) manifold: Manifold,
    pub(super) found: [FoundPoint; MAX_POINTS],
    /// The manifold is that of so many seconds after the step began: the bodies fly at each other.
    pub(super) ahead: f32,
    pub(super) points: [PointMemory; MAX_POINTS],
    /// Along the surface, on B, in the world.
    pub(super) friction: Vec3,
    /// About the normal, on B.
    pub(super) twist: f32,
    /// Against rolling, on B, in the world.
    pub(super) rolling: Vec3,
}

impl Touch {
    /// Found between bodies whose centres are there.
    pub(super) fn new(manifold: Manifold, ahead: f32, centers: [Vec3; 2]) -> Self {
        let mut points = [PointMemory::default(); MAX_POINTS];
        let mut found = [FoundPoint::default(); MAX_POINTS];
        for ((memory, found), contact) in points.iter_mut().zip(&mut found).zip(manifold.points()) {
            memory.feature = contact.feature;
            *found = FoundPoint::new(contact, centers);
        }
        let friction = Vec3::ZERO;
        Self { manifold, found, ahead, points, friction, twist: 0.0, rolling: Vec3::ZERO }
    }

    /// Found again, elsewhere; what held the same points before is taken over.
    pub(super) fn renew(&mut self, manifold: Manifold, centers: [Vec3; 2], near: f32) {
        let same = match (self.manifold.points(), manifold.points()) {
            ([before], [now]) => before.feature == now.feature,
            _ => false,
        };
        if same {
            // Most touches of round bodies: not worth to be copied to and fro.
            self.found[0] = FoundPoint::new(&manifold.points()[0], centers);
            (self.manifold, self.ahead) = (manifold, 0.0);
            return;
        }
        let before = *self;
        *self = Self::new(manifold, 0.0, centers);
        self.remember(&before, near);
    }

    /// Takes over what held the same points before: those of the same feature, then those nearest.
    ///
    /// Features alone would not do: where corners of two boxes lie on each other, the least motion gives the
    /// same point another name, and a stack that forgets what held it shakes.
    pub(super) fn remember(&mut self, before: &Self, near: f32) {
        let old_points = before.manifold.points();
        let mut taken = [false; MAX_POINTS];
        let mut found = [false; MAX_POINTS];
        for (index, contact) in self.manifold.points().iter().enumerate() {
            let same = |&old: &usize| !taken[old] && old_points[old].feature == contact.feature;
            if let Some(old) = (0..old_points.len()).find(same) {
                (taken[old], found[index]) = (true, true);
                self.points[index].impulse = before.points[old].impulse;
            }
        }
        for (index, contact) in self.manifold.points().iter().enumerate() {
            if found[index] {
                continue;
            }
            let mut nearest = (near * near, None);
            for (old, point) in old_points.iter().enumerate().filter(|&(old, _)| !taken[old]) {
                let apart = (point.point - contact.point).length_squared();
                if apart < nearest.0 {
                    nearest = (apart, Some(old));
                }
            }
            if let Some(old) = nearest.1 {
                (taken[old], found[index]) = (true, true);
                self.points[index].impulse = before.points[old].impulse;
            }
        }
        if found.contains(&true) {
            self.friction = before.friction;
            self.twist = before.twist;
            self.rolling = before.rolling;
        }
    }

    /// Each point with what held it.
    pub(super) fn held(&self) -> impl Iterator<Item = (&ContactPoint, &PointMemory)> {
        self.manifold.points().iter().zip(&self.points)
    }
}
