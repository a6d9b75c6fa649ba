//! Text STL: `facet`s of three `vertex` lines each, between `solid` and `endsolid`.

use crate::error::{ParseError, StlError};
use crate::limits::{Limit, Limits};
use crate::text::{Word, Words};
use crate::triangle_mesh::TriangleMesh;
use crate::weld::VertexWelder;

/// All solids of a file form one mesh. Keywords are case-insensitive.
pub(crate) fn parse(bytes: &[u8], limits: &Limits) -> Result<TriangleMesh, ParseError> {
    let start = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut words = Words::starting_at(bytes, start);
    let mut welder = VertexWelder::new();
    let mut triangles = Vec::new();
    while let Some(word) = words.word() {
        expect(word, &["solid"], "solid")?;
        // The rest of the line is the solid's name: any words.
        words.skip_line();
        while expect(next(&mut words)?, &["facet", "endsolid"], "facet or endsolid")? == "facet" {
            expect(next(&mut words)?, &["normal"], "normal")?;
            words.skip_words(3).ok_or_else(|| truncated(&words))?;
            for keyword in ["outer", "loop"] {
                expect(next(&mut words)?, &[keyword], keyword)?;
            }
            let mut triangle = [0; 3];
            for vertex in &mut triangle {
                expect(next(&mut words)?, &["vertex"], "vertex")?;
                let mut position = [0.0; 3];
                for coordinate in &mut position {
                    *coordinate = next(&mut words)?.coordinate()?;
                }
                *vertex = welder.insert(position);
            }
            for keyword in ["endloop", "endfacet"] {
                expect(next(&mut words)?, &[keyword], keyword)?;
            }
            triangles.push(triangle);
            limits.check(Limit::Triangles, triangles.len() as u64)?;
            limits.check(Limit::Vertices, welder.len() as u64)?;
        }
        words.skip_line();
    }
    triangles.shrink_to_fit();
    Ok(TriangleMesh::new(welder.into_positions(), triangles)?)
}

fn next<'a>(words: &mut Words<'a>) -> Result<Word<'a>, ParseError> {
    words.word().ok_or_else(|| truncated(words))
}

fn truncated(words: &Words<'_>) -> ParseError {
    ParseError::text(words.position(), StlError::TextTruncated)
}

/// The keyword that this word is; an error unless it is one of `keywords`. `expected` is their list
/// in the message.
fn expect(
    word: Word<'_>,
    keywords: &[&'static str],
    expected: &'static str,
) -> Result<&'static str, ParseError> {
    let found = keywords.iter().find(|keyword| word.text.eq_ignore_ascii_case(keyword.as_bytes()));
    found.copied().ok_or_else(|| word.error(|found| StlError::UnexpectedWord { expected, found }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<TriangleMesh, String> {
        let bytes = text.as_bytes();
        parse(bytes, &Limits::default()).map_err(|error| error.in_file("t.stl", bytes).to_string())
    }

    const FACET: &str = "facet normal 0 0 nan\n outer loop\n vertex 0 0 0\n vertex 1 0 0\n \
        vertex 0 1 0\n endloop\nendfacet\n";

    #[test]
    fn several_solids_with_keywords_as_names_are_one_mesh() {
        let text = format!("solid facet normal\n{FACET}endsolid facet\n\nSOLID\n{FACET}EndSolid");
        let mesh = read(&text).unwrap();
        assert_eq!(mesh.triangles(), [[0, 1, 2], [0, 1, 2]]);
        assert_eq!(mesh.positions().len(), 3);
        assert_eq!(read(&text.replace('\n', "\r\n")).unwrap(), mesh);
    }

    #[test]
    fn solid_without_facets_is_an_empty_mesh() {
        assert_eq!(read("solid nothing\nendsolid nothing\n").unwrap(), TriangleMesh::default());
    }

    #[test]
    fn errors_report_the_line() {
        let good = format!("solid\n{FACET}endsolid\n");
        for (from, to, message) in [
            (
                "1 0 0",
                "1 0 inf",
                "line 5: coordinate `inf` must be finite and within ±1e18; repair or rescale the \
                 model",
            ),
            ("1 0 0", "1 0", "line 6: `vertex` is not a number"),
            (" endloop", " vertex 1 1 1\n endloop", "line 7: expected endloop, found `vertex`"),
            ("endfacet", "endfacer", "line 8: expected endfacet, found `endfacer`"),
            ("endsolid", "", "line 10: the file ends before endsolid; it is truncated"),
            ("endsolid", "endsolid\nhello", "line 10: expected solid, found `hello`"),
        ] {
            let message = format!("t.stl, {message}");
            assert_eq!(read(&good.replacen(from, to, 1)).unwrap_err(), message);
        }
    }
}
