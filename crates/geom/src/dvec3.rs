//! 3D vector in f64, for intermediate results.
//!
//! Poses and shapes are f32. Differences of nearly equal numbers (the offset between two touching
//! cores, the volume of a flat simplex, the planes of a hull) are computed in f64, so that
//! cancellation does not destroy their direction.

use core::ops::{Add, Div, Index, Mul, Neg, Sub};

use crate::{RigidTransform, Vec3};

/// 3D vector in f64.
#[doc(alias = "Wide")]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DVec3 {
    /// First component.
    pub x: f64,
    /// Second component.
    pub y: f64,
    /// Third component.
    pub z: f64,
}

impl DVec3 {
    /// Zero vector.
    pub const ZERO: Self = Self::new(0.0, 0.0, 0.0);

    /// Vector of the three components.
    #[inline]
    #[must_use]
    pub const fn new(x: f64, y: f64, z: f64) -> Self {
        Self { x, y, z }
    }

    /// Dot product.
    #[inline]
    #[must_use]
    pub fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// Cross product, right-handed.
    #[inline]
    #[must_use]
    pub fn cross(self, other: Self) -> Self {
        Self::new(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )
    }

    /// Squared length.
    #[inline]
    #[must_use]
    pub fn length_squared(self) -> f64 {
        self.dot(self)
    }

    /// Length.
    #[inline]
    #[must_use]
    pub fn length(self) -> f64 {
        self.length_squared().sqrt()
    }

    /// Unit vector in this direction; zero stays zero.
    #[inline]
    #[must_use]
    #[doc(alias = "unit")]
    pub fn normalize(self) -> Self {
        let length = self.length();
        if length > 0.0 { self * (1.0 / length) } else { self }
    }

    /// Unit vector in f32; `None` for lengths that are infinite, NaN or below 1e-30, which is far
    /// below the resolution of f32 for shapes of size 1e-6 and more.
    #[inline]
    #[must_use]
    #[doc(alias = "direction")]
    pub fn try_normalize_f32(self) -> Option<Vec3> {
        let length = self.length();
        (length > 1e-30 && length < f64::INFINITY).then(|| (self * (1.0 / length)).as_vec3())
    }

    /// Component-wise absolute value.
    #[inline]
    #[must_use]
    pub fn abs(self) -> Self {
        Self::new(self.x.abs(), self.y.abs(), self.z.abs())
    }

    /// Sum of the absolute components.
    #[inline]
    #[must_use]
    #[doc(alias = "taxicab")]
    pub fn l1_norm(self) -> f64 {
        self.x.abs() + self.y.abs() + self.z.abs()
    }

    /// Rounded to f32.
    #[inline]
    #[must_use]
    #[doc(alias = "narrow")]
    pub fn as_vec3(self) -> Vec3 {
        Vec3::new(self.x as f32, self.y as f32, self.z as f32)
    }

    /// Outer position of a point of `frame`, in f64.
    #[inline]
    #[must_use]
    #[doc(alias = "placed")]
    pub fn from_transformed(point: Vec3, frame: &RigidTransform) -> Self {
        let [x, y, z] = frame.basis.columns.map(Self::from);
        let point = Self::from(point);
        x * point.x + y * point.y + z * point.z + Self::from(frame.translation)
    }

    /// Argument of the exact predicates.
    pub(crate) fn coord(self) -> robust::Coord3D<f64> {
        robust::Coord3D { x: self.x, y: self.y, z: self.z }
    }
}

impl From<[f64; 3]> for DVec3 {
    #[inline]
    fn from([x, y, z]: [f64; 3]) -> Self {
        Self { x, y, z }
    }
}

impl From<DVec3> for [f64; 3] {
    #[inline]
    fn from(vector: DVec3) -> Self {
        [vector.x, vector.y, vector.z]
    }
}

impl From<Vec3> for DVec3 {
    #[inline]
    fn from(vector: Vec3) -> Self {
        Self::new(f64::from(vector.x), f64::from(vector.y), f64::from(vector.z))
    }
}

impl Add for DVec3 {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl Sub for DVec3 {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl Neg for DVec3 {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}

impl Mul<f64> for DVec3 {
    type Output = Self;

    #[inline]
    fn mul(self, factor: f64) -> Self {
        Self::new(self.x * factor, self.y * factor, self.z * factor)
    }
}

/// Component-wise: a product with the reciprocal would round twice.
impl Div<f64> for DVec3 {
    type Output = Self;

    #[inline]
    fn div(self, divisor: f64) -> Self {
        Self::new(self.x / divisor, self.y / divisor, self.z / divisor)
    }
}

impl Index<usize> for DVec3 {
    type Output = f64;

    /// # Panics
    /// Beyond axis 2.
    #[inline]
    fn index(&self, axis: usize) -> &f64 {
        match axis {
            0 => &self.x,
            1 => &self.y,
            2 => &self.z,
            _ => panic!("axis {axis} of a DVec3"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn array_conversions_round_trip() {
        let vector = DVec3::from([1.0, -2.0, 1e300]);
        assert_eq!(vector, DVec3::new(1.0, -2.0, 1e300));
        assert_eq!(<[f64; 3]>::from(vector), [1.0, -2.0, 1e300]);
    }
}
