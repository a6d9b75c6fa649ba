//! Triangle text: nine numbers per triangle, x y z of each vertex.
//!
//! Numbers are separated by any white space; line breaks have no meaning. A `#` at the start of a
//! word starts a comment that extends to the end of the line.

use crate::budget::reserve;
use crate::error::{MeshFormatError, ParseError};
use crate::format::looks_numeric;
use crate::limits::{Limit, Limits};
use crate::text::Words;
use crate::triangle_mesh::TriangleMesh;
use crate::weld::VertexWelder;

/// Equal positions are welded into one vertex, numbered by first appearance.
///
/// A triangle takes at least 18 bytes of the file, so that the doubling of growing vectors stays
/// below 11 times the file size.
pub(crate) fn parse(bytes: &[u8], limits: &Limits) -> Result<TriangleMesh, ParseError> {
    let mut words = Words::starting_at(bytes, 0);
    let mut welder = VertexWelder::new();
    let mut triangles = reserve(0)?;
    let (mut numbers, mut coordinates) = (0, [0.0; 9]);
    let mut is_first = true;
    while let Some(word) = words.word() {
        if word.text[0] == b'#' {
            words.skip_line();
            continue;
        }
        if is_first && !looks_numeric(word.text) {
            return Err(word.error(|found| MeshFormatError::NotTriangleText { found }));
        }
        is_first = false;
        coordinates[numbers] = word.coordinate()?;
        numbers += 1;
        if numbers == coordinates.len() {
            numbers = 0;
            let [ax, ay, az, bx, by, bz, cx, cy, cz] = coordinates;
            triangles.push([[ax, ay, az], [bx, by, bz], [cx, cy, cz]].map(|p| welder.insert(p)));
            limits.check(Limit::Triangles, triangles.len() as u64)?;
            limits.check(Limit::Vertices, welder.len() as u64)?;
        }
    }
    if numbers != 0 {
        let error = MeshFormatError::IncompleteTriangle { numbers };
        return Err(ParseError::text(bytes.trim_ascii_end().len(), error));
    }
    Ok(TriangleMesh::new(welder.into_positions(), triangles)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<TriangleMesh, String> {
        let bytes = text.as_bytes();
        parse(bytes, &Limits::default()).map_err(|error| error.in_file("t", bytes).to_string())
    }

    #[test]
    fn equal_vertices_are_welded_and_triangles_keep_their_order() {
        let mesh = read("0 0 0 1 0 0 0 1 0\n1 0 0 1 1 0 0 1 0\n").unwrap();
        assert_eq!(mesh.triangles(), [[0, 1, 2], [1, 3, 2]]);
        assert_eq!(mesh.positions().len(), 4);
    }

    #[test]
    fn line_breaks_have_no_meaning_and_comments_are_skipped() {
        let mesh = read("# a triangle\n0 0\r\n0 1 0\t0 # corner\n\n0 1e0 +.0").unwrap();
        assert_eq!(mesh.positions(), [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    }

    #[test]
    fn negative_zero_is_a_different_vertex() {
        let mesh = read("0 0 0 -0 0 0 0 0 0").unwrap();
        assert_eq!(mesh.triangles(), [[0, 1, 0]]);
        assert_eq!(mesh.degenerate_triangles(), 1);
    }

    #[test]
    fn errors_report_the_line() {
        let error = |text| read(text).unwrap_err();
        assert_eq!(error("0 0 0\n1 0 x\n"), "t, line 2: `x` is not a number");
        assert_eq!(
            error("0 0 0 1 0 0 0 1 0\n0 0\n"),
            "t, line 2: the last triangle has 2 of its 9 numbers; the file may be truncated"
        );
        assert_eq!(
            error("0 0 0 1 0 0 0\n1\nNaN"),
            "t, line 3: coordinate `NaN` must be finite and within ±1e18; repair or rescale the \
             model"
        );
    }

    #[test]
    fn text_that_starts_with_a_word_is_not_a_mesh() {
        assert_eq!(
            read("# notes\nhello, 1 2 3\n").unwrap_err(),
            "t, line 2: is not a mesh: a .txt file must hold nine numbers per triangle, but starts \
             with `hello,`"
        );
    }

    #[test]
    fn limits_are_enforced() {
        let bytes = b"0 0 0 1 0 0 0 1 0 0 0 0 1 0 0 0 1 0";
        let limits = Limits { max_triangles: 1, ..Limits::default() };
        let error = parse(bytes, &limits).unwrap_err().in_file("t", bytes).to_string();
        assert_eq!(
            error,
            "t: 2 triangles, more than the limit of 1; raise `Limits::max_triangles` if you \
             trust the file"
        );
        let limits = Limits { max_vertices: 2, ..Limits::default() };
        let error = parse(bytes, &limits).unwrap_err().in_file("t", bytes).to_string();
        assert!(error.contains("`Limits::max_vertices`"), "{error}");
    }
}
