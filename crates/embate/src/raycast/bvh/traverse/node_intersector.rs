//! Which children of a node does a ray cross?
//!
//! Eight boxes at once, by their planes. Far ones are widened so that no rounding ends a crossing too early
//! (`docs/robustness.md`).
#![allow(clippy::inline_always)]

use embate_geom::scalar::{max8, min8};
use embate_geom::{Hit, Ray};
use fearless_simd::{f32x4, f32x8, prelude::*};

use super::node::{Node, WIDTH};

/// Whether planes may be multiplied and moved in one step. (Everywhere but in WebAssembly, which has no such step: there the other way is as
/// fast, and one way makes a smaller module. A processor that has none takes two, which [`PRODUCT_MARGIN`] covers.)
pub(super) const FUSES: bool = !cfg!(target_arch = "wasm32");

/// Of the product of origin and inverse: it is rounded once, its sum with this once, and the plane's own product is off
/// by as much of it once where it is not fused.
const PRODUCT_MARGIN: f32 = 2.0 * f32::EPSILON;

/// Far below what overflows, whatever is added to it.
const HUGE: f32 = 1e37;
/// No coordinate of a mesh is larger.
const FARTHEST: f32 = 1e18;

/// A ray against planes, `FUSED` ([`LaneRay`]) or not. (Four numbers where three axes are: a ray is made ready by
/// one step for all of them.)
#[derive(Clone, Copy)]
pub(super) struct PlaneRay {
    /// What near and far planes are multiplied by; far ones by more, unless the ray looks behind itself.
    inv: [[f32; 4]; 2],
    /// What is added then, if fused; otherwise the ray's origin, which is taken away before.
    moved: [[f32; 4]; 2],
    /// Where in a node the near planes begin; the far ones are the other half of the same line.
    near: [u32; 3],
    t_min: f32,
    /// Whether hits before the origin count.
    looks_behind: bool,
}

impl PlaneRay {
    /// For rays that run along every axis and do not look behind themselves, if the machine [`FUSES`].
    ///
    /// Also tells whether it is such a one. It is not, either, where anything is infinite or NaN: then even a box that is
    /// not there, whose planes are infinite, would be crossed. (Two answers, not one that may be none: that would be put
    /// together in memory, and waited for.)
    #[inline(always)]
    pub(super) fn fused<S: Simd>(simd: S, ray: &Ray<3>) -> (Self, bool) {
        let (origin, direction) = (four(simd, ray.origin), four(simd, ray.direction));
        let inv = f32x4::splat(simd, 1.0) / direction;
        let inv_far = inv * f32x4::splat(simd, 1.0 + Hit::MARGIN);
        let (near, far) = (origin * inv, origin * inv_far);
        // Products with the origin are rounded, and large where it is far: near planes come nearer by more than
        // that, and far ones go farther.
        let margin = f32x4::splat(simd, PRODUCT_MARGIN);
        let moved = [near.abs().mul_add(-margin, -near), far.abs().mul_add(margin, -far)];
        // What a plane can come to. (Of a direction of 0 the product is infinite, or NaN.)
        let largest = inv_far.abs().mul_add(f32x4::splat(simd, FARTHEST), far.abs());
        let in_measure = (largest + direction.abs()).simd_lt(f32x4::splat(simd, HUGE));
        let planes = Self {
            inv: [inv.into(), inv_far.into()],
            moved: [moved[0].into(), moved[1].into()],
            near: near_planes(ray),
            t_min: ray.t_min,
            looks_behind: false,
        };
        (planes, FUSES && ray.t_min >= 0.0 && in_measure.all_true())
    }

    /// For any other ray that [leads somewhere](Ray::leads_somewhere).
    #[inline(always)]
    pub(super) fn unfused<S: Simd>(simd: S, ray: &Ray<3>) -> Self {
        let inv = f32x4::splat(simd, 1.0) / four(simd, ray.direction);
        let looks_behind = ray.t_min < 0.0;
        let widened = if looks_behind { 1.0 } else { 1.0 + Hit::MARGIN };
        let inv_far = inv * f32x4::splat(simd, widened);
        Self {
            inv: [inv.into(), inv_far.into()],
            moved: [four(simd, ray.origin).into(); 2],
            near: near_planes(ray),
            t_min: ray.t_min,
            looks_behind,
        }
    }
}

/// The greatest planes are near to a ray that runs against the axis: by the sign bit, not `< 0.0`, because 1 / -0.0 is -∞.
#[inline(always)]
fn near_planes(ray: &Ray<3>) -> [u32; 3] {
    let half = |c: f32| (c.to_bits() >> 31) * WIDTH as u32;
    let [x, y, z] = ray.direction;
    [half(x), 2 * WIDTH as u32 + half(y), 4 * WIDTH as u32 + half(z)]
}

/// (The fourth is what troubles nobody.)
#[inline(always)]
fn four<S: Simd>(simd: S, [x, y, z]: [f32; 3]) -> f32x4<S> {
    f32x4::simd_from(simd, [x, y, z, 1.0])
}

/// A [`PlaneRay`] spread over the lanes, once for all the nodes it will meet.
///
/// `FUSED`: planes are multiplied and moved in one step. That is faster, but rounds differently where there is
/// no such step, so that boxes by a rounding beside the ray may be visited on one machine and not on another; whoever is
/// watched takes the other way. [`PlaneRay::fused`] tells for which rays.
#[derive(Clone, Copy)]
pub(super) struct LaneRay<S: Simd, const FUSED: bool> {
    inv: [[f32x8<S>; 3]; 2],
    moved: [[f32x8<S>; 3]; 2],
    near: [u32; 3],
    t_min: f32x8<S>,
    looks_behind: bool,
}

impl<S: Simd, const FUSED: bool> LaneRay<S, FUSED> {
    #[inline(always)]
    pub(super) fn new(simd: S, ray: &PlaneRay) -> Self {
        let PlaneRay { inv: [inv_near, inv_far], moved: [near, far], .. } = *ray;
        Self {
            inv: [spread(simd, inv_near), spread(simd, inv_far)],
            moved: [spread(simd, near), spread(simd, far)],
            near: ray.near,
            t_min: f32x8::splat(simd, ray.t_min),
            looks_behind: ray.looks_behind,
        }
    }

    /// Where the ray enters each child's box, and bits for those that it enters before `end`, as
    /// [`Hit::beyond`] gives it, and before it leaves them.
    #[inline(always)]
    pub(super) fn crossings(&self, simd: S, node: &Node, end: f32) -> (f32x8<S>, u32) {
        let (x, y, z) =
            (self.slab(simd, node, 0), self.slab(simd, node, 1), self.slab(simd, node, 2));
        // In two steps, not three: what is waited for is the longest way through. (Of a NaN in `z` the
        // inner step makes a NaN, and `y` is lost with it: the box is kept rather than not.
        // And a ray that lies in a face, whose crossing is NaN, is cut by nothing there.)
        let enter = max8(max8(y.0, z.0), max8(x.0, self.t_min));
        let mut leave = min8(min8(y.1, z.1), min8(x.1, f32x8::splat(simd, end)));
        if !FUSED && self.looks_behind {
            leave = leave + leave.abs() * f32x8::splat(simd, Hit::MARGIN);
        }
        (enter, enter.simd_le(leave).to_bitmask() as u32)
    }

    /// Where the near and the far planes of one axis are crossed.
    #[inline(always)]
    fn slab(&self, simd: S, node: &Node, axis: usize) -> (f32x8<S>, f32x8<S>) {
        // (They are multiples of 8 and below 48; so that the compiler knows that there is as much.)
        let first = self.near[axis] as usize & 0b11_1000;
        let planes = node.as_flattened().as_flattened();
        let near = f32x8::from_slice(simd, &planes[first..first + WIDTH]);
        let first = first ^ WIDTH;
        let far = f32x8::from_slice(simd, &planes[first..first + WIDTH]);
        let (inv_near, inv_far) = (self.inv[0][axis], self.inv[1][axis]);
        let (near_moved, far_moved) = (self.moved[0][axis], self.moved[1][axis]);
        if FUSED {
            (near.mul_add(inv_near, near_moved), far.mul_add(inv_far, far_moved))
        } else {
            ((near - near_moved) * inv_near, (far - far_moved) * inv_far)
        }
    }
}

#[inline(always)]
fn spread<S: Simd>(simd: S, [x, y, z, _]: [f32; 4]) -> [f32x8<S>; 3] {
    [f32x8::splat(simd, x), f32x8::splat(simd, y), f32x8::splat(simd, z)]
}

#[cfg(test)]
mod tests {
    use embate_geom::{ShearedRay, Triangle};
    use fearless_simd::{Level, dispatch};

    use super::super::node::{Child, EMPTY_NODE, set_child};
    use super::*;
    use crate::rays::noise::Noise;

    /// Which children a ray crosses up to `end`, in one step a plane if it may, and in two.
    fn crossed(level: Level, ray: &Ray<3>, node: &Node, end: f32) -> [u32; 2] {
        dispatch!(level, simd => {
            let in_two = LaneRay::<_, false>::new(simd, &PlaneRay::unfused(simd, ray));
            let in_two = in_two.crossings(simd, node, end).1;
            match PlaneRay::fused(simd, ray) {
                (planes, true) => {
                    let in_one = LaneRay::<_, true>::new(simd, &planes);
                    [in_one.crossings(simd, node, end).1, in_two]
                }
                _ => [in_two; 2],
            }
        })
    }

    /// Small triangles far from the ray's origin, and far from 0, where most is rounded.
    #[test]
    fn every_box_that_holds_a_hit_is_crossed_up_to_what_is_beyond_the_hit() {
        let mut noise = Noise(3);
        let mut between = |low, high| noise.between(low, high);
        let mut hits = 0;
        for round in 0..60_000_u32 {
            let far = [0.0, 10.0, 1e4, 3e5][round as usize % 4];
            let size = [1.0, 1e-2, 50.0][round as usize % 3];
            let middle = [between(-far, far), between(-far, far), between(-far, far)];
            let mut corner =
                || core::array::from_fn(|axis| middle[axis] + size * between(-1.0, 1.0));
            let triangle = Triangle([corner(), corner(), corner()]);
            let origin = core::array::from_fn(|_| between(-far - 1.0, far + 1.0));
            let ray = Ray { t_max: f32::INFINITY, ..Ray::between(origin, middle) };
            let Some(hit) = ShearedRay::new(&ray).hit(&triangle, 0, ray.t_max) else { continue };
            hits += 1;
            let mut node = EMPTY_NODE;
            set_child(&mut node, 5, &triangle.guarded_bounds(), Child::NONE);
            for level in [Level::new(), Level::baseline()] {
                let told = crossed(level, &ray, &node, Hit::beyond(hit.t));
                assert_eq!(told, [1 << 5; 2], "{ray:?} {triangle:?} {hit:?}");
            }
        }
        assert!(hits > 10_000, "{hits} hits");
    }

    #[test]
    fn boxes_that_are_not_there_are_crossed_by_no_ray_that_leads_somewhere() {
        for x in [1e18, -1e18, 1e-30, 0.0, -0.0, 1.0] {
            for y in [1e-18, -1e-18, 1e-38, 0.0, -0.0, 1e18] {
                for t_min in [0.0, -5.0] {
                    let ray = Ray::new([x, y, 1.0], [y, x, 1.0]).within(t_min, f32::INFINITY);
                    for level in [Level::new(), Level::baseline()] {
                        assert_eq!(crossed(level, &ray, &EMPTY_NODE, f32::INFINITY), [0; 2]);
                    }
                }
            }
        }
    }
}
