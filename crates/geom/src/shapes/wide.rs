//! Points in f64: what a hull is computed with before its f32 form is stored.

use core::ops::{Add, Mul, Sub};

use crate::Vec3;

/// A point or direction in f64.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Wide {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) z: f64,
}

impl Wide {
    pub(super) const ZERO: Self = Self { x: 0.0, y: 0.0, z: 0.0 };

    pub(super) fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    pub(super) fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    pub(super) fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// With length 1; zero stays zero.
    pub(super) fn unit(self) -> Self {
        let length = self.length();
        if length > 0.0 { self * (1.0 / length) } else { self }
    }

    pub(super) fn abs(self) -> Self {
        Self { x: self.x.abs(), y: self.y.abs(), z: self.z.abs() }
    }

    /// The sum of the components without their signs.
    pub(super) fn taxicab(self) -> f64 {
        self.x.abs() + self.y.abs() + self.z.abs()
    }

    pub(super) fn narrow(self) -> Vec3 {
        Vec3::new(self.x as f32, self.y as f32, self.z as f32)
    }

    pub(super) fn coord(self) -> robust::Coord3D<f64> {
        robust::Coord3D { x: self.x, y: self.y, z: self.z }
    }
}

impl From<Vec3> for Wide {
    fn from(point: Vec3) -> Self {
        Self { x: f64::from(point.x), y: f64::from(point.y), z: f64::from(point.z) }
    }
}

impl Add for Wide {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl Sub for Wide {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl Mul<f64> for Wide {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }
}
