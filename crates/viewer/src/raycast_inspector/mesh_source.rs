//! Mesh sources: bytes of a file, or a generated scene, which can be saved as a file.

use embate_mesh::{Limits, MeshError, write_obj, write_ply_binary, write_triangle_text};
use embate_scene::generators::{Family, city, house};
use embate_studies::rays::random_scene;

use super::RaycastInspector;

/// A page holds the file, the mesh, the structures and the render mesh in a memory of 4 GB.
/// Structures for comparison are built on request only.
const LIMITS: Limits =
    Limits { max_bytes: 1 << 29, max_vertices: 6_000_000, max_triangles: 6_000_000 };

/// Triangles of a random family, at most: beyond, the octree that cuts them takes minutes.
pub(super) const MAX_RANDOM: u32 = 100_000;

/// Scenes by name, as the studies name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GeneratedScene {
    Random(Family),
    House,
    City,
}

impl GeneratedScene {
    pub(super) const ALL: [Self; 5] = [
        Self::City,
        Self::House,
        Self::Random(Family::Low),
        Self::Random(Family::Medium),
        Self::Random(Family::High),
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::House => "house",
            Self::City => "city",
            Self::Random(Family::Low) => "random-low",
            Self::Random(Family::Medium) => "random-medium",
            Self::Random(Family::High) => "random-high",
        }
    }
}

impl RaycastInspector {
    /// The mesh in a file's bytes; its name stands for it in messages.
    ///
    /// # Errors
    /// One line: file, location, reason, advice.
    pub fn open(bytes: &[u8], name: &str) -> Result<Self, String> {
        let loaded =
            embate_mesh::parse(bytes, name, &LIMITS).map_err(|error| message_of(&error))?;
        Self::of(loaded.mesh, name, Some(loaded.format.to_string()), loaded.file_bytes)
    }

    /// A generated scene: `city`, `house`, or `random-low`, `-medium`, `-high` with `triangles`
    /// from a seed. It is that of `embate scene`.
    ///
    /// # Errors
    /// If there is no such scene, or it would have no triangles or too many.
    pub fn scene(name: &str, triangles: u32, seed: u64) -> Result<Self, String> {
        let made = GeneratedScene::ALL.into_iter().find(|made| made.name() == name);
        let mesh = match made.ok_or_else(|| format!("there is no scene {name}"))? {
            GeneratedScene::House => house(),
            GeneratedScene::City => city(),
            GeneratedScene::Random(_) if triangles == 0 || triangles > MAX_RANDOM => {
                return Err(format!("{name}: from 1 to {MAX_RANDOM} triangles"));
            }
            GeneratedScene::Random(family) => random_scene(seed, family, triangles),
        };
        Self::of(mesh, name, None, 0)
    }

    /// The mesh as the bytes of a file: `ply` (binary), `obj` or `txt` (nine numbers per triangle).
    /// Those of a generated scene equal the file that `embate scene` writes.
    ///
    /// # Errors
    /// If there is no such format.
    pub fn save(&self, format: &str) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let written = match format {
            "ply" => write_ply_binary(self.mesh(), &mut bytes),
            "obj" => write_obj(self.mesh(), &mut bytes),
            "txt" => write_triangle_text(self.mesh(), &mut bytes),
            _ => return Err(format!("no meshes are written as {format}")),
        };
        written.map(|()| bytes).map_err(|error| error.to_string())
    }
}

/// Message of a load error; the advice of the library on `Limits` does not apply to a page.
fn message_of(error: &MeshError) -> String {
    if let MeshError::OverLimit { file, limit, found, allowed } = error {
        return format!(
            "{file}: {found} {limit}, more than the {allowed} that a page can hold; `embate inspect` takes it"
        );
    }
    error.to_string()
}
