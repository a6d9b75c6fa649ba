//! Rotations as unit quaternions.

use core::ops::Mul;

use crate::{DVec3, Mat3, Vec3, scalar};

/// Rotation as a unit quaternion.
///
/// `q` and `−q` are the same rotation. Products drift from length 1 by rounding;
/// [`renormalize`](Self::renormalize) restores it.
#[doc(alias = "Quat")]
#[doc(alias = "quaternion")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Rotation {
    vector: Vec3,
    scalar: f32,
}

impl Rotation {
    /// No rotation.
    pub const IDENTITY: Self = Self { vector: Vec3::ZERO, scalar: 1.0 };

    /// From a quaternion `[x, y, z, w]` of any length, normalized; `None` if its length is 0 or not
    /// finite.
    #[must_use]
    pub fn from_quaternion([x, y, z, w]: [f32; 4]) -> Option<Self> {
        // A quaternion of length 1 is kept to the bit, so that serialization round-trips.
        let given = Self { vector: Vec3::new(x, y, z), scalar: w };
        if (given.length_squared() - 1.0).abs() <= 4.0 * f32::EPSILON {
            return Some(given);
        }
        let largest = scalar::max(Vec3::new(x, y, z).abs().max_element(), w.abs());
        if !(largest > 0.0 && largest < f32::INFINITY) {
            return None;
        }
        let scaled = Self { vector: Vec3::new(x, y, z) / largest, scalar: w / largest };
        scaled.length_squared().is_finite().then(|| scaled.renormalize())
    }

    /// From a quaternion `[x, y, z, w]` of length 1 up to rounding, bits unchanged; `None` if the
    /// length is off by more than 1e-3 or NaN.
    #[must_use]
    #[doc(alias("as_written", "from_xyzw"))]
    pub fn from_unit_quaternion([x, y, z, w]: [f32; 4]) -> Option<Self> {
        let given = Self { vector: Vec3::new(x, y, z), scalar: w };
        ((given.length_squared() - 1.0).abs() <= 2e-3).then_some(given)
    }

    /// Rotation by `angle` radians about `axis`, of any length; `None` if the axis has no direction
    /// or the angle is not finite.
    #[must_use]
    #[doc(alias = "about")]
    pub fn from_axis_angle(axis: impl Into<Vec3>, angle: f32) -> Option<Self> {
        let axis = axis.into();
        let (sin, cos) = scalar::sin_cos(angle / 2.0);
        let axis = axis.try_normalize()?;
        angle.is_finite().then(|| Self { vector: axis * sin, scalar: cos }.renormalize())
    }

    /// Shortest rotation that takes the direction `from` to the direction `to`, both of any length;
    /// `None` if either has no direction. For opposite directions the axis is any perpendicular
    /// one.
    ///
    /// ```
    /// use embate_geom::{Rotation, Vec3};
    ///
    /// let arc = Rotation::from_rotation_arc(Vec3::X * 3.0, Vec3::Y).unwrap();
    /// assert!((arc.rotate(Vec3::X) - Vec3::Y).length() < 1e-6);
    /// ```
    #[must_use]
    #[doc(alias = "rotation_between")]
    #[doc(alias = "rotation_arc")]
    pub fn from_rotation_arc(from: impl Into<Vec3>, to: impl Into<Vec3>) -> Option<Self> {
        let (from, to) = (from.into().try_normalize()?, to.into().try_normalize()?);
        // Half the rotation goes from `from` to the bisector; near 180° the bisector vanishes and a
        // half turn about a perpendicular axis brings it back into range first.
        if from.dot(to) < -0.99 {
            let half_turn = Self { vector: from.any_orthonormal_vector(), scalar: 0.0 };
            return Some(Self::from_rotation_arc(-from, to)? * half_turn);
        }
        let vector = from.cross(to);
        Some(Self { vector, scalar: 1.0 + from.dot(to) }.renormalize())
    }

    /// Rotation whose matrix is `axes`, which must be orthonormal and right-handed up to rounding.
    ///
    /// Divides by the largest of the four components (Shepperd 1978), the best-conditioned choice.
    #[must_use]
    #[doc(alias = "from_axes")]
    pub fn from_matrix(axes: &Mat3) -> Self {
        let [a, b, c] = axes.columns;
        let trace = a.x + b.y + c.z;
        let (vector, scalar) = if trace > a.x && trace > b.y && trace > c.z {
            (Vec3::new(b.z - c.y, c.x - a.z, a.y - b.x), 1.0 + trace)
        } else if a.x >= b.y && a.x >= c.z {
            (Vec3::new(1.0 + 2.0 * a.x - trace, a.y + b.x, c.x + a.z), b.z - c.y)
        } else if b.y >= c.z {
            (Vec3::new(a.y + b.x, 1.0 + 2.0 * b.y - trace, b.z + c.y), c.x - a.z)
        } else {
            (Vec3::new(c.x + a.z, b.z + c.y, 1.0 + 2.0 * c.z - trace), a.y - b.x)
        };
        Self { vector, scalar }.renormalize()
    }

    /// `[x, y, z, w]`.
    #[inline]
    #[must_use]
    pub const fn to_array(self) -> [f32; 4] {
        [self.vector.x, self.vector.y, self.vector.z, self.scalar]
    }

    /// Inverse rotation.
    #[doc(alias = "conjugate")]
    #[inline]
    #[must_use]
    pub fn inverse(self) -> Self {
        Self { vector: -self.vector, scalar: self.scalar }
    }

    fn length_squared(self) -> f32 {
        self.vector.length_squared() + self.scalar * self.scalar
    }

    /// The same rotation with length 1 up to rounding.
    #[inline]
    #[must_use]
    #[doc(alias = "renormalised")]
    pub fn renormalize(self) -> Self {
        let length = self.length_squared().sqrt();
        Self { vector: self.vector / length, scalar: self.scalar / length }
    }

    /// Rotates a vector.
    #[doc(alias = "turn")]
    #[inline]
    #[must_use]
    pub fn rotate(self, vector: impl Into<Vec3>) -> Vec3 {
        let vector = vector.into();
        let twice = 2.0 * self.vector.cross(vector);
        vector + self.scalar * twice + self.vector.cross(twice)
    }

    /// Rotates a vector by the inverse.
    #[inline]
    #[must_use]
    #[doc(alias = "turn_back")]
    pub fn inverse_rotate(self, vector: impl Into<Vec3>) -> Vec3 {
        let vector = vector.into();
        self.inverse().rotate(vector)
    }

    /// Rotation matrix. Its columns have length 1 even if the quaternion has drifted.
    #[inline]
    #[must_use]
    #[doc(alias = "matrix")]
    pub fn to_matrix(self) -> Mat3 {
        let [x, y, z, w] = self.to_array();
        let twice = 2.0 / self.length_squared();
        let (x2, y2, z2) = (x * twice, y * twice, z * twice);
        let (xx, yy, zz) = (x * x2, y * y2, z * z2);
        let (xy, xz, yz) = (x * y2, x * z2, y * z2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        Mat3 {
            columns: [
                Vec3::new(1.0 - (yy + zz), xy + wz, xz - wy),
                Vec3::new(xy - wz, 1.0 - (xx + zz), yz + wx),
                Vec3::new(xz + wy, yz - wx, 1.0 - (xx + yy)),
            ],
        }
    }

    /// Rotation vector: axis times angle in radians, of the shorter of the two rotations that the
    /// quaternion describes.
    ///
    /// ```
    /// use embate_geom::{Rotation, Vec3};
    ///
    /// let rotation = Rotation::from_axis_angle(Vec3::Z, 0.5).unwrap();
    /// assert!((rotation.to_scaled_axis().as_vec3() - Vec3::Z * 0.5).length() < 1e-6);
    /// ```
    #[must_use]
    #[doc(alias = "rotation_vector")]
    pub fn to_scaled_axis(self) -> DVec3 {
        let [x, y, z, w] = self.to_array().map(f64::from);
        let sign = if w < 0.0 { -1.0 } else { 1.0 };
        let axis = DVec3::new(x, y, z) * sign;
        let sine = axis.length();
        if sine == 0.0 {
            return DVec3::ZERO;
        }
        axis * (2.0 * scalar::atan2_f64(sine, w * sign) / sine)
    }

    /// First-order integration by a small rotation vector (angular velocity × time), renormalized.
    #[inline]
    #[must_use]
    #[doc(alias = "turned_by")]
    pub fn integrated(self, angle: Vec3) -> Self {
        let half = 0.5 * angle;
        Self {
            vector: self.vector + half * self.scalar + half.cross(self.vector),
            scalar: self.scalar - half.dot(self.vector),
        }
        .renormalize()
    }
}

/// A quaternion whose length is 0 or not finite is not a rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a rotation needs a quaternion [x, y, z, w] of nonzero finite length")]
#[doc(alias = "InvalidQuaternion")]
pub struct QuaternionError;

impl QuaternionError {
    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        "rotation.invalid-quaternion"
    }
}

impl TryFrom<[f32; 4]> for Rotation {
    type Error = QuaternionError;

    /// [`from_quaternion`](Self::from_quaternion).
    fn try_from(quaternion: [f32; 4]) -> Result<Self, QuaternionError> {
        Self::from_quaternion(quaternion).ok_or(QuaternionError)
    }
}

impl From<Rotation> for [f32; 4] {
    /// [`to_array`](Rotation::to_array): `[x, y, z, w]`.
    #[inline]
    fn from(rotation: Rotation) -> Self {
        rotation.to_array()
    }
}

impl Default for Rotation {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Mul for Rotation {
    type Output = Self;

    /// Composition: `other` first, then `self`.
    #[inline]
    fn mul(self, other: Self) -> Self {
        Self {
            vector: self.scalar * other.vector
                + other.scalar * self.vector
                + self.vector.cross(other.vector),
            scalar: self.scalar * other.scalar - self.vector.dot(other.vector),
        }
    }
}

impl Mul<Vec3> for Rotation {
    type Output = Vec3;

    /// [`rotate`](Self::rotate).
    #[inline]
    fn mul(self, vector: Vec3) -> Vec3 {
        self.rotate(vector)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUARTER: f32 = core::f32::consts::FRAC_PI_2;

    #[test]
    fn arrays_and_tuples_are_accepted_and_convert_back() {
        let rotation = Rotation::from_axis_angle([0.0, 0.0, 2.0], QUARTER).unwrap();
        assert_eq!(rotation.rotate([1.0, 0.0, 0.0]), rotation.rotate(Vec3::X));
        assert_eq!(rotation.inverse_rotate((1.0, 0.0, 0.0)), rotation.inverse_rotate(Vec3::X));
        let quaternion: [f32; 4] = rotation.into();
        assert_eq!(Rotation::try_from(quaternion), Ok(rotation));
    }

    #[test]
    fn quarter_rotation_about_z_takes_x_to_y() {
        let rotation = Rotation::from_axis_angle(Vec3::Z * 7.0, QUARTER).unwrap();
        assert!((rotation.rotate(Vec3::X) - Vec3::Y).length() < 1e-6);
        assert!((rotation.inverse_rotate(Vec3::Y) - Vec3::X).length() < 1e-6);
        assert!((rotation.to_matrix() * Vec3::X - Vec3::Y).length() < 1e-6);
    }

    #[test]
    fn arc_takes_one_direction_to_the_other_even_if_opposite() {
        let directions = [
            Vec3::X,
            -Vec3::X,
            Vec3::Y,
            Vec3::new(1.0, 2.0, -3.0),
            Vec3::new(-1.0, -2.0, 3.0),
            Vec3::new(-1.0, 1e-4, 0.0),
            Vec3::new(1e-20, 0.0, 2e-20),
        ];
        for from in directions {
            for to in directions {
                let arc = Rotation::from_rotation_arc(from, to).unwrap();
                let error = arc.rotate(from.try_normalize().unwrap()) - to.try_normalize().unwrap();
                assert!(error.length() < 1e-6, "{from:?} to {to:?}: {error:?}");
            }
        }
        assert_eq!(Rotation::from_rotation_arc(Vec3::ZERO, Vec3::X), None);
        assert_eq!(Rotation::from_rotation_arc(Vec3::X, [f32::NAN, 0.0, 0.0]), None);
    }

    #[test]
    fn product_applies_the_right_factor_first() {
        let (z, x) = (
            Rotation::from_axis_angle(Vec3::Z, QUARTER),
            Rotation::from_axis_angle(Vec3::X, QUARTER),
        );
        let both = x.unwrap() * z.unwrap();
        assert!((both.rotate(Vec3::X) - Vec3::Z).length() < 1e-6);
    }

    #[test]
    fn invalid_quaternions_axes_and_angles_are_rejected() {
        assert_eq!(Rotation::from_quaternion([0.0; 4]), None);
        assert_eq!(Rotation::from_quaternion([f32::NAN, 0.0, 0.0, 1.0]), None);
        assert_eq!(Rotation::from_axis_angle(Vec3::ZERO, 1.0), None);
        assert_eq!(Rotation::from_axis_angle(Vec3::X, f32::INFINITY), None);
        let long = Rotation::from_quaternion([0.0, 0.0, 0.0, -1e30]).unwrap();
        assert_eq!(long.to_array(), [0.0, 0.0, 0.0, -1.0]);
    }

    #[test]
    fn matrix_round_trip_preserves_the_rotation() {
        for angle in [0.0, 0.3, 1.7, 3.0, 2.0 * QUARTER, 4.0, 6.0] {
            for axis in [Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(1.0, -2.0, 0.5)] {
                let rotation = Rotation::from_axis_angle(axis, angle).unwrap();
                let back = Rotation::from_matrix(&rotation.to_matrix());
                for vector in Vec3::AXES {
                    let error = rotation.rotate(vector) - back.rotate(vector);
                    assert!(error.length() < 2e-6, "{angle} about {axis:?}");
                }
            }
        }
    }

    #[test]
    fn integrated_small_rotations_add_up() {
        let mut rotation = Rotation::IDENTITY;
        for _ in 0..1000 {
            rotation = rotation.integrated(Vec3::Z * (QUARTER / 1000.0));
        }
        assert!((rotation.rotate(Vec3::X) - Vec3::Y).length() < 1e-4);
    }
}
