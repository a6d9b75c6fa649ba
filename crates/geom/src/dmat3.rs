//! 3×3 matrix in f64, for intermediate results.
//!
//! The order of the operations is part of each function: callers rely on equal bits.

use core::ops::Mul;

use crate::{DVec3, Mat3, Rotation};

/// 3×3 matrix in f64, column-major.
#[doc(alias = "BasisF64")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DMat3 {
    /// Columns: the images of the axes.
    pub columns: [DVec3; 3],
}

impl DMat3 {
    /// Identity matrix.
    pub const IDENTITY: Self = Self {
        columns: [DVec3::new(1.0, 0.0, 0.0), DVec3::new(0.0, 1.0, 0.0), DVec3::new(0.0, 0.0, 1.0)],
    };

    /// Matrix of an f32 quaternion, normalized in f64.
    #[must_use]
    pub fn from_rotation(rotation: Rotation) -> Self {
        let [x, y, z, w] = rotation.to_array().map(f64::from);
        let twice = 2.0 / (x * x + y * y + z * z + w * w);
        let (xx, yy, zz) = (twice * x * x, twice * y * y, twice * z * z);
        let (xy, xz, yz) = (twice * x * y, twice * x * z, twice * y * z);
        let (wx, wy, wz) = (twice * w * x, twice * w * y, twice * w * z);
        Self {
            columns: [
                DVec3::new(1.0 - yy - zz, xy + wz, xz - wy),
                DVec3::new(xy - wz, 1.0 - xx - zz, yz + wx),
                DVec3::new(xz + wy, yz - wx, 1.0 - xx - yy),
            ],
        }
    }

    /// `self * vector`, summed from the first column on.
    #[inline]
    #[must_use]
    pub fn mul_vec3(&self, vector: DVec3) -> DVec3 {
        let [x, y, z] = self.columns;
        x * vector.x + y * vector.y + z * vector.z
    }

    /// `transpose() * vector`.
    #[inline]
    #[must_use]
    pub fn transpose_mul_vec3(&self, vector: DVec3) -> DVec3 {
        let [x, y, z] = self.columns;
        DVec3::new(x.dot(vector), y.dot(vector), z.dot(vector))
    }

    /// Transpose; for a rotation, the inverse.
    #[inline]
    #[must_use]
    pub fn transpose(&self) -> Self {
        let [a, b, c] = self.columns;
        Self {
            columns: [
                DVec3::new(a.x, b.x, c.x),
                DVec3::new(a.y, b.y, c.y),
                DVec3::new(a.z, b.z, c.z),
            ],
        }
    }

    /// Transpose of the inverse, by cross products; for a symmetric matrix, the inverse. Not finite
    /// if the matrix is singular.
    #[inline]
    #[must_use]
    pub fn inverse_transpose(&self) -> Self {
        let [a, b, c] = self.columns;
        let rows = [b.cross(c), c.cross(a), a.cross(b)];
        let determinant = a.dot(rows[0]);
        Self { columns: rows.map(|row| row / determinant) }
    }
}

impl From<Mat3> for DMat3 {
    #[inline]
    fn from(matrix: Mat3) -> Self {
        Self { columns: matrix.columns.map(DVec3::from) }
    }
}

impl Mul for DMat3 {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        Self { columns: other.columns.map(|column| self.mul_vec3(column)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vec3;

    #[test]
    fn inverse_times_matrix_is_the_identity() {
        let [x, y, z] = [[2.0, 0.5, 0.0], [0.0, 4.0, 1.0], [-1.0, 0.0, 8.0]].map(DVec3::from);
        let matrix = DMat3 { columns: [x, y, z] };
        let product = matrix.inverse_transpose().transpose() * matrix;
        for (column, identity) in product.columns.into_iter().zip(DMat3::IDENTITY.columns) {
            assert!((column - identity).length() < 1e-15, "{product:?}");
        }
    }

    #[test]
    fn rotation_matrix_rotates_and_its_transpose_rotates_back() {
        let rotation = Rotation::from_axis_angle(Vec3::Z, core::f32::consts::FRAC_PI_2).unwrap();
        let matrix = DMat3::from_rotation(rotation);
        let y = matrix.mul_vec3(DVec3::new(1.0, 0.0, 0.0));
        assert!((y - DVec3::new(0.0, 1.0, 0.0)).length() < 1e-7, "{y:?}");
        let x = matrix.transpose_mul_vec3(y);
        assert!((x - DVec3::new(1.0, 0.0, 0.0)).length() < 1e-15, "{x:?}");
    }
}
