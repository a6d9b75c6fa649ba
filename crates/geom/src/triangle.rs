//! Does a ray hit a triangle, and where?
//!
//! Promise: watertight. A ray that passes through a shared edge or vertex of a closed mesh hits at
//! least one of the triangles there (Woop, Benthin, Wald 2013). Two facts make it so:
//!
//! - Each vertex is sheared into the ray's own frame by operations that depend on that vertex and
//!   the ray alone, so neighbours see the same edge:
//!
//! ```text
//!        world                      ray frame: the ray is the z axis, hits are at (0, 0)
//!      b ●───● c                          b ●───● c        edge function of an edge p → q:
//!       ╱ ╲ ╱    ray ──►     shear         ╱ ╲ ╱           p.x q.y − p.y q.x
//!    a ●───● d              ───────►    a ●───● d          > 0: (0, 0) is to its left
//! ```
//!
//! - The sign of an edge function is exact: rounding is monotonic, so a difference of two rounded
//!   products can only err by being 0, and then it is done again in f64, where it is exact.
//!
//! Promise: prunable. Every hit lies in the triangle's guarded box ([`Triangle::guarded_bounds`]), but for a few
//! roundings of its distance: the ray is in the box at some `t` up to [`Hit::beyond`] the told one. So a tree whose
//! boxes hold the guarded boxes may prune by them and still answer as brute force does, to the bit. The derivation is
//! in `docs/robustness.md`.
#![allow(clippy::inline_always)]

use core::hint::select_unpredictable;

use crate::{Aabb, Faces, Ray, predicates, scalar};

/// How far, against the longest side, a told hit can lie from the point of the triangle that is hit: what
/// weights in f32 can be off by where the area is not doubtful (6,147 ε), and the outline.
const GUARD: f32 = 8_192.0 * f32::EPSILON;

/// Against the largest product that an edge function can be the difference of: a triangle of less area than this
/// (twice it, in the ray's frame) is seen nearly edge-on, or is a sliver; its weights in f32 could be mostly
/// rounding, and are done again in f64.
pub(crate) const EDGE_ON: f32 = 1.0 / 512.0;
/// Products of so small an area have lost bits; then too.
pub(crate) const LEAST_AREA: f32 = 64.0 * f32::MIN_POSITIVE;

/// The axes of a ray's frame by the axis it mostly runs along, and whether against it.
const FRAMES: [[[u32; 4]; 2]; 3] =
    [[[1, 2, 0, 0], [2, 1, 0, 0]], [[2, 0, 1, 0], [0, 2, 1, 0]], [[0, 1, 2, 0], [1, 0, 2, 0]]];

/// Three corners. Seen counter-clockwise from its front.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle(pub [[f32; 3]; 3]);

/// Where a ray meets a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Distance along the ray, in lengths of its direction.
    pub t: f32,
    /// Which triangle of the mesh.
    pub triangle: u32,
    /// Weight of the second corner: the hit is at `(1 − u − v)·a + u·b + v·c`.
    pub u: f32,
    /// Weight of the third corner.
    pub v: f32,
}

impl Hit {
    /// Whether this hit is the one to report: nearer, or as near and of a smaller triangle number.
    #[inline]
    #[must_use]
    pub fn precedes(&self, other: &Self) -> bool {
        self.t < other.t || (self.t == other.t && self.triangle < other.triangle)
    }

    /// By how much of its distance the guarded box of a hit's triangle may end before it, or begin behind it: 10 ε by
    /// the roundings of box test and triangle test (`docs/robustness.md`), what applying the margin costs, and some.
    pub const MARGIN: f32 = 18.0 * f32::EPSILON;

    /// A box that begins beyond this holds no hit told up to `t`.
    #[inline(always)]
    #[must_use]
    pub fn beyond(t: f32) -> f32 {
        t + t.abs() * Self::MARGIN
    }
}

impl Triangle {
    /// The smallest box around the corners.
    #[inline]
    #[must_use]
    pub fn bounds(&self) -> Aabb<3> {
        let [a, b, c] = &self.0;
        Aabb { min: *a, max: *a }.with(b).with(c)
    }

    /// The box that every structure must prune by: [`bounds`](Self::bounds), grown by what roundings of the triangle
    /// test can move a hit. A tighter box would lose hits.
    #[inline]
    #[must_use]
    pub fn guarded_bounds(&self) -> Aabb<3> {
        let mut bounds = self.bounds();
        let guard = self.guard();
        for axis in 0..3 {
            // (And a rounding of the coordinate itself, which would otherwise swallow the guard of a small triangle.)
            let (min, max) = (&mut bounds.min[axis], &mut bounds.max[axis]);
            *min -= guard + min.abs() * f32::EPSILON;
            *max += guard + max.abs() * f32::EPSILON;
        }
        bounds
    }

    /// By how much a box around this triangle, or around a part of it, must be grown at least, so that it holds every
    /// hit in that part.
    #[inline]
    #[must_use]
    pub fn guard(&self) -> f32 {
        self.bounds().longest_side() * GUARD
    }

    /// Whether it has no area, exactly.
    #[must_use]
    pub fn is_degenerate(&self) -> bool {
        let [a, b, c] = self.0;
        predicates::are_collinear(a, b, c)
    }
}

/// A ray prepared for many triangle tests.
#[derive(Clone, Copy, Debug)]
pub struct ShearedRay {
    /// The axes of the ray frame: `axes[2]` is the one along which the direction is largest; the
    /// other two follow so that the frame's handedness, and with it the winding, is the world's. (The
    /// fourth makes one word of them.)
    pub(crate) axes: [u32; 4],
    /// Of the ray, along the world's axes. (Four places, so that none need be checked.)
    pub(crate) origin: [f32; 4],
    /// How far the ray strays along each of the world's axes for each step along the frame's third. (The fourth, −1
    /// over the direction there, is what [`back`](Self::back) is made of.)
    pub(crate) shear: [f32; 4],
    /// −1 over the direction along the frame's third axis.
    pub(crate) back: f32,
    /// Finite, or NaN.
    pub(crate) t_min: f32,
    pub(crate) faces: Faces,
}

impl ShearedRay {
    /// Divides once, so that each triangle costs multiplications until it is hit.
    #[inline(always)]
    #[must_use]
    pub fn new(ray: &Ray<3>) -> Self {
        let [dx, dy, dz] = ray.direction;
        // Without branches: directions are as good as random, and every second one would be mispredicted.
        let is_longer = dy.abs() > dx.abs();
        let is_longest = dz.abs() > scalar::max(dx.abs(), dy.abs());
        let longest = select_unpredictable(is_longest, 2, usize::from(is_longer));
        // (From where the ray is: a copy of its direction would have to be written first.)
        let along = ray.direction[longest];
        // (Four, which are one division.)
        let shear = [dx / along, dy / along, dz / along, -1.0 / along];
        let [x, y, z] = ray.origin;
        Self {
            axes: FRAMES[longest][usize::from(along < 0.0)],
            origin: [x, y, z, 0.0],
            shear,
            // 1 / ∞ is 0 and would put every hit at t = 0: 0 · ∞ is NaN, which hits nothing.
            back: shear[3] + 0.0 * along,
            t_min: scalar::max(-f32::MAX, ray.t_min),
            faces: ray.faces,
        }
    }

    /// The hit with `triangle` in `t_min..=t_max`, if any; `index` is the number it will carry.
    /// `t_max` is given anew each time because a search lowers it as it finds nearer hits.
    #[inline]
    #[must_use]
    pub fn hit(&self, triangle: &Triangle, index: u32, t_max: f32) -> Option<Hit> {
        let [a, b, c] = triangle.0.map(|point| self.in_ray_frame(&point));
        let [u, v] = self.weights(&a, &b, &c)?;
        // (A wall straight across the ray is met at its own depth, to the bit.)
        let depth = a[2] + (u * (b[2] - a[2]) + v * (c[2] - a[2]));
        let t = depth * self.back;
        // Adding 0 turns -0 into 0: equal hits must have equal bits.
        let hit = Hit { t: t + 0.0, triangle: index, u: u + 0.0, v: v + 0.0 };
        (self.t_min <= t && t <= scalar::min(f32::MAX, t_max)).then_some(hit)
    }

    /// Weights of the second and third corner at the ray; `None` if the ray passes beside the
    /// triangle, sees it edge-on, or sees a culled back face.
    #[inline]
    fn weights(&self, a: &[f32; 3], b: &[f32; 3], c: &[f32; 3]) -> Option<[f32; 2]> {
        let (wa, wb, wc) = (edge(c, b), edge(a, c), edge(b, a));
        let any_front = wa > 0.0 || wb > 0.0 || wc > 0.0;
        let any_back = wa < 0.0 || wb < 0.0 || wc < 0.0;
        // Signs are exact, so most triangles end here; a 0 alone needs a closer look.
        if !self.sees(any_front, any_back) {
            return None;
        }
        let area = wa + wb + wc;
        let is_sure = area.abs() >= doubtful_area(a, b, c);
        if wa == 0.0 || wb == 0.0 || wc == 0.0 || !is_sure {
            return self.weights_exact(a, b, c);
        }
        // All three have one sign, so the sum is not 0 and each quotient is within 0..=1: nothing
        // multiplied by them can leave the range of f32.
        Some([wb / area, wc / area])
    }

    /// As `weights`, in f64, where a product of two f32 is exact: a 0 is truly 0, and every weight right to
    /// the last bit but one.
    #[cold]
    fn weights_exact(&self, a: &[f32; 3], b: &[f32; 3], c: &[f32; 3]) -> Option<[f32; 2]> {
        let weight = [edge_exact(c, b), edge_exact(a, c), edge_exact(b, a)];
        let any_front = weight.iter().any(|&w| w > 0.0);
        let any_back = weight.iter().any(|&w| w < 0.0);
        let area = weight[0] + weight[1] + weight[2];
        (self.sees(any_front, any_back) && area != 0.0)
            .then(|| [(weight[1] / area) as f32, (weight[2] / area) as f32])
    }

    #[inline]
    fn sees(&self, any_front: bool, any_back: bool) -> bool {
        match self.faces {
            Faces::Both => !(any_front && any_back),
            Faces::Front => !any_back,
        }
    }

    #[inline(always)]
    pub(crate) fn axes(&self) -> [usize; 3] {
        let [x, y, z, _] = self.axes;
        // (Below 3 they are; so that the compiler knows that four places are enough.)
        [x as usize & 3, y as usize & 3, z as usize & 3]
    }

    /// From a point to the ray's origin, along the frame's axes and sheared. (That way round because a processor takes
    /// away from a register what is in memory, not the other way.)
    #[inline]
    fn in_ray_frame(&self, point: &[f32; 3]) -> [f32; 3] {
        let [x, y, z] = self.axes();
        let along = self.origin[z] - point[z];
        [
            (self.origin[x] - point[x]) - self.shear[x] * along,
            (self.origin[y] - point[y]) - self.shear[y] * along,
            along,
        ]
    }
}

#[inline]
fn edge(from: &[f32; 3], to: &[f32; 3]) -> f32 {
    from[0] * to[1] - from[1] * to[0]
}

/// What a triangle seen nearly edge-on, or a sliver, has less of.
#[inline]
fn doubtful_area(a: &[f32; 3], b: &[f32; 3], c: &[f32; 3]) -> f32 {
    let farthest =
        |axis: usize| scalar::max(scalar::max(a[axis].abs(), b[axis].abs()), c[axis].abs());
    farthest(0) * farthest(1) * EDGE_ON + LEAST_AREA
}

fn edge_exact(from: &[f32; 3], to: &[f32; 3]) -> f64 {
    f64::from(from[0]) * f64::from(to[1]) - f64::from(from[1]) * f64::from(to[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOOR: Triangle = Triangle([[0.0, 0.0, 5.0], [4.0, 0.0, 5.0], [0.0, 4.0, 5.0]]);

    fn hit(ray: &Ray<3>, triangle: &Triangle) -> Option<Hit> {
        ShearedRay::new(ray).hit(triangle, 7, ray.t_max)
    }

    #[test]
    fn a_hit_tells_distance_triangle_and_weights() {
        let ray = Ray::new([1.0, 2.0, 0.0], [0.0, 0.0, 1.0]);
        assert_eq!(hit(&ray, &FLOOR), Some(Hit { t: 5.0, triangle: 7, u: 0.25, v: 0.5 }));
    }

    #[test]
    fn distance_counts_in_lengths_of_the_direction() {
        let ray = Ray::new([1.0, 1.0, 0.0], [0.0, 0.0, 10.0]);
        assert_eq!(hit(&ray, &FLOOR).unwrap().t, 0.5);
    }

    #[test]
    fn both_ends_of_the_range_count_and_nothing_beyond() {
        let ray = Ray::new([1.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
        assert!(hit(&ray.within(5.0, 5.0), &FLOOR).is_some());
        assert!(hit(&ray.within(0.0, 4.999), &FLOOR).is_none());
        assert!(hit(&ray.within(5.001, 9.0), &FLOOR).is_none());
        let away = Ray::new([1.0, 1.0, 0.0], [0.0, 0.0, -1.0]);
        assert!(hit(&away, &FLOOR).is_none());
        assert_eq!(hit(&away.within(-9.0, 9.0), &FLOOR).unwrap().t, -5.0);
    }

    /// The large floor's box holds the origin, so only the triangle's own `t` can tell.
    #[test]
    fn a_slanted_triangle_behind_the_origin_is_not_hit() {
        let slanted = Triangle([[-9.0, -9.0, -9.0], [9.0, -9.0, 7.0], [-9.0, 9.0, 7.0]]);
        let ray = Ray::new([0.0, 0.0, 8.0], [0.0, 0.0, 1.0]);
        assert!(hit(&ray, &slanted).is_none());
        assert!(hit(&ray.within(-1.0, 1.0), &slanted).is_some());
    }

    #[test]
    fn back_faces_are_hit_unless_culled() {
        for axis in 0..3 {
            let turn = |p: [f32; 3]| [p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]];
            let floor = Triangle(FLOOR.0.map(turn));
            let behind = Ray::new(turn([1.0, 1.0, 0.0]), turn([0.0, 0.0, 1.0]));
            let before = Ray::new(turn([1.0, 1.0, 9.0]), turn([0.0, 0.0, -1.0]));
            assert!(hit(&behind, &floor).is_some() && hit(&before, &floor).is_some());
            assert!(hit(&behind.culling_back_faces(), &floor).is_none(), "axis {axis}");
            assert!(hit(&before.culling_back_faces(), &floor).is_some(), "axis {axis}");
        }
    }

    #[test]
    fn an_edge_and_a_corner_are_hit() {
        for (x, y) in [(0.0, 0.0), (4.0, 0.0), (0.0, 4.0), (2.0, 2.0), (0.0, 1.0), (3.0, 0.0)] {
            for zero in [0.0, -0.0] {
                let ray = Ray::new([x, y, 0.0], [zero, zero, 1.0]);
                assert_eq!(hit(&ray, &FLOOR).map(|h| h.t), Some(5.0), "at ({x}, {y})");
            }
        }
    }

    #[test]
    fn a_triangle_seen_edge_on_or_without_area_is_not_hit() {
        let along = Ray::new([-1.0, 1.0, 5.0], [1.0, 0.0, 0.0]);
        assert!(hit(&along, &FLOOR).is_none());
        let needle = Triangle([[0.0, 0.0, 5.0], [2.0, 2.0, 5.0], [4.0, 4.0, 5.0]]);
        assert!(hit(&Ray::new([1.0, 1.0, 0.0], [0.0, 0.0, 1.0]), &needle).is_none());
        assert!(needle.is_degenerate() && !FLOOR.is_degenerate());
    }

    #[test]
    fn a_ray_without_a_direction_or_with_a_nan_hits_nothing() {
        for direction in [[0.0; 3], [f32::NAN, 0.0, 1.0], [f32::INFINITY, 0.0, 0.0]] {
            assert!(hit(&Ray::new([1.0, 1.0, 0.0], direction), &FLOOR).is_none());
        }
        assert!(hit(&Ray::new([f32::NAN, 1.0, 0.0], [0.0, 0.0, 1.0]), &FLOOR).is_none());
    }

    #[test]
    fn the_ends_of_the_stated_domain_are_hit() {
        for scale in [1e-18, 1e-9, 1.0, 1e9, 1e17] {
            let scaled = |p: [f32; 3]| p.map(|c| c * scale);
            let floor = Triangle(FLOOR.0.map(scaled));
            let ray = Ray::new(scaled([1.0, 1.0, 0.0]), scaled([0.0, 0.0, 1.0]));
            let t = hit(&ray, &floor).map(|h| h.t);
            assert!(t.is_some_and(|t| (t - 5.0).abs() < 1e-5), "scale {scale}: {t:?}");
        }
    }
}
