//! How does a mesh of any size get into study A's cube of edge 100?

use embate_geom::{Aabb, Ray};
use embate_mesh::TriangleMesh;

/// Edge of the cube every model of study A is scaled into.
pub const CUBE_EDGE: f64 = 100.0;

/// Moves and scales uniformly from a mesh's own units into the study's cube: least corner at 0,
/// longest side 100. Rays go with it, so `t` is the same in both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StudyFit {
    least: [f64; 3],
    scale: f64,
}

/// A ray in the study's cube.
#[derive(Clone, Copy, Debug)]
pub(super) struct StudyRay {
    pub(super) origin: [f64; 3],
    pub(super) direction: [f64; 3],
}

impl StudyFit {
    /// For scenes made in the cube itself, such as the study's random families: changes nothing.
    pub const IDENTITY: Self = Self { least: [0.0; 3], scale: 1.0 };

    /// The fit for any other mesh. A mesh without extent is only moved.
    #[must_use]
    pub fn of(mesh: &TriangleMesh) -> Self {
        let Some(bounds) = mesh.bounds() else { return Self::IDENTITY };
        let least = bounds.min.map(f64::from);
        let sides = bounds.max.map(f64::from).into_iter().zip(least).map(|(max, min)| max - min);
        let longest = sides.fold(0.0, |a: f64, b| if b > a { b } else { a });
        Self { least, scale: if longest > 0.0 { CUBE_EDGE / longest } else { 1.0 } }
    }

    pub(super) fn point(&self, point: [f32; 3]) -> [f64; 3] {
        core::array::from_fn(|axis| (f64::from(point[axis]) - self.least[axis]) * self.scale)
    }

    pub(super) fn ray(&self, ray: &Ray<3>) -> StudyRay {
        StudyRay {
            origin: self.point(ray.origin),
            direction: ray.direction.map(|component| f64::from(component) * self.scale),
        }
    }

    /// A box of the cube in the mesh's own units.
    pub(super) fn to_mesh_units(self, min: [f64; 3], max: [f64; 3]) -> Aabb<3> {
        let back = |corner: [f64; 3]| {
            core::array::from_fn(|axis| (corner[axis] / self.scale + self.least[axis]) as f32)
        };
        Aabb { min: back(min), max: back(max) }
    }

    /// A ray given in the cube, in the mesh's own units.
    #[must_use]
    pub fn ray_to_mesh_units(&self, origin: [f64; 3], direction: [f64; 3]) -> Ray<3> {
        Ray::new(
            core::array::from_fn(|axis| (origin[axis] / self.scale + self.least[axis]) as f32),
            direction.map(|component| (component / self.scale) as f32),
        )
    }
}
