//! What is remembered of a pair from one frame to the next?
//!
//! Bodies that rest on each other move by less from frame to frame than their contact is told to. So their
//! points are kept, each on both bodies, and while the bodies move little the points move along:
//!
//! ```text
//!      B ╲________╱           as found          B ╲________╱        a little later: each point of B is where
//!    ─────b₁────b₂───── A     b₁ = a₁           ──a₁──b₁─a₂─b₂── A   B took it, each of A where A took it,
//!                             b₂ = a₂                                 and n · (a − b) says how deep it is
//! ```
//!
//! Why this is right: let no point of B have moved by more than `δ` since, as seen from A. Along any direction
//! the depth has then changed by no more than `δ`; so if along the normal that was the best it has grown by `g`,
//! the bodies are no more than `δ + g` deeper along it than along the one that is the best now. Both are measured
//! every time, and nothing is kept beyond [`REUSE_TOLERANCE`]. Where the points themselves prove that no other normal can be
//! better (`still_best`), they alone are measured: they are kept until one of them has slid by [`SLIDE_TOLERANCE`].

pub(crate) mod normal_optimality;

use embate_geom::{Pose, Rotation, Vec3, scalar};

use crate::narrow_phase::manifold::{ContactPoint, MAX_MANIFOLD_POINTS, Manifold};
use crate::narrow_phase::manifold_cache::normal_optimality::SupportWidth;
use crate::shapes::Shape;

/// Points are moved along while a depth may be off by no more than this part of the smaller one's size for it:
/// with what a search may be off by (see `sat::FACE_PREFERENCE`) less than the precision of a depth.
const REUSE_TOLERANCE: f32 = 7e-5;

/// How far the two surfaces may slide past each other at a point, as a part of the smaller one's size: the point,
/// midway between its places on both, is then half of that from either.
const SLIDE_TOLERANCE: f32 = 1e-4;

/// Bodies that move by more than this many times [`REUSE_TOLERANCE`] are searched for anew, whatever their points say.
const SLOW: f32 = 8.0;

/// What was found out about a pair of bodies, to answer faster when they have hardly moved. It may be new,
/// old, or that of another pair: then it is of no use, and does no harm.
///
/// While bodies have hardly moved (see [`contact_manifold_cached`](crate::narrow_phase::contact_manifold_cached)) they are told to touch where they
/// did. Beyond that they are asked about anew, and the answer is that of [`contact_manifold`](crate::narrow_phase::contact_manifold), to the bit. What a
/// cache holds follows from the poses and the margin of the last such answer: to continue from a snapshot as if nothing
/// had happened, keep the caches or these.
#[derive(Clone, Copy, Debug, Default)]
pub struct ManifoldCache {
    last: Option<CacheEntry>,
}

/// The last answer that was searched for.
#[derive(Clone, Copy, Debug)]
struct CacheEntry {
    /// Which bodies.
    fingerprints: [u64; 2],
    margin: f32,
    poses: [Pose; 2],
    /// B as seen from A.
    seen: RelativePose,
    /// The largest distance of a point of B from its origin.
    radius: f32,
    /// How far a depth may be off.
    limit: f32,
    /// The contact, if the bodies were slow already.
    kept: Option<CachedManifold>,
}

/// Where one body is, as seen from another.
#[derive(Clone, Copy, Debug)]
struct RelativePose {
    rotation: Rotation,
    origin: Vec3,
}

/// A contact whose points are fixed to the bodies.
#[derive(Clone, Copy, Debug)]
struct CachedManifold {
    manifold: Manifold,
    /// As seen from A.
    normal: Vec3,
    /// Of A and of B, each as seen from its body.
    points: [[Vec3; 2]; MAX_MANIFOLD_POINTS],
    spread: SupportWidth,
}

impl RelativePose {
    #[inline]
    fn new(pose_a: &Pose, pose_b: &Pose) -> Self {
        Self {
            rotation: pose_a.rotation.inverse() * pose_b.rotation,
            origin: pose_a.rotation.inverse_rotate(pose_b.position - pose_a.position),
        }
    }

    /// A point of B, as seen from A.
    #[inline]
    fn point(&self, point: Vec3) -> Vec3 {
        self.rotation.rotate(point) + self.origin
    }

    /// How far a point, `radius` from its own origin at most, may have moved since `before`.
    #[inline]
    fn moved(&self, before: &Self, radius: f32) -> f32 {
        let ([a, b, c, d], [i, j, k, l]) = (self.rotation.to_array(), before.rotation.to_array());
        // A rotation has two quaternions; between two that are alike lies half the chord of the angle.
        let sign = if a * i + b * j + c * k + d * l < 0.0 { -1.0 } else { 1.0 };
        let apart = [a - sign * i, b - sign * j, c - sign * k, d - sign * l];
        let square = apart.iter().fold(0.0, |sum, component| sum + component * component);
        (self.origin - before.origin).length() + 2.0 * square.sqrt() * radius
    }
}

impl ManifoldCache {
    /// Knows nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The contact, if the bodies have hardly moved since it was found.
    #[inline]
    pub(crate) fn reuse(
        &self,
        (a, pose_a): (&Shape, &Pose),
        (b, pose_b): (&Shape, &Pose),
        margin: f32,
    ) -> Option<Manifold> {
        let last = self.last.as_ref()?;
        let kept = last.kept.as_ref()?;
        if last.margin != margin || last.fingerprints != [fingerprint(a), fingerprint(b)] {
            return None;
        }
        if last.poses == [*pose_a, *pose_b] {
            return Some(kept.manifold);
        }
        let seen = RelativePose::new(pose_a, pose_b);
        let moved = seen.moved(&last.seen, last.radius);
        // Written so that a NaN is too far.
        let slow = moved <= SLOW * last.limit;
        if !slow {
            return None;
        }
        let (manifold, aside) = kept.moved_along(&seen, pose_a, margin)?;
        let changed = (manifold.max_penetration() - kept.manifold.max_penetration()).abs();
        if moved + changed <= last.limit {
            return Some(manifold);
        }
        let size = last.limit / REUSE_TOLERANCE;
        let best = aside <= SLIDE_TOLERANCE * size && {
            let middle = seen.point(normal_optimality::inner_point(b));
            let lowest = seen.point(b.support_point(seen.rotation.inverse_rotate(-kept.normal))?);
            kept.spread.is_best(kept.normal, lowest, middle, &manifold, size)
        };
        best.then_some(manifold)
    }

    /// Remembers an answer that was searched for.
    pub(crate) fn store(
        &mut self,
        (a, pose_a): (&Shape, &Pose),
        (b, pose_b): (&Shape, &Pose),
        margin: f32,
        found: Option<&Manifold>,
    ) {
        let Some(found) = found else {
            self.last = None;
            return;
        };
        let (fingerprints, seen) =
            ([fingerprint(a), fingerprint(b)], RelativePose::new(pose_a, pose_b));
        let radius = radius(b);
        let limit = REUSE_TOLERANCE * scalar::min(size(a), size(b));
        // Fast bodies will be elsewhere in the next frame: what would be kept of them is of no use.
        let slow = self.last.as_ref().is_some_and(|last| {
            last.fingerprints == fingerprints && seen.moved(&last.seen, radius) <= SLOW * limit
        });
        let kept = slow.then(|| CachedManifold::new(found, (a, pose_a), pose_b));
        let poses = [*pose_a, *pose_b];
        self.last = Some(CacheEntry { fingerprints, margin, poses, seen, radius, limit, kept });
    }
}

impl CachedManifold {
    fn new(manifold: &Manifold, (a, pose_a): (&Shape, &Pose), pose_b: &Pose) -> Self {
        let mut points = [[Vec3::ZERO; 2]; MAX_MANIFOLD_POINTS];
        for (local, contact) in points.iter_mut().zip(manifold.points()) {
            // B reaches into A by the depth: its surface lies that much back along the normal.
            let half = manifold.normal * (0.5 * contact.penetration);
            let on_a = pose_a.rotation.inverse_rotate(contact.position - pose_a.position + half);
            let on_b = pose_b.rotation.inverse_rotate(contact.position - pose_b.position - half);
            *local = [on_a, on_b];
        }
        let normal = pose_a.rotation.inverse_rotate(manifold.normal);
        let spread = SupportWidth::new(a, normal, &points[..manifold.points().len()]);
        Self { manifold: *manifold, normal, points, spread }
    }

    /// With how far the surfaces have slid past each other at most; `None` if they have left the margin.
    #[inline]
    fn moved_along(
        &self,
        seen: &RelativePose,
        pose_a: &Pose,
        margin: f32,
    ) -> Option<(Manifold, f32)> {
        let (to_a, to_world) = (seen.rotation.to_matrix(), pose_a.rotation.to_matrix());
        let mut manifold = Manifold::with_normal(to_world * self.normal);
        let mut aside = 0.0;
        for (&[on_a, on_b], before) in self.points.iter().zip(self.manifold.points()) {
            let on_b = to_a * on_b + seen.origin;
            let depth = self.normal.dot(on_a - on_b);
            let slid = (on_a - on_b - self.normal * depth).length_squared();
            aside = if slid > aside { slid } else { aside };
            if depth >= -margin {
                let point = to_world * ((on_a + on_b) * 0.5) + pose_a.position;
                manifold.push(ContactPoint {
                    position: point,
                    penetration: depth,
                    feature_id: before.feature_id,
                });
            }
        }
        (!manifold.points().is_empty()).then(|| (manifold, aside.sqrt()))
    }
}

/// Whether two shapes are worth a cache: what touches in one point is found as fast.
#[inline]
pub(crate) fn is_worth_it(a: &Shape, b: &Shape) -> bool {
    let flat = |shape: &Shape| matches!(shape, Shape::Cuboid(_) | Shape::ConvexHull(_));
    let rod = |shape: &Shape| matches!(shape, Shape::Capsule(_));
    flat(a) && (flat(b) || rod(b)) || rod(a) && flat(b)
}

/// A number that two equal shapes have in common, and hardly any two others.
#[inline]
fn fingerprint(shape: &Shape) -> u64 {
    // FNV-1a.
    let of = |values: [f32; 3]| {
        values.into_iter().fold(0xCBF2_9CE4_8422_2325, |hash, value| {
            (hash ^ u64::from(value.to_bits())).wrapping_mul(0x0100_0000_01B3)
        })
    };
    match shape {
        Shape::Cuboid(cuboid) => of(cuboid.half_extents().to_array()),
        Shape::Capsule(capsule) => of([capsule.half_height(), capsule.radius(), -1.0]),
        Shape::ConvexHull(hull) => hull.content_hash(),
        _ => 0,
    }
}

/// The largest distance of a point of a shape from its own origin, or a little more.
fn radius(shape: &Shape) -> f32 {
    match shape {
        Shape::Cuboid(cuboid) => cuboid.half_extents().length(),
        Shape::Capsule(capsule) => capsule.half_height() + capsule.radius(),
        Shape::ConvexHull(hull) => hull.inscribed_sphere().0.length() + hull.bounding_radius(),
        _ => f32::INFINITY,
    }
}

/// How large a shape is, wherever in its own frame it lies.
fn size(shape: &Shape) -> f32 {
    if let Shape::ConvexHull(hull) = shape { hull.bounding_radius() } else { radius(shape) }
}
