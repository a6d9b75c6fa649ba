//! Sweep: motion of a body by a translation and a rotation, as a function of a fraction from 0 to
//! 1.

use embate_geom::{DMat3, DVec3, Mat3, Pose, Rotation, Vec3, scalar};

/// Uniform rigid motion: a point of the body translates along a line, and the body rotates about
/// that point at a constant rate.
///
/// All quantities are totals over the whole sweep, not velocities. To sweep a body over a time
/// step, multiply its velocities by the step.
///
/// ```
/// use embate::{Pose, Vec3, narrow_phase::Sweep};
///
/// let sweep = Sweep::new(Pose::IDENTITY, Vec3::new(3.0, 0.0, 0.0), Vec3::Z);
/// assert_eq!(sweep.pose_at(0.5).position, Vec3::new(1.5, 0.0, 0.0));
/// assert_eq!(Sweep::stationary(Pose::IDENTITY).pose_at(1.0), Pose::IDENTITY);
/// ```
#[doc(alias("Motion", "NonlinearRigidMotion", "b2Sweep"))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweep {
    /// Pose at fraction 0.
    pub start: Pose,
    /// Displacement of the point [`local_center`](Self::local_center) at fraction 1, in the world.
    #[doc(alias("velocity", "displacement"))]
    pub translation: Vec3,
    /// Rotation axis, in the world, times the angle in radians at fraction 1.
    #[doc(alias("spin", "angle"))]
    pub rotation_vector: Vec3,
    /// Center of rotation in the frame of the body: its center of mass, if it moves freely.
    #[doc(alias = "centre")]
    pub local_center: Vec3,
}

impl Sweep {
    /// Translation, and rotation about the origin of the body.
    #[must_use]
    pub fn new(
        start: Pose,
        translation: impl Into<Vec3>,
        rotation_vector: impl Into<Vec3>,
    ) -> Self {
        let (translation, rotation_vector) = (translation.into(), rotation_vector.into());
        Self { start, translation, rotation_vector, local_center: Vec3::ZERO }
    }

    /// No motion.
    #[doc(alias = "resting")]
    #[must_use]
    pub const fn stationary(start: Pose) -> Self {
        let zero = Vec3::ZERO;
        Self { start, translation: zero, rotation_vector: zero, local_center: zero }
    }

    /// Translation without rotation.
    #[doc(alias = "sliding")]
    #[must_use]
    pub fn linear(start: Pose, translation: impl Into<Vec3>) -> Self {
        Self::new(start, translation, Vec3::ZERO)
    }

    /// From one pose to another, by the shorter rotation about the origin of the body.
    ///
    /// ```
    /// use embate::{Pose, Rotation, Vec3, narrow_phase::Sweep};
    ///
    /// let rotation = Rotation::from_axis_angle(Vec3::Y, 1.0).unwrap();
    /// let end = Pose { rotation, position: Vec3::X };
    /// let sweep = Sweep::from_poses(Pose::IDENTITY, &end);
    /// assert!((sweep.rotation_vector - Vec3::Y).length() < 1e-6);
    /// assert_eq!(sweep.translation, Vec3::X);
    /// ```
    #[doc(alias = "between")]
    #[must_use]
    pub fn from_poses(start: Pose, end: &Pose) -> Self {
        let rotation_vector = (end.rotation * start.rotation.inverse()).to_scaled_axis();
        Self::new(start, end.position - start.position, rotation_vector.as_vec3())
    }

    /// Bit patterns of all fields but `start`, to order two sweeps.
    pub(crate) fn motion_bits(&self) -> [[u32; 3]; 3] {
        [self.translation, self.rotation_vector, self.local_center]
            .map(|vector| vector.to_array().map(f32::to_bits))
    }

    /// Pose at a fraction of the sweep.
    #[doc(alias("at", "position_at_time", "b2GetSweepTransform"))]
    #[must_use]
    pub fn pose_at(&self, fraction: f32) -> Pose {
        if self.rotation_vector == Vec3::ZERO {
            return Pose {
                position: self.start.position + self.translation * fraction,
                ..self.start
            };
        }
        let sweep = SweepF64::new(self);
        let basis = sweep.basis_at(f64::from(fraction));
        let center = sweep.center + sweep.translation * f64::from(fraction);
        let position = center - basis.mul_vec3(DVec3::from(self.local_center));
        let columns = basis.columns.map(DVec3::as_vec3);
        Pose { rotation: Rotation::from_matrix(&Mat3 { columns }), position: position.as_vec3() }
    }

    /// Whether all fields are finite and at most 1e18, so that their squares stay within f32.
    pub(crate) fn in_range(&self) -> bool {
        let is_small = |vector: Vec3| vector.abs().max_element() <= 1e18 && vector.is_finite();
        crate::narrow_phase::is_pose_in_range(&self.start)
            && is_small(self.translation)
            && is_small(self.rotation_vector)
            && is_small(self.local_center)
    }
}

/// A [`Sweep`] in f64.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SweepF64 {
    /// Position of the center of rotation at fraction 0.
    pub(crate) center: DVec3,
    pub(crate) translation: DVec3,
    pub(crate) rotation: RotationRate,
    start_basis: DMat3,
}

impl SweepF64 {
    pub(crate) fn new(sweep: &Sweep) -> Self {
        let start_basis = DMat3::from_rotation(sweep.start.rotation);
        Self {
            center: DVec3::from(sweep.start.position)
                + start_basis.mul_vec3(DVec3::from(sweep.local_center)),
            translation: DVec3::from(sweep.translation),
            rotation: RotationRate::new(DVec3::from(sweep.rotation_vector)),
            start_basis,
        }
    }

    /// Body to world at a fraction of the sweep.
    pub(crate) fn basis_at(&self, fraction: f64) -> DMat3 {
        if self.rotation.rate == 0.0 {
            return self.start_basis;
        }
        let rotation = self.rotation.over(fraction);
        DMat3 { columns: self.start_basis.columns.map(|column| rotation.rotate(column)) }
    }

    /// Rotates a direction from the world to the frame of the body at a fraction of the sweep.
    #[inline]
    pub(crate) fn inverse_rotate_at(&self, fraction: f64, direction: DVec3) -> DVec3 {
        let direction = if self.rotation.rate == 0.0 {
            direction
        } else {
            self.rotation.over(-fraction).rotate(direction)
        };
        self.start_basis.transpose_mul_vec3(direction)
    }
}

/// Rotation at a constant rate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RotationRate {
    /// Axis times rate.
    pub(crate) vector: DVec3,
    /// Of length 1, or zero.
    axis: DVec3,
    /// Radians per unit of sweep fraction: for a body, its rotation angle over the whole sweep.
    pub(crate) rate: f64,
}

impl RotationRate {
    pub(crate) const NONE: Self = Self { vector: DVec3::ZERO, axis: DVec3::ZERO, rate: 0.0 };

    pub(crate) fn new(vector: DVec3) -> Self {
        let rate = vector.length();
        if rate > 0.0 { Self { vector, axis: vector * (1.0 / rate), rate } } else { Self::NONE }
    }

    /// Rotation over a span of the sweep.
    #[inline]
    pub(crate) fn over(&self, span: f64) -> AxisAngle {
        let (sine, cosine) = scalar::sin_cos_f64(self.rate * span);
        AxisAngle { axis: self.axis, sine, cosine }
    }
}

/// Rotation about a unit axis, with precomputed sine and cosine (Rodrigues' formula).
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxisAngle {
    axis: DVec3,
    sine: f64,
    cosine: f64,
}

impl AxisAngle {
    #[inline]
    pub(crate) fn rotate(&self, vector: DVec3) -> DVec3 {
        let along = self.axis * (self.axis.dot(vector) * (1.0 - self.cosine));
        vector * self.cosine + self.axis.cross(vector) * self.sine + along
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sweep_rotates_about_its_local_center() {
        let quarter_turn = core::f32::consts::FRAC_PI_2;
        let sweep = Sweep {
            local_center: Vec3::X,
            ..Sweep::new(Pose::IDENTITY, Vec3::new(0.0, 0.0, 2.0), Vec3::Z * quarter_turn)
        };
        let end = sweep.pose_at(1.0);
        assert!((end.transform_point(Vec3::X) - Vec3::new(1.0, 0.0, 2.0)).length() < 1e-6);
        assert!((end.transform_point(Vec3::ZERO) - Vec3::new(1.0, -1.0, 2.0)).length() < 1e-6);
    }

    #[test]
    fn sweep_from_poses_ends_at_the_second_pose() {
        let pose = |angle: f32, x: f32| Pose {
            rotation: Rotation::from_axis_angle(Vec3::new(1.0, -2.0, 0.5), angle).unwrap(),
            position: Vec3::new(x, 1.0, -x),
        };
        for (from, to) in [(0.0, 3.0), (0.3, 0.3), (-1.0, 2.0), (3.0, -3.0), (6.0, 0.1)] {
            let (start, end) = (pose(from, 1.0), pose(to, 4.0));
            let reached = Sweep::from_poses(start, &end).pose_at(1.0);
            for point in Vec3::AXES {
                assert!(
                    (reached.transform_point(point) - end.transform_point(point)).length() < 3e-6,
                    "{from} {to}"
                );
            }
        }
    }
}
