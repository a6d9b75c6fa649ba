//! Points in f64: what a hull is computed with before its f32 form is stored.

use core::ops::{Add, Mul, Sub};

use crate::Vec3;

/// A point or direction in f64.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::shapes) struct Wide {
    pub(in crate::shapes) x: f64,
    pub(in crate::shapes) y: f64,
    pub(in crate::shapes) z: f64,
}

impl Wide {
    pub(in crate::shapes) const ZERO: Self = Self { x: 0.0, y: 0.0, z: 0.0 };

    pub(in crate::shapes) fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    pub(in crate::shapes) fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    pub(in crate::shapes) fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// With length 1; zero stays zero.
    pub(in crate::shapes) fn unit(self) -> Self {
        let length = self.length();
        if length > 0.0 { self * (1.0 / length) } else { self }
    }

    pub(in crate::shapes) fn abs(self) -> Self {
        Self { x: self.x.abs(), y: self.y.abs(), z: self.z.abs() }
    }

    /// The sum of the components without their signs.
    pub(in crate::shapes) fn taxicab(self) -> f64 {
        self.x.abs() + self.y.abs() + self.z.abs()
    }

    pub(in crate::shapes) fn narrow(self) -> Vec3 {
        Vec3::new(self.x as f32, self.y as f32, self.z as f32)
    }

    pub(in crate::shapes) fn coord(self) -> robust::Coord3D<f64> {
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
