//! Points in f64: what is computed before it is rounded to f32.
//!
//! Poses and shapes are f32. What is small because two large numbers nearly cancel (the way between two
//! touching cores, the volume of a flat simplex, the planes of a hull) is computed in f64, so that its direction
//! is as good as what it was made of.

use core::ops::{Add, Mul, Neg, Sub};

use crate::{Frame, Vec3};

/// A point or direction in f64.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wide {
    /// Along the first axis.
    pub x: f64,
    /// Along the second axis.
    pub y: f64,
    /// Along the third axis.
    pub z: f64,
}

impl Wide {
    /// The origin.
    pub const ZERO: Self = Self::new(0.0, 0.0, 0.0);

    /// From its coordinates.
    #[inline]
    #[must_use]
    pub const fn new(x: f64, y: f64, z: f64) -> Self {
        Self { x, y, z }
    }

    /// The product of both lengths and the cosine between them.
    #[inline]
    #[must_use]
    pub fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// Square to both, by the right hand.
    #[inline]
    #[must_use]
    pub fn cross(self, other: Self) -> Self {
        Self::new(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )
    }

    /// Without the root that [`length`](Self::length) takes.
    #[inline]
    #[must_use]
    pub fn length_squared(self) -> f64 {
        self.dot(self)
    }

    /// How far from the origin.
    #[inline]
    #[must_use]
    pub fn length(self) -> f64 {
        self.length_squared().sqrt()
    }

    /// With length 1; zero stays zero.
    #[inline]
    #[must_use]
    pub fn unit(self) -> Self {
        let length = self.length();
        if length > 0.0 { self * (1.0 / length) } else { self }
    }

    /// As a direction of length 1 in f32; `None` if it has none. Lengths below 1e-30 have none: they
    /// are far below what f32 can tell of shapes that are 1e-6 at least.
    #[inline]
    #[must_use]
    pub fn direction(self) -> Option<Vec3> {
        let length = self.length();
        (length > 1e-30 && length < f64::INFINITY).then(|| (self * (1.0 / length)).narrow())
    }

    /// Each coordinate without its sign.
    #[inline]
    #[must_use]
    pub fn abs(self) -> Self {
        Self::new(self.x.abs(), self.y.abs(), self.z.abs())
    }

    /// The sum of the coordinates without their signs.
    #[inline]
    #[must_use]
    pub fn taxicab(self) -> f64 {
        self.x.abs() + self.y.abs() + self.z.abs()
    }

    /// Rounded to f32.
    #[inline]
    #[must_use]
    pub fn narrow(self) -> Vec3 {
        Vec3::new(self.x as f32, self.y as f32, self.z as f32)
    }

    /// A point of `frame`, outside of it.
    #[inline]
    #[must_use]
    pub fn placed(point: Vec3, frame: &Frame) -> Self {
        let [x, y, z] = frame.axes.columns.map(Self::from);
        let point = Self::from(point);
        x * point.x + y * point.y + z * point.z + Self::from(frame.origin)
    }

    /// For the exact predicates.
    pub(crate) fn coord(self) -> robust::Coord3D<f64> {
        robust::Coord3D { x: self.x, y: self.y, z: self.z }
    }
}

impl From<Vec3> for Wide {
    #[inline]
    fn from(vector: Vec3) -> Self {
        Self::new(f64::from(vector.x), f64::from(vector.y), f64::from(vector.z))
    }
}

impl Add for Wide {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl Sub for Wide {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl Neg for Wide {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}

impl Mul<f64> for Wide {
    type Output = Self;

    #[inline]
    fn mul(self, factor: f64) -> Self {
        Self::new(self.x * factor, self.y * factor, self.z * factor)
    }
}
