//! Meshes made by artists: three models by Kenney (CC0), embedded.
//!
//! Unlike the house and the city of this module they were not built to have an octree affinity.
//! Source, licence and conversion: `crates/scene/assets/meshes/PROVENANCE.md`.
//!
//! The decoder reads only these files, so that WebAssembly modules do not need the mesh loaders.

use embate::TriangleMesh;

/// Names and files.
const FILES: [(&str, &[u8]); 3] = [
    ("artist-house-a", include_bytes!("../../assets/meshes/artist-house-a.ply")),
    ("artist-house-c", include_bytes!("../../assets/meshes/artist-house-c.ply")),
    ("artist-trees", include_bytes!("../../assets/meshes/artist-trees.ply")),
];

/// Names of [`artist_meshes`].
pub const ARTIST_MESHES: [&str; 3] = [FILES[0].0, FILES[1].0, FILES[2].0];

/// Small models made by artists, by name.
#[must_use]
pub fn artist_meshes() -> Vec<(&'static str, TriangleMesh)> {
    FILES.iter().map(|(name, bytes)| (*name, decode(bytes).unwrap_or_default())).collect()
}

/// A binary PLY with three floats per vertex, and a byte and three 16-bit indices per triangle.
fn decode(bytes: &[u8]) -> Option<TriangleMesh> {
    const END: &[u8] = b"end_header\n";
    let header = bytes.windows(END.len()).position(|window| window == END)?;
    let text = core::str::from_utf8(&bytes[..header]).ok()?;
    let count = |element: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(element))?;
        line.trim().parse::<usize>().ok()
    };
    let (vertices, triangles) =
        bytes[header + END.len()..].split_at_checked(12 * count("element vertex")?)?;
    let float = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let positions = vertices.chunks_exact(12).map(|v| [0, 4, 8].map(|at| float(&v[at..])));
    let index = |bytes: &[u8]| u32::from(u16::from_le_bytes([bytes[0], bytes[1]]));
    let triangles = triangles.chunks_exact(7).map(|t| [1, 3, 5].map(|at| index(&t[at..])));
    TriangleMesh::new(positions.collect(), triangles.collect()).ok()
}

#[cfg(test)]
mod tests {
    use embate_mesh::{Limits, parse};

    use super::*;
    use crate::generators::model_checks;
    use embate_replica::lorenzi2014::OctreeAffinity;

    #[test]
    fn embedded_meshes_are_those_of_the_mesh_loader() {
        let sizes = [452, 834, 380];
        for (((name, mesh), (_, bytes)), size) in artist_meshes().iter().zip(FILES).zip(sizes) {
            let loaded = parse(bytes, "mesh.ply", &Limits::default()).unwrap().mesh;
            assert_eq!(
                (mesh.positions(), mesh.triangles()),
                (loaded.positions(), loaded.triangles())
            );
            assert_eq!(mesh.triangles().len(), size, "{name}");
        }
        assert!(FILES.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() < 30_000);
    }

    /// Some hundred triangles are too large for the deep levels.
    #[test]
    fn artists_meshes_have_medium_affinity() {
        for (name, mesh) in artist_meshes() {
            let (affinity, levels) = model_checks::affinity(&mesh);
            assert_eq!(affinity, OctreeAffinity::Medium, "{name}: {levels:?}");
        }
    }
}
