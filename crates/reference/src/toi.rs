//! Time of impact of two moving reference shapes: 4,096 samples, then bisection of the last step.
//!
//! Conservative advancement skips samples: shapes separated by more than the largest displacement
//! of their points in some steps do not touch in these steps.

use super::math::{Point, Quaternion, Transform};
use super::separation::true_separation;
use super::solid::{ReferenceShape, Solid};

/// Number of steps over the whole duration.
pub const STEPS: u32 = 4096;

/// A shape of constant linear velocity that rotates about its origin at constant angular velocity.
#[derive(Clone, Debug)]
pub struct MovingShape {
    /// Shape in its local frame.
    pub shape: ReferenceShape,
    /// Rotation at time 0.
    pub rotation: Quaternion,
    /// Position of its origin at time 0.
    pub origin: Point,
    /// Linear velocity of its origin.
    pub velocity: Point,
    /// Angular velocity, rad per unit of time.
    pub angular_velocity: Point,
}

impl MovingShape {
    /// Posed shape at a time.
    #[must_use]
    pub fn at(&self, time: f64) -> Solid {
        let angle = self.angular_velocity.length() * time;
        let rotation = match self.angular_velocity.unit() {
            Some(axis) => self.rotation.then(Quaternion::about(axis, angle)),
            None => self.rotation,
        };
        self.shape.placed(&Transform::new(rotation.0, self.origin + self.velocity * time))
    }

    /// Upper bound of the speed of its points relative to its origin.
    fn max_rotation_speed(&self) -> f64 {
        self.angular_velocity.length() * self.shape.reach()
    }
}

/// Separation of two shapes at a time.
#[must_use]
pub fn separation_at(a: &MovingShape, b: &MovingShape, time: f64) -> f64 {
    true_separation(&a.at(time), &b.at(time)).separation
}

/// First time up to `duration` at which two shapes are within `distance`; `None` if at no sample.
///
/// A half-space must not rotate: the speed of its points would be unbounded.
#[must_use]
pub fn first_time_within(
    a: &MovingShape,
    b: &MovingShape,
    duration: f64,
    distance: f64,
) -> Option<f64> {
    let speed =
        (b.velocity - a.velocity).length() + a.max_rotation_speed() + b.max_rotation_speed();
    let step = duration / f64::from(STEPS);
    let mut number = 0;
    while number <= STEPS {
        let separation = separation_at(a, b, f64::from(number) * step) - distance;
        if separation <= 0.0 {
            if number == 0 {
                return Some(0.0);
            }
            return Some(bisect(a, b, distance, [number - 1, number].map(|n| f64::from(n) * step)));
        }
        // Saturates if the speed is 0.
        let safe = (separation / (speed * step)) as u32;
        number = number.saturating_add(safe.max(1));
    }
    None
}

/// Bisection between a time beyond `distance` and a time within it.
fn bisect(
    a: &MovingShape,
    b: &MovingShape,
    distance: f64,
    [mut apart, mut within]: [f64; 2],
) -> f64 {
    for _ in 0..40 {
        let middle = f64::midpoint(apart, within);
        if separation_at(a, b, middle) <= distance {
            within = middle;
        } else {
            apart = middle;
        }
    }
    within
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ball(x: f64, velocity: f64) -> MovingShape {
        MovingShape {
            shape: ReferenceShape::sphere(0.5),
            rotation: Quaternion::IDENTITY,
            origin: Point::new(x, 0.0, 0.0),
            velocity: Point::new(velocity, 0.0, 0.0),
            angular_velocity: Point::ZERO,
        }
    }

    #[test]
    fn spheres_touch_when_the_distance_of_their_centers_is_the_sum_of_radii() {
        let time = first_time_within(&ball(0.0, 2.0), &ball(4.0, -1.0), 2.0, 0.0).unwrap();
        assert!((time - 1.0).abs() < 1e-10, "{time}");
        assert_eq!(first_time_within(&ball(0.0, 1.0), &ball(4.0, 1.0), 2.0, 0.0), None);
        assert_eq!(first_time_within(&ball(0.0, 0.0), &ball(0.9, 0.0), 2.0, 0.0), Some(0.0));
        assert_eq!(first_time_within(&ball(0.0, 0.0), &ball(1.9, 0.0), 2.0, 0.0), None);
    }

    #[test]
    fn rotating_capsule_hits_a_sphere_at_the_analytic_angle() {
        let rod = MovingShape {
            shape: ReferenceShape::capsule(2.0, 0.1),
            rotation: Quaternion::IDENTITY,
            origin: Point::ZERO,
            velocity: Point::ZERO,
            angular_velocity: Point::new(0.0, 0.0, -1.0),
        };
        // The capsule rotates from +y towards the sphere on +x.
        let time = first_time_within(&rod, &ball(1.5, 0.0), 2.0, 0.0).unwrap();
        let angle = core::f64::consts::FRAC_PI_2 - libm::asin(0.6 / 1.5);
        assert!((time - angle).abs() < 1e-10, "{time} {angle}");
    }
}
