//! Manifold cache: reuse of contact points while the relative pose drifts little.
//!
//! Bodies at rest on each other move between frames by less than the accuracy of a contact. Each
//! contact point is therefore stored in the local frames of both bodies (`on_a`, `on_b`). After a
//! small motion the stored points are advected with their bodies and only the penetrations are
//! recomputed:
//!
//! ```text
//!      B ╲________╱           computed        B ╲________╱        reused: b has moved with B,
//!    ─────b₁────b₂───── A     b₁ = a₁         ──a₁──b₁─a₂─b₂── A  a with A; the penetration
//!                             b₂ = a₂                             is n · (a − b)
//! ```
//!
//! Error bound: let `δ` bound the displacement of every point of B relative to A since the manifold
//! was computed. The penetration along any direction has then changed by at most `δ`. If it has
//! changed by `g` along the cached normal, which was optimal, then that normal is worse than the
//! one that is optimal now by at most `δ + g`. Both are measured at every query, and a manifold is
//! reused only while `δ + g` is at most [`REUSE_TOLERANCE`]. If the points alone prove that no
//! other normal is better ([`normal_optimality`]), only their slide is limited, by
//! [`SLIDE_TOLERANCE`].

use embate_geom::{Pose, Rotation, Vec3, scalar};

use crate::narrow_phase::convex::normal_optimality::{self, SupportWidth};
use crate::narrow_phase::manifold::{ContactPoint, MAX_MANIFOLD_POINTS, Manifold};
use crate::narrow_phase::posed::Posed;
use crate::shapes::Shape;

/// Largest error of a reused penetration, as a ratio of the smaller shape's size. Together with
/// the error of a full query (`sat::FACE_PREFERENCE`, 2e-5) it stays below the guaranteed accuracy
/// of 1e-4.
const REUSE_TOLERANCE: f32 = 7e-5;

/// Largest tangential displacement of the surfaces at a reused point, as a ratio of the smaller
/// shape's size. The emitted point is the midpoint of `on_a` and `on_b`, hence at most half of that
/// from either.
const SLIDE_TOLERANCE: f32 = 1e-4;

/// Largest displacement of a reused pair, as a multiple of [`REUSE_TOLERANCE`]. Beyond it the
/// manifold is recomputed even if its normal is provably optimal.
const MAX_DISPLACEMENT_RATIO: f32 = 8.0;

/// Cached manifold of one pair of shapes, for
/// [`contact_manifold_cached`](crate::narrow_phase::contact_manifold_cached).
///
/// A cache that is new, outdated or was filled by another pair is detected and ignored. While the
/// relative pose has hardly changed, the cached contact points are reused; otherwise the result
/// equals that of [`contact_manifold`](crate::narrow_phase::contact_manifold) bit for bit.
///
/// The contents follow from the poses and the margin of the last full query. A simulation that
/// continues from a snapshot has to store either the caches or these.
#[derive(Clone, Copy, Debug, Default)]
#[doc(alias = "PairCache")]
pub struct ManifoldCache {
    last: Option<CacheEntry>,
}

/// Result of the last full query.
#[derive(Clone, Copy, Debug)]
struct CacheEntry {
    /// Content hashes of both shapes.
    content_hashes: [u64; 2],
    margin: f32,
    poses: [Pose; 2],
    b_in_a: RelativePose,
    /// Largest distance of a point of B from its local origin.
    radius_b: f32,
    /// [`REUSE_TOLERANCE`] as a length.
    tolerance: f32,
    /// `None` if the bodies were moving too fast to be worth caching.
    cached: Option<CachedManifold>,
}

/// Pose of B in the frame of A.
#[derive(Clone, Copy, Debug)]
struct RelativePose {
    rotation: Rotation,
    translation: Vec3,
}

/// A manifold whose points are fixed to the bodies.
#[derive(Clone, Copy, Debug)]
struct CachedManifold {
    manifold: Manifold,
    /// In the frame of A.
    normal: Vec3,
    /// `[on_a, on_b]` of each point, in the frames of A and B.
    local_points: [[Vec3; 2]; MAX_MANIFOLD_POINTS],
    support_width: SupportWidth,
}

impl RelativePose {
    #[inline]
    fn new(pose_a: &Pose, pose_b: &Pose) -> Self {
        Self {
            rotation: pose_a.rotation.inverse() * pose_b.rotation,
            translation: pose_a.rotation.inverse_rotate(pose_b.position - pose_a.position),
        }
    }

    /// A point of B in the frame of A.
    #[inline]
    fn transform_point(&self, point: Vec3) -> Vec3 {
        self.rotation.rotate(point) + self.translation
    }

    /// Upper bound of the displacement since `before` of points within `radius` of B's origin.
    #[inline]
    fn max_displacement(&self, before: &Self, radius: f32) -> f32 {
        let ([a, b, c, d], [i, j, k, l]) = (self.rotation.to_array(), before.rotation.to_array());
        // q and −q are the same rotation. The distance of two nearby quaternions is half the chord
        // of the angle between the rotations.
        let sign = if a * i + b * j + c * k + d * l < 0.0 { -1.0 } else { 1.0 };
        let difference = [a - sign * i, b - sign * j, c - sign * k, d - sign * l];
        let squared = difference.iter().fold(0.0, |sum, component| sum + component * component);
        (self.translation - before.translation).length() + 2.0 * squared.sqrt() * radius
    }
}

impl ManifoldCache {
    /// An empty cache.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The cached manifold advected to the given poses; `None` if it may not be reused.
    #[inline]
    pub(crate) fn reuse(
        &self,
        a: Posed<'_, Shape>,
        b: Posed<'_, Shape>,
        margin: f32,
    ) -> Option<Manifold> {
        let last = self.last.as_ref()?;
        let cached = last.cached.as_ref()?;
        if last.margin != margin
            || last.content_hashes != [content_hash(a.shape), content_hash(b.shape)]
        {
            return None;
        }
        if last.poses == [*a.pose, *b.pose] {
            return Some(cached.manifold);
        }
        let b_in_a = RelativePose::new(a.pose, b.pose);
        let displacement = b_in_a.max_displacement(&last.b_in_a, last.radius_b);
        // Written such that NaN counts as too far.
        let is_near = displacement <= MAX_DISPLACEMENT_RATIO * last.tolerance;
        if !is_near {
            return None;
        }
        let (manifold, slide) = cached.advect(&b_in_a, a.pose, margin)?;
        let depth_change = (manifold.max_penetration() - cached.manifold.max_penetration()).abs();
        if displacement + depth_change <= last.tolerance {
            return Some(manifold);
        }
        let size = last.tolerance / REUSE_TOLERANCE;
        let is_optimal = slide <= SLIDE_TOLERANCE * size && {
            let inner_point_b = b_in_a.transform_point(normal_optimality::inner_point(b.shape));
            let direction = b_in_a.rotation.inverse_rotate(-cached.normal);
            let lowest_b = b_in_a.transform_point(b.shape.support_point(direction)?);
            let normal = cached.normal;
            cached.support_width.is_optimal(normal, lowest_b, inner_point_b, &manifold, size)
        };
        is_optimal.then_some(manifold)
    }

    /// Stores the result of a full query.
    pub(crate) fn store(
        &mut self,
        a: Posed<'_, Shape>,
        b: Posed<'_, Shape>,
        margin: f32,
        manifold: Option<&Manifold>,
    ) {
        let Some(manifold) = manifold else {
            self.last = None;
            return;
        };
        let content_hashes = [content_hash(a.shape), content_hash(b.shape)];
        let b_in_a = RelativePose::new(a.pose, b.pose);
        let radius_b = radius(b.shape);
        let tolerance = REUSE_TOLERANCE * scalar::min(size(a.shape), size(b.shape));
        // The points of a fast pair could not be reused in the next frame.
        let is_slow = self.last.as_ref().is_some_and(|last| {
            last.content_hashes == content_hashes
                && b_in_a.max_displacement(&last.b_in_a, radius_b)
                    <= MAX_DISPLACEMENT_RATIO * tolerance
        });
        let cached = is_slow.then(|| CachedManifold::new(manifold, a, b.pose));
        let poses = [*a.pose, *b.pose];
        self.last =
            Some(CacheEntry { content_hashes, margin, poses, b_in_a, radius_b, tolerance, cached });
    }
}

impl CachedManifold {
    fn new(manifold: &Manifold, a: Posed<'_, Shape>, pose_b: &Pose) -> Self {
        let mut local_points = [[Vec3::ZERO; 2]; MAX_MANIFOLD_POINTS];
        for (local, contact) in local_points.iter_mut().zip(manifold.points()) {
            // The contact position is midway between both surfaces: that of A lies half the
            // penetration ahead along the normal, that of B half of it behind.
            let half = manifold.normal * (0.5 * contact.penetration);
            let on_a = a.pose.rotation.inverse_rotate(contact.position - a.pose.position + half);
            let on_b = pose_b.rotation.inverse_rotate(contact.position - pose_b.position - half);
            *local = [on_a, on_b];
        }
        let normal = a.pose.rotation.inverse_rotate(manifold.normal);
        let support_width =
            SupportWidth::new(a.shape, normal, &local_points[..manifold.points().len()]);
        Self { manifold: *manifold, normal, local_points, support_width }
    }

    /// The manifold with its points moved along with the bodies, and the largest slide
    /// (tangential displacement of `on_a` and `on_b`); `None` if no point is within the margin.
    #[inline]
    fn advect(&self, b_in_a: &RelativePose, pose_a: &Pose, margin: f32) -> Option<(Manifold, f32)> {
        let (b_to_a, a_to_world) = (b_in_a.rotation.to_matrix(), pose_a.rotation.to_matrix());
        let mut manifold = Manifold::with_normal(a_to_world * self.normal);
        let mut max_slide_squared = 0.0;
        for (&[on_a, on_b], before) in self.local_points.iter().zip(self.manifold.points()) {
            let on_b = b_to_a * on_b + b_in_a.translation;
            let penetration = self.normal.dot(on_a - on_b);
            let slide_squared = (on_a - on_b - self.normal * penetration).length_squared();
            max_slide_squared =
                if slide_squared > max_slide_squared { slide_squared } else { max_slide_squared };
            if penetration >= -margin {
                let position = a_to_world * ((on_a + on_b) * 0.5) + pose_a.position;
                manifold.push(ContactPoint {
                    position,
                    penetration,
                    feature_id: before.feature_id,
                });
            }
        }
        (!manifold.points().is_empty()).then(|| (manifold, max_slide_squared.sqrt()))
    }
}

/// Whether a pair of these shapes may have a face or edge contact, which takes longer to recompute
/// than to reuse. Single-point contacts are computed as fast.
#[inline]
pub(crate) fn is_cacheable(a: &Shape, b: &Shape) -> bool {
    let has_faces = |shape: &Shape| matches!(shape, Shape::Cuboid(_) | Shape::ConvexHull(_));
    let is_capsule = |shape: &Shape| matches!(shape, Shape::Capsule(_));
    has_faces(a) && (has_faces(b) || is_capsule(b)) || is_capsule(a) && has_faces(b)
}

/// Hash of the shape parameters (64-bit FNV-1a).
#[inline]
fn content_hash(shape: &Shape) -> u64 {
    let fnv_1a = |values: [f32; 3]| {
        values.into_iter().fold(0xCBF2_9CE4_8422_2325, |hash, value| {
            (hash ^ u64::from(value.to_bits())).wrapping_mul(0x0100_0000_01B3)
        })
    };
    match shape {
        Shape::Cuboid(cuboid) => fnv_1a(cuboid.half_extents().to_array()),
        Shape::Capsule(capsule) => fnv_1a([capsule.half_height(), capsule.radius(), -1.0]),
        Shape::ConvexHull(hull) => hull.content_hash(),
        _ => 0,
    }
}

/// Upper bound of the distance of a point of the shape from its local origin.
fn radius(shape: &Shape) -> f32 {
    match shape {
        Shape::Cuboid(cuboid) => cuboid.half_extents().length(),
        Shape::Capsule(capsule) => capsule.half_height() + capsule.radius(),
        Shape::ConvexHull(hull) => hull.inscribed_sphere().0.length() + hull.bounding_radius(),
        _ => f32::INFINITY,
    }
}

/// Size of a shape, independent of its offset from the local origin.
fn size(shape: &Shape) -> f32 {
    if let Shape::ConvexHull(hull) = shape { hull.bounding_radius() } else { radius(shape) }
}
