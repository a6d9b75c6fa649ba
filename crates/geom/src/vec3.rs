//! What is a point or a direction in space?

use core::ops::{Add, AddAssign, Div, Index, IndexMut, Mul, Neg, Sub, SubAssign};

use crate::scalar;

/// A point or a direction in space. Its operations are those of the components, in the order x, y, z, so
/// that lanes of them round alike.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Vec3 {
    /// Along the first axis.
    pub x: f32,
    /// Along the second axis.
    pub y: f32,
    /// Along the third axis.
    pub z: f32,
}

impl Vec3 {
    /// The origin.
    pub const ZERO: Self = Self::new(0.0, 0.0, 0.0);
    /// The first axis.
    pub const X: Self = Self::new(1.0, 0.0, 0.0);
    /// The second axis.
    pub const Y: Self = Self::new(0.0, 1.0, 0.0);
    /// The third axis.
    pub const Z: Self = Self::new(0.0, 0.0, 1.0);
    /// The three axes.
    pub const AXES: [Self; 3] = [Self::X, Self::Y, Self::Z];

    /// By components.
    #[inline]
    #[must_use]
    pub const fn new(x: f32, y: f32, z: f32) -> Self {
        Self { x, y, z }
    }

    /// The same component thrice.
    #[inline]
    #[must_use]
    pub const fn splat(value: f32) -> Self {
        Self::new(value, value, value)
    }

    /// The components, x first.
    #[inline]
    #[must_use]
    pub const fn to_array(self) -> [f32; 3] {
        [self.x, self.y, self.z]
    }

    /// The scalar product.
    #[inline]
    #[must_use]
    pub fn dot(self, other: Self) -> f32 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// The vector product: turns right-handed from `self` to `other`.
    #[inline]
    #[must_use]
    pub fn cross(self, other: Self) -> Self {
        Self::new(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )
    }

    /// `self · (b × c)`: the volume of the parallelepiped of the three.
    #[inline]
    #[must_use]
    pub fn triple(self, b: Self, c: Self) -> f32 {
        self.dot(b.cross(c))
    }

    /// The square of the length.
    #[inline]
    #[must_use]
    pub fn length_squared(self) -> f32 {
        self.dot(self)
    }

    /// The length; exact to rounding for lengths from 1e-18 to 1e18.
    #[inline]
    #[must_use]
    pub fn length(self) -> f32 {
        self.length_squared().sqrt()
    }

    /// This direction with length 1; `None` for what has none: zero, NaN, or out of range.
    #[inline]
    #[must_use]
    pub fn normalised(self) -> Option<Self> {
        // By the largest component first: squares of tiny or huge ones would leave the range of f32.
        let largest = self.abs().largest();
        if !(largest > 0.0 && largest < f32::INFINITY) {
            return None;
        }
        let scaled = self / largest;
        let length = scaled.length();
        // A NaN beside larger numbers has not shown yet.
        (length < f32::INFINITY).then(|| scaled / length)
    }

    /// Each component without its sign.
    #[inline]
    #[must_use]
    pub fn abs(self) -> Self {
        Self::new(self.x.abs(), self.y.abs(), self.z.abs())
    }

    /// The largest component.
    #[inline]
    #[must_use]
    pub fn largest(self) -> f32 {
        scalar::max(scalar::max(self.x, self.y), self.z)
    }

    /// Component by component, the smaller.
    #[inline]
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self::new(
            scalar::min(self.x, other.x),
            scalar::min(self.y, other.y),
            scalar::min(self.z, other.z),
        )
    }

    /// Component by component, the larger.
    #[inline]
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self::new(
            scalar::max(self.x, other.x),
            scalar::max(self.y, other.y),
            scalar::max(self.z, other.z),
        )
    }

    /// Component by component, the product.
    #[inline]
    #[must_use]
    pub fn scaled_by(self, other: Self) -> Self {
        Self::new(self.x * other.x, self.y * other.y, self.z * other.z)
    }

    /// Whether no component is infinite or NaN.
    #[inline]
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }

    /// A unit vector square to this one, which must have length 1.
    ///
    /// Crossed with the axis it leans to least, so that the product is never short.
    #[inline]
    #[must_use]
    pub fn any_perpendicular(self) -> Self {
        let lean = self.abs();
        let axis = if lean.x <= lean.y && lean.x <= lean.z {
            Self::X
        } else if lean.y <= lean.z {
            Self::Y
        } else {
            Self::Z
        };
        let square = self.cross(axis);
        square / square.length()
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

impl Div<f32> for Vec3 {
    type Output = Self;

    #[inline]
    fn div(self, divisor: f32) -> Self {
        Self::new(self.x / divisor, self.y / divisor, self.z / divisor)
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
            _ => panic!("space has no axis {axis}"),
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
            _ => panic!("space has no axis {axis}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vector_product_turns_right_handed() {
        assert_eq!(Vec3::X.cross(Vec3::Y), Vec3::Z);
        assert_eq!(Vec3::X.triple(Vec3::Y, Vec3::Z), 1.0);
    }

    #[test]
    fn tiny_and_huge_vectors_have_a_direction_and_nothing_has_none() {
        for length in [1e-40, 1e-25, 1.0, 1e25, 3e38] {
            let unit = Vec3::new(length, -length, 0.0).normalised().unwrap();
            assert!((unit.length() - 1.0).abs() < 1e-6, "{length}");
        }
        for none in [Vec3::ZERO, Vec3::X * f32::NAN, Vec3::Y * f32::INFINITY] {
            assert_eq!(none.normalised(), None);
        }
        for axis in 0..3 {
            let mut one_is_nan = [1.0, 2.0, -3.0];
            one_is_nan[axis] = f32::NAN;
            assert_eq!(Vec3::from(one_is_nan).normalised(), None, "{axis}");
        }
    }

    #[test]
    fn a_perpendicular_is_square_and_of_length_1() {
        for vector in
            [Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(1.0, 1.0, 1.0), Vec3::new(1e-9, 1.0, 2.0)]
        {
            let unit = vector.normalised().unwrap();
            let square = unit.any_perpendicular();
            assert!(unit.dot(square).abs() < 1e-6 && (square.length() - 1.0).abs() < 1e-6);
        }
    }
}
