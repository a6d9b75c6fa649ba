//! Round things as hulls: their sides are flat, and the corners of their rims lie on the circle.

use super::{Hull, MAX_SIDES};
use crate::{
    Vec3, scalar,
    shapes::{InvalidShape, invalid::checked_size},
};

impl Hull {
    /// A cylinder along the y axis, from `−half_height` to `half_height`.
    ///
    /// # Errors
    /// [`InvalidShape`] if a size is NaN or out of range, or `sides` below 3 or above 1,024.
    pub fn cylinder(half_height: f32, radius: f32, sides: u32) -> Result<Self, InvalidShape> {
        let half_height = checked_size("half-height", half_height)?;
        let mut points = rim(-half_height, radius, sides)?;
        points.extend(rim(half_height, radius, sides)?);
        Self::new(&points)
    }

    /// A cone along the y axis: its base at `−half_height`, its tip at `half_height`.
    ///
    /// Its centroid is not the origin but lies at a quarter of its height.
    ///
    /// # Errors
    /// [`InvalidShape`] if a size is NaN or out of range, or `sides` below 3 or above 1,024.
    pub fn cone(half_height: f32, radius: f32, sides: u32) -> Result<Self, InvalidShape> {
        let half_height = checked_size("half-height", half_height)?;
        let mut points = rim(-half_height, radius, sides)?;
        points.push(Vec3::new(0.0, half_height, 0.0));
        Self::new(&points)
    }
}

fn rim(y: f32, radius: f32, sides: u32) -> Result<Vec<Vec3>, InvalidShape> {
    let radius = checked_size("radius", radius)?;
    if !(3..=MAX_SIDES).contains(&sides) {
        return Err(InvalidShape::Sides { sides });
    }
    let corner = |side: u32| {
        let (sin, cos) = scalar::sin_cos(core::f32::consts::TAU * (side as f32 / sides as f32));
        Vec3::new(radius * cos, y, radius * sin)
    };
    Ok((0..sides).map(corner).collect())
}
