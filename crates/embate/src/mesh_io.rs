//! Mesh files: readers of OBJ, STL, PLY, glTF/GLB and triangle text, gzipped or not, and writers.
//!
//! Any input gives a valid [`TriangleMesh`](crate::TriangleMesh) or a one-line error with the
//! location, with bounded memory.
//!
//! ```
//! use embate::mesh_io::{Limits, parse};
//!
//! let quad = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
//! let loaded = parse(quad, "quad.obj", &Limits::default())?;
//! assert_eq!(loaded.mesh.triangles(), [[0, 1, 2], [0, 2, 3]]);
//! # Ok::<(), embate::mesh_io::MeshError>(())
//! ```

#[doc(inline)]
pub use embate_mesh::{
    Format, GltfError, Limit, Limits, LoadedMesh, MAX_MEMORY_PER_BYTE, MEMORY_OVERHEAD,
    MemoryUsage, MeshError, MeshFormatError, ObjError, PlyError, SourceLocation, StlError, load,
    parse, write_obj, write_ply_binary, write_triangle_text,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_mesh_is_parsed_again_and_a_truncated_gzip_is_rejected() {
        let triangle = b"0 0 0 1 0 0 0 1 0\n";
        let loaded = parse(triangle, "triangle.txt", &Limits::default()).unwrap();
        let mut ply = Vec::new();
        write_ply_binary(&loaded.mesh, &mut ply).unwrap();
        let again = parse(&ply, "triangle.ply", &Limits::default()).unwrap();
        assert_eq!(again.mesh, loaded.mesh);
        let error = parse(b"\x1f\x8b", "cut.obj.gz", &Limits::default()).unwrap_err();
        assert!(error.code().starts_with("mesh."), "{error}");
    }
}
