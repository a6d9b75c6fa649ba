//! How does a free body turn that is not as hard to turn about every axis?
//!
//! Its angular momentum stays as it is, and its spin follows from it: the turn of a sub-step is found at its
//! middle (implicit midpoint, by a few fixed-point rounds). So momentum is kept at any speed, energy nearly so,
//! and a body that spins about its middle axis turns over as Dzhanibekov saw.
//!
//! In f64: momentum goes through the rotation and back in every sub-step, and in f32 the rounding of that adds
//! up to a thousandth in twenty seconds.

use embate_geom::{Mat3, Rotation, Vec3};

type Wide = [f64; 3];

/// Rounds until the middle is found, at most; a box of 20 rad/s takes five. With two, such a box loses a
/// thousandth of its energy in ten seconds.
const MOST_ROUNDS: usize = 12;
/// The share by which the spin of the middle may still change: in an hour of sub-steps it adds up to 1e-4.
const SETTLED: f64 = 1e-10;

fn wide(vector: Vec3) -> Wide {
    vector.to_array().map(f64::from)
}

fn narrow(vector: Wide) -> Vec3 {
    Vec3::from(vector.map(|value| value as f32))
}

fn square([x, y, z]: Wide) -> f64 {
    x * x + y * y + z * z
}

fn cross(a: Wide, b: Wide) -> Wide {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Of a symmetric matrix that has one: the body was weighed.
fn inverse([a, b, c]: &[Wide; 3]) -> [Wide; 3] {
    let rows = [cross(*b, *c), cross(*c, *a), cross(*a, *b)];
    let determinant = a[0] * rows[0][0] + a[1] * rows[0][1] + a[2] * rows[0][2];
    rows.map(|row| row.map(|value| value / determinant))
}

fn times([a, b, c]: &[Wide; 3], vector: Wide) -> Wide {
    core::array::from_fn(|row| a[row] * vector[0] + b[row] * vector[1] + c[row] * vector[2])
}

/// A quaternion of length 1.
#[derive(Clone, Copy)]
struct Turn {
    vector: Wide,
    scalar: f64,
}

impl Turn {
    fn of(rotation: Rotation) -> Self {
        let [x, y, z, w] = rotation.to_array().map(f64::from);
        Self { vector: [x, y, z], scalar: w }.unit()
    }

    fn unit(self) -> Self {
        let [x, y, z] = self.vector;
        let length = (x * x + y * y + z * z + self.scalar * self.scalar).sqrt();
        Self { vector: [x / length, y / length, z / length], scalar: self.scalar / length }
    }

    fn turn(self, v: Wide) -> Wide {
        let twice = cross(self.vector, v).map(|value| 2.0 * value);
        let again = cross(self.vector, twice);
        core::array::from_fn(|axis| v[axis] + self.scalar * twice[axis] + again[axis])
    }

    fn turn_back(self, v: Wide) -> Wide {
        Self { vector: self.vector.map(|value| -value), scalar: self.scalar }.turn(v)
    }

    /// Turned on by a spin for a time: by twice the arctangent of half the angle, so the tangent's series is
    /// put in.
    fn turned(self, spin: Wide, time: f64) -> Self {
        let half = spin.map(|value| 0.5 * time * value);
        let square = half[0] * half[0] + half[1] * half[1] + half[2] * half[2];
        let series =
            1.0 / 3.0 + square * (2.0 / 15.0 + square * (17.0 / 315.0 + square * (62.0 / 2835.0)));
        let half = half.map(|value| value * (1.0 + square * series));
        let Self { vector, scalar } = self;
        let across = cross(half, vector);
        let along = half[0] * vector[0] + half[1] * vector[1] + half[2] * vector[2];
        let turned = core::array::from_fn(|axis| vector[axis] + scalar * half[axis] + across[axis]);
        Self { vector: turned, scalar: scalar - along }.unit()
    }
}

/// Where a free body is turned to after `h` seconds, how it spins then, and by which angle it has turned.
pub(super) fn tumble(
    rotation: Rotation,
    spin: Vec3,
    inertia: &Mat3,
    h: f32,
) -> (Rotation, Vec3, Vec3) {
    let h = f64::from(h);
    let inertia = inertia.columns.map(wide);
    let inverse = inverse(&inertia);
    let start = Turn::of(rotation);
    let momentum = start.turn(times(&inertia, start.turn_back(wide(spin))));
    let spin_when = |turn: Turn| turn.turn(times(&inverse, turn.turn_back(momentum)));
    let mut middle = wide(spin);
    for _ in 0..MOST_ROUNDS {
        let before = middle;
        middle = spin_when(start.turned(middle, 0.5 * h));
        let changed = core::array::from_fn(|axis| middle[axis] - before[axis]);
        if square(changed) <= SETTLED * SETTLED * square(middle) {
            break;
        }
    }
    let end = start.turned(middle, h);
    let [x, y, z] = end.vector.map(|value| value as f32);
    let rotation = Rotation::from_quaternion([x, y, z, end.scalar as f32]).unwrap_or(rotation);
    // The spin of the turn as it is kept.
    let spin = spin_when(Turn::of(rotation));
    (rotation, narrow(spin), narrow(middle.map(|value| value * h)))
}
