//! Vectors of three in f64, for the few places where f32 is not enough.

use embate_geom::{Mat3, Vec3};

pub(super) type Wide = [f64; 3];

pub(super) fn wide(vector: Vec3) -> Wide {
    vector.to_array().map(f64::from)
}

pub(super) fn narrow(vector: Wide) -> Vec3 {
    Vec3::from(vector.map(|value| value as f32))
}

/// The columns of a matrix.
pub(super) fn wide_columns(matrix: &Mat3) -> [Wide; 3] {
    matrix.columns.map(wide)
}

pub(super) fn dot(a: Wide, b: Wide) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: Wide, b: Wide) -> Wide {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// A matrix, by its columns, times a vector.
pub(super) fn times([a, b, c]: &[Wide; 3], vector: Wide) -> Wide {
    core::array::from_fn(|row| a[row] * vector[0] + b[row] * vector[1] + c[row] * vector[2])
}
