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
//! Promise: prunable. A hit is reported only if the ray crosses the triangle's own guarded box
//! ([`Triangle::guarded_bounds`]), and its `t` is clamped to that stretch. [`Aabb::crossing`] is
//! monotonic in the box, so a tree whose boxes hold the guarded boxes may prune by them and still
//! answer as brute force does, to the bit. The derivation is in `docs/robustness.md`.
#![allow(clippy::inline_always)]

use crate::{Aabb, Faces, Ray, SlabRay, predicates, scalar};

/// How far, against the triangle's longest side, rounding in the ray frame can shift the outline:
/// three roundings a vertex, doubled because the x and the y of the frame round apart.
pub(crate) const OUTLINE_MARGIN: f32 = 4.0 * f32::EPSILON;

/// How far, against the longest side, a told hit can lie from the point of the triangle that is hit: what
/// weights in f32 can be off by where the area is not doubtful (6,147 ε), and the outline.
const PART_MARGIN: f32 = 8_192.0 * f32::EPSILON;

/// Against its longest side's square: a triangle of less area than this (twice it, in the ray's frame) is seen
/// nearly edge-on, or is a sliver; its weights in f32 could be mostly rounding, and are done again in f64.
pub(crate) const EDGE_ON: f32 = 1.0 / 128.0;
/// Products of so small an area have lost bits; then too.
pub(crate) const LEAST_AREA: f32 = 64.0 * f32::MIN_POSITIVE;

/// The axes of a ray's frame by the axis it mostly runs along, and whether against it.
const FRAMES: [[[usize; 3]; 2]; 3] =
    [[[1, 2, 0], [2, 1, 0]], [[2, 0, 1], [0, 2, 1]], [[0, 1, 2], [1, 0, 2]]];

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
}

impl Triangle {
    /// The smallest box around the corners.
    #[inline]
    #[must_use]
    pub fn bounds(&self) -> Aabb<3> {
        let [a, b, c] = &self.0;
        Aabb { min: *a, max: *a }.with(b).with(c)
    }

    /// The box that every structure must prune by: [`bounds`](Self::bounds), grown by what the
    /// roundings of the triangle test can move its outline. A tighter box would lose hits.
    #[inline]
    #[must_use]
    pub fn guarded_bounds(&self) -> Aabb<3> {
        guarded(&self.bounds())
    }

    /// By how much a box around a part of this triangle must be grown, so that every hit in that part lies in the
    /// box: more than [`guarded_bounds`](Self::guarded_bounds) grows the whole, whose box also bounds the
    /// told `t`.
    #[inline]
    #[must_use]
    pub fn part_margin(&self) -> f32 {
        self.bounds().longest_side() * PART_MARGIN
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
    /// other two follow so that the frame's handedness, and with it the winding, is the world's.
    pub(crate) axes: [usize; 3],
    /// The ray against boxes, in the order of the frame's axes.
    pub(crate) slabs: SlabRay<3>,
    pub(crate) shear: [f32; 3],
    pub(crate) t_min: f32,
    pub(crate) faces: Faces,
}

impl ShearedRay {
    /// Divides once, so that each triangle costs multiplications until it is hit.
    #[inline]
    #[must_use]
    pub fn new(ray: &Ray<3>) -> Self {
        Self::with_slabs(ray, &SlabRay::new(ray))
    }

    /// [`new`](Self::new) by who has the same ray's slabs already.
    #[inline(always)]
    #[must_use]
    pub fn with_slabs(ray: &Ray<3>, slabs: &SlabRay<3>) -> Self {
        let d = ray.direction;
        let size = d.map(f32::abs);
        // Without branches: directions are as good as random, and every second one would be mispredicted.
        let larger = usize::from(size[1] > size[0]);
        let z = if size[2] > size[larger] { 2 } else { larger };
        let axes = FRAMES[z][usize::from(d[z] < 0.0)];
        // (Not by `map`, which would be a call.)
        let turned = |point: &[f32; 3]| [point[axes[0]], point[axes[1]], point[axes[2]]];
        let [x, y, z] = turned(&d);
        // 1 / ∞ is 0 and would put every hit at t = 0; a NaN hits nothing.
        let one = if d.iter().all(|c| c.is_finite()) { 1.0 } else { f32::NAN };
        Self {
            axes,
            slabs: SlabRay {
                origin: turned(&slabs.origin),
                inv_direction: turned(&slabs.inv_direction),
                backwards: [
                    slabs.backwards[axes[0]],
                    slabs.backwards[axes[1]],
                    slabs.backwards[axes[2]],
                ],
            },
            shear: [x / z, y / z, one / z],
            t_min: ray.t_min,
            faces: ray.faces,
        }
    }

    /// The hit with `triangle` in `t_min..=t_max`, if any; `index` is the number it will carry.
    /// `t_max` is given anew each time because a search lowers it as it finds nearer hits.
    #[inline]
    #[must_use]
    pub fn hit(&self, triangle: &Triangle, index: u32, t_max: f32) -> Option<Hit> {
        let turned = triangle.0.map(|point| self.axes.map(|axis| point[axis]));
        let (a, b, c) = (
            self.in_ray_frame(&turned[0]),
            self.in_ray_frame(&turned[1]),
            self.in_ray_frame(&turned[2]),
        );
        let bounds = Triangle(turned).bounds();
        let [wa, u, v] = self.weights(&a, &b, &c, bounds.longest_side())?;
        let (az, bz, cz) = (a[2], b[2], c[2]);
        let depth = wa * az + u * bz + v * cz;
        // A wall straight across the ray is met at its own depth, to the bit.
        let least = scalar::min(scalar::min(az, bz), cz);
        let most = scalar::max(scalar::max(az, bz), cz);
        // (The value itself comes second: there a NaN stays one, and hits nothing.)
        let t = scalar::min(most, scalar::max(least, depth)) * self.shear[2];

        let guard = guarded(&bounds);
        let (enter, leave) = guard.crossing(&self.slabs, f32::NEG_INFINITY, f32::INFINITY)?;
        let t = scalar::min(leave, scalar::max(enter, t));
        // Adding 0 turns -0 into 0: equal hits must have equal bits.
        let hit = Hit { t: t + 0.0, triangle: index, u: u + 0.0, v: v + 0.0 };
        (self.t_min <= t && t <= t_max && t.is_finite()).then_some(hit)
    }

    /// Weights of the corners at the ray, summing to 1; `None` if the ray passes beside the
    /// triangle, sees it edge-on, or sees a culled back face.
    #[inline]
    fn weights(&self, a: &[f32; 3], b: &[f32; 3], c: &[f32; 3], longest: f32) -> Option<[f32; 3]> {
        let (wa, wb, wc) = (edge(c, b), edge(a, c), edge(b, a));
        let any_front = wa > 0.0 || wb > 0.0 || wc > 0.0;
        let any_back = wa < 0.0 || wb < 0.0 || wc < 0.0;
        // Signs are exact, so most triangles end here; a 0 alone needs a closer look.
        if !self.sees(any_front, any_back) {
            return None;
        }
        let area = wa + wb + wc;
        if wa == 0.0 || wb == 0.0 || wc == 0.0 || area.abs() < doubtful_area(longest) {
            return self.weights_exact(a, b, c);
        }
        // All three have one sign, so the sum is not 0 and each quotient is within 0..=1: nothing
        // multiplied by them can leave the range of f32.
        Some([wa / area, wb / area, wc / area])
    }

    /// As `weights`, in f64, where a product of two f32 is exact: a 0 is truly 0, and every weight right to
    /// the last bit but one.
    #[cold]
    fn weights_exact(&self, a: &[f32; 3], b: &[f32; 3], c: &[f32; 3]) -> Option<[f32; 3]> {
        let weight = [edge_exact(c, b), edge_exact(a, c), edge_exact(b, a)];
        let any_front = weight.iter().any(|&w| w > 0.0);
        let any_back = weight.iter().any(|&w| w < 0.0);
        let area = weight[0] + weight[1] + weight[2];
        (self.sees(any_front, any_back) && area != 0.0).then(|| weight.map(|w| (w / area) as f32))
    }

    #[inline]
    fn sees(&self, any_front: bool, any_back: bool) -> bool {
        match self.faces {
            Faces::Both => !(any_front && any_back),
            Faces::Front => !any_back,
        }
    }

    /// Of a point whose coordinates are in the order of the frame's axes.
    #[inline]
    fn in_ray_frame(&self, point: &[f32; 3]) -> [f32; 3] {
        let [x, y, z] = self.slabs.origin;
        let along = point[2] - z;
        [(point[0] - x) - self.shear[0] * along, (point[1] - y) - self.shear[1] * along, along]
    }
}

#[inline]
fn edge(from: &[f32; 3], to: &[f32; 3]) -> f32 {
    from[0] * to[1] - from[1] * to[0]
}

/// What a triangle seen nearly edge-on, or a sliver, has less of.
#[inline]
fn doubtful_area(longest: f32) -> f32 {
    longest * longest * EDGE_ON + LEAST_AREA
}

#[inline]
fn guarded(bounds: &Aabb<3>) -> Aabb<3> {
    bounds.grown(bounds.longest_side() * OUTLINE_MARGIN)
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
