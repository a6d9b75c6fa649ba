//! Text STL: `facet`s of three `vertex` lines, between `solid` and `endsolid`.

use crate::error::{Fault, quote};
use crate::limits::{Limit, Limits};
use crate::text::{Word, Words};
use crate::triangle_mesh::TriangleMesh;
use crate::weld::Weld;

/// Several solids in one file become one mesh. Keywords may be in any case.
pub(crate) fn parse(bytes: &[u8], limits: &Limits) -> Result<TriangleMesh, Fault> {
    let start = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut words = Words::starting_at(bytes, start);
    let mut weld = Weld::new();
    let mut triangles = Vec::new();
    while let Some(word) = words.word() {
        demand(word, &["solid"])?;
        // What follows is a name, which may hold any words.
        words.skip_line();
        while demand(next(&mut words)?, &["facet", "endsolid"])? == "facet" {
            demand(next(&mut words)?, &["normal"])?;
            words.pass_over(3).ok_or_else(|| cut(&words))?;
            for keyword in ["outer", "loop"] {
                demand(next(&mut words)?, &[keyword])?;
            }
            let mut corners = [0; 3];
            for vertex in &mut corners {
                demand(next(&mut words)?, &["vertex"])?;
                let mut position = [0.0; 3];
                for coordinate in &mut position {
                    *coordinate = next(&mut words)?.coordinate()?;
                }
                *vertex = weld.vertex(position);
            }
            for keyword in ["endloop", "endfacet"] {
                demand(next(&mut words)?, &[keyword])?;
            }
            triangles.push(corners);
            limits.check(Limit::Triangles, triangles.len() as u64)?;
            limits.check(Limit::Vertices, weld.len() as u64)?;
        }
        words.skip_line();
    }
    triangles.shrink_to_fit();
    Ok(TriangleMesh::new(weld.into_positions(), triangles)?)
}

fn next<'a>(words: &mut Words<'a>) -> Result<Word<'a>, Fault> {
    words.word().ok_or_else(|| cut(words))
}

fn cut(words: &Words<'_>) -> Fault {
    Fault::text(words.position(), "the file ends before endsolid; it is cut")
}

/// The keyword this word is; an error unless it is one of those expected here.
fn demand(word: Word<'_>, expected: &[&'static str]) -> Result<&'static str, Fault> {
    let found = expected.iter().find(|keyword| word.text.eq_ignore_ascii_case(keyword.as_bytes()));
    found.copied().ok_or_else(|| {
        let problem = format!("{} stands where {} should", quote(word.text), expected.join(" or "));
        Fault::text(word.offset, problem)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<TriangleMesh, String> {
        let bytes = text.as_bytes();
        parse(bytes, &Limits::default()).map_err(|fault| fault.in_file("t.stl", bytes).to_string())
    }

    const FACET: &str = "facet normal 0 0 nan\n outer loop\n vertex 0 0 0\n vertex 1 0 0\n vertex 0 1 0\n endloop\nendfacet\n";

    #[test]
    fn several_solids_with_awkward_names_are_one_mesh() {
        let text = format!("solid facet normal\n{FACET}endsolid facet\n\nSOLID\n{FACET}EndSolid");
        let mesh = read(&text).unwrap();
        assert_eq!(mesh.triangles(), [[0, 1, 2], [0, 1, 2]]);
        assert_eq!(mesh.positions().len(), 3);
        assert_eq!(read(&text.replace('\n', "\r\n")).unwrap(), mesh);
    }

    #[test]
    fn a_solid_without_facets_is_an_empty_mesh() {
        assert_eq!(read("solid nothing\nendsolid nothing\n").unwrap(), TriangleMesh::default());
    }

    #[test]
    fn errors_name_the_line() {
        let good = format!("solid\n{FACET}endsolid\n");
        for (from, to, message) in [
            (
                "1 0 0",
                "1 0 inf",
                "line 5: coordinate `inf` must be finite and within ±1e18; repair or rescale the model",
            ),
            ("1 0 0", "1 0", "line 6: `vertex` is not a number"),
            (" endloop", " vertex 1 1 1\n endloop", "line 7: `vertex` stands where endloop should"),
            ("endfacet", "endfacer", "line 8: `endfacer` stands where endfacet should"),
            ("endsolid", "", "line 10: the file ends before endsolid; it is cut"),
            ("endsolid", "endsolid\nhello", "line 10: `hello` stands where solid should"),
        ] {
            let message = format!("t.stl, {message}");
            assert_eq!(read(&good.replacen(from, to, 1)).unwrap_err(), message);
        }
    }
}
