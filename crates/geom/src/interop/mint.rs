//! `mint`: vectors, points, quaternions and matrices of the interoperability standard.

use crate::{DVec3, Mat3, QuaternionError, Rotation, Vec3};

impl From<mint::Vector3<f32>> for Vec3 {
    fn from(vector: mint::Vector3<f32>) -> Self {
        Self::new(vector.x, vector.y, vector.z)
    }
}

impl From<Vec3> for mint::Vector3<f32> {
    fn from(vector: Vec3) -> Self {
        vector.to_array().into()
    }
}

impl From<mint::Point3<f32>> for Vec3 {
    fn from(point: mint::Point3<f32>) -> Self {
        Self::new(point.x, point.y, point.z)
    }
}

impl From<Vec3> for mint::Point3<f32> {
    fn from(vector: Vec3) -> Self {
        vector.to_array().into()
    }
}

impl From<mint::Vector3<f64>> for DVec3 {
    fn from(vector: mint::Vector3<f64>) -> Self {
        Self::new(vector.x, vector.y, vector.z)
    }
}

impl From<DVec3> for mint::Vector3<f64> {
    fn from(vector: DVec3) -> Self {
        <[f64; 3]>::from(vector).into()
    }
}

impl From<Rotation> for mint::Quaternion<f32> {
    fn from(rotation: Rotation) -> Self {
        rotation.to_array().into()
    }
}

impl TryFrom<mint::Quaternion<f32>> for Rotation {
    type Error = QuaternionError;

    fn try_from(quaternion: mint::Quaternion<f32>) -> Result<Self, QuaternionError> {
        Self::from_quaternion(quaternion.into()).ok_or(QuaternionError)
    }
}

impl From<Mat3> for mint::ColumnMatrix3<f32> {
    fn from(matrix: Mat3) -> Self {
        let [x, y, z] = matrix.columns;
        Self { x: x.into(), y: y.into(), z: z.into() }
    }
}

impl From<mint::ColumnMatrix3<f32>> for Mat3 {
    fn from(matrix: mint::ColumnMatrix3<f32>) -> Self {
        Self { columns: [matrix.x.into(), matrix.y.into(), matrix.z.into()] }
    }
}

impl mint::IntoMint for Vec3 {
    type MintType = mint::Vector3<f32>;
}

impl mint::IntoMint for DVec3 {
    type MintType = mint::Vector3<f64>;
}

impl mint::IntoMint for Rotation {
    type MintType = mint::Quaternion<f32>;
}

impl mint::IntoMint for Mat3 {
    type MintType = mint::ColumnMatrix3<f32>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_round_trip() {
        let vector = Vec3::new(1.0, -2.0, 3.5);
        assert_eq!(Vec3::from(mint::Vector3::from(vector)), vector);
        assert_eq!(Vec3::from(mint::Point3::from(vector)), vector);
        let double = DVec3::new(1.0, -2.0, 1e300);
        assert_eq!(DVec3::from(mint::Vector3::from(double)), double);
        let rotation = Rotation::from_axis_angle(vector, 0.7).unwrap();
        assert_eq!(Rotation::try_from(mint::Quaternion::from(rotation)), Ok(rotation));
        let zero = mint::Quaternion::from([0.0; 4]);
        assert_eq!(Rotation::try_from(zero), Err(QuaternionError));
        let matrix = rotation.to_matrix();
        assert_eq!(Mat3::from(mint::ColumnMatrix3::from(matrix)), matrix);
    }
}
