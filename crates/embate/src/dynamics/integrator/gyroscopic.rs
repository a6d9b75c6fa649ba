//! How does a free body turn that is not as hard to turn about every axis?
//!
//! As seen from the body its angular momentum L turns: L' = L × ω, with ω = I⁻¹·L. A stride of the implicit midpoint
//! rule, `L₁ = L₀ + h·M × I⁻¹·M` with M = ½(L₀ + L₁), turns L by a rotation about I⁻¹·M. Turning the body by the same
//! rotation the other way keeps the momentum in the world, and as the rule keeps what is quadratic, it keeps the
//! energy, too: both to rounding, at any speed. A body that spins about its middle axis turns over as
//! Dzhanibekov saw.
//!
//! In f64: momentum goes through the rotation and back in every sub-step, and in f32 the rounding of that adds
//! up to a thousandth in twenty seconds.

use embate_geom::{Mat3, Rotation, Vec3};

use super::wide::{Wide, cross, dot, narrow, times, wide, wide_columns};

/// Rounds until the middle of a stride is found, at most; each brings two digits, as a stride is short.
const MOST_ROUNDS: usize = 16;
/// The share by which the middle may still change: in an hour of sub-steps it adds up to 1e-8.
const SETTLED: f64 = 1e-14;
/// The angle of a stride, in radians: wobbling is then in phase within 1e-3 of its period.
const STRIDE: f64 = 0.1;
/// Strides of a sub-step, at most: the fastest spin that is allowed needs 420 at four sub-steps of 1/60 s. What spins
/// faster, or for longer, stops there: where its wobbling has come to after sixty turns is anybody's guess, but
/// longer strides would not keep its energy.
const MOST_STRIDES: f64 = 4096.0;

/// Of a symmetric matrix that has one: the body was weighed.
fn inverse([a, b, c]: &[Wide; 3]) -> [Wide; 3] {
    let rows = [cross(*b, *c), cross(*c, *a), cross(*a, *b)];
    let determinant = a[0] * rows[0][0] + a[1] * rows[0][1] + a[2] * rows[0][2];
    rows.map(|row| row.map(|value| value / determinant))
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

    /// Turned on, as seen from itself, by twice the arctangent of the length of `half`.
    fn turned(self, half: Wide) -> Self {
        let Self { vector, scalar } = self;
        let across = cross(vector, half);
        let along = half[0] * vector[0] + half[1] * vector[1] + half[2] * vector[2];
        let turned = core::array::from_fn(|axis| vector[axis] + scalar * half[axis] + across[axis]);
        Self { vector: turned, scalar: scalar - along }.unit()
    }
}

/// One stride: turn and momentum as the body sees it, after `h` seconds.
fn stride(turn: Turn, momentum: Wide, inverse: &[Wide; 3], h: f64) -> (Turn, Wide) {
    let mut end = momentum;
    let mut half = [0.0; 3];
    for _ in 0..MOST_ROUNDS {
        let middle = core::array::from_fn(|axis| 0.5 * (momentum[axis] + end[axis]));
        let spin = times(inverse, middle);
        half = spin.map(|value| 0.5 * h * value);
        // The rule turns by twice the arctangent; given the tangent, it turns by the angle itself.
        let x = dot(half, half);
        let longer = 1.0 + x * (1.0 / 3.0 + x * (2.0 / 15.0 + x * (17.0 / 315.0)));
        half = half.map(|value| value * longer);
        let turned = cross(middle, half);
        let before = end;
        end = core::array::from_fn(|axis| momentum[axis] + 2.0 * turned[axis]);
        let changed = core::array::from_fn(|axis| end[axis] - before[axis]);
        if dot(changed, changed) <= SETTLED * SETTLED * dot(end, end) {
            break;
        }
    }
    (turn.turned(half), end)
}

/// Where a free body is turned to after `h` seconds, how it spins then, and by which angle it has turned.
pub(super) fn tumble(
    rotation: Rotation,
    spin: Vec3,
    inertia: &Mat3,
    h: f32,
) -> (Rotation, Vec3, Vec3) {
    let h = f64::from(h);
    let inertia = wide_columns(inertia);
    let inverse = inverse(&inertia);
    let start = Turn::of(rotation);
    let own = times(&inertia, start.turn_back(wide(spin)));
    let momentum = start.turn(own);
    let speed = dot(wide(spin), wide(spin)).sqrt();
    let wanted = (speed * h / STRIDE).ceil();
    let (strides, step) = if wanted <= 1.0 {
        (1.0, h)
    } else if wanted <= MOST_STRIDES {
        (wanted, h / wanted)
    } else {
        (MOST_STRIDES, STRIDE / speed)
    };
    let (mut turn, mut seen) = (start, own);
    let mut angle = [0.0; 3];
    for _ in 0..strides as u32 {
        let (next, after) = stride(turn, seen, &inverse, step);
        let spin = times(&inverse, core::array::from_fn(|axis| 0.5 * (seen[axis] + after[axis])));
        let way = turn.turn(spin);
        angle = core::array::from_fn(|axis| angle[axis] + step * way[axis]);
        (turn, seen) = (next, after);
    }
    let [x, y, z] = turn.vector.map(|value| value as f32);
    let rotation = Rotation::from_quaternion([x, y, z, turn.scalar as f32]).unwrap_or(rotation);
    // The spin of the turn as it is kept.
    let kept = Turn::of(rotation);
    let spin = kept.turn(times(&inverse, kept.turn_back(momentum)));
    (rotation, narrow(spin), narrow(angle))
}
