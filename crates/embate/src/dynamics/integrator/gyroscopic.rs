//! Gyroscopic torque: implicit midpoint integration of the free rotation of a body.
//!
//! In body axes the angular momentum L follows Euler's equation L' = L × ω with ω = I⁻¹·L. A step
//! of the implicit midpoint rule, `L₁ = L₀ + h·M × I⁻¹·M` with M = ½(L₀ + L₁), rotates L about
//! I⁻¹·M. Rotating the body by the inverse rotation conserves the angular momentum in world axes.
//! The rule conserves quadratic invariants, hence the energy as well: both to rounding, at any
//! speed. A body that spins about its intermediate axis flips over (Dzhanibekov effect).
//!
//! Computed in f64: the momentum is transformed by the rotation and back in every sub-step, and the
//! rounding errors of f32 accumulate to 1e-3 in 20 s.

use embate_geom::{DMat3, DVec3, Mat3, Rotation, Vec3};

/// Maximum number of fixed-point iterations for the midpoint; each adds about two digits, since a
/// subdivision is short.
const MAX_MIDPOINT_ITERATIONS: usize = 16;
/// Relative change of the midpoint at which the iteration stops: it accumulates to 1e-8 in an hour
/// of sub-steps.
const MIDPOINT_TOLERANCE: f64 = 1e-14;
/// Maximum rotation of a subdivision, in radians: the phase error of the nutation is below 1e-3 of
/// its period.
const MAX_ANGLE_PER_SUBDIVISION: f64 = 0.1;
/// Maximum number of subdivisions of a sub-step. The largest angular speed that can be passed in
/// needs 420 at 4 sub-steps of 1/60 s. Beyond, the rest of the rotation is dropped: the phase of
/// the nutation after 60 revolutions is arbitrary anyway, while longer subdivisions would not
/// conserve the energy.
const MAX_SUBDIVISIONS: f64 = 4096.0;

/// Unit quaternion in f64.
#[derive(Clone, Copy)]
struct DQuat {
    vector: DVec3,
    scalar: f64,
}

impl DQuat {
    fn from_rotation(rotation: Rotation) -> Self {
        let [x, y, z, w] = rotation.to_array().map(f64::from);
        Self { vector: DVec3::new(x, y, z), scalar: w }.normalize()
    }

    fn normalize(self) -> Self {
        let length = (self.vector.length_squared() + self.scalar * self.scalar).sqrt();
        Self { vector: self.vector / length, scalar: self.scalar / length }
    }

    fn rotate(self, v: DVec3) -> DVec3 {
        let doubled = self.vector.cross(v) * 2.0;
        v + doubled * self.scalar + self.vector.cross(doubled)
    }

    fn inverse_rotate(self, v: DVec3) -> DVec3 {
        Self { vector: -self.vector, scalar: self.scalar }.rotate(v)
    }

    /// Rotated further, in body axes, by 2·atan(|half|) about `half`.
    fn rotated_local(self, half: DVec3) -> Self {
        let Self { vector, scalar } = self;
        Self {
            vector: vector + half * scalar + vector.cross(half),
            scalar: scalar - half.dot(vector),
        }
        .normalize()
    }
}

/// One step of the implicit midpoint rule: rotation, and angular momentum in body axes, after `h`
/// seconds.
fn implicit_midpoint_step(
    rotation: DQuat,
    momentum: DVec3,
    inverse_inertia: &DMat3,
    h: f64,
) -> (DQuat, DVec3) {
    let mut end = momentum;
    let mut half = DVec3::ZERO;
    for _ in 0..MAX_MIDPOINT_ITERATIONS {
        let midpoint = (momentum + end) * 0.5;
        let angular_velocity = inverse_inertia.mul_vec3(midpoint);
        half = angular_velocity * (0.5 * h);
        // The rule rotates by 2·atan(|half|). Given the tangent of the half angle, it rotates by
        // the angle itself.
        let x = half.length_squared();
        let tangent_factor = 1.0 + x * (1.0 / 3.0 + x * (2.0 / 15.0 + x * (17.0 / 315.0)));
        half = half * tangent_factor;
        let before = end;
        end = momentum + midpoint.cross(half) * 2.0;
        let change = end - before;
        if change.length_squared() <= MIDPOINT_TOLERANCE * MIDPOINT_TOLERANCE * end.length_squared()
        {
            break;
        }
    }
    (rotation.rotated_local(half), end)
}

/// Integrates the free rotation of a body over `h` seconds. Returns the rotation, the angular
/// velocity, and the rotation vector of the sub-step.
pub(crate) fn integrate_gyroscopic(
    rotation: Rotation,
    angular_velocity: Vec3,
    inertia: &Mat3,
    h: f32,
) -> (Rotation, Vec3, Vec3) {
    let h = f64::from(h);
    let inertia = DMat3::from(*inertia);
    // The tensor is symmetric, and regular: that of a validated body.
    let inverse_inertia = inertia.inverse_transpose();
    let start = DQuat::from_rotation(rotation);
    let angular_velocity = DVec3::from(angular_velocity);
    let local_momentum = inertia.mul_vec3(start.inverse_rotate(angular_velocity));
    let world_momentum = start.rotate(local_momentum);
    let angular_speed = angular_velocity.length();
    let needed = (angular_speed * h / MAX_ANGLE_PER_SUBDIVISION).ceil();
    let (subdivisions, duration) = if needed <= 1.0 {
        (1.0, h)
    } else if needed <= MAX_SUBDIVISIONS {
        (needed, h / needed)
    } else {
        (MAX_SUBDIVISIONS, MAX_ANGLE_PER_SUBDIVISION / angular_speed)
    };
    let (mut orientation, mut momentum) = (start, local_momentum);
    let mut rotation_vector = DVec3::ZERO;
    for _ in 0..subdivisions as u32 {
        let (next, next_momentum) =
            implicit_midpoint_step(orientation, momentum, &inverse_inertia, duration);
        let mean_velocity = inverse_inertia.mul_vec3((momentum + next_momentum) * 0.5);
        rotation_vector = rotation_vector + orientation.rotate(mean_velocity) * duration;
        (orientation, momentum) = (next, next_momentum);
    }
    let [x, y, z] = [orientation.vector.x, orientation.vector.y, orientation.vector.z];
    let quaternion = [x, y, z, orientation.scalar].map(|value| value as f32);
    let rotation = Rotation::from_quaternion(quaternion).unwrap_or(rotation);
    // The angular velocity for the rotation as it is rounded to f32.
    let rounded = DQuat::from_rotation(rotation);
    let angular_velocity =
        rounded.rotate(inverse_inertia.mul_vec3(rounded.inverse_rotate(world_momentum)));
    (rotation, angular_velocity.as_vec3(), rotation_vector.as_vec3())
}
