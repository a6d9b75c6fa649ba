//! How is a body turned?

use core::ops::Mul;

use crate::{Mat3, Vec3, scalar};

/// A turn about the origin, as a quaternion of length 1.
///
/// `p` and `−p` are the same turn. Products drift from length 1 by rounding; [`renormalised`](Self::renormalised)
/// brings them back.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Rotation {
    vector: Vec3,
    scalar: f32,
}

impl Rotation {
    /// Not turned.
    pub const IDENTITY: Self = Self { vector: Vec3::ZERO, scalar: 1.0 };

    /// From a quaternion `[x, y, z, w]` of any length; `None` if it has none.
    #[must_use]
    pub fn from_quaternion([x, y, z, w]: [f32; 4]) -> Option<Self> {
        // One that has length 1 stays as it is, so that what was read back is what was written.
        let given = Self { vector: Vec3::new(x, y, z), scalar: w };
        if (given.length_squared() - 1.0).abs() <= 4.0 * f32::EPSILON {
            return Some(given);
        }
        let largest = scalar::max(Vec3::new(x, y, z).abs().largest(), w.abs());
        if !(largest > 0.0 && largest < f32::INFINITY) {
            return None;
        }
        let scaled = Self { vector: Vec3::new(x, y, z) / largest, scalar: w / largest };
        scaled.length_squared().is_finite().then(|| scaled.renormalised())
    }

    /// From a quaternion `[x, y, z, w]` of length 1 but for rounding, to the bit; `None` if it is longer or
    /// shorter by a thousandth, or has a NaN.
    #[must_use]
    pub fn as_written([x, y, z, w]: [f32; 4]) -> Option<Self> {
        let given = Self { vector: Vec3::new(x, y, z), scalar: w };
        ((given.length_squared() - 1.0).abs() <= 2e-3).then_some(given)
    }

    /// By an angle in radians about an axis of any length; `None` if the axis has none.
    #[must_use]
    pub fn about(axis: Vec3, angle: f32) -> Option<Self> {
        let (sin, cos) = scalar::sin_cos(angle / 2.0);
        let axis = axis.normalised()?;
        angle.is_finite().then(|| Self { vector: axis * sin, scalar: cos }.renormalised())
    }

    /// The turn that takes the axes to these three, which must be square to each other, of length 1 and
    /// right-handed, all within rounding.
    ///
    /// Divides by the largest of the four components, found first (Shepperd 1978): no other is as safe.
    #[must_use]
    pub fn from_axes(axes: &Mat3) -> Self {
        let [a, b, c] = axes.columns;
        let trace = a.x + b.y + c.z;
        let (vector, scalar) = if trace > a.x && trace > b.y && trace > c.z {
            (Vec3::new(b.z - c.y, c.x - a.z, a.y - b.x), 1.0 + trace)
        } else if a.x >= b.y && a.x >= c.z {
            (Vec3::new(1.0 + 2.0 * a.x - trace, a.y + b.x, c.x + a.z), b.z - c.y)
        } else if b.y >= c.z {
            (Vec3::new(a.y + b.x, 1.0 + 2.0 * b.y - trace, b.z + c.y), c.x - a.z)
        } else {
            (Vec3::new(c.x + a.z, b.z + c.y, 1.0 + 2.0 * c.z - trace), a.y - b.x)
        };
        Self { vector, scalar }.renormalised()
    }

    /// `[x, y, z, w]`.
    #[inline]
    #[must_use]
    pub const fn to_array(self) -> [f32; 4] {
        [self.vector.x, self.vector.y, self.vector.z, self.scalar]
    }

    /// The turn that undoes this one.
    #[inline]
    #[must_use]
    pub fn inverse(self) -> Self {
        Self { vector: -self.vector, scalar: self.scalar }
    }

    fn length_squared(self) -> f32 {
        self.vector.length_squared() + self.scalar * self.scalar
    }

    /// The same turn, its length 1 but for rounding.
    #[inline]
    #[must_use]
    pub fn renormalised(self) -> Self {
        let length = self.length_squared().sqrt();
        Self { vector: self.vector / length, scalar: self.scalar / length }
    }

    /// Turns a vector.
    #[inline]
    #[must_use]
    pub fn turn(self, vector: Vec3) -> Vec3 {
        let twice = 2.0 * self.vector.cross(vector);
        vector + self.scalar * twice + self.vector.cross(twice)
    }

    /// Turns a vector back.
    #[inline]
    #[must_use]
    pub fn turn_back(self, vector: Vec3) -> Vec3 {
        self.inverse().turn(vector)
    }

    /// The same as a matrix, whose axes have length 1 even where products have drifted.
    #[inline]
    #[must_use]
    pub fn matrix(self) -> Mat3 {
        let [x, y, z, w] = self.to_array();
        let twice = 2.0 / self.length_squared();
        let (x2, y2, z2) = (x * twice, y * twice, z * twice);
        let (xx, yy, zz) = (x * x2, y * y2, z * z2);
        let (xy, xz, yz) = (x * y2, x * z2, y * z2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        Mat3 {
            columns: [
                Vec3::new(1.0 - (yy + zz), xy + wz, xz - wy),
                Vec3::new(xy - wz, 1.0 - (xx + zz), yz + wx),
                Vec3::new(xz + wy, yz - wx, 1.0 - (xx + yy)),
            ],
        }
    }

    /// Turned on by a small angular velocity times a time: first order, brought back to length 1.
    #[inline]
    #[must_use]
    pub fn turned_by(self, angle: Vec3) -> Self {
        let half = 0.5 * angle;
        Self {
            vector: self.vector + half * self.scalar + half.cross(self.vector),
            scalar: self.scalar - half.dot(self.vector),
        }
        .renormalised()
    }
}

impl Default for Rotation {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Mul for Rotation {
    type Output = Self;

    /// First `other`, then `self`.
    #[inline]
    fn mul(self, other: Self) -> Self {
        Self {
            vector: self.scalar * other.vector
                + other.scalar * self.vector
                + self.vector.cross(other.vector),
            scalar: self.scalar * other.scalar - self.vector.dot(other.vector),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUARTER: f32 = core::f32::consts::FRAC_PI_2;

    #[test]
    fn a_quarter_turn_about_z_takes_x_to_y() {
        let turn = Rotation::about(Vec3::Z * 7.0, QUARTER).unwrap();
        assert!((turn.turn(Vec3::X) - Vec3::Y).length() < 1e-6);
        assert!((turn.turn_back(Vec3::Y) - Vec3::X).length() < 1e-6);
        assert!((turn.matrix() * Vec3::X - Vec3::Y).length() < 1e-6);
    }

    #[test]
    fn a_product_turns_by_the_second_first() {
        let (z, x) = (Rotation::about(Vec3::Z, QUARTER), Rotation::about(Vec3::X, QUARTER));
        let both = x.unwrap() * z.unwrap();
        assert!((both.turn(Vec3::X) - Vec3::Z).length() < 1e-6);
    }

    #[test]
    fn what_is_no_turn_is_refused() {
        assert_eq!(Rotation::from_quaternion([0.0; 4]), None);
        assert_eq!(Rotation::from_quaternion([f32::NAN, 0.0, 0.0, 1.0]), None);
        assert_eq!(Rotation::about(Vec3::ZERO, 1.0), None);
        assert_eq!(Rotation::about(Vec3::X, f32::INFINITY), None);
        let long = Rotation::from_quaternion([0.0, 0.0, 0.0, -1e30]).unwrap();
        assert_eq!(long.to_array(), [0.0, 0.0, 0.0, -1.0]);
    }

    #[test]
    fn axes_give_back_the_turn_that_made_them() {
        for angle in [0.0, 0.3, 1.7, 3.0, 2.0 * QUARTER, 4.0, 6.0] {
            for axis in [Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(1.0, -2.0, 0.5)] {
                let turn = Rotation::about(axis, angle).unwrap();
                let back = Rotation::from_axes(&turn.matrix());
                for vector in Vec3::AXES {
                    let apart = turn.turn(vector) - back.turn(vector);
                    assert!(apart.length() < 2e-6, "{angle} about {axis:?}");
                }
            }
        }
    }

    #[test]
    fn small_turns_add_up() {
        let mut turn = Rotation::IDENTITY;
        for _ in 0..1000 {
            turn = turn.turned_by(Vec3::Z * (QUARTER / 1000.0));
        }
        assert!((turn.turn(Vec3::X) - Vec3::Y).length() < 1e-4);
    }
}
