//! Points and turns in f64: nothing here is shared with the engine, so that no error is.

use core::ops::{Add, Mul, Neg, Sub};

use embate::{Pose, Vec3};

/// A point or a direction, in f64.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point(pub [f64; 3]);

impl Point {
    /// The origin.
    pub const ZERO: Self = Self([0.0; 3]);

    /// By components.
    #[must_use]
    pub const fn new(x: f64, y: f64, z: f64) -> Self {
        Self([x, y, z])
    }

    /// Exactly the same point.
    #[must_use]
    pub fn of(vector: Vec3) -> Self {
        Self(vector.to_array().map(f64::from))
    }

    /// The nearest point that the engine can hold.
    #[must_use]
    pub fn rounded(self) -> Vec3 {
        Vec3::from(self.0.map(|c| c as f32))
    }

    /// The scalar product.
    #[must_use]
    pub fn dot(self, other: Self) -> f64 {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        a * x + b * y + c * z
    }

    /// The vector product.
    #[must_use]
    pub fn cross(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Self([b * z - c * y, c * x - a * z, a * y - b * x])
    }

    /// The length.
    #[must_use]
    pub fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// With length 1; `None` for zero and what is not finite.
    #[must_use]
    pub fn unit(self) -> Option<Self> {
        let length = self.length();
        (length > 0.0 && length.is_finite()).then(|| self * (1.0 / length))
    }

    /// Square to this direction, with length 1; any direction if this one is zero.
    #[must_use]
    pub fn any_square(self) -> Self {
        let axes = [Self::new(1.0, 0.0, 0.0), Self::new(0.0, 1.0, 0.0), Self::new(0.0, 0.0, 1.0)];
        let lean = |axis: &Self| self.dot(*axis).abs();
        let least = axes.into_iter().min_by(|a, b| lean(a).total_cmp(&lean(b)));
        let axis = least.unwrap_or(axes[0]);
        self.cross(axis).unit().unwrap_or(axis)
    }

    /// Part of the way to another point.
    #[must_use]
    pub fn towards(self, other: Self, part: f64) -> Self {
        self + (other - self) * part
    }
}

impl Add for Point {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(core::array::from_fn(|axis| self.0[axis] + other.0[axis]))
    }
}

impl Sub for Point {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(core::array::from_fn(|axis| self.0[axis] - other.0[axis]))
    }
}

impl Mul<f64> for Point {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        Self(self.0.map(|c| c * factor))
    }
}

impl Neg for Point {
    type Output = Self;

    fn neg(self) -> Self {
        self * -1.0
    }
}

/// Where a body is: its f32 pose taken exactly, its quaternion brought to length 1 in f64.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    axes: [Point; 3],
    /// Where the body's origin is.
    pub origin: Point,
}

impl Place {
    /// The place that a pose means.
    #[must_use]
    pub fn of(pose: &Pose) -> Self {
        Self::new(pose.rotation.to_array().map(f64::from), Point::of(pose.position))
    }

    /// By a quaternion `[x, y, z, w]` of any length but 0.
    #[must_use]
    pub fn new(quaternion: [f64; 4], origin: Point) -> Self {
        let length = quaternion.iter().map(|c| c * c).sum::<f64>().sqrt();
        let [x, y, z, w] = quaternion.map(|c| c / length);
        let axes = [
            Point::new(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)),
            Point::new(2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)),
            Point::new(2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)),
        ];
        Self { axes, origin }
    }

    /// A direction of the body, in the world.
    #[must_use]
    pub fn turn(&self, local: Point) -> Point {
        let [x, y, z] = local.0;
        self.axes[0] * x + self.axes[1] * y + self.axes[2] * z
    }

    /// A point of the body, in the world.
    #[must_use]
    pub fn point(&self, local: Point) -> Point {
        self.turn(local) + self.origin
    }
}

/// A turn as a quaternion `[x, y, z, w]` of length 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn(pub [f64; 4]);

impl Turn {
    /// Not turned.
    pub const NONE: Self = Self([0.0, 0.0, 0.0, 1.0]);

    /// About a unit axis, in radians.
    #[must_use]
    pub fn about(axis: Point, angle: f64) -> Self {
        let (sin, cos) = libm::sincos(angle / 2.0);
        let [x, y, z] = (axis * sin).0;
        Self([x, y, z, cos])
    }

    /// The shortest turn that takes one unit vector to another.
    #[must_use]
    pub fn from_to(from: Point, to: Point) -> Self {
        let [x, y, z] = from.cross(to).0;
        let halfway = from.dot(to) + 1.0;
        // Opposite directions: half a turn about whatever is square to both.
        if halfway < 1e-9 {
            return Self::about(from.any_square(), core::f64::consts::PI);
        }
        let length = (x * x + y * y + z * z + halfway * halfway).sqrt();
        Self([x, y, z, halfway].map(|c| c / length))
    }

    /// First this one, then another.
    #[must_use]
    pub fn then(self, other: Self) -> Self {
        let ([ax, ay, az, aw], [bx, by, bz, bw]) = (other.0, self.0);
        Self([
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by + ay * bw + az * bx - ax * bz,
            aw * bz + az * bw + ax * by - ay * bx,
            aw * bw - ax * bx - ay * by - az * bz,
        ])
    }

    /// A vector turned.
    #[must_use]
    pub fn turn(self, vector: Point) -> Point {
        Place::new(self.0, Point::ZERO).turn(vector)
    }
}
