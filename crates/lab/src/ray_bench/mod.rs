//! What does a ray do in somebody's mesh, structure by structure?
//!
//! ```text
//! a file's bytes, or a scene by name ──open──► RayBench ──build, one by one──► brute, study-octree, octree, bvh
//!                                                 │
//!                   look: Drawn, Facts ◄──────────┼──► cast: hit and counts of each ──► walk: what it visits, in order
//!                                                 ├──► boxes to a depth, triangles a level, cost, advice
//!                                                 └──► sight between two points, Heating: work per pixel
//! ```
//!
//! Everything a page shows of rays is decided here: hits and counts are those of `embate cast`, `embate sight` and
//! `embate heatmap`, because the same structures answer. The shell around it converts, the page draws.
//!
//! Promises: what cannot be opened says why in one line; nothing here reads a clock but the one it is given.

mod catalogue;
mod drawn;
mod heating;
mod source;
mod structures;
mod walk;

pub use catalogue::catalogue;
pub use drawn::Drawn;
pub use heating::{HeatRequest, Heating};
pub use source::read_mesh;
pub use structures::{Levels, StructureTold};
pub use walk::{Cast, CastOf, NUMBERS_A_VISIT, Place, Sight, Visit, Walk};

use embate::TriangleMesh;
use embate::dynamics::Clock;
use embate_studies::structure::{AnyRayStructure, RayStructure};
use serde::Serialize;

use self::structures::Structure;

/// The structures that are looked into side by side, in this order. Study A's brute force is left out: it visits what
/// ours does.
pub const TECHNIQUES: [RayStructure; 4] = [
    RayStructure::BRUTE_FORCE,
    RayStructure::LorenziOctree,
    RayStructure::OCTREE,
    RayStructure::BVH,
];

/// A mesh, and the structures over it that were built so far.
#[derive(Debug)]
pub struct RayBench {
    mesh: TriangleMesh,
    facts: Facts,
    clock: Clock,
    structures: [Option<Structure>; TECHNIQUES.len()],
}

/// What a mesh is like before anything is built over it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Facts {
    /// Of the file, or of the scene.
    pub name: String,
    /// What the content turned out to be; `None` for a scene.
    pub format: Option<String>,
    /// Unpacked; 0 for a scene.
    pub file_bytes: u64,
    /// How many.
    pub triangles: u32,
    /// How many, those that no triangle uses included.
    pub vertices: u32,
    /// Triangles without area.
    pub degenerate: u32,
    /// Least corner.
    pub min: [f32; 3],
    /// Greatest corner.
    pub max: [f32; 3],
}

impl RayBench {
    fn of(
        mesh: TriangleMesh,
        name: &str,
        format: Option<String>,
        file_bytes: u64,
    ) -> Result<Self, String> {
        let Some(bounds) = mesh.bounds() else {
            return Err(format!(
                "{name}: the mesh has no triangles, so there is nothing a ray could hit"
            ));
        };
        let facts = Facts {
            name: name.to_owned(),
            format,
            file_bytes,
            triangles: mesh.triangles().len() as u32,
            vertices: mesh.positions().len() as u32,
            degenerate: mesh.degenerate_triangles() as u32,
            min: bounds.min,
            max: bounds.max,
        };
        let structures = core::array::from_fn(|_| None);
        Ok(Self { mesh, facts, clock: || 0.0, structures })
    }

    /// What is built and tried is timed by this clock, in seconds.
    pub fn use_clock(&mut self, clock: Clock) {
        self.clock = clock;
    }

    /// What the mesh is like.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The mesh itself.
    #[must_use]
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    /// As triangles to draw.
    #[must_use]
    pub fn drawn(&self) -> Drawn {
        Drawn::of(&self.mesh)
    }

    /// A structure, if it was built.
    fn index(&self, technique: RayStructure) -> Option<&AnyRayStructure> {
        let place = TECHNIQUES.iter().position(|&each| each == technique)?;
        self.structures[place].as_ref().map(|structure| &structure.index)
    }
}

#[cfg(test)]
mod tests;
