//! SIMD vectors of eight lanes: one lane per contact constraint.
//!
//! Every operation is that of `Vec3` and `Mat3`, in the same order, so that each lane has the bits
//! of the scalar computation, whatever the SIMD width of the machine. Every function is
//! `inline(always)`, and none is a closure: SIMD code that is not inlined into the caller that
//! selected the instruction set runs ten times slower.
#![allow(clippy::inline_always, reason = "SIMD code must be inlined into its dispatch")]

use core::ops::{Add, Mul, Sub};

use embate_geom::{Mat3, Vec3};
use fearless_simd::{f32x8, prelude::*};

/// Contact constraints in one SIMD constraint block.
pub(crate) const LANES: usize = 8;

/// One number per lane.
pub(crate) type F32Lanes = [f32; LANES];

/// One vector per lane: components x, y, z.
pub(crate) type Vec3Lanes = [F32Lanes; 3];

/// One symmetric matrix per lane: components xx, xy, xz, yy, yz, zz.
pub(crate) type Mat3Lanes = [F32Lanes; 6];

#[inline(always)]
pub(crate) fn set_vec3_lane(lanes: &mut Vec3Lanes, lane: usize, vector: Vec3) {
    lanes[0][lane] = vector.x;
    lanes[1][lane] = vector.y;
    lanes[2][lane] = vector.z;
}

#[inline(always)]
pub(crate) fn vec3_lane(lanes: &Vec3Lanes, lane: usize) -> Vec3 {
    Vec3::new(lanes[0][lane], lanes[1][lane], lanes[2][lane])
}

/// Stores the upper triangle of a symmetric matrix.
#[inline(always)]
pub(crate) fn set_mat3_lane(lanes: &mut Mat3Lanes, lane: usize, matrix: &Mat3) {
    let [a, b, c] = matrix.columns;
    for (component, value) in lanes.iter_mut().zip([a.x, a.y, a.z, b.y, b.z, c.z]) {
        component[lane] = value;
    }
}

/// One vector per lane, in registers.
#[derive(Clone, Copy)]
pub(crate) struct Vec3x8<S: Simd> {
    pub(crate) x: f32x8<S>,
    pub(crate) y: f32x8<S>,
    pub(crate) z: f32x8<S>,
}

impl<S: Simd> Vec3x8<S> {
    #[inline(always)]
    pub(crate) fn load(simd: S, lanes: &Vec3Lanes) -> Self {
        Self {
            x: f32x8::simd_from(simd, lanes[0]),
            y: f32x8::simd_from(simd, lanes[1]),
            z: f32x8::simd_from(simd, lanes[2]),
        }
    }

    #[inline(always)]
    pub(crate) fn lanes(self) -> Vec3Lanes {
        [self.x.into(), self.y.into(), self.z.into()]
    }

    #[inline(always)]
    pub(crate) fn dot(self, other: Self) -> f32x8<S> {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub(crate) fn mul_elements(self, other: Self) -> Self {
        Self { x: self.x * other.x, y: self.y * other.y, z: self.z * other.z }
    }

    #[inline(always)]
    pub(crate) fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }
}

impl<S: Simd> Add for Vec3x8<S> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl<S: Simd> Sub for Vec3x8<S> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl<S: Simd> Mul<f32x8<S>> for Vec3x8<S> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: f32x8<S>) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }
}

/// Symmetric matrix times vector, lane by lane.
#[inline(always)]
pub(crate) fn mul_mat3<S: Simd>(simd: S, matrix: &Mat3Lanes, vector: Vec3x8<S>) -> Vec3x8<S> {
    let xx = f32x8::simd_from(simd, matrix[0]);
    let xy = f32x8::simd_from(simd, matrix[1]);
    let xz = f32x8::simd_from(simd, matrix[2]);
    let yy = f32x8::simd_from(simd, matrix[3]);
    let yz = f32x8::simd_from(simd, matrix[4]);
    let zz = f32x8::simd_from(simd, matrix[5]);
    Vec3x8 {
        x: xx * vector.x + xy * vector.y + xz * vector.z,
        y: xy * vector.x + yy * vector.y + yz * vector.z,
        z: xz * vector.x + yz * vector.y + zz * vector.z,
    }
}

/// `embate_geom::scalar::max`, lane by lane.
#[inline(always)]
pub(crate) fn max<S: Simd>(a: f32x8<S>, b: f32x8<S>) -> f32x8<S> {
    a.simd_gt(b).select(a, b)
}

/// `embate_geom::scalar::min`, lane by lane.
#[inline(always)]
pub(crate) fn min<S: Simd>(a: f32x8<S>, b: f32x8<S>) -> f32x8<S> {
    a.simd_lt(b).select(a, b)
}
