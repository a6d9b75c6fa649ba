//! Vectors, matrices, rotations and poses.
//!
//! All operations return the same bits on every platform; see [`scalar`].
//!
//! ```
//! use embate::math::{Pose, Rotation, Vec3};
//!
//! let rotation = Rotation::from_axis_angle(Vec3::Y, core::f32::consts::FRAC_PI_2).unwrap();
//! let pose = Pose { rotation, position: Vec3::new(0.0, 1.0, 0.0) };
//! let point = pose.transform_point(Vec3::X);
//! assert!((point - Vec3::new(0.0, 1.0, -1.0)).length() < 1e-6);
//! ```

#[doc(inline)]
pub use embate_geom::{DMat3, DVec3, Mat3, Pose, QuaternionError, RigidTransform, Rotation, Vec3};

/// Scalar functions that return the same bits on every platform.
pub mod scalar {
    #[doc(inline)]
    pub use embate_geom::scalar::{atan2_f64, max, min, sin_cos, sin_cos_f64};
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    #[test]
    fn feature_serde_reads_and_writes_a_pose_as_json() {
        let json = r#"{"position":[1.0,2.0,3.0],"rotation":[0.0,0.0,0.0,1.0]}"#;
        let pose: super::Pose = serde_json::from_str(json).unwrap();
        assert_eq!(pose.position, super::Vec3::new(1.0, 2.0, 3.0));
        assert_eq!(serde_json::to_string(&pose).unwrap(), json);
    }
}
