//! Query results: contact manifold, separating axis, closest points.

use embate_geom::Vec3;

/// Maximum number of points in a manifold: four points span any contact area.
#[doc(alias = "MAX_POINTS")]
pub const MAX_MANIFOLD_POINTS: usize = 4;

/// One point of a contact manifold.
#[doc(alias = "ManifoldPoint")]
#[doc(alias = "TrackedContact")]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactPoint {
    /// Midpoint between the two surfaces, in world space.
    #[doc(alias = "point")]
    pub position: Vec3,
    /// Penetration depth along the normal; negative values are a separation.
    #[doc(alias = "depth")]
    pub penetration: f32,
    /// Feature id: constant from frame to frame while the same features touch, for warm starting.
    ///
    /// The upper 16 bits identify a feature of A, the lower 16 bits one of B: 2 bits of type (1
    /// vertex, 2 edge, 3 face; 0 the only feature of a round shape) and 14 bits of index, modulo
    /// 2^14.
    #[doc(alias = "feature")]
    pub feature_id: u32,
}

/// Contact manifold of two convex shapes: a normal and one to four points.
#[doc(alias = "Contact")]
#[doc(alias = "ContactManifold")]
#[derive(Clone, Copy, Debug)]
pub struct Manifold {
    /// Unit normal from A to B, in world space. Translating B along it by the maximum penetration
    /// separates the shapes.
    pub normal: Vec3,
    /// The touching sub-shapes of A and B: index of the part of a compound, of the triangle of a
    /// mesh; otherwise 0.
    #[doc(alias = "parts")]
    #[doc(alias = "SubShapeID")]
    pub sub_shapes: [u32; 2],
    points: [ContactPoint; MAX_MANIFOLD_POINTS],
    count: u8,
}

impl Manifold {
    /// A manifold without points.
    #[inline]
    pub(crate) fn with_normal(normal: Vec3) -> Self {
        Self {
            normal,
            sub_shapes: [0; 2],
            points: [ContactPoint::default(); MAX_MANIFOLD_POINTS],
            count: 0,
        }
    }

    /// A manifold with one point.
    #[inline]
    pub(super) fn single(normal: Vec3, point: ContactPoint) -> Self {
        let unused = ContactPoint::default();
        Self { normal, sub_shapes: [0; 2], points: [point, unused, unused, unused], count: 1 }
    }

    /// Appends a point; ignored if the manifold is full.
    #[inline]
    pub(crate) fn push(&mut self, point: ContactPoint) {
        if let Some(slot) = self.points.get_mut(usize::from(self.count)) {
            *slot = point;
            self.count += 1;
        }
    }

    /// Adds a point. It replaces the point with the same feature id or, in a full manifold, the
    /// closest one.
    pub(super) fn with_point(mut self, point: ContactPoint) -> Self {
        let points = &mut self.points[..usize::from(self.count)];
        if let Some(existing) = points.iter_mut().find(|other| other.feature_id == point.feature_id)
        {
            *existing = point;
            return self;
        }
        if points.len() < MAX_MANIFOLD_POINTS {
            self.push(point);
            return self;
        }
        let distance_squared =
            |other: &ContactPoint| (other.position - point.position).length_squared();
        let closest = points.iter_mut().reduce(|best, next| {
            if distance_squared(next) < distance_squared(best) { next } else { best }
        });
        if let Some(closest) = closest {
            *closest = point;
        }
        self
    }

    /// Translates all points.
    pub(super) fn translate(&mut self, translation: Vec3) {
        self.points.iter_mut().for_each(|point| point.position += translation);
    }

    /// The contact points, one to four.
    #[inline]
    #[must_use]
    pub fn points(&self) -> &[ContactPoint] {
        &self.points[..usize::from(self.count)]
    }

    /// The contact points, to be updated when the bodies move.
    #[inline]
    pub(crate) fn points_mut(&mut self) -> &mut [ContactPoint] {
        &mut self.points[..usize::from(self.count)]
    }

    /// The largest penetration of all points.
    #[doc(alias = "depth")]
    #[inline]
    #[must_use]
    pub fn max_penetration(&self) -> f32 {
        self.points().iter().fold(f32::NEG_INFINITY, |deepest, point| {
            if point.penetration > deepest { point.penetration } else { deepest }
        })
    }

    /// The manifold with A and B exchanged.
    #[doc(alias = "turned_round")]
    #[doc(alias = "swapped")]
    #[inline]
    #[must_use]
    pub fn flipped(mut self) -> Self {
        self.normal = -self.normal;
        self.sub_shapes.swap(0, 1);
        for point in &mut self.points {
            point.feature_id = point.feature_id.rotate_left(16);
        }
        self
    }
}

impl PartialEq for Manifold {
    fn eq(&self, other: &Self) -> bool {
        (self.normal, self.sub_shapes) == (other.normal, other.sub_shapes)
            && self.points() == other.points()
    }
}

/// Separating axis: a direction along which two shapes are disjoint, found as a by-product. It is
/// not necessarily the direction between the closest points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeparatingAxis {
    /// Unit vector from A to B, in world space.
    pub(crate) normal: Vec3,
    /// Separation along the axis: a lower bound of the distance.
    pub(crate) separation: f32,
}

impl SeparatingAxis {
    /// No axis is known.
    pub(crate) const UNKNOWN: Self = Self { normal: Vec3::Y, separation: f32::NEG_INFINITY };

    /// The axis with A and B exchanged.
    #[inline]
    pub(super) fn flipped(self) -> Self {
        Self { normal: -self.normal, ..self }
    }
}

/// Signed distance and witness points of two shapes.
#[doc(alias = "Separation")]
#[doc(alias = "DistanceOutput")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPoints {
    /// Distance of the surfaces; negative if the shapes overlap (penetration depth).
    ///
    /// Two convex shapes: the length of the minimum translation vector; no shorter translation of B
    /// separates them. With a mesh: a translation that separates the shape from every triangle, the
    /// shortest found. With a compound: the translation separates the two deepest sub-shapes only;
    /// others may still overlap.
    pub distance: f32,
    /// Unit normal from A to B, in world space.
    #[doc(alias = "normal_ab")]
    pub normal: Vec3,
    /// Witness points on A and on B, in world space: the closest points or, for overlapping shapes,
    /// the deepest.
    pub points: [Vec3; 2],
}

impl ClosestPoints {
    /// The result where no distance is defined.
    pub(super) fn infinitely_apart(points: [Vec3; 2]) -> Self {
        Self { distance: f32::INFINITY, normal: Vec3::Y, points }
    }

    /// The result with A and B exchanged.
    #[doc(alias = "turned_round")]
    #[doc(alias = "swapped")]
    #[inline]
    #[must_use]
    pub fn flipped(self) -> Self {
        let [a, b] = self.points;
        Self { normal: -self.normal, points: [b, a], ..self }
    }
}
