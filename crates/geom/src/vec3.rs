//! 3D vector in f32.

use core::ops::{
    Add, AddAssign, Div, DivAssign, Index, IndexMut, Mul, MulAssign, Neg, Sub, SubAssign,
};

use crate::scalar;

/// 3D vector: a point or a direction. Sums run in the order x, y, z, as in the SIMD lanes, so that
/// both round alike.
///
/// Converts from and to `[f32; 3]` and `(f32, f32, f32)`; with the features `mint` and `glam` also
/// from and to the types of these crates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Vec3 {
    /// First component.
    pub x: f32,
    /// Second component.
    pub y: f32,
    /// Third component.
    pub z: f32,
}

impl Vec3 {
    /// Zero vector.
    pub const ZERO: Self = Self::new(0.0, 0.0, 0.0);
    /// Unit vector along x.
    pub const X: Self = Self::new(1.0, 0.0, 0.0);
    /// Unit vector along y.
    pub const Y: Self = Self::new(0.0, 1.0, 0.0);
    /// Unit vector along z.
    pub const Z: Self = Self::new(0.0, 0.0, 1.0);
    /// Unit vectors along the three axes.
    pub const AXES: [Self; 3] = [Self::X, Self::Y, Self::Z];

    /// Vector of the three components.
    #[inline]
    #[must_use]
    pub const fn new(x: f32, y: f32, z: f32) -> Self {
        Self { x, y, z }
    }

    /// All three components equal to `value`.
    #[inline]
    #[must_use]
    pub const fn splat(value: f32) -> Self {
        Self::new(value, value, value)
    }

    /// `[x, y, z]`.
    #[inline]
    #[must_use]
    pub const fn to_array(self) -> [f32; 3] {
        [self.x, self.y, self.z]
    }

    /// Dot product.
    #[inline]
    #[must_use]
    pub fn dot(self, other: Self) -> f32 {
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

    /// Scalar triple product `self · (b × c)`: the signed volume of the parallelepiped.
    #[inline]
    #[must_use]
    #[doc(alias = "triple")]
    pub fn scalar_triple(self, b: Self, c: Self) -> f32 {
        self.dot(b.cross(c))
    }

    /// Squared length.
    #[inline]
    #[must_use]
    pub fn length_squared(self) -> f32 {
        self.dot(self)
    }

    /// Length; accurate to rounding for lengths from 1e-18 to 1e18.
    #[inline]
    #[must_use]
    pub fn length(self) -> f32 {
        self.length_squared().sqrt()
    }

    /// Distance between two points.
    #[inline]
    #[must_use]
    pub fn distance(self, other: Self) -> f32 {
        (self - other).length()
    }

    /// Unit vector in this direction; `None` for zero, NaN or infinite vectors.
    #[inline]
    #[must_use]
    #[doc(alias = "normalised")]
    pub fn try_normalize(self) -> Option<Self> {
        // Scaled by the largest component first: squares of tiny or huge ones would leave the range
        // of f32.
        let largest = self.abs().max_element();
        if !(largest > 0.0 && largest < f32::INFINITY) {
            return None;
        }
        let scaled = self / largest;
        let length = scaled.length();
        // A NaN component that is not the largest is detected only here.
        (length < f32::INFINITY).then(|| scaled / length)
    }

    /// Component-wise absolute value.
    #[inline]
    #[must_use]
    pub fn abs(self) -> Self {
        Self::new(self.x.abs(), self.y.abs(), self.z.abs())
    }

    /// Largest component.
    #[inline]
    #[must_use]
    #[doc(alias = "largest")]
    pub fn max_element(self) -> f32 {
        scalar::max(scalar::max(self.x, self.y), self.z)
    }

    /// Component-wise minimum.
    #[inline]
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self::new(
            scalar::min(self.x, other.x),
            scalar::min(self.y, other.y),
            scalar::min(self.z, other.z),
        )
    }

    /// Component-wise maximum.
    #[inline]
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self::new(
            scalar::max(self.x, other.x),
            scalar::max(self.y, other.y),
            scalar::max(self.z, other.z),
        )
    }

    /// Component-wise product.
    #[inline]
    #[must_use]
    #[doc(alias = "scaled_by")]
    pub fn mul_elements(self, other: Self) -> Self {
        Self::new(self.x * other.x, self.y * other.y, self.z * other.z)
    }

    /// Whether no component is infinite or NaN.
    #[inline]
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }

    /// A unit vector perpendicular to this one, which must have length 1.
    ///
    /// Cross product with the axis of the smallest component, so that the product is never short.
    #[inline]
    #[must_use]
    #[doc(alias = "any_perpendicular")]
    pub fn any_orthonormal_vector(self) -> Self {
        let magnitude = self.abs();
        let axis = if magnitude.x <= magnitude.y && magnitude.x <= magnitude.z {
            Self::X
        } else if magnitude.y <= magnitude.z {
            Self::Y
        } else {
            Self::Z
        };
        let perpendicular = self.cross(axis);
        perpendicular / perpendicular.length()
    }
}

impl From<[f32; 3]> for Vec3 {
    #[inline]
    fn from([x, y, z]: [f32; 3]) -> Self {
        Self { x, y, z }
    }
}

impl From<Vec3> for [f32; 3] {
    #[inline]
    fn from(vector: Vec3) -> Self {
        vector.to_array()
    }
}

impl From<(f32, f32, f32)> for Vec3 {
    #[inline]
    fn from((x, y, z): (f32, f32, f32)) -> Self {
        Self { x, y, z }
    }
}

impl From<Vec3> for (f32, f32, f32) {
    #[inline]
    fn from(vector: Vec3) -> Self {
        (vector.x, vector.y, vector.z)
    }
}

impl Add for Vec3 {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl AddAssign for Vec3 {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Vec3 {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl SubAssign for Vec3 {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Neg for Vec3 {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}

impl Mul<f32> for Vec3 {
    type Output = Self;

    #[inline]
    fn mul(self, factor: f32) -> Self {
        Self::new(self.x * factor, self.y * factor, self.z * factor)
    }
}

impl Mul<Vec3> for f32 {
    type Output = Vec3;

    #[inline]
    fn mul(self, vector: Vec3) -> Vec3 {
        vector * self
    }
}

impl MulAssign<f32> for Vec3 {
    #[inline]
    fn mul_assign(&mut self, factor: f32) {
        *self = *self * factor;
    }
}

impl Div<f32> for Vec3 {
    type Output = Self;

    #[inline]
    fn div(self, divisor: f32) -> Self {
        Self::new(self.x / divisor, self.y / divisor, self.z / divisor)
    }
}

impl DivAssign<f32> for Vec3 {
    #[inline]
    fn div_assign(&mut self, divisor: f32) {
        *self = *self / divisor;
    }
}

impl Index<usize> for Vec3 {
    type Output = f32;

    /// # Panics
    /// Beyond axis 2.
    #[inline]
    fn index(&self, axis: usize) -> &f32 {
        match axis {
            0 => &self.x,
            1 => &self.y,
            2 => &self.z,
            _ => panic!("axis {axis} of a Vec3"),
        }
    }
}

impl IndexMut<usize> for Vec3 {
    /// # Panics
    /// Beyond axis 2.
    #[inline]
    fn index_mut(&mut self, axis: usize) -> &mut f32 {
        match axis {
            0 => &mut self.x,
            1 => &mut self.y,
            2 => &mut self.z,
            _ => panic!("axis {axis} of a Vec3"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cross_product_is_right_handed() {
        assert_eq!(Vec3::X.cross(Vec3::Y), Vec3::Z);
        assert_eq!(Vec3::X.scalar_triple(Vec3::Y, Vec3::Z), 1.0);
    }

    #[test]
    fn tiny_and_huge_vectors_normalize_and_invalid_ones_do_not() {
        for length in [1e-40, 1e-25, 1.0, 1e25, 3e38] {
            let unit = Vec3::new(length, -length, 0.0).try_normalize().unwrap();
            assert!((unit.length() - 1.0).abs() < 1e-6, "{length}");
        }
        for none in [Vec3::ZERO, Vec3::X * f32::NAN, Vec3::Y * f32::INFINITY] {
            assert_eq!(none.try_normalize(), None);
        }
        for axis in 0..3 {
            let mut one_is_nan = [1.0, 2.0, -3.0];
            one_is_nan[axis] = f32::NAN;
            assert_eq!(Vec3::from(one_is_nan).try_normalize(), None, "{axis}");
        }
    }

    #[test]
    fn orthonormal_vector_is_perpendicular_and_of_length_1() {
        for vector in
            [Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(1.0, 1.0, 1.0), Vec3::new(1e-9, 1.0, 2.0)]
        {
            let unit = vector.try_normalize().unwrap();
            let other = unit.any_orthonormal_vector();
            assert!(unit.dot(other).abs() < 1e-6 && (other.length() - 1.0).abs() < 1e-6);
        }
    }
}
