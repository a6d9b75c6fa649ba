//! When do two moving bodies first touch? Step by step, 4,096 of them, the last one halved until it is
//! known to f64.
//!
//! A step is only left out if nothing can have happened in it: bodies that are apart by more than any
//! point of either can move in so many steps do not touch in any of them.

use super::parting::parting;
use super::solid::{Form, Solid};
use super::space::{Place, Point, Turn};

/// Steps over the whole time.
pub const STEPS: u32 = 4096;

/// A body that moves evenly and turns evenly about its origin.
#[derive(Clone, Debug)]
pub struct Moving {
    /// Its shape.
    pub form: Form,
    /// How it is turned at time 0.
    pub turn: Turn,
    /// Where its origin is at time 0.
    pub origin: Point,
    /// How its origin moves in a unit of time.
    pub velocity: Point,
    /// The axis about which it turns, as long as the angle of a unit of time.
    pub spin: Point,
}

impl Moving {
    /// The body at a time.
    #[must_use]
    pub fn at(&self, time: f64) -> Solid {
        let angle = self.spin.length() * time;
        let turn = match self.spin.unit() {
            Some(axis) => self.turn.then(Turn::about(axis, angle)),
            None => self.turn,
        };
        self.form.placed(&Place::new(turn.0, self.origin + self.velocity * time))
    }

    /// No point of it moves faster, as seen from its origin.
    fn turning_speed(&self) -> f64 {
        self.spin.length() * self.form.reach()
    }
}

/// The separation of two bodies at a time.
#[must_use]
pub fn separation_at(a: &Moving, b: &Moving, time: f64) -> f64 {
    parting(&a.at(time), &b.at(time)).separation
}

/// When two bodies are first within `distance` of each other, up to a time; `None` if never at any step.
///
/// A half-space must not turn: far out, its points would be faster than anything.
#[must_use]
pub fn first_within(a: &Moving, b: &Moving, duration: f64, distance: f64) -> Option<f64> {
    let speed = (b.velocity - a.velocity).length() + a.turning_speed() + b.turning_speed();
    let step = duration / f64::from(STEPS);
    let mut number = 0;
    while number <= STEPS {
        let separation = separation_at(a, b, f64::from(number) * step) - distance;
        if separation <= 0.0 {
            if number == 0 {
                return Some(0.0);
            }
            return Some(halved(a, b, distance, [number - 1, number].map(|n| f64::from(n) * step)));
        }
        // Saturates where nothing moves.
        let safe = (separation / (speed * step)) as u32;
        number = number.saturating_add(safe.max(1));
    }
    None
}

/// The moment at which they come within the distance, between a time at which they are not and one at
/// which they are.
fn halved(a: &Moving, b: &Moving, distance: f64, [mut apart, mut within]: [f64; 2]) -> f64 {
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

    fn ball(x: f64, velocity: f64) -> Moving {
        Moving {
            form: Form::sphere(0.5),
            turn: Turn::NONE,
            origin: Point::new(x, 0.0, 0.0),
            velocity: Point::new(velocity, 0.0, 0.0),
            spin: Point::ZERO,
        }
    }

    #[test]
    fn two_balls_meet_when_their_centres_are_their_radii_apart() {
        let time = first_within(&ball(0.0, 2.0), &ball(4.0, -1.0), 2.0, 0.0).unwrap();
        assert!((time - 1.0).abs() < 1e-10, "{time}");
        assert_eq!(first_within(&ball(0.0, 1.0), &ball(4.0, 1.0), 2.0, 0.0), None);
        assert_eq!(first_within(&ball(0.0, 0.0), &ball(0.9, 0.0), 2.0, 0.0), Some(0.0));
        assert_eq!(first_within(&ball(0.0, 0.0), &ball(1.9, 0.0), 2.0, 0.0), None);
    }

    #[test]
    fn a_turning_rod_hits_when_its_end_comes_round() {
        let rod = Moving {
            form: Form::capsule(2.0, 0.1),
            turn: Turn::NONE,
            origin: Point::ZERO,
            velocity: Point::ZERO,
            spin: Point::new(0.0, 0.0, -1.0),
        };
        // A ball beside it: from y the rod turns towards x.
        let time = first_within(&rod, &ball(1.5, 0.0), 2.0, 0.0).unwrap();
        let angle = core::f64::consts::FRAC_PI_2 - libm::asin(0.6 / 1.5);
        assert!((time - angle).abs() < 1e-10, "{time} {angle}");
    }
}
