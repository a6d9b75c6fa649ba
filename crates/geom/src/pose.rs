//! Rigid transforms: position and orientation of a body.

use core::ops::Mul;

use crate::{Mat3, Rotation, Vec3};

/// Rigid transform from a body's local frame to the world: rotation, then translation.
///
/// ```
/// use embate_geom::{Pose, Rotation, Vec3};
///
/// let quarter = Rotation::from_axis_angle(Vec3::Z, std::f32::consts::FRAC_PI_2).unwrap();
/// let pose = Pose::new([1.0, 0.0, 0.0], quarter);
/// let point = pose.transform_point(Vec3::X);
/// assert!((point - Vec3::new(1.0, 1.0, 0.0)).length() < 1e-6);
/// assert!(((pose.inverse() * pose).transform_point(Vec3::X) - Vec3::X).length() < 1e-6);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[doc(alias = "Isometry")]
#[doc(alias = "Transform")]
pub struct Pose {
    /// Orientation.
    pub rotation: Rotation,
    /// World position of the local origin.
    pub position: Vec3,
}

impl Pose {
    /// At the origin, without rotation.
    pub const IDENTITY: Self = Self { rotation: Rotation::IDENTITY, position: Vec3::ZERO };

    /// Pose at `position` with orientation `rotation`.
    #[must_use]
    pub fn new(position: impl Into<Vec3>, rotation: Rotation) -> Self {
        Self { rotation, position: position.into() }
    }

    /// Translation without rotation.
    #[must_use]
    #[doc(alias = "at")]
    pub fn from_translation(position: impl Into<Vec3>) -> Self {
        Self { rotation: Rotation::IDENTITY, position: position.into() }
    }

    /// Rotation about the origin, without translation.
    #[must_use]
    pub const fn from_rotation(rotation: Rotation) -> Self {
        Self { rotation, position: Vec3::ZERO }
    }

    /// Inverse transform: world to local.
    #[inline]
    #[must_use]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.inverse();
        Self { rotation, position: rotation.rotate(-self.position) }
    }

    /// Whether all components are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.position.is_finite() && self.rotation.to_array().iter().all(|c| c.is_finite())
    }

    /// World position of a local point.
    #[inline]
    #[must_use]
    #[doc(alias = "point")]
    pub fn transform_point(&self, local: impl Into<Vec3>) -> Vec3 {
        self.rotation.rotate(local) + self.position
    }

    /// World direction of a local vector: rotation only.
    #[inline]
    #[must_use]
    pub fn transform_vector(&self, local: impl Into<Vec3>) -> Vec3 {
        self.rotation.rotate(local)
    }

    /// Local vector of a world direction: inverse rotation only.
    #[inline]
    #[must_use]
    pub fn inverse_transform_vector(&self, world: impl Into<Vec3>) -> Vec3 {
        self.rotation.inverse_rotate(world)
    }

    /// Local position of a world point.
    #[inline]
    #[must_use]
    #[doc(alias = "local_point")]
    pub fn inverse_transform_point(&self, world: impl Into<Vec3>) -> Vec3 {
        self.rotation.inverse_rotate(world.into() - self.position)
    }

    /// Matrix form, faster for many points.
    #[inline]
    #[must_use]
    #[doc(alias = "frame")]
    pub fn to_rigid_transform(&self) -> RigidTransform {
        RigidTransform { basis: self.rotation.to_matrix(), translation: self.position }
    }

    /// [`RigidTransform`] from the frame of `other` to that of `self`: `self⁻¹ · other`, in matrix
    /// form.
    ///
    /// Positions are subtracted before any rotation: two bodies far from the origin and close to
    /// each other keep the precision of their distance.
    #[inline]
    #[must_use]
    #[doc(alias = "relative_to")]
    #[doc(alias = "seen")]
    pub fn inv_mul(&self, other: &Self) -> RigidTransform {
        let to_local = self.rotation.to_matrix().transpose();
        RigidTransform {
            basis: to_local * other.rotation.to_matrix(),
            translation: to_local * (other.position - self.position),
        }
    }
}

impl Mul for Pose {
    type Output = Self;

    /// Composition: `other` first, then `self`.
    #[inline]
    fn mul(self, other: Self) -> Self {
        Self {
            rotation: self.rotation * other.rotation,
            position: self.transform_point(other.position),
        }
    }
}

impl Mul<Vec3> for Pose {
    type Output = Vec3;

    /// [`transform_point`](Self::transform_point).
    #[inline]
    fn mul(self, point: Vec3) -> Vec3 {
        self.transform_point(point)
    }
}

/// Rigid transform in matrix form, for many points: the columns of `basis` are the axes of the
/// frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "Frame")]
pub struct RigidTransform {
    /// Rotation matrix.
    #[doc(alias = "axes")]
    pub basis: Mat3,
    /// Translation, applied after the rotation.
    #[doc(alias = "origin")]
    pub translation: Vec3,
}

impl RigidTransform {
    /// Outer position of a point of this frame.
    #[inline]
    #[must_use]
    pub fn transform_point(&self, local: impl Into<Vec3>) -> Vec3 {
        self.basis * local.into() + self.translation
    }

    /// Position in this frame of an outer point.
    #[inline]
    #[must_use]
    pub fn inverse_transform_point(&self, outer: impl Into<Vec3>) -> Vec3 {
        self.basis.transpose_mul_vec3(outer.into() - self.translation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_accepted_as_points_and_vectors() {
        let rotation = Rotation::from_axis_angle([1.0, 2.0, 3.0], 0.7).unwrap();
        let pose = Pose { rotation, ..Pose::from_translation([5.0, -2.0, 1.0]) };
        let (array, vector) = ([0.3, -0.4, 2.0], Vec3::new(0.3, -0.4, 2.0));
        assert_eq!(pose.transform_point(array), pose.transform_point(vector));
        assert_eq!(pose.transform_vector(array), pose.transform_vector(vector));
        assert_eq!(pose.inverse_transform_point(array), pose.inverse_transform_point(vector));
        assert_eq!(pose.inverse_transform_vector(array), pose.inverse_transform_vector(vector));
        let frame = pose.to_rigid_transform();
        assert_eq!(frame.transform_point(array), frame.transform_point(vector));
        assert_eq!(frame.inverse_transform_point(array), frame.inverse_transform_point(vector));
    }

    #[test]
    fn inverse_transform_undoes_transform() {
        let rotation = Rotation::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), 0.7).unwrap();
        let pose = Pose { rotation, position: Vec3::new(5.0, -2.0, 1.0) };
        let point = Vec3::new(0.3, -0.4, 2.0);
        assert!(
            (pose.inverse_transform_point(pose.transform_point(point)) - point).length() < 1e-6
        );
        let frame = pose.to_rigid_transform();
        assert!((frame.transform_point(point) - pose.transform_point(point)).length() < 1e-6);
        assert!(
            (frame.inverse_transform_point(frame.transform_point(point)) - point).length() < 1e-6
        );
    }

    #[test]
    fn product_applies_the_right_factor_first_and_inverse_undoes_it() {
        let a = Pose::new([1.0, 2.0, 3.0], Rotation::from_axis_angle(Vec3::Z, 0.5).unwrap());
        let b = Pose::new([-4.0, 0.5, 1.0], Rotation::from_axis_angle(Vec3::Y, -1.2).unwrap());
        let point = Vec3::new(0.3, -0.4, 2.0);
        let both = (a * b).transform_point(point);
        assert!((both - a.transform_point(b.transform_point(point))).length() < 1e-5);
        assert!(((a * b).inverse().transform_point(both) - point).length() < 1e-5);
        let relative = a.inverse() * b;
        let frame = a.inv_mul(&b);
        let difference = relative.transform_point(point) - frame.transform_point(point);
        assert!(difference.length() < 1e-5);
        assert_eq!(Pose::default(), Pose::IDENTITY);
    }

    #[test]
    fn relative_pose_far_from_the_origin_is_precise() {
        let rotation = Rotation::from_axis_angle(Vec3::Z, 0.5).unwrap();
        let a = Pose { rotation, position: Vec3::new(10_000.0, 0.0, 0.0) };
        let b = Pose { rotation, position: Vec3::new(10_000.0, 0.125, 0.0) };
        let relative = a.inv_mul(&b);
        assert!((relative.translation.length() - 0.125).abs() < 1e-7);
        assert!((relative.basis * Vec3::X - Vec3::X).length() < 1e-6);
    }
}
