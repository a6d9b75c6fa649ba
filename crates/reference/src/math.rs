//! Points, quaternions and rigid transforms in f64, independent of the engine's own.

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

    /// Exact conversion.
    #[must_use]
    pub fn of(vector: Vec3) -> Self {
        Self(vector.to_array().map(f64::from))
    }

    /// Rounded to f32.
    #[must_use]
    pub fn rounded(self) -> Vec3 {
        Vec3::from(self.0.map(|c| c as f32))
    }

    /// Dot product.
    #[must_use]
    pub fn dot(self, other: Self) -> f64 {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        a * x + b * y + c * z
    }

    /// Cross product.
    #[must_use]
    pub fn cross(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Self([b * z - c * y, c * x - a * z, a * y - b * x])
    }

    /// Length.
    #[must_use]
    pub fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// Unit vector; `None` if the length is zero or not finite.
    #[must_use]
    pub fn unit(self) -> Option<Self> {
        let length = self.length();
        (length > 0.0 && length.is_finite()).then(|| self * (1.0 / length))
    }

    /// A perpendicular unit vector; an axis if this vector is zero.
    #[must_use]
    pub fn any_perpendicular(self) -> Self {
        let axes = [Self::new(1.0, 0.0, 0.0), Self::new(0.0, 1.0, 0.0), Self::new(0.0, 0.0, 1.0)];
        let alignment = |axis: &Self| self.dot(*axis).abs();
        let least = axes.into_iter().min_by(|a, b| alignment(a).total_cmp(&alignment(b)));
        let axis = least.unwrap_or(axes[0]);
        self.cross(axis).unit().unwrap_or(axis)
    }

    /// Linear interpolation to another point.
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

/// Rigid transform: an f32 pose, exactly, with its quaternion normalized in f64.
#[derive(Clone, Copy, Debug)]
pub struct Transform {
    axes: [Point; 3],
    /// Position of the local origin.
    pub origin: Point,
}

impl Transform {
    /// Transform of a pose.
    #[must_use]
    pub fn of(pose: &Pose) -> Self {
        Self::new(pose.rotation.to_array().map(f64::from), Point::of(pose.position))
    }

    /// From a quaternion `[x, y, z, w]` of nonzero length.
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

    /// Transforms a local direction into the world.
    #[must_use]
    pub fn rotate(&self, local: Point) -> Point {
        let [x, y, z] = local.0;
        self.axes[0] * x + self.axes[1] * y + self.axes[2] * z
    }

    /// Transforms a local point into the world.
    #[must_use]
    pub fn transform_point(&self, local: Point) -> Point {
        self.rotate(local) + self.origin
    }
}

/// Unit quaternion `[x, y, z, w]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quaternion(pub [f64; 4]);

impl Quaternion {
    /// Identity rotation.
    pub const IDENTITY: Self = Self([0.0, 0.0, 0.0, 1.0]);

    /// Rotation about a unit axis, in radians.
    #[must_use]
    pub fn about(axis: Point, angle: f64) -> Self {
        let (sin, cos) = libm::sincos(angle / 2.0);
        let [x, y, z] = (axis * sin).0;
        Self([x, y, z, cos])
    }

    /// Shortest rotation that maps one unit vector to another.
    #[must_use]
    pub fn from_to(from: Point, to: Point) -> Self {
        let [x, y, z] = from.cross(to).0;
        let halfway = from.dot(to) + 1.0;
        // Opposite directions: 180° about any perpendicular axis.
        if halfway < 1e-9 {
            return Self::about(from.any_perpendicular(), core::f64::consts::PI);
        }
        let length = (x * x + y * y + z * z + halfway * halfway).sqrt();
        Self([x, y, z, halfway].map(|c| c / length))
    }

    /// Composition: this rotation, then `other`.
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

    /// Rotated vector.
    #[must_use]
    pub fn rotate(self, vector: Point) -> Point {
        Transform::new(self.0, Point::ZERO).rotate(vector)
    }
}
