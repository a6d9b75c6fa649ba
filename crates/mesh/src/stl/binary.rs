//! Binary STL: 80 arbitrary bytes, a triangle count, then 50 bytes per triangle.
//!
//! ```text
//! 0        80      84                              134
//! │ header │ count │ normal 12 │ vertices 3×12 │ attribute 2 │ …
//! ```
//! Detected by its size alone: many binary files start with the word `solid`.

use crate::budget::reserve;
use crate::error::{MeshFormatError, ParseError, StlError};
use crate::format::Available;
use crate::limits::{Limit, Limits};
use crate::triangle_mesh::{TriangleMesh, is_valid_coordinate};
use crate::weld::VertexWelder;

const COUNT_OFFSET: usize = 80;
/// Bytes before the first triangle.
pub(crate) const HEADER_BYTES: usize = 84;
const NORMAL_BYTES: usize = 12;
const VERTEX_BYTES: usize = 12;
const TRIANGLE_BYTES: usize = 50;

/// Whether the file size matches the count in the header.
pub(crate) fn has_binary_size(bytes: &[u8], available: Available) -> bool {
    declared_size(bytes).is_some_and(|size| match available {
        Available::Whole => size == bytes.len() as u64,
        Available::Prefix => size >= bytes.len() as u64,
    })
}

fn declared_size(bytes: &[u8]) -> Option<u64> {
    let count = declared_count(bytes)?;
    Some(HEADER_BYTES as u64 + u64::from(count) * TRIANGLE_BYTES as u64)
}

fn declared_count(bytes: &[u8]) -> Option<u32> {
    let count = bytes.get(COUNT_OFFSET..)?.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*count))
}

pub(crate) fn parse(bytes: &[u8], limits: &Limits) -> Result<TriangleMesh, ParseError> {
    let (Some(count), Some(size)) = (declared_count(bytes), declared_size(bytes)) else {
        return Err(ParseError::binary(bytes.len() as u64, StlError::HeaderTruncated));
    };
    if size != bytes.len() as u64 {
        let error =
            StlError::SizeMismatch { triangles: count, expected: size, found: bytes.len() as u64 };
        return Err(ParseError::binary(COUNT_OFFSET as u64, error));
    }
    limits.check(Limit::Triangles, count.into())?;
    let mut triangles = reserve(count.into())?;
    let mut welder = VertexWelder::new();
    for (triangle, record) in bytes[HEADER_BYTES..].chunks_exact(TRIANGLE_BYTES).enumerate() {
        let mut indices = [0; 3];
        for (slot, vertex) in indices.iter_mut().enumerate() {
            let mut position = [0.0_f32; 3];
            for (axis, coordinate) in position.iter_mut().enumerate() {
                let at = NORMAL_BYTES + slot * VERTEX_BYTES + axis * 4;
                let bytes = [record[at], record[at + 1], record[at + 2], record[at + 3]];
                *coordinate = f32::from_le_bytes(bytes);
                if !is_valid_coordinate(*coordinate) {
                    let offset = HEADER_BYTES + triangle * TRIANGLE_BYTES + at;
                    let error = MeshFormatError::CoordinateOutOfRange { value: *coordinate };
                    return Err(ParseError::binary(offset as u64, error));
                }
            }
            *vertex = welder.insert(position);
        }
        triangles.push(indices);
        limits.check(Limit::Vertices, welder.len() as u64)?;
    }
    Ok(TriangleMesh::new(welder.into_positions(), triangles)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stl(header: &[u8], triangles: &[[[f32; 3]; 3]]) -> Vec<u8> {
        let mut bytes = header.to_vec();
        bytes.resize(COUNT_OFFSET, b' ');
        bytes.extend((triangles.len() as u32).to_le_bytes());
        for vertices in triangles {
            // NaN normals are common and ignored.
            bytes.extend([f32::NAN; 3].iter().flat_map(|n| n.to_le_bytes()));
            bytes.extend(vertices.iter().flatten().flat_map(|c| c.to_le_bytes()));
            bytes.extend([0, 0]);
        }
        bytes
    }

    fn error(bytes: &[u8]) -> String {
        parse(bytes, &Limits::default()).unwrap_err().in_file("t.stl", bytes).to_string()
    }

    const A: [f32; 3] = [0.0, 0.0, 0.0];
    const B: [f32; 3] = [1.0, 0.0, 0.0];
    const C: [f32; 3] = [0.0, 1.0, 0.0];
    const D: [f32; 3] = [1.0, 1.0, 0.0];

    #[test]
    fn vertices_are_welded_and_a_header_of_solid_is_ignored() {
        let mesh = parse(&stl(b"solid cube", &[[A, B, C], [B, D, C]]), &Limits::default()).unwrap();
        assert_eq!(mesh.triangles(), [[0, 1, 2], [1, 3, 2]]);
        assert_eq!(mesh.positions(), [A, B, C, D]);
    }

    #[test]
    fn file_without_triangles_is_valid() {
        assert_eq!(parse(&stl(b"", &[]), &Limits::default()).unwrap(), TriangleMesh::default());
    }

    #[test]
    fn errors_report_the_byte() {
        let nan = stl(b"", &[[A, B, C], [A, [0.0, f32::NAN, 0.0], C]]);
        assert_eq!(
            error(&nan),
            "t.stl, byte 162: coordinate NaN must be finite and within ±1e18; repair or rescale \
             the model"
        );
        let mut wrong_count = stl(b"", &[[A, B, C]]);
        wrong_count[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(
            error(&wrong_count),
            "t.stl, byte 80: the header declares 4294967295 triangles, a binary STL of \
             214748364834 bytes, but the file has 134; export it again"
        );
        assert_eq!(
            error(&wrong_count[..70]),
            "t.stl, byte 70: a binary STL has a header of 84 bytes; the file is truncated"
        );
    }
}
