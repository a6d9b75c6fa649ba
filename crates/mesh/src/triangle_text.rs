//! The text of the published study: nine numbers a triangle, x y z of each corner.
//!
//! White space of any kind parts the numbers, so one triangle a line and free form both work. A `#`
//! at the start of a word begins a comment that runs to the end of the line.

use crate::budget::reserve;
use crate::error::Fault;
use crate::limits::{Limit, Limits};
use crate::text::Words;
use crate::triangle_mesh::TriangleMesh;
use crate::weld::Weld;

/// Equal corners become one vertex, in the order of their first appearance.
///
/// A triangle takes at least 18 bytes of the file, so even the doubling of growing vectors stays
/// under 11 times the file's size.
pub(crate) fn parse(bytes: &[u8], limits: &Limits) -> Result<TriangleMesh, Fault> {
    let mut words = Words::starting_at(bytes, 0);
    let mut weld = Weld::new();
    let mut triangles = reserve(0)?;
    let (mut numbers, mut nine) = (0, [0.0; 9]);
    while let Some(word) = words.word() {
        if word.text[0] == b'#' {
            words.skip_line();
            continue;
        }
        nine[numbers] = word.coordinate()?;
        numbers += 1;
        if numbers == nine.len() {
            numbers = 0;
            let [ax, ay, az, bx, by, bz, cx, cy, cz] = nine;
            triangles.push([[ax, ay, az], [bx, by, bz], [cx, cy, cz]].map(|p| weld.vertex(p)));
            limits.check(Limit::Triangles, triangles.len() as u64)?;
            limits.check(Limit::Vertices, weld.len() as u64)?;
        }
    }
    if numbers != 0 {
        let problem = format!("the last triangle has {numbers} of its 9 numbers; is the file cut?");
        return Err(Fault::text(bytes.trim_ascii_end().len(), problem));
    }
    Ok(TriangleMesh::new(weld.into_positions(), triangles)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<TriangleMesh, String> {
        let bytes = text.as_bytes();
        parse(bytes, &Limits::default()).map_err(|fault| fault.in_file("t", bytes).to_string())
    }

    #[test]
    fn triangles_share_equal_corners_and_keep_their_order() {
        let mesh = read("0 0 0 1 0 0 0 1 0\n1 0 0 1 1 0 0 1 0\n").unwrap();
        assert_eq!(mesh.triangles(), [[0, 1, 2], [1, 3, 2]]);
        assert_eq!(mesh.positions().len(), 4);
    }

    #[test]
    fn line_breaks_may_fall_anywhere_and_comments_are_skipped() {
        let mesh = read("# a triangle\n0 0\r\n0 1 0\t0 # corner\n\n0 1e0 +.0").unwrap();
        assert_eq!(mesh.positions(), [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    }

    #[test]
    fn minus_zero_is_another_vertex_than_zero() {
        let mesh = read("0 0 0 -0 0 0 0 0 0").unwrap();
        assert_eq!(mesh.triangles(), [[0, 1, 0]]);
        assert_eq!(mesh.degenerate_triangles(), 1);
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text| read(text).unwrap_err();
        assert_eq!(error("0 0 0\n1 0 x\n"), "t, line 2: `x` is not a number");
        assert_eq!(
            error("0 0 0 1 0 0 0 1 0\n0 0\n"),
            "t, line 2: the last triangle has 2 of its 9 numbers; is the file cut?"
        );
        assert_eq!(
            error("0 0 0 1 0 0 0\n1\nNaN"),
            "t, line 3: coordinate `NaN` must be finite and within ±1e18; repair or rescale the model"
        );
    }

    #[test]
    fn the_limits_hold() {
        let bytes = b"0 0 0 1 0 0 0 1 0 0 0 0 1 0 0 0 1 0";
        let limits = Limits { max_triangles: 1, ..Limits::default() };
        let error = parse(bytes, &limits).unwrap_err().in_file("t", bytes).to_string();
        assert_eq!(
            error,
            "t: 2 triangles, more than the limit of 1; raise it with --max-triangles if you trust the file"
        );
        let limits = Limits { max_vertices: 2, ..Limits::default() };
        let error = parse(bytes, &limits).unwrap_err().in_file("t", bytes).to_string();
        assert!(error.contains("--max-vertices"), "{error}");
    }
}
