//! What is said about two bodies that touch.

use embate_geom::Vec3;

/// Contact points that a manifold holds at most: four span the area of any contact.
pub const MAX_POINTS: usize = 4;

/// One place where two bodies touch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactPoint {
    /// Midway between the two surfaces, in the world.
    pub point: Vec3,
    /// How far the bodies reach into each other here; below 0, how far they are apart.
    pub depth: f32,
    /// Which parts of the bodies meet: the same number from frame to frame while the parts are the same.
    ///
    /// The upper half names a part of A, the lower of B: in two bits its kind (1 corner, 2 edge, 3 face;
    /// 0 the only part of something round), in fourteen its index, which wraps beyond that.
    pub feature: u32,
}

/// Where two convex bodies touch, and along which direction.
#[derive(Clone, Copy, Debug)]
pub struct Manifold {
    /// From A to B, of length 1, in the world: moving B along it by the largest depth parts them.
    pub normal: Vec3,
    /// Which part of A and which of B touch: of a compound the index of its part, of a mesh that of its
    /// triangle; otherwise 0.
    pub parts: [u32; 2],
    points: [ContactPoint; MAX_POINTS],
    count: u8,
}

impl Manifold {
    /// Touching nowhere yet.
    #[inline]
    pub(crate) fn along(normal: Vec3) -> Self {
        Self { normal, parts: [0; 2], points: [ContactPoint::default(); MAX_POINTS], count: 0 }
    }

    /// Touching in one point.
    #[inline]
    pub(super) fn single(normal: Vec3, point: ContactPoint) -> Self {
        let none = ContactPoint::default();
        Self { normal, parts: [0; 2], points: [point, none, none, none], count: 1 }
    }

    /// Adds a point; beyond four, none.
    #[inline]
    pub(crate) fn push(&mut self, point: ContactPoint) {
        if let Some(free) = self.points.get_mut(usize::from(self.count)) {
            *free = point;
            self.count += 1;
        }
    }

    /// The same contact with one more point, which takes the place of one with its name, or, if there is no
    /// room, of that nearest to it.
    pub(super) fn with(mut self, point: ContactPoint) -> Self {
        let points = &mut self.points[..usize::from(self.count)];
        if let Some(same) = points.iter_mut().find(|other| other.feature == point.feature) {
            *same = point;
            return self;
        }
        if points.len() < MAX_POINTS {
            self.push(point);
            return self;
        }
        let far = |other: &ContactPoint| (other.point - point.point).length_squared();
        let nearest =
            points.iter_mut().reduce(|best, next| if far(next) < far(best) { next } else { best });
        if let Some(nearest) = nearest {
            *nearest = point;
        }
        self
    }

    /// The same contact elsewhere.
    pub(super) fn move_by(&mut self, way: Vec3) {
        self.points.iter_mut().for_each(|contact| contact.point += way);
    }

    /// The contact points, one to four.
    #[inline]
    #[must_use]
    pub fn points(&self) -> &[ContactPoint] {
        &self.points[..usize::from(self.count)]
    }

    /// The contact points to be moved along with the bodies.
    #[inline]
    pub(crate) fn points_mut(&mut self) -> &mut [ContactPoint] {
        &mut self.points[..usize::from(self.count)]
    }

    /// The largest depth.
    #[inline]
    #[must_use]
    pub fn depth(&self) -> f32 {
        self.points().iter().fold(f32::NEG_INFINITY, |deepest, contact| {
            if contact.depth > deepest { contact.depth } else { deepest }
        })
    }

    /// The same contact with A and B exchanged.
    #[inline]
    #[must_use]
    pub fn turned_round(mut self) -> Self {
        self.normal = -self.normal;
        self.parts.swap(0, 1);
        for contact in &mut self.points {
            contact.feature = contact.feature.rotate_left(16);
        }
        self
    }
}

impl PartialEq for Manifold {
    fn eq(&self, other: &Self) -> bool {
        (self.normal, self.parts) == (other.normal, other.parts) && self.points() == other.points()
    }
}

/// A direction along which two bodies are apart: not that of the nearest points, but one that was found on the way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    /// From A to B, of length 1, in the world.
    pub(crate) normal_ab: Vec3,
    /// How far apart along it; they are no nearer.
    pub(crate) width: f32,
}

impl Gap {
    /// Nobody has found one.
    pub(crate) const UNKNOWN: Self = Self { normal_ab: Vec3::Y, width: f32::NEG_INFINITY };

    /// The same with A and B exchanged.
    #[inline]
    pub(super) fn turned_round(self) -> Self {
        Self { normal_ab: -self.normal_ab, ..self }
    }
}

/// How far two bodies are from each other, and where they are nearest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Separation {
    /// Between the surfaces; below 0, how deep the bodies reach into each other.
    ///
    /// Of two convex bodies: moving B by that along the normal parts them, and no shorter way does. With a mesh, it
    /// parts them, by the shortest of the ways that its triangles offer. With a compound, it parts the two parts that
    /// are deepest in each other, and these alone: what leaves one part may still be in the next.
    pub distance: f32,
    /// From A to B, of length 1, in the world.
    pub normal_ab: Vec3,
    /// The nearest point of A, then of B, in the world; of bodies that overlap, the deepest.
    pub points: [Vec3; 2],
}

impl Separation {
    /// Of what cannot be told.
    pub(super) fn none(points: [Vec3; 2]) -> Self {
        Self { distance: f32::INFINITY, normal_ab: Vec3::Y, points }
    }

    /// The same with A and B exchanged.
    #[inline]
    #[must_use]
    pub fn turned_round(self) -> Self {
        let [a, b] = self.points;
        Self { normal_ab: -self.normal_ab, points: [b, a], ..self }
    }
}
