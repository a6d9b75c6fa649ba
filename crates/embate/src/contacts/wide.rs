//! What lies between two bodies, before it is rounded to f32.
//!
//! Poses and shapes are f32. What is small because two large numbers nearly cancel (the way between two
//! touching cores, the volume of a flat simplex) is computed in f64, so that its direction is as good
//! as the poses are.

use core::ops::{Add, Mul, Neg, Sub};

use embate_geom::{Frame, Vec3};

/// A point or direction in f64.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Wide {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) z: f64,
}

impl Wide {
    pub(super) const ZERO: Self = Self::new(0.0, 0.0, 0.0);

    #[inline]
    pub(super) const fn new(x: f64, y: f64, z: f64) -> Self {
        Self { x, y, z }
    }

    #[inline]
    pub(super) fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline]
    pub(super) fn cross(self, other: Self) -> Self {
        Self::new(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )
    }

    #[inline]
    pub(super) fn length_squared(self) -> f64 {
        self.dot(self)
    }

    #[inline]
    pub(super) fn length(self) -> f64 {
        self.length_squared().sqrt()
    }

    /// Rounded to f32.
    #[inline]
    pub(super) fn narrow(self) -> Vec3 {
        Vec3::new(self.x as f32, self.y as f32, self.z as f32)
    }

    /// As a direction of length 1 in f32; `None` if it has none. Lengths below 1e-30 have none: they
    /// are far below what f32 can tell of shapes that are 1e-6 at least.
    #[inline]
    pub(super) fn direction(self) -> Option<Vec3> {
        let length = self.length();
        (length > 1e-30 && length < f64::INFINITY).then(|| (self * (1.0 / length)).narrow())
    }

    /// A point of `frame`, outside of it.
    #[inline]
    pub(super) fn placed(point: Vec3, frame: &Frame) -> Self {
        let [x, y, z] = frame.axes.columns.map(Self::from);
        let point = Self::from(point);
        x * point.x + y * point.y + z * point.z + Self::from(frame.origin)
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
