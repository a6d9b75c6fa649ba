//! Tests of eight boxes at once.
//!
//! Each function performs the operations of its scalar counterpart in `embate_geom` in the same
//! order, so that every lane is bit-identical to it.
#![allow(clippy::inline_always, reason = "SIMD code must be inlined into its dispatch")]

use embate_geom::{Aabb, BoundingSphere, ConvexVolume, RaySlabs};
use fearless_simd::{f32x8, prelude::*};

use crate::broad_phase::aabb8::Aabb8;

/// Volume of an overlap query. Monotonic: a volume that overlaps a box also overlaps every larger
/// box, so the same test prunes nodes and accepts items.
pub(super) trait QueryVolume<const D: usize> {
    /// Bit `lane` is set if that box overlaps. Unused lanes may have any value.
    fn overlap_mask<S: Simd>(&self, simd: S, boxes: &Aabb8<D>) -> u32;
}

impl<const D: usize> QueryVolume<D> for Aabb<D> {
    #[inline(always)]
    fn overlap_mask<S: Simd>(&self, simd: S, boxes: &Aabb8<D>) -> u32 {
        boxes.overlap_mask(simd, self)
    }
}

/// [`BoundingSphere::intersects_aabb`].
impl<const D: usize> QueryVolume<D> for BoundingSphere<D> {
    #[inline(always)]
    fn overlap_mask<S: Simd>(&self, simd: S, boxes: &Aabb8<D>) -> u32 {
        let radius_squared = f32x8::splat(simd, self.radius * self.radius);
        let near = distances_squared(simd, boxes, &self.center).simd_le(radius_squared);
        if self.radius >= 0.0 { near.to_bitmask() as u32 } else { 0 }
    }
}

/// [`ConvexVolume::intersects_aabb`].
impl<const D: usize> QueryVolume<D> for ConvexVolume<D> {
    #[inline(always)]
    fn overlap_mask<S: Simd>(&self, simd: S, boxes: &Aabb8<D>) -> u32 {
        let mut mask = 0xff;
        for plane in self.planes() {
            let mut least = f32x8::splat(simd, 0.0);
            for axis in 0..D {
                let normal = plane.normal[axis];
                let innermost = if normal > 0.0 { boxes.min[axis] } else { boxes.max[axis] };
                least += f32x8::splat(simd, normal) * f32x8::simd_from(simd, innermost);
            }
            mask &= least.simd_le(f32x8::splat(simd, plane.offset)).to_bitmask() as u32;
        }
        mask
    }
}

/// [`Aabb::distance_squared`].
#[inline(always)]
pub(super) fn distances_squared<S: Simd, const D: usize>(
    simd: S,
    boxes: &Aabb8<D>,
    point: &[f32; D],
) -> f32x8<S> {
    let zero = f32x8::splat(simd, 0.0);
    let mut sum = zero;
    for axis in 0..D {
        let coordinate = f32x8::splat(simd, point[axis]);
        let below = f32x8::simd_from(simd, boxes.min[axis]) - coordinate;
        let above = coordinate - f32x8::simd_from(simd, boxes.max[axis]);
        let outside = above.simd_le(zero).select(zero, above);
        let distance = below.simd_gt(zero).select(below, outside);
        sum += distance * distance;
    }
    sum
}

/// [`Aabb::intersect_ray`], the slab test: the ray parameter at which each box is entered, and the
/// mask of the boxes hit.
#[inline(always)]
pub(super) fn intersect_ray<S: Simd, const D: usize>(
    simd: S,
    boxes: &Aabb8<D>,
    ray: &RaySlabs<D>,
    t_min: f32,
    t_max: f32,
) -> ([f32; 8], u32) {
    let (mut enter, mut exit) = (f32x8::splat(simd, t_min), f32x8::splat(simd, t_max));
    let zero = f32x8::splat(simd, 0.0);
    let (positive, negative) = RaySlabs::<D>::ROBUST_FAR_FACTORS;
    let (positive, negative) = (f32x8::splat(simd, positive), f32x8::splat(simd, negative));
    for axis in 0..D {
        let (near_plane, far_plane) = if ray.is_negative[axis] {
            (boxes.max[axis], boxes.min[axis])
        } else {
            (boxes.min[axis], boxes.max[axis])
        };
        let origin = f32x8::splat(simd, ray.origin[axis]);
        let inverse = f32x8::splat(simd, ray.inv_direction[axis]);
        let near = (f32x8::simd_from(simd, near_plane) - origin) * inverse;
        let far = (f32x8::simd_from(simd, far_plane) - origin) * inverse;
        let far = far * far.simd_lt(zero).select(negative, positive);
        enter = near.simd_gt(enter).select(near, enter);
        exit = far.simd_lt(exit).select(far, exit);
    }
    let mask = enter.simd_le(exit).to_bitmask() as u32;
    (enter.into(), mask)
}
