//! Eight AABBs as a structure of arrays, tested against one AABB by SIMD.
//!
//! Every function is `inline(always)`, and none is a closure: SIMD code that is not inlined into
//! the caller that selected the instruction set runs ten times slower.
#![allow(clippy::inline_always, reason = "SIMD code must be inlined into its dispatch")]

use embate_geom::Aabb;
use fearless_simd::{f32x8, prelude::*};

/// Boxes in one [`Aabb8`].
pub(super) const LANES: usize = 8;

/// Up to eight AABBs as `min[axis][lane]`. An unused lane is inverted (+∞ to −∞) and overlaps
/// nothing.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Aabb8<const D: usize> {
    pub(super) min: [[f32; LANES]; D],
    pub(super) max: [[f32; LANES]; D],
}

impl<const D: usize> Aabb8<D> {
    pub(super) const EMPTY: Self =
        Self { min: [[f32::INFINITY; LANES]; D], max: [[f32::NEG_INFINITY; LANES]; D] };

    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, bounds: &Aabb<D>) {
        for axis in 0..D {
            self.min[axis][lane] = bounds.min[axis];
            self.max[axis][lane] = bounds.max[axis];
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, lane: usize) -> Aabb<D> {
        Aabb {
            min: core::array::from_fn(|axis| self.min[axis][lane]),
            max: core::array::from_fn(|axis| self.max[axis][lane]),
        }
    }

    /// Bit `lane` is set if that box overlaps or touches `bounds`.
    #[inline(always)]
    pub(super) fn overlap_mask<S: Simd>(&self, simd: S, bounds: &Aabb<D>) -> u32 {
        let mut overlap = f32x8::simd_from(simd, self.min[0])
            .simd_le(f32x8::splat(simd, bounds.max[0]))
            & f32x8::simd_from(simd, self.max[0]).simd_ge(f32x8::splat(simd, bounds.min[0]));
        for axis in 1..D {
            let min = f32x8::simd_from(simd, self.min[axis]);
            let max = f32x8::simd_from(simd, self.max[axis]);
            overlap = overlap
                & min.simd_le(f32x8::splat(simd, bounds.max[axis]))
                & max.simd_ge(f32x8::splat(simd, bounds.min[axis]));
        }
        overlap.to_bitmask() as u32
    }
}
