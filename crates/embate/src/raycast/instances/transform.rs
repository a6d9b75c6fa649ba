//! Affine transform of an instance, and the transform of rays into its local frame.
//!
//! The definition that every result of instances rests on, to the bit: a point `p` of the mesh is
//! at `basis · p + translation` in the world. A ray is transformed by the inverse, computed once in
//! f64. Each coordinate of its origin and direction is computed in f64 by the operations below, in
//! their order, and rounded once to f32. Range and `t` are unchanged: `t` is in units of the length
//! of the world direction, whatever the scale of the transform.

use embate_geom::{DMat3, DVec3, Mat3, Pose, Ray, Vec3};
use thiserror::Error;

/// Largest deviation of `inverse · basis` from the identity. A larger one means that cancellation
/// has consumed all but f32 precision: the basis is nearly singular and its inverse is noise.
const MAX_INVERSE_RESIDUAL: f64 = 1e-9;

/// Affine transform of an instance: rotation, scale, reflection, shear and translation.
///
/// ```
/// use embate::{Pose, Vec3, raycast::Affine};
///
/// let scale = [[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]];
/// let transform = Affine::new(scale, [10.0, 0.0, 0.0])?;
/// assert_eq!(transform.transform_point([1.0, 2.0, 3.0]), Vec3::new(12.0, 4.0, 6.0));
/// let translation = Affine::from_pose(&Pose::from_translation(Vec3::X))?;
/// assert_eq!(translation.transform_point(Vec3::ZERO), Vec3::X);
/// assert!(Affine::new([[1.0, 0.0, 0.0]; 3], [0.0; 3]).is_err(), "the basis is singular");
/// # Ok::<(), embate::raycast::TransformError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Affine {
    basis: Mat3,
    translation: Vec3,
    inverse: DMat3,
}

/// Why a transform is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
#[doc(alias("InvalidAffine", "SingularTransform"))]
pub enum TransformError {
    /// A coordinate is NaN, infinite or beyond ±1e18.
    #[error(
        "{value} in the transform is out of range: coordinates must be finite and within ±1e18"
    )]
    OutOfRange {
        /// The coordinate.
        value: f32,
    },
    /// The basis vectors are linearly dependent, exactly or within rounding.
    #[error("the transform is singular: its basis vectors must be linearly independent")]
    Singular,
}

impl TransformError {
    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::OutOfRange { .. } => "transform.out-of-range",
            Self::Singular => "transform.singular",
        }
    }
}

impl Affine {
    /// Identity transform.
    pub const IDENTITY: Self =
        Self { basis: Mat3::IDENTITY, translation: Vec3::ZERO, inverse: DMat3::IDENTITY };

    /// The columns of `basis` are the images of the x, y and z axis of the mesh, `translation` that
    /// of its origin.
    ///
    /// # Errors
    /// [`TransformError`] if a coordinate is not finite or out of range, or the basis is
    /// singular.
    pub fn new(
        basis: impl Into<Mat3>,
        translation: impl Into<Vec3>,
    ) -> Result<Self, TransformError> {
        let (basis, translation) = (basis.into(), translation.into());
        let in_range = |value: f32| value.abs() <= embate_mesh::MAX_MAGNITUDE;
        let mut vectors = basis.columns.into_iter().chain([translation]);
        let out_of_range = vectors.find_map(|v| v.to_array().into_iter().find(|&c| !in_range(c)));
        if let Some(value) = out_of_range {
            return Err(TransformError::OutOfRange { value });
        }
        let inverse = inverse(&DMat3::from(basis)).ok_or(TransformError::Singular)?;
        Ok(Self { basis, translation, inverse })
    }

    /// Rotation and translation.
    ///
    /// # Errors
    /// [`TransformError::OutOfRange`] if a coordinate is not finite or out of range.
    #[doc(alias = "rigid")]
    pub fn from_pose(pose: &Pose) -> Result<Self, TransformError> {
        Self::new(pose.rotation.to_matrix(), pose.position)
    }

    /// Linear part: its columns are the images of the x, y and z axis of the mesh.
    #[must_use]
    #[doc(alias = "axes")]
    pub fn basis(&self) -> Mat3 {
        self.basis
    }

    /// Image of the origin of the mesh.
    #[must_use]
    #[doc(alias = "origin")]
    pub fn translation(&self) -> Vec3 {
        self.translation
    }

    /// Transforms a point of the mesh into the world.
    #[must_use]
    #[doc(alias = "point")]
    pub fn transform_point(&self, local: impl Into<Vec3>) -> Vec3 {
        let linear = self.basis_f64().mul_vec3(DVec3::from(local.into()));
        (linear + DVec3::from(self.translation)).as_vec3()
    }

    /// Transforms a ray of the world into the local frame of the mesh.
    #[must_use]
    #[doc(alias = "local_ray")]
    pub fn inverse_transform_ray(&self, ray: &Ray<3>) -> Ray<3> {
        let offset = DVec3::from(Vec3::from(ray.origin)) - DVec3::from(self.translation);
        let direction = DVec3::from(Vec3::from(ray.direction));
        Ray {
            origin: self.inverse.mul_vec3(offset).as_vec3().to_array(),
            direction: self.inverse.mul_vec3(direction).as_vec3().to_array(),
            ..*ray
        }
    }

    pub(super) fn basis_f64(&self) -> DMat3 {
        DMat3::from(self.basis)
    }

    /// Amplification of a relative error from the local frame to the world: the largest row sum of
    /// `|basis| · |inverse|`. 1 for scaling, up to 3 for a rotation, larger for shear.
    pub(super) fn error_amplification(&self) -> f64 {
        let (basis, inverse) = (self.basis_f64(), self.inverse);
        let row = |row: usize| -> f64 {
            (0..3)
                .map(|k| {
                    let inverse_row = inverse.columns.map(|column| column[k].abs());
                    basis.columns[k][row].abs() * inverse_row.iter().sum::<f64>()
                })
                .sum()
        };
        (0..3).map(row).fold(0.0, |largest, sum| if sum > largest { sum } else { largest })
    }
}

/// Inverse by cross products; `None` if the residual is too large.
fn inverse(matrix: &DMat3) -> Option<DMat3> {
    let inverse = matrix.inverse_transpose().transpose();
    let is_accurate = (0..3).all(|column| {
        let product = inverse.mul_vec3(matrix.columns[column]);
        (0..3).all(|row| {
            let identity = if row == column { 1.0 } else { 0.0 };
            (product[row] - identity).abs() <= MAX_INVERSE_RESIDUAL
        })
    });
    is_accurate.then_some(inverse)
}

#[cfg(test)]
mod tests {
    use embate_geom::Rotation;

    use super::*;

    #[test]
    fn point_on_a_ray_is_the_same_in_either_frame() {
        let rotation = Rotation::from_axis_angle(Vec3::new(1.0, -2.0, 0.5), 1.1).unwrap();
        let rigid = Affine::from_pose(&Pose { rotation, position: Vec3::new(5.0, 6.0, -7.0) });
        let sheared = Affine::new([[2.0, 0.0, 0.1], [1.5, 1.0, 0.0], [0.0, -3.0, 0.5]], [9.0; 3]);
        for transform in [Affine::IDENTITY, rigid.unwrap(), sheared.unwrap()] {
            let ray = Ray::new([1.0, 2.0, 3.0], [-0.3, 0.2, 4.0]);
            let local = transform.inverse_transform_ray(&ray);
            for t in [0.0, 1.0, 17.0] {
                let from_local = transform.transform_point(local.point_at(t));
                let world = ray.point_at(t);
                let is_close = |axis: usize| (from_local[axis] - world[axis]).abs() < 1e-4;
                assert!((0..3).all(is_close), "{transform:?}");
            }
        }
    }

    #[test]
    fn singular_and_out_of_range_transforms_are_rejected() {
        let flat = Affine::new([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]], [0.0; 3]);
        assert_eq!(flat, Err(TransformError::Singular));
        let is_out_of_range = |result: Result<Affine, TransformError>| match result {
            Err(TransformError::OutOfRange { value }) => value.is_nan() || value > 1e18,
            _ => false,
        };
        for bad in [f32::NAN, f32::INFINITY, 2e18] {
            assert!(is_out_of_range(Affine::new([[bad; 3]; 3], [0.0; 3])));
            assert!(is_out_of_range(Affine::new(Affine::IDENTITY.basis, [0.0, bad, 0.0])));
        }
        assert!(Affine::new([[0.0; 3]; 3], [0.0; 3]).is_err());
        // The smallest and largest useful scales.
        for scale in [1e-12, 1e12] {
            let basis = [[scale, 0.0, 0.0], [0.0, -scale, 0.0], [0.0, 0.0, scale]];
            assert!(Affine::new(basis, [0.0; 3]).is_ok());
        }
    }

    #[test]
    fn error_codes_are_unique() {
        let out_of_range = TransformError::OutOfRange { value: 0.0 };
        assert_ne!(out_of_range.code(), TransformError::Singular.code());
    }

    #[test]
    fn shear_amplifies_errors_and_the_identity_does_not() {
        assert_eq!(Affine::IDENTITY.error_amplification(), 1.0);
        let sheared = Affine::new([[1.0, 0.0, 0.0], [100.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [0.0; 3]);
        assert!(sheared.unwrap().error_amplification() > 100.0);
    }
}
