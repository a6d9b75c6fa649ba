//! A box as a tree's builder keeps it: eight lanes, so that one vector maximum joins two.
#![allow(clippy::inline_always)]

use embate_geom::Aabb;
use fearless_simd::{f32x8, prelude::*};

/// −least x, −least y, −least z, a number, greatest x, greatest y, greatest z, an area.
///
/// Lane 3 of a triangle's box holds its number, which so travels with the box when ranges are partitioned.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(in crate::rays) struct WideBox(pub(super) [f32; 8]);

impl WideBox {
    pub(in crate::rays) const NOTHING: Self = Self([f32::NEG_INFINITY; 8]);

    /// Added to a number's bits it makes an ordinary float of them. Small numbers by themselves are the bits
    /// of subnormal ones, which some processors are a hundred times slower with, wherever lane 3 joins in.
    const ORDINARY: u32 = 1.0_f32.to_bits();

    pub(in crate::rays) fn new(bounds: &Aabb<3>, number: u32) -> Self {
        let ([a, b, c], [x, y, z]) = (bounds.min, bounds.max);
        Self([-a, -b, -c, f32::from_bits(number + Self::ORDINARY), x, y, z, 0.0])
    }

    pub(in crate::rays) fn number(&self) -> u32 {
        self.0[3].to_bits() - Self::ORDINARY
    }

    pub(in crate::rays) fn bounds(&self) -> Aabb<3> {
        let [a, b, c, _, x, y, z, _] = self.0;
        Aabb { min: [-a, -b, -c], max: [x, y, z] }
    }

    /// The box with the area of its triangle, which travels with it as well.
    pub(in crate::rays) fn with_area(mut self, area: f32) -> Self {
        self.0[7] = area;
        self
    }

    /// What [`with_area`](Self::with_area) was given.
    pub(in crate::rays) fn triangle_area(&self) -> f32 {
        self.0[7]
    }

    #[inline]
    pub(in crate::rays) fn joined(&self, other: &Self) -> Self {
        let mut both = *self;
        for (value, &other) in both.0.iter_mut().zip(&other.0) {
            *value = if other > *value { other } else { *value };
        }
        both
    }

    /// What two boxes have in common; its sides may be negative.
    #[inline]
    pub(super) fn common(&self, other: &Self) -> Self {
        let mut both = *self;
        for (value, &other) in both.0.iter_mut().zip(&other.0) {
            *value = if other < *value { other } else { *value };
        }
        both
    }

    /// The box around all.
    pub(in crate::rays) fn around(boxes: &[Self]) -> Self {
        boxes.iter().fold(Self::NOTHING, |all, each| all.joined(each))
    }

    /// Half the surface.
    #[inline(always)]
    pub(in crate::rays) fn area(&self) -> f32 {
        let [a, b, c, _, x, y, z, _] = self.0;
        let (x, y, z) = (a + x, b + y, c + z);
        x * (y + z) + y * z
    }

    /// Whether there is nothing in it.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        (0..3).any(|axis| -self.0[axis] > self.0[axis + 4])
    }

    /// Twice the middle.
    #[inline(always)]
    pub(in crate::rays) fn middle(&self, axis: usize) -> f32 {
        self.0[(axis + 4) & 7] - self.0[axis & 7]
    }

    #[inline(always)]
    pub(super) fn lanes<S: Simd>(&self, simd: S) -> f32x8<S> {
        f32x8::simd_from(simd, self.0)
    }
}

/// What a range of members takes up, which decides where it is split.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// Around all.
    pub(super) bounds: WideBox,
    /// Around twice the middles of their boxes.
    pub(super) middles: WideBox,
}

impl Extent {
    #[inline(always)]
    pub(super) fn of<S: Simd>(simd: S, members: &[WideBox]) -> Self {
        let mut extent = WideExtent::nothing(simd);
        for member in members {
            let lanes = member.lanes(simd);
            extent.add(lanes, twice_middle(lanes));
        }
        extent.into()
    }
}

/// An [`Extent`] in the making.
#[derive(Clone, Copy)]
pub(super) struct WideExtent<S: Simd> {
    bounds: f32x8<S>,
    middles: f32x8<S>,
}

impl<S: Simd> WideExtent<S> {
    #[inline(always)]
    pub(super) fn nothing(simd: S) -> Self {
        let nothing = f32x8::splat(simd, f32::NEG_INFINITY);
        Self { bounds: nothing, middles: nothing }
    }

    #[inline(always)]
    pub(super) fn add(&mut self, member: f32x8<S>, twice_middle: f32x8<S>) {
        self.bounds = member.max(self.bounds);
        self.middles = twice_middle.max(self.middles);
    }
}

impl<S: Simd> From<WideExtent<S>> for Extent {
    #[inline(always)]
    fn from(wide: WideExtent<S>) -> Self {
        Self { bounds: WideBox(wide.bounds.into()), middles: WideBox(wide.middles.into()) }
    }
}

/// A box that is but the point of twice the middle.
#[inline(always)]
pub(super) fn twice_middle<S: Simd>(member: f32x8<S>) -> f32x8<S> {
    let (low, high) = member.split();
    member - high.combine(low)
}
