//! Where does the mesh come from? A file's bytes, or a scene that is made here.

use embate::TriangleMesh;
use embate_mesh::{Limits, LoadedMesh, MeshError};

use super::RayBench;
use crate::random::Random;
use crate::scenes::{Family, city, house, random_triangles};

/// A page holds the file, the mesh, four structures and what is drawn in one memory of 4 GB.
const LIMITS: Limits =
    Limits { max_bytes: 1 << 29, max_vertices: 6_000_000, max_triangles: 6_000_000 };

/// Triangles of a random family, at most: beyond, the octree that cuts them takes minutes.
pub(super) const MOST_RANDOM: u32 = 100_000;

/// Scenes by name, as the studies name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Made {
    Random(Family),
    House,
    City,
}

impl Made {
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

impl RayBench {
    /// The mesh in a file's bytes; its name stands for it in messages.
    ///
    /// # Errors
    /// In one line: file, place, what is wrong, what to do.
    pub fn open(bytes: &[u8], name: &str) -> Result<Self, String> {
        let loaded = read_mesh(bytes, name)?;
        Self::of(loaded.mesh, name, Some(loaded.format.to_string()), loaded.file_bytes)
    }

    /// A mesh that was read elsewhere: three numbers a vertex, three vertices a triangle.
    ///
    /// # Errors
    /// If it is none.
    pub fn of_numbers(
        positions: &[f32],
        triangles: &[u32],
        name: &str,
        format: String,
        file_bytes: u64,
    ) -> Result<Self, String> {
        let (positions, triangles) = (positions.as_chunks().0, triangles.as_chunks().0);
        let mesh = TriangleMesh::new(positions.to_vec(), triangles.to_vec())
            .map_err(|error| format!("{name}: {error}"))?;
        Self::of(mesh, name, Some(format), file_bytes)
    }

    /// A scene of the studies: `city`, `house`, or `random-low`, `-medium`, `-high` of so many triangles from a seed.
    ///
    /// # Errors
    /// If there is no such scene, or it would have no triangles or too many.
    pub fn scene(name: &str, triangles: u32, seed: u64) -> Result<Self, String> {
        let made = Made::ALL.into_iter().find(|made| made.name() == name);
        let mesh = match made.ok_or_else(|| format!("there is no scene {name}"))? {
            Made::House => house(),
            Made::City => city(),
            Made::Random(_) if triangles == 0 || triangles > MOST_RANDOM => {
                return Err(format!("{name}: from 1 to {MOST_RANDOM} triangles"));
            }
            Made::Random(family) => random_triangles(family, triangles, &mut Random::new(seed)),
        };
        Self::of(mesh, name, None, 0)
    }
}

/// Reads the mesh in a file's bytes, within what a page can hold.
///
/// # Errors
/// In one line: file, place, what is wrong, what to do.
pub fn read_mesh(bytes: &[u8], name: &str) -> Result<LoadedMesh, String> {
    embate_mesh::parse(bytes, name, &LIMITS).map_err(|error| in_words(&error))
}

/// Message of a load error; the advice of the library on `Limits` does not apply to a page.
fn in_words(error: &MeshError) -> String {
    if let MeshError::OverLimit { file, limit, found, allowed } = error {
        return format!(
            "{file}: {found} {limit}, more than the {allowed} that a page can hold; `embate inspect` takes it"
        );
    }
    error.to_string()
}
