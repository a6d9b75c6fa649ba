//! Cylinders and cones as convex hulls: flat sides, rim vertices on the circle.

use crate::shapes::convex_hull::{ConvexHull, MAX_SIDES};
use crate::{
    Vec3, scalar,
    shapes::{ShapeError, ShapeLength, error::checked_size},
};

impl ConvexHull {
    /// Cylinder along the y axis, from `−half_height` to `half_height`, with `sides` flat sides.
    ///
    /// # Errors
    /// [`ShapeError`] if a size is NaN or out of range, or `sides` is below 3 or above 1,024.
    pub fn cylinder(half_height: f32, radius: f32, sides: u32) -> Result<Self, ShapeError> {
        let half_height = checked_size(ShapeLength::HalfHeight, half_height)?;
        let mut points = rim(-half_height, radius, sides)?;
        points.extend(rim(half_height, radius, sides)?);
        Self::new(&points)
    }

    /// Cone along the y axis: base at `−half_height`, apex at `half_height`, `sides` flat sides.
    ///
    /// Its centroid is not the origin: it lies 1/4 of the height above the base.
    ///
    /// # Errors
    /// [`ShapeError`] if a size is NaN or out of range, or `sides` is below 3 or above 1,024.
    pub fn cone(half_height: f32, radius: f32, sides: u32) -> Result<Self, ShapeError> {
        let half_height = checked_size(ShapeLength::HalfHeight, half_height)?;
        let mut points = rim(-half_height, radius, sides)?;
        points.push(Vec3::new(0.0, half_height, 0.0));
        Self::new(&points)
    }
}

/// Vertices of a regular polygon at height `y`.
fn rim(y: f32, radius: f32, sides: u32) -> Result<Vec<Vec3>, ShapeError> {
    let radius = checked_size(ShapeLength::Radius, radius)?;
    if !(3..=MAX_SIDES).contains(&sides) {
        return Err(ShapeError::Sides { sides });
    }
    let vertex = |side: u32| {
        let (sin, cos) = scalar::sin_cos(core::f32::consts::TAU * (side as f32 / sides as f32));
        Vec3::new(radius * cos, y, radius * sin)
    };
    Ok((0..sides).map(vertex).collect())
}
