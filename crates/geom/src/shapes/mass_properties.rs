//! Mass properties of a solid of uniform density: volume, center of mass, inertia tensor.

use crate::{DVec3, Mat3, Rotation, Vec3};

/// Volume, center of mass and inertia tensor of a solid of uniform density.
///
/// ```
/// use embate_geom::shapes::Sphere;
///
/// let properties = Sphere::new(0.5)?.mass_properties();
/// let mass = properties.mass(1000.0); // kg, of a sphere of water
/// assert!((mass - 523.6).abs() < 0.1);
/// assert_eq!(properties.inertia(mass).columns[0].x, mass * 0.4 * 0.25);
/// # Ok::<(), embate_geom::shapes::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Volume, in m³.
    pub volume: f32,
    /// Center of mass, in the shape's frame.
    #[doc(alias = "centroid")]
    pub center_of_mass: Vec3,
    /// Inertia tensor about the center of mass, in the shape's axes, for a mass of 1 kg.
    #[doc(alias = "inertia_per_mass")]
    pub unit_inertia: Mat3,
}

impl MassProperties {
    /// Properties of the solid inside a closed triangle mesh; `None` if the enclosed volume is 0 or
    /// not finite. Triangles are counter-clockwise seen from outside; a mesh with all triangles
    /// flipped has the same properties.
    ///
    /// Exact integrals over the tetrahedra between each triangle and the first vertex, in f64. The
    /// first vertex is the reference point: moments about a distant origin would swamp those about
    /// the centroid.
    #[doc(alias = "of_triangles")]
    pub fn from_triangles(triangles: impl IntoIterator<Item = [Vec3; 3]>) -> Option<Self> {
        let mut triangles = triangles.into_iter().peekable();
        let reference = DVec3::from(triangles.peek()?[0]);
        let mut moments = Moments::default();
        for triangle in triangles {
            moments.add_tetrahedron(triangle.map(|vertex| DVec3::from(vertex) - reference));
        }
        moments.to_mass_properties(reference)
    }

    /// Mass in kg of a solid of this density, in kg/m³.
    #[must_use]
    pub fn mass(&self, density: f32) -> f32 {
        self.volume * density
    }

    /// Inertia tensor about the center of mass for this mass, in kg m².
    #[must_use]
    pub fn inertia(&self, mass: f32) -> Mat3 {
        self.unit_inertia * mass
    }

    /// Properties of the same solid, rotated about the origin.
    #[must_use]
    #[doc(alias = "turned")]
    pub fn rotated(&self, rotation: Rotation) -> Self {
        let matrix = rotation.to_matrix();
        Self {
            volume: self.volume,
            center_of_mass: matrix * self.center_of_mass,
            unit_inertia: matrix * self.unit_inertia * matrix.transpose(),
        }
    }

    /// Properties of the union of several solids of equal density; overlapping volume counts once
    /// per solid. `None` if the total volume is 0.
    #[must_use]
    #[doc(alias = "joined")]
    pub fn combined(parts: &[Self]) -> Option<Self> {
        let volume: f64 = parts.iter().map(|part| f64::from(part.volume)).sum();
        if volume <= 0.0 {
            return None;
        }
        let fraction = |part: &Self| f64::from(part.volume) / volume;
        let centroid = parts
            .iter()
            .fold(DVec3::ZERO, |sum, part| sum + DVec3::from(part.center_of_mass) * fraction(part));
        let mut inertia = [[0.0; 3]; 3];
        for part in parts {
            let offset = DVec3::from(part.center_of_mass) - centroid;
            // Parallel axis theorem.
            let steiner = inertia_from_second_moments(outer_product(offset));
            for column in 0..3 {
                let own = part.unit_inertia.columns[column].to_array();
                for row in 0..3 {
                    inertia[column][row] +=
                        fraction(part) * (f64::from(own[row]) + steiner[column][row]);
                }
            }
        }
        Some(Self {
            volume: volume as f32,
            center_of_mass: centroid.as_vec3(),
            unit_inertia: to_mat3(inertia),
        })
    }
}

/// Integrals of 1, `x` and `x xᵀ` over a solid, times 6, 24 and 120.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    volume: f64,
    first: DVec3,
    second: [[f64; 3]; 3],
}

impl Moments {
    /// Adds the tetrahedron between a triangle and the origin; negative if the triangle faces the
    /// origin.
    fn add_tetrahedron(&mut self, [a, b, c]: [DVec3; 3]) {
        let determinant = a.dot(b.cross(c));
        let sum = a + b + c;
        self.volume += determinant;
        self.first = self.first + sum * determinant;
        let products = [a, b, c, sum].map(outer_product);
        for column in 0..3 {
            for row in 0..3 {
                let total: f64 = products.iter().map(|product| product[column][row]).sum();
                self.second[column][row] += determinant * total;
            }
        }
    }

    /// `None` if the volume is 0 or not finite. The moments are relative to `reference`.
    fn to_mass_properties(self, reference: DVec3) -> Option<MassProperties> {
        if self.volume == 0.0 || !self.volume.is_finite() {
            return None;
        }
        let centroid = self.first * (6.0 / 24.0 / self.volume);
        let centroid_product = outer_product(centroid);
        let covariance = core::array::from_fn(|column| {
            core::array::from_fn(|row| {
                self.second[column][row] * (6.0 / 120.0) / self.volume
                    - centroid_product[column][row]
            })
        });
        Some(MassProperties {
            volume: (self.volume.abs() / 6.0) as f32,
            center_of_mass: (reference + centroid).as_vec3(),
            unit_inertia: to_mat3(inertia_from_second_moments(covariance)),
        })
    }
}

fn outer_product(v: DVec3) -> [[f64; 3]; 3] {
    [v.x, v.y, v.z].map(|factor| [v.x * factor, v.y * factor, v.z * factor])
}

/// Inertia tensor per unit mass of a solid whose mean of `x xᵀ` is `mean`.
fn inertia_from_second_moments(mean: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let trace = mean[0][0] + mean[1][1] + mean[2][2];
    core::array::from_fn(|column| {
        core::array::from_fn(|row| {
            if row == column { trace - mean[column][row] } else { -mean[column][row] }
        })
    })
}

fn to_mat3(matrix: [[f64; 3]; 3]) -> Mat3 {
    Mat3 { columns: matrix.map(|column| Vec3::from(column.map(|value| value as f32))) }
}
