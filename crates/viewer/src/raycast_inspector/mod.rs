//! Raycast inspector: rays against a mesh, structure by structure.
//!
//! ```text
//! bytes of a file, or a scene by name ──open──► RaycastInspector ──build, one by one──► TECHNIQUES
//!                                                 │
//!              look: RenderMesh, Facts ◄──────────┼──► cast: hit and counts of each ──► traversal: visited nodes, in order
//!                                                 ├──► boxes to a depth, triangles per level, cost, advice
//!                                                 └──► visibility between two points, HeatMapJob: work per pixel
//! ```
//!
//! The page's rays are decided here: hits and counts are those of `embate cast`, `embate
//! visibility` and `embate heatmap`, because the same structures compute them. The wasm crate
//! converts, the page draws.
//!
//! Guarantees: a mesh that cannot be opened yields one line of reason; the only clock is the
//! caller's.

mod catalog;
mod heat_map_job;
mod mesh_source;
mod render_mesh;
mod structures;
mod trace;

pub use catalog::catalog;
pub use heat_map_job::{HeatMapJob, HeatMapRequest};
pub use render_mesh::RenderMesh;
pub use structures::{Levels, StructureSummary};
pub use trace::{Cast, CastResult, FLOATS_PER_VISIT, NodeVisit, SurfaceHit, Traversal, Visibility};

use embate::TriangleMesh;
use embate::dynamics::Clock;
use embate::raycast::RayIndexKind;
use embate_replica::structure::{AnyRayStructure, RayStructure};
use serde::Serialize;

use self::structures::Structure;

/// The structures that are looked into side by side, in this order: brute force, Lorenzi's octree,
/// and the other structures of the engine. Lorenzi's brute force is left out: it visits what ours
/// does.
pub const TECHNIQUES: [RayStructure; 1 + RayIndexKind::STRUCTURES.len()] = {
    let mut techniques = [RayStructure::LorenziOctree; 1 + RayIndexKind::STRUCTURES.len()];
    techniques[0] = RayStructure::BRUTE_FORCE;
    let mut index = 1;
    while index < RayIndexKind::STRUCTURES.len() {
        techniques[index + 1] = RayStructure::Engine(RayIndexKind::STRUCTURES[index]);
        index += 1;
    }
    techniques
};

/// A mesh, and the structures over it that were built so far.
#[derive(Debug)]
pub struct RaycastInspector {
    mesh: TriangleMesh,
    facts: Facts,
    clock: Clock,
    structures: [Option<Structure>; TECHNIQUES.len()],
}

/// Properties of a mesh.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Facts {
    /// Name of the file or scene.
    pub name: String,
    /// Detected file format; `None` for a scene.
    pub format: Option<String>,
    /// Size of the unpacked file in bytes; 0 for a scene.
    pub file_bytes: u64,
    /// Number of triangles.
    pub triangles: u32,
    /// Number of vertices, including unused ones.
    pub vertices: u32,
    /// Number of degenerate triangles.
    pub degenerate: u32,
    /// Minimum corner.
    pub min: [f32; 3],
    /// Maximum corner.
    pub max: [f32; 3],
}

impl RaycastInspector {
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

    /// Clock of builds and benchmarks, in seconds.
    pub fn set_clock(&mut self, clock: Clock) {
        self.clock = clock;
    }

    /// Properties of the mesh.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The mesh itself.
    #[must_use]
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    /// Vertices and triangles for rendering.
    #[must_use]
    pub fn render_mesh(&self) -> RenderMesh {
        RenderMesh::of(&self.mesh)
    }

    /// A structure, if it was built.
    fn index(&self, technique: RayStructure) -> Option<&AnyRayStructure> {
        let index = TECHNIQUES.iter().position(|&each| each == technique)?;
        self.structures[index].as_ref().map(|structure| &structure.index)
    }
}

#[cfg(test)]
mod tests;
