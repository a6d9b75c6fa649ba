//! What can be asked of eight boxes at once?
//!
//! Each function does what its scalar twin in `embate_geom` does, operation by operation, so that every
//! lane has the twin's bits.
#![allow(clippy::inline_always)]

use embate_geom::{Aabb, Ball, ConvexRegion, SlabRay};
use fearless_simd::{f32x8, prelude::*};

use crate::pairs::block::BoxBlock;

/// A yes or no that never turns to no as a box grows, so that it can be asked of nodes and items alike.
pub(super) trait Probe<const D: usize> {
    /// Bit `lane` is set if the answer for that box is yes. Lanes without a box may say anything.
    fn lanes<S: Simd>(&self, simd: S, boxes: &BoxBlock<D>) -> u32;
}

impl<const D: usize> Probe<D> for Aabb<D> {
    #[inline(always)]
    fn lanes<S: Simd>(&self, simd: S, boxes: &BoxBlock<D>) -> u32 {
        boxes.overlapping(simd, self)
    }
}

/// [`Ball::overlaps_box`].
impl<const D: usize> Probe<D> for Ball<D> {
    #[inline(always)]
    fn lanes<S: Simd>(&self, simd: S, boxes: &BoxBlock<D>) -> u32 {
        let radius_squared = f32x8::splat(simd, self.radius * self.radius);
        let near = distances_squared(simd, boxes, &self.center).simd_le(radius_squared);
        if self.radius >= 0.0 { near.to_bitmask() as u32 } else { 0 }
    }
}

/// [`ConvexRegion::may_reach`].
impl<const D: usize> Probe<D> for ConvexRegion<D> {
    #[inline(always)]
    fn lanes<S: Simd>(&self, simd: S, boxes: &BoxBlock<D>) -> u32 {
        let mut lanes = 0xff;
        for half_space in self.half_spaces() {
            let mut least = f32x8::splat(simd, 0.0);
            for axis in 0..D {
                let normal = half_space.normal[axis];
                let inmost = if normal > 0.0 { boxes.min[axis] } else { boxes.max[axis] };
                least += f32x8::splat(simd, normal) * f32x8::simd_from(simd, inmost);
            }
            lanes &= least.simd_le(f32x8::splat(simd, half_space.offset)).to_bitmask() as u32;
        }
        lanes
    }
}

/// [`Aabb::distance_squared`].
#[inline(always)]
pub(super) fn distances_squared<S: Simd, const D: usize>(
    simd: S,
    boxes: &BoxBlock<D>,
    point: &[f32; D],
) -> f32x8<S> {
    let zero = f32x8::splat(simd, 0.0);
    let mut sum = zero;
    for axis in 0..D {
        let coordinate = f32x8::splat(simd, point[axis]);
        let below = f32x8::simd_from(simd, boxes.min[axis]) - coordinate;
        let above = coordinate - f32x8::simd_from(simd, boxes.max[axis]);
        let outside = above.simd_le(zero).select(zero, above);
        let apart = below.simd_gt(zero).select(below, outside);
        sum += apart * apart;
    }
    sum
}

/// [`Aabb::crossing`]: where the ray enters each box, and bits for those it crosses.
#[inline(always)]
pub(super) fn crossings<S: Simd, const D: usize>(
    simd: S,
    boxes: &BoxBlock<D>,
    ray: &SlabRay<D>,
    t_min: f32,
    t_max: f32,
) -> ([f32; 8], u32) {
    let (mut enter, mut leave) = (f32x8::splat(simd, t_min), f32x8::splat(simd, t_max));
    let zero = f32x8::splat(simd, 0.0);
    let (before, behind) = SlabRay::<D>::FAR_FACTORS;
    let (before, behind) = (f32x8::splat(simd, before), f32x8::splat(simd, behind));
    for axis in 0..D {
        let (first, second) = if ray.backwards[axis] {
            (boxes.max[axis], boxes.min[axis])
        } else {
            (boxes.min[axis], boxes.max[axis])
        };
        let origin = f32x8::splat(simd, ray.origin[axis]);
        let inverse = f32x8::splat(simd, ray.inv_direction[axis]);
        let near = (f32x8::simd_from(simd, first) - origin) * inverse;
        let far = (f32x8::simd_from(simd, second) - origin) * inverse;
        let far = far * far.simd_lt(zero).select(behind, before);
        enter = near.simd_gt(enter).select(near, enter);
        leave = far.simd_lt(leave).select(far, leave);
    }
    let crossed = enter.simd_le(leave).to_bitmask() as u32;
    (enter.into(), crossed)
}
