//! Writers: triangle text, OBJ and binary PLY, each in its simplest dialect.

use std::io::{self, Write};

use crate::triangle_mesh::TriangleMesh;

/// Writes triangle text: nine numbers per triangle, one triangle per line.
///
/// Reading it back gives the same triangles; vertices are welded by position, and unused ones are
/// lost.
///
/// # Errors
/// Those of `out`.
#[doc(alias = "write_study_text")]
pub fn write_triangle_text(mesh: &TriangleMesh, mut out: impl Write) -> io::Result<()> {
    for triangle in mesh.iter_triangles() {
        let [a, b, c] = triangle.0.map(|[x, y, z]| format!("{x} {y} {z}"));
        writeln!(out, "{a} {b} {c}")?;
    }
    Ok(())
}

/// Writes OBJ. Reading it back gives the same mesh, bit for bit.
///
/// # Errors
/// Those of `out`.
pub fn write_obj(mesh: &TriangleMesh, mut out: impl Write) -> io::Result<()> {
    for [x, y, z] in mesh.positions() {
        writeln!(out, "v {x} {y} {z}")?;
    }
    for indices in mesh.triangles() {
        let [a, b, c] = indices.map(|index| u64::from(index) + 1);
        writeln!(out, "f {a} {b} {c}")?;
    }
    Ok(())
}

/// Writes little-endian PLY. Reading it back gives the same mesh, bit for bit.
///
/// # Errors
/// Those of `out`.
pub fn write_ply_binary(mesh: &TriangleMesh, mut out: impl Write) -> io::Result<()> {
    let (vertices, faces) = (mesh.positions().len(), mesh.triangles().len());
    write!(
        out,
        "ply\nformat binary_little_endian 1.0\nelement vertex {vertices}\nproperty float x\n\
         property float y\nproperty float z\nelement face {faces}\n\
         property list uchar uint vertex_indices\nend_header\n"
    )?;
    for coordinate in mesh.positions().iter().flatten() {
        out.write_all(&coordinate.to_le_bytes())?;
    }
    for indices in mesh.triangles() {
        out.write_all(&[3])?;
        for index in indices {
            out.write_all(&index.to_le_bytes())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, parse};

    #[test]
    fn written_meshes_read_back_bit_for_bit() {
        let positions = vec![[0.1, -0.0, 1e-40], [1e18, -1e18, 3.0], [16777216.0, 1.5e-7, 0.3]];
        let mesh = TriangleMesh::new(positions, vec![[0, 1, 2], [2, 1, 0], [1, 1, 1]]).unwrap();
        let (mut text, mut obj, mut ply) = (Vec::new(), Vec::new(), Vec::new());
        write_triangle_text(&mesh, &mut text).unwrap();
        write_obj(&mesh, &mut obj).unwrap();
        write_ply_binary(&mesh, &mut ply).unwrap();
        for bytes in [text, obj, ply] {
            let read = parse(&bytes, "mesh", &Limits::default()).unwrap().mesh;
            assert_eq!(read.triangles(), mesh.triangles());
            let bits = |mesh: &TriangleMesh| -> Vec<u32> {
                mesh.positions().iter().flatten().map(|c| c.to_bits()).collect()
            };
            assert_eq!(bits(&read), bits(&mesh));
        }
    }
}
