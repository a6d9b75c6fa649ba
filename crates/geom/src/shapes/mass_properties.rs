//! How much space does a solid fill, where is its middle, and how hard is it to turn?

use crate::{Mat3, Rotation, Vec3, Wide};

/// What a solid of even density weighs and how it turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// The space it fills.
    pub volume: f32,
    /// Its centre of mass, in the shape's frame.
    pub centroid: Vec3,
    /// The inertia tensor about the centroid, along the shape's axes, for a mass of 1.
    pub inertia_per_mass: Mat3,
}

impl MassProperties {
    /// Of the solid inside a closed surface of triangles, counter-clockwise seen from outside; `None` if
    /// they enclose nothing. (A surface turned inside out counts as the solid it encloses.)
    ///
    /// Exact integrals over the tetrahedra between each triangle and the first corner, in f64: moments
    /// about a far origin would drown those about the centroid.
    pub fn of_triangles(triangles: impl IntoIterator<Item = [Vec3; 3]>) -> Option<Self> {
        let mut triangles = triangles.into_iter().peekable();
        let from = Wide::from(triangles.peek()?[0]);
        let mut moments = Moments::default();
        for triangle in triangles {
            moments.add_tetrahedron(triangle.map(|corner| Wide::from(corner) - from));
        }
        moments.about(from)
    }

    /// The inertia tensor about the centroid for this mass.
    #[must_use]
    pub fn inertia(&self, mass: f32) -> Mat3 {
        self.inertia_per_mass * mass
    }

    /// Of the same solid turned.
    #[must_use]
    pub fn turned(&self, rotation: Rotation) -> Self {
        let turn = rotation.matrix();
        Self {
            volume: self.volume,
            centroid: turn * self.centroid,
            inertia_per_mass: turn * self.inertia_per_mass * turn.transposed(),
        }
    }

    /// Of several solids as one; where they overlap, the space counts for each. `None` for none.
    #[must_use]
    pub fn joined(parts: &[Self]) -> Option<Self> {
        let volume: f64 = parts.iter().map(|part| f64::from(part.volume)).sum();
        if volume <= 0.0 {
            return None;
        }
        let share = |part: &Self| f64::from(part.volume) / volume;
        let centroid = parts
            .iter()
            .fold(Wide::ZERO, |sum, part| sum + Wide::from(part.centroid) * share(part));
        let mut inertia = [[0.0; 3]; 3];
        for part in parts {
            let arm = Wide::from(part.centroid) - centroid;
            let steiner = from_second_moments(outer(arm));
            for column in 0..3 {
                let own = part.inertia_per_mass.columns[column].to_array();
                for row in 0..3 {
                    inertia[column][row] +=
                        share(part) * (f64::from(own[row]) + steiner[column][row]);
                }
            }
        }
        Some(Self {
            volume: volume as f32,
            centroid: centroid.narrow(),
            inertia_per_mass: narrow(inertia),
        })
    }
}

/// Integrals of 1, `x` and `x xᵀ` over a solid; times 6, 24 and 120.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    volume: f64,
    first: Wide,
    second: [[f64; 3]; 3],
}

impl Moments {
    /// Of the tetrahedron between a triangle and the origin; negative if the triangle faces it.
    fn add_tetrahedron(&mut self, [a, b, c]: [Wide; 3]) {
        let determinant = a.dot(b.cross(c));
        let sum = a + b + c;
        self.volume += determinant;
        self.first = self.first + sum * determinant;
        let products = [a, b, c, sum].map(outer);
        for column in 0..3 {
            for row in 0..3 {
                let total: f64 = products.iter().map(|product| product[column][row]).sum();
                self.second[column][row] += determinant * total;
            }
        }
    }

    /// The origin of these moments lies at `from`.
    fn about(&self, from: Wide) -> Option<MassProperties> {
        if self.volume == 0.0 || !self.volume.is_finite() {
            return None;
        }
        let centroid = self.first * (6.0 / 24.0 / self.volume);
        let own = outer(centroid);
        let spread = core::array::from_fn(|column| {
            core::array::from_fn(|row| {
                self.second[column][row] * (6.0 / 120.0) / self.volume - own[column][row]
            })
        });
        Some(MassProperties {
            volume: (self.volume.abs() / 6.0) as f32,
            centroid: (from + centroid).narrow(),
            inertia_per_mass: narrow(from_second_moments(spread)),
        })
    }
}

fn outer(v: Wide) -> [[f64; 3]; 3] {
    [v.x, v.y, v.z].map(|factor| [v.x * factor, v.y * factor, v.z * factor])
}

/// The inertia tensor of a solid whose mean of `x xᵀ` this is.
fn from_second_moments(spread: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let trace = spread[0][0] + spread[1][1] + spread[2][2];
    core::array::from_fn(|column| {
        core::array::from_fn(|row| {
            if row == column { trace - spread[column][row] } else { -spread[column][row] }
        })
    })
}

fn narrow(matrix: [[f64; 3]; 3]) -> Mat3 {
    Mat3 { columns: matrix.map(|column| Vec3::from(column.map(|value| value as f32))) }
}
