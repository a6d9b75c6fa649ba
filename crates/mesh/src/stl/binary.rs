//! Binary STL: 80 bytes of anything, a count, then 50 bytes a triangle.
//!
//! ```text
//! 0        80      84                              134
//! │ header │ count │ normal 12 │ corners 3×12 │ attribute 2 │ …
//! ```
//! Known by its size alone: many binary files begin with the word `solid`.

use crate::budget::reserve;
use crate::error::Fault;
use crate::format::Extent;
use crate::limits::{Limit, Limits};
use crate::text::out_of_range;
use crate::triangle_mesh::{TriangleMesh, is_valid_coordinate};
use crate::weld::Weld;

const COUNT_AT: usize = 80;
const HEADER: usize = 84;
const NORMAL: usize = 12;
const TRIANGLE: usize = 50;

/// Does the file's size fit the count in its header?
pub(crate) fn has_binary_size(bytes: &[u8], extent: Extent) -> bool {
    claimed_size(bytes).is_some_and(|size| match extent {
        Extent::Whole => size == bytes.len() as u64,
        Extent::Start => size >= bytes.len() as u64,
    })
}

fn claimed_size(bytes: &[u8]) -> Option<u64> {
    let count = claimed_count(bytes)?;
    Some(HEADER as u64 + u64::from(count) * TRIANGLE as u64)
}

fn claimed_count(bytes: &[u8]) -> Option<u32> {
    let count = bytes.get(COUNT_AT..)?.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*count))
}

pub(crate) fn parse(bytes: &[u8], limits: &Limits) -> Result<TriangleMesh, Fault> {
    let (Some(count), Some(size)) = (claimed_count(bytes), claimed_size(bytes)) else {
        let problem = format!("a binary STL has a header of {HEADER} bytes, this file is cut");
        return Err(Fault::binary(bytes.len() as u64, problem));
    };
    if size != bytes.len() as u64 {
        let length = bytes.len();
        let problem = format!(
            "the header counts {count} triangles, which make a binary STL of {size} bytes, but the file has {length}; export it again"
        );
        return Err(Fault::binary(COUNT_AT as u64, problem));
    }
    limits.check(Limit::Triangles, count.into())?;
    let mut triangles = reserve(count.into())?;
    let mut weld = Weld::new();
    for (triangle, record) in bytes[HEADER..].chunks_exact(TRIANGLE).enumerate() {
        let mut corners = [0; 3];
        for (corner, vertex) in corners.iter_mut().enumerate() {
            let mut position = [0.0_f32; 3];
            for (axis, coordinate) in position.iter_mut().enumerate() {
                let at = NORMAL + corner * 12 + axis * 4;
                let bytes = [record[at], record[at + 1], record[at + 2], record[at + 3]];
                *coordinate = f32::from_le_bytes(bytes);
                if !is_valid_coordinate(*coordinate) {
                    let offset = HEADER + triangle * TRIANGLE + at;
                    let problem = out_of_range(format_args!("{coordinate:?}"));
                    return Err(Fault::binary(offset as u64, problem));
                }
            }
            *vertex = weld.vertex(position);
        }
        triangles.push(corners);
        limits.check(Limit::Vertices, weld.len() as u64)?;
    }
    Ok(TriangleMesh::new(weld.into_positions(), triangles)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stl(header: &[u8], triangles: &[[[f32; 3]; 3]]) -> Vec<u8> {
        let mut bytes = header.to_vec();
        bytes.resize(COUNT_AT, b' ');
        bytes.extend((triangles.len() as u32).to_le_bytes());
        for corners in triangles {
            // NaN normals are common and do no harm.
            bytes.extend([f32::NAN; 3].iter().flat_map(|n| n.to_le_bytes()));
            bytes.extend(corners.iter().flatten().flat_map(|c| c.to_le_bytes()));
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
    fn corners_are_shared_and_a_header_that_says_solid_does_not_matter() {
        let mesh = parse(&stl(b"solid cube", &[[A, B, C], [B, D, C]]), &Limits::default()).unwrap();
        assert_eq!(mesh.triangles(), [[0, 1, 2], [1, 3, 2]]);
        assert_eq!(mesh.positions(), [A, B, C, D]);
    }

    #[test]
    fn no_triangles_are_a_valid_file() {
        assert_eq!(parse(&stl(b"", &[]), &Limits::default()).unwrap(), TriangleMesh::default());
    }

    #[test]
    fn errors_name_the_byte() {
        let nan = stl(b"", &[[A, B, C], [A, [0.0, f32::NAN, 0.0], C]]);
        assert_eq!(
            error(&nan),
            "t.stl, byte 162: coordinate NaN must be finite and within ±1e18; repair or rescale the model"
        );
        let mut claims = stl(b"", &[[A, B, C]]);
        claims[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(
            error(&claims),
            "t.stl, byte 80: the header counts 4294967295 triangles, which make a binary STL of \
             214748364834 bytes, but the file has 134; export it again"
        );
        assert_eq!(
            error(&claims[..70]),
            "t.stl, byte 70: a binary STL has a header of 84 bytes, this file is cut"
        );
    }
}
