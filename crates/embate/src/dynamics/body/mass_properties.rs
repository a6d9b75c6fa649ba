//! How does a body weigh and turn?

use embate_geom::{Mat3, Vec3};

use super::checks::InvalidBody;
use crate::shapes::Shape;

/// How a body weighs and turns, in its shape's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mass {
    /// In kg; 0 for what nothing moves.
    pub(super) kilograms: f32,
    /// 0 for what nothing moves.
    pub(super) inverse: f32,
    pub(super) centroid: Vec3,
    pub(super) inertia: Mat3,
    pub(super) inverse_inertia: Mat3,
    /// As hard to turn about any axis: it never tumbles.
    pub(super) even: bool,
}

impl Mass {
    pub(super) const INFINITE: Self = Self {
        kilograms: 0.0,
        inverse: 0.0,
        centroid: Vec3::ZERO,
        inertia: Mat3::ZERO,
        inverse_inertia: Mat3::ZERO,
        even: true,
    };

    pub(super) fn of(shape: &Shape, mass: f32) -> Result<Self, InvalidBody> {
        if !(1e-9..=1e12).contains(&mass) {
            return Err(InvalidBody::Mass { mass });
        }
        let properties =
            shape.mass_properties().ok_or(InvalidBody::Weightless { kind: shape.kind() })?;
        let inertia = properties.inertia(mass);
        // Inverted for a mass and a size of about 1: six lengths multiplied could leave the range of f32.
        let size = inertia.columns[0].x + inertia.columns[1].y + inertia.columns[2].z;
        let inverse_inertia =
            (inertia * (1.0 / size)).inverse().map(|inverse| inverse * (1.0 / size));
        let inverse_inertia = inverse_inertia
            .filter(|inverse| inverse.columns.iter().all(|column| column.is_finite()))
            .ok_or(InvalidBody::Inertia { mass })?;
        let [a, b, c] = inertia.columns;
        let off = Vec3::new(a.y, a.z, b.z).abs().largest();
        let spread = Vec3::new(a.x - b.y, b.y - c.z, c.z - a.x).abs().largest();
        let even = off + spread <= 1e-6 * size;
        Ok(Self {
            kilograms: mass,
            inverse: 1.0 / mass,
            centroid: properties.centroid,
            inertia,
            inverse_inertia,
            even,
        })
    }
}
