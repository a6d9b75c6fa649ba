//! 3×3 matrix in f32: rotations and inertia tensors.

use core::ops::{Add, Mul};

use crate::Vec3;

/// 3×3 matrix, column-major.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Mat3 {
    /// Columns: the images of the axes.
    pub columns: [Vec3; 3],
}

impl Mat3 {
    /// Identity matrix.
    pub const IDENTITY: Self = Self { columns: Vec3::AXES };
    /// Zero matrix.
    pub const ZERO: Self = Self { columns: [Vec3::ZERO; 3] };

    /// Diagonal matrix.
    #[must_use]
    #[doc(alias = "diagonal")]
    pub const fn from_diagonal(scale: Vec3) -> Self {
        Self {
            columns: [
                Vec3::new(scale.x, 0.0, 0.0),
                Vec3::new(0.0, scale.y, 0.0),
                Vec3::new(0.0, 0.0, scale.z),
            ],
        }
    }

    /// Transpose; for a rotation, the inverse.
    #[inline]
    #[must_use]
    #[doc(alias = "transposed")]
    pub fn transpose(&self) -> Self {
        let [a, b, c] = self.columns;
        Self {
            columns: [Vec3::new(a.x, b.x, c.x), Vec3::new(a.y, b.y, c.y), Vec3::new(a.z, b.z, c.z)],
        }
    }

    /// `transpose() * vector`.
    #[inline]
    #[must_use]
    #[doc(alias = "transposed_times")]
    pub fn transpose_mul_vec3(&self, vector: Vec3) -> Vec3 {
        let [a, b, c] = self.columns;
        Vec3::new(a.dot(vector), b.dot(vector), c.dot(vector))
    }

    /// Determinant; negative if the matrix mirrors.
    #[must_use]
    pub fn determinant(&self) -> f32 {
        let [a, b, c] = self.columns;
        a.scalar_triple(b, c)
    }

    /// Inverse; `None` if the determinant is 0 or not finite.
    #[must_use]
    pub fn inverse(&self) -> Option<Self> {
        let [a, b, c] = self.columns;
        let determinant = self.determinant();
        if determinant == 0.0 || !determinant.is_finite() {
            return None;
        }
        let rows = [b.cross(c) / determinant, c.cross(a) / determinant, a.cross(b) / determinant];
        Some(Self { columns: rows }.transpose())
    }
}

impl From<[[f32; 3]; 3]> for Mat3 {
    /// The arrays are the columns.
    #[inline]
    fn from(columns: [[f32; 3]; 3]) -> Self {
        Self { columns: columns.map(Vec3::from) }
    }
}

impl From<Mat3> for [[f32; 3]; 3] {
    /// The arrays are the columns.
    #[inline]
    fn from(matrix: Mat3) -> Self {
        matrix.columns.map(Vec3::to_array)
    }
}

impl Mul<Vec3> for Mat3 {
    type Output = Vec3;

    #[inline]
    fn mul(self, vector: Vec3) -> Vec3 {
        let [a, b, c] = self.columns;
        a * vector.x + b * vector.y + c * vector.z
    }
}

impl Mul for Mat3 {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        let [a, b, c] = other.columns;
        Self { columns: [self * a, self * b, self * c] }
    }
}

impl Mul<f32> for Mat3 {
    type Output = Self;

    #[inline]
    fn mul(self, factor: f32) -> Self {
        let [a, b, c] = self.columns;
        Self { columns: [a * factor, b * factor, c * factor] }
    }
}

impl Add for Mat3 {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        let ([a, b, c], [d, e, f]) = (self.columns, other.columns);
        Self { columns: [a + d, b + e, c + f] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_undoes_the_matrix_and_a_singular_one_has_none() {
        let matrix = Mat3 {
            columns: [Vec3::new(2.0, 1.0, 0.0), Vec3::new(0.0, 3.0, 1.0), Vec3::new(1.0, 0.0, 1.0)],
        };
        let vector = Vec3::new(1.0, -2.0, 0.5);
        let back = matrix.inverse().unwrap() * (matrix * vector);
        assert!((back - vector).length() < 1e-6);
        assert_eq!(Mat3::from_diagonal(Vec3::new(1.0, 0.0, 1.0)).inverse(), None);
        assert_eq!(matrix.transpose() * vector, matrix.transpose_mul_vec3(vector));
    }
}
