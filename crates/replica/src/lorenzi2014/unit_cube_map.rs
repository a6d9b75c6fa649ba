//! Uniform scaling of a mesh into the cube of edge 100 that Lorenzi 2014 works in.

use embate_geom::{Aabb, DVec3, Ray};
use embate_mesh::TriangleMesh;

/// Edge of the cube that every model of the study is scaled into.
pub const CUBE_EDGE: f64 = 100.0;

/// Similarity transform from mesh units to the study's cube: the minimum corner of the mesh maps to
/// the origin, its longest side to 100.
///
/// Rays are transformed with the mesh, so `t` is the same in both spaces.
#[doc(alias = "StudyFit")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitCubeMap {
    min: [f64; 3],
    scale: f64,
}

/// A ray in the study's cube.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CubeRay {
    pub(crate) origin: DVec3,
    pub(crate) direction: DVec3,
}

impl UnitCubeMap {
    /// Identity, for scenes that are generated inside the cube, such as the study's random
    /// families.
    pub const IDENTITY: Self = Self { min: [0.0; 3], scale: 1.0 };

    /// Maps `mesh` into the cube. A mesh without extent is only translated; an empty mesh gets
    /// [`IDENTITY`](Self::IDENTITY).
    #[must_use]
    pub fn of(mesh: &TriangleMesh) -> Self {
        let Some(bounds) = mesh.bounds() else { return Self::IDENTITY };
        let min = bounds.min.map(f64::from);
        let sides = bounds.max.map(f64::from).into_iter().zip(min).map(|(max, min)| max - min);
        let longest = sides.fold(0.0, |a: f64, b| if b > a { b } else { a });
        Self { min, scale: if longest > 0.0 { CUBE_EDGE / longest } else { 1.0 } }
    }

    pub(super) fn point(&self, [x, y, z]: [f32; 3]) -> DVec3 {
        let coordinate = |axis: usize, value: f32| (f64::from(value) - self.min[axis]) * self.scale;
        DVec3::new(coordinate(0, x), coordinate(1, y), coordinate(2, z))
    }

    pub(super) fn ray(&self, ray: &Ray<3>) -> CubeRay {
        let [x, y, z] = ray.direction.map(|component| f64::from(component) * self.scale);
        CubeRay { origin: self.point(ray.origin), direction: DVec3::new(x, y, z) }
    }

    /// A box of the cube in mesh units.
    pub(super) fn aabb_to_mesh_units(self, min: [f64; 3], max: [f64; 3]) -> Aabb<3> {
        let to_mesh = |corner: [f64; 3]| {
            core::array::from_fn(|axis| (corner[axis] / self.scale + self.min[axis]) as f32)
        };
        Aabb { min: to_mesh(min), max: to_mesh(max) }
    }

    /// A ray of the cube in mesh units.
    #[must_use]
    pub fn ray_to_mesh_units(&self, origin: [f64; 3], direction: [f64; 3]) -> Ray<3> {
        Ray::new(
            core::array::from_fn(|axis| (origin[axis] / self.scale + self.min[axis]) as f32),
            direction.map(|component| (component / self.scale) as f32),
        )
    }
}
