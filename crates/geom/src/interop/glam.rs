//! `glam`: vectors, quaternions and matrices.

use crate::{DVec3, Mat3, QuaternionError, Rotation, Vec3};

impl From<glam::Vec3> for Vec3 {
    fn from(vector: glam::Vec3) -> Self {
        vector.to_array().into()
    }
}

impl From<Vec3> for glam::Vec3 {
    fn from(vector: Vec3) -> Self {
        vector.to_array().into()
    }
}

impl From<glam::Vec3A> for Vec3 {
    fn from(vector: glam::Vec3A) -> Self {
        vector.to_array().into()
    }
}

impl From<Vec3> for glam::Vec3A {
    fn from(vector: Vec3) -> Self {
        vector.to_array().into()
    }
}

impl From<glam::DVec3> for DVec3 {
    fn from(vector: glam::DVec3) -> Self {
        Self::new(vector.x, vector.y, vector.z)
    }
}

impl From<DVec3> for glam::DVec3 {
    fn from(vector: DVec3) -> Self {
        Self::new(vector.x, vector.y, vector.z)
    }
}

impl TryFrom<glam::Quat> for Rotation {
    type Error = QuaternionError;

    fn try_from(quaternion: glam::Quat) -> Result<Self, QuaternionError> {
        Self::from_quaternion(quaternion.to_array()).ok_or(QuaternionError)
    }
}

impl From<Rotation> for glam::Quat {
    fn from(rotation: Rotation) -> Self {
        Self::from_array(rotation.to_array())
    }
}

impl From<glam::Mat3> for Mat3 {
    fn from(matrix: glam::Mat3) -> Self {
        Self { columns: [matrix.x_axis.into(), matrix.y_axis.into(), matrix.z_axis.into()] }
    }
}

impl From<Mat3> for glam::Mat3 {
    fn from(matrix: Mat3) -> Self {
        let [x, y, z] = matrix.columns;
        Self::from_cols(x.into(), y.into(), z.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_round_trip() {
        let vector = Vec3::new(1.0, -2.0, 3.5);
        assert_eq!(Vec3::from(glam::Vec3::from(vector)), vector);
        assert_eq!(Vec3::from(glam::Vec3A::from(vector)), vector);
        assert_eq!(DVec3::from(glam::DVec3::from(DVec3::from(vector))), DVec3::from(vector));
        let rotation = Rotation::from_axis_angle(vector, 0.7).unwrap();
        assert_eq!(Rotation::try_from(glam::Quat::from(rotation)), Ok(rotation));
        let zero = glam::Quat::from_array([0.0; 4]);
        assert_eq!(Rotation::try_from(zero), Err(QuaternionError));
        let matrix = rotation.to_matrix();
        assert_eq!(Mat3::from(glam::Mat3::from(matrix)), matrix);
    }
}
