//! Vectors of eight touches at once.
//!
//! Every operation is that of `Vec3` and `Mat3`, in the same order, so that a lane has the bits of the one
//! touch, whatever the width of the machine. Every function is `inline(always)`, and none is a closure:
//! vector code that is not inlined into the caller that chose the instruction set runs ten times slower.
#![allow(clippy::inline_always)]

use core::ops::{Add, Mul, Sub};

use embate_geom::{Mat3, Vec3};
use fearless_simd::{f32x8, prelude::*};

/// Touches a block holds.
pub(super) const LANES: usize = 8;

/// A number of each.
pub(super) type Row = [f32; LANES];

/// A vector of each, as it lies in memory.
pub(super) type Rows3 = [Row; 3];

/// A symmetric matrix of each, as it lies in memory: xx, xy, xz, yy, yz, zz.
pub(super) type Rows6 = [Row; 6];

#[inline(always)]
pub(super) fn set3(rows: &mut Rows3, lane: usize, vector: Vec3) {
    rows[0][lane] = vector.x;
    rows[1][lane] = vector.y;
    rows[2][lane] = vector.z;
}

#[inline(always)]
pub(super) fn get3(rows: &Rows3, lane: usize) -> Vec3 {
    Vec3::new(rows[0][lane], rows[1][lane], rows[2][lane])
}

#[inline(always)]
pub(super) fn set6(rows: &mut Rows6, lane: usize, matrix: &Mat3) {
    let [a, b, c] = matrix.columns;
    for (row, value) in rows.iter_mut().zip([a.x, a.y, a.z, b.y, b.z, c.z]) {
        row[lane] = value;
    }
}

/// A vector of each.
#[derive(Clone, Copy)]
pub(super) struct Vectors<S: Simd> {
    pub(super) x: f32x8<S>,
    pub(super) y: f32x8<S>,
    pub(super) z: f32x8<S>,
}

impl<S: Simd> Vectors<S> {
    #[inline(always)]
    pub(super) fn load(simd: S, rows: &Rows3) -> Self {
        Self {
            x: f32x8::simd_from(simd, rows[0]),
            y: f32x8::simd_from(simd, rows[1]),
            z: f32x8::simd_from(simd, rows[2]),
        }
    }

    #[inline(always)]
    pub(super) fn rows(self) -> Rows3 {
        [self.x.into(), self.y.into(), self.z.into()]
    }

    #[inline(always)]
    pub(super) fn dot(self, other: Self) -> f32x8<S> {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub(super) fn scaled_by(self, other: Self) -> Self {
        Self { x: self.x * other.x, y: self.y * other.y, z: self.z * other.z }
    }

    #[inline(always)]
    pub(super) fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }
}

impl<S: Simd> Add for Vectors<S> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl<S: Simd> Sub for Vectors<S> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl<S: Simd> Mul<f32x8<S>> for Vectors<S> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: f32x8<S>) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }
}

/// A symmetric matrix of each times a vector of each.
#[inline(always)]
pub(super) fn times<S: Simd>(simd: S, matrix: &Rows6, vector: Vectors<S>) -> Vectors<S> {
    let xx = f32x8::simd_from(simd, matrix[0]);
    let xy = f32x8::simd_from(simd, matrix[1]);
    let xz = f32x8::simd_from(simd, matrix[2]);
    let yy = f32x8::simd_from(simd, matrix[3]);
    let yz = f32x8::simd_from(simd, matrix[4]);
    let zz = f32x8::simd_from(simd, matrix[5]);
    Vectors {
        x: xx * vector.x + xy * vector.y + xz * vector.z,
        y: xy * vector.x + yy * vector.y + yz * vector.z,
        z: xz * vector.x + yz * vector.y + zz * vector.z,
    }
}

/// `embate_geom::scalar::max` of each.
#[inline(always)]
pub(super) fn max<S: Simd>(a: f32x8<S>, b: f32x8<S>) -> f32x8<S> {
    a.simd_gt(b).select(a, b)
}

/// `embate_geom::scalar::min` of each.
#[inline(always)]
pub(super) fn min<S: Simd>(a: f32x8<S>, b: f32x8<S>) -> f32x8<S> {
    a.simd_lt(b).select(a, b)
}
