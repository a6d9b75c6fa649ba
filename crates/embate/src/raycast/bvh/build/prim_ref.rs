//! Primitive reference of the BVH builders: an AABB in eight lanes, merged by one vector maximum.
#![allow(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]

use embate_geom::Aabb;
use fearless_simd::{f32x8, prelude::*};

/// `[-min.x, -min.y, -min.z, primitive id, max.x, max.y, max.z, triangle area]`.
///
/// Id and area travel with the box when ranges are partitioned. They are meaningless in a merged
/// box.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct PrimRef(pub(crate) [f32; 8]);

impl PrimRef {
    /// Neutral element of [`merged`](Self::merged).
    pub(crate) const EMPTY: Self = Self([f32::NEG_INFINITY; 8]);

    /// Added to an id to make its bits those of a normal float. The bits of small integers are
    /// subnormal floats, which are up to 100 times slower in vector operations on some processors.
    const ID_BIAS: u32 = 1.0_f32.to_bits();

    pub(crate) fn new(bounds: &Aabb<3>, prim_id: u32) -> Self {
        let ([a, b, c], [x, y, z]) = (bounds.min, bounds.max);
        Self([-a, -b, -c, f32::from_bits(prim_id + Self::ID_BIAS), x, y, z, 0.0])
    }

    pub(crate) fn prim_id(&self) -> u32 {
        self.0[3].to_bits() - Self::ID_BIAS
    }

    pub(crate) fn bounds(&self) -> Aabb<3> {
        let [a, b, c, _, x, y, z, _] = self.0;
        Aabb { min: [-a, -b, -c], max: [x, y, z] }
    }

    /// The reference with the area of its part of the triangle.
    pub(crate) fn with_area(mut self, area: f32) -> Self {
        self.0[7] = area;
        self
    }

    /// The area set by [`with_area`](Self::with_area).
    pub(crate) fn triangle_area(&self) -> f32 {
        self.0[7]
    }

    #[inline]
    pub(crate) fn merged(&self, other: &Self) -> Self {
        let mut both = *self;
        for (value, &other) in both.0.iter_mut().zip(&other.0) {
            *value = if other > *value { other } else { *value };
        }
        both
    }

    /// Intersection; [`is_empty`](Self::is_empty) if the boxes are disjoint.
    #[inline]
    pub(crate) fn intersection(&self, other: &Self) -> Self {
        let mut both = *self;
        for (value, &other) in both.0.iter_mut().zip(&other.0) {
            *value = if other < *value { other } else { *value };
        }
        both
    }

    /// AABB of all boxes.
    pub(crate) fn merge_all(boxes: &[Self]) -> Self {
        boxes.iter().fold(Self::EMPTY, |all, each| all.merged(each))
    }

    /// Half surface area.
    #[inline(always)]
    pub(crate) fn half_area(&self) -> f32 {
        let [a, b, c, _, x, y, z, _] = self.0;
        let (x, y, z) = (a + x, b + y, c + z);
        x * (y + z) + y * z
    }

    /// Whether `min > max` on some axis.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        (0..3).any(|axis| -self.0[axis] > self.0[axis + 4])
    }

    /// Twice the center on an axis.
    #[inline(always)]
    pub(crate) fn doubled_center(&self, axis: usize) -> f32 {
        self.0[(axis + 4) & 7] - self.0[axis & 7]
    }

    #[inline(always)]
    pub(crate) fn lanes<S: Simd>(&self, simd: S) -> f32x8<S> {
        f32x8::simd_from(simd, self.0)
    }
}

/// Bounds of a range of primitives and of their centroids.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CentroidBounds {
    /// AABB of the primitives.
    pub(crate) bounds: PrimRef,
    /// AABB of the doubled centroids of their boxes.
    pub(crate) centroids: PrimRef,
}

impl CentroidBounds {
    #[inline(always)]
    pub(crate) fn of_prims<S: Simd>(simd: S, prims: &[PrimRef]) -> Self {
        let mut bounds = CentroidBounds8::empty(simd);
        for prim in prims {
            let lanes = prim.lanes(simd);
            bounds.add(lanes, doubled_centroid(lanes));
        }
        bounds.into()
    }
}

/// Accumulator of [`CentroidBounds`] in vector registers.
#[derive(Clone, Copy)]
pub(crate) struct CentroidBounds8<S: Simd> {
    bounds: f32x8<S>,
    centroids: f32x8<S>,
}

impl<S: Simd> CentroidBounds8<S> {
    #[inline(always)]
    pub(crate) fn empty(simd: S) -> Self {
        let empty = f32x8::splat(simd, f32::NEG_INFINITY);
        Self { bounds: empty, centroids: empty }
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, prim: f32x8<S>, doubled_centroid: f32x8<S>) {
        self.bounds = prim.max(self.bounds);
        self.centroids = doubled_centroid.max(self.centroids);
    }
}

impl<S: Simd> From<CentroidBounds8<S>> for CentroidBounds {
    #[inline(always)]
    fn from(lanes: CentroidBounds8<S>) -> Self {
        Self { bounds: PrimRef(lanes.bounds.into()), centroids: PrimRef(lanes.centroids.into()) }
    }
}

/// The doubled centroid of a box, as a point box.
#[inline(always)]
pub(crate) fn doubled_centroid<S: Simd>(prim: f32x8<S>) -> f32x8<S> {
    let (low, high) = prim.split();
    prim - high.combine(low)
}
