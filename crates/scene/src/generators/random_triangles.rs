//! Random triangles of Lorenzi 2014 ("Test cases" in `docs/studies.md`): families of one size each,
//! in a cube of edge 100.

use core::str::FromStr;

use embate::{Ray, TriangleMesh};
use embate_replica::lorenzi2014::{CUBE_EDGE, UnitCubeMap};
use serde::{Deserialize, Serialize};

use crate::random::Random;

/// Edge of the study's cube, as our own structures see it.
const EDGE: f32 = CUBE_EDGE as f32;

/// How large a random triangle is, and so how well the scene suits an octree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// Triangles as large as the scene.
    Low,
    /// Triangles in cubes of edge 30.
    Medium,
    /// Triangles in cubes of edge 5.
    High,
}

impl Family {
    /// All three, as the study orders them.
    pub const ALL: [Self; 3] = [Self::Low, Self::Medium, Self::High];

    /// `low`, `medium` or `high`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    /// Edge of the cube that each triangle's corners are drawn in.
    #[must_use]
    pub fn edge(self) -> f32 {
        match self {
            Self::Low => EDGE,
            Self::Medium => 30.0,
            Self::High => 5.0,
        }
    }
}

impl FromStr for Family {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|family| family.name() == name);
        found.ok_or_else(|| format!("possible values: {}", Self::ALL.map(Self::name).join(", ")))
    }
}

/// `count` triangles: three corners drawn in a cube of the family's edge, then shifted together by
/// a random offset that keeps them in the cube of 100.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "corners drawn in a cube of 100 are a valid mesh")]
pub fn random_triangles(family: Family, count: u32, random: &mut Random) -> TriangleMesh {
    let edge = family.edge();
    let mut positions = Vec::with_capacity(3 * count as usize);
    for _ in 0..count {
        let corners: [[f32; 3]; 3] =
            core::array::from_fn(|_| core::array::from_fn(|_| random.between(0.0, edge)));
        let shift: [f32; 3] = core::array::from_fn(|_| random.between(0.0, EDGE - edge));
        positions
            .extend(corners.map(|corner| core::array::from_fn(|axis| corner[axis] + shift[axis])));
    }
    let triangles = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    TriangleMesh::new(positions, triangles).expect("drawn inside the cube")
}

/// Lorenzi's rays: origin uniform in the cube, direction components uniform in −5..5; brought from
/// the cube into the units of the mesh that `fit` belongs to.
#[must_use]
pub fn random_rays(fit: UnitCubeMap, count: u32, random: &mut Random) -> Vec<Ray<3>> {
    (0..count)
        .map(|_| {
            let origin = core::array::from_fn(|_| random.unit_f64() * CUBE_EDGE);
            let direction = core::array::from_fn(|_| random.unit_f64() * 10.0 - 5.0);
            fit.ray_to_mesh_units(origin, direction)
        })
        .collect()
}
