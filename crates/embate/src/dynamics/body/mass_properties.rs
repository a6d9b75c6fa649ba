//! Mass properties of a body: mass, center of mass, inertia tensor and their inverses.

use embate_geom::{Mat3, Vec3};

use crate::dynamics::body::error::{BodyError, check_number};
use crate::dynamics::quantity::Quantity;
use crate::shapes::Shape;

/// Largest deviation of an isotropic inertia tensor, relative to its trace.
const ISOTROPY_TOLERANCE: f32 = 1e-6;

/// Mass properties of a body, in the frame of its shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BodyMass {
    /// In kg; 0 for fixed and kinematic bodies.
    pub(crate) kilograms: f32,
    /// Inverse mass in 1/kg; 0 for fixed and kinematic bodies.
    pub(crate) inverse: f32,
    /// Center of mass.
    pub(crate) center_of_mass: Vec3,
    /// Inertia tensor about the center of mass, in kg·m².
    pub(crate) inertia: Mat3,
    pub(crate) inverse_inertia: Mat3,
    /// Whether the inertia tensor is a multiple of the identity, so that the gyroscopic torque is
    /// 0.
    pub(crate) is_isotropic: bool,
}

impl BodyMass {
    /// Mass properties of fixed and kinematic bodies: all inverses are 0.
    pub(crate) const INFINITE: Self = Self {
        kilograms: 0.0,
        inverse: 0.0,
        center_of_mass: Vec3::ZERO,
        inertia: Mat3::ZERO,
        inverse_inertia: Mat3::ZERO,
        is_isotropic: true,
    };

    /// Mass properties of a dynamic body of `density` kg/m³.
    ///
    /// # Errors
    /// As [`from_shape`](Self::from_shape), and if the density is not in 1e-9..=1e12.
    pub(crate) fn from_density(shape: &Shape, density: f32) -> Result<Self, BodyError> {
        check_number(Quantity::Density, density, 1e-9, 1e12)?;
        let volume = shape.volume().ok_or(BodyError::NoVolume { shape: shape.shape_type() })?;
        Self::from_shape(shape, density * volume)
    }

    /// Mass properties of a dynamic body of `mass` kg.
    ///
    /// # Errors
    /// [`BodyError`] if the mass is out of range, the shape has no volume, or the inverse inertia
    /// is not finite in f32.
    pub(crate) fn from_shape(shape: &Shape, mass: f32) -> Result<Self, BodyError> {
        check_mass(mass)?;
        let properties =
            shape.mass_properties().ok_or(BodyError::NoVolume { shape: shape.shape_type() })?;
        let inertia = properties.inertia(mass);
        // Inverted after scaling to a trace of 1: a product of six lengths could overflow f32.
        let trace = inertia.columns[0].x + inertia.columns[1].y + inertia.columns[2].z;
        let inverse_inertia =
            (inertia * (1.0 / trace)).inverse().map(|inverse| inverse * (1.0 / trace));
        let inverse_inertia = inverse_inertia
            .filter(|inverse| inverse.columns.iter().all(|column| column.is_finite()))
            .ok_or(BodyError::Inertia { mass })?;
        let [a, b, c] = inertia.columns;
        let off_diagonal = Vec3::new(a.y, a.z, b.z).abs().max_element();
        let diagonal_spread = Vec3::new(a.x - b.y, b.y - c.z, c.z - a.x).abs().max_element();
        Ok(Self {
            kilograms: mass,
            inverse: 1.0 / mass,
            center_of_mass: properties.center_of_mass,
            inertia,
            inverse_inertia,
            is_isotropic: off_diagonal + diagonal_spread <= ISOTROPY_TOLERANCE * trace,
        })
    }
}

/// Inverse of an inertia tensor restricted to the free axes; 0 in the rows and columns of locked
/// axes.
pub(super) fn inverse_with_locked_axes(inertia: &Mat3, locked: [bool; 3]) -> Mat3 {
    let free_axes = (0..3).filter(|&axis| !locked[axis]);
    let trace: f32 = free_axes.map(|axis| inertia.columns[axis][axis]).sum();
    if trace <= 0.0 {
        return Mat3::ZERO;
    }
    // Scaled to a trace of 1, as in [`BodyMass::from_shape`]: the determinant could underflow f32.
    let mut part = *inertia * (1.0 / trace);
    for column in 0..3 {
        for row in 0..3 {
            if locked[column] || locked[row] {
                part.columns[column][row] = if column == row { 1.0 } else { 0.0 };
            }
        }
    }
    let mut inverse = part.inverse().unwrap_or(Mat3::ZERO) * (1.0 / trace);
    for axis in (0..3).filter(|&axis| locked[axis]) {
        inverse.columns[axis][axis] = 0.0;
    }
    inverse
}
/// Whether a mass, in kg, is in the supported range.
pub(crate) fn check_mass(mass: f32) -> Result<(), BodyError> {
    if (1e-9..=1e12).contains(&mass) { Ok(()) } else { Err(BodyError::Mass { mass }) }
}
