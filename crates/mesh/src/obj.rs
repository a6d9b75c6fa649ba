//! Wavefront OBJ: `v` lines are vertices, `f` lines are polygons, all others are ignored.
//!
//! Two passes: the first counts, so that memory is reserved once and exactly. A polygon `f 1 1 1 1
//! …` takes two bytes of the file per triangle, and a growing vector would exceed the memory bound.

use crate::budget::reserve;
use crate::error::{MeshFormatError, ObjError, ParseError};
use crate::limits::{Limit, Limits};
use crate::text::{Word, integer, is_line_end, is_space};
use crate::triangle_mesh::TriangleMesh;
use crate::triangulate::{Fan, triangles_in_polygon};

/// `v x y z w r g b`: a weight and a color may follow the position.
const MAX_EXTRA_NUMBERS: usize = 4;

/// Common OBJ keywords.
const KEYWORDS: [&[u8]; 18] = [
    b"v", b"vt", b"vn", b"vp", b"f", b"fo", b"l", b"p", b"g", b"o", b"s", b"mg", b"mtllib",
    b"usemtl", b"usemap", b"maplib", b"cstype", b"deg",
];

/// Whether a file whose first line has this keyword is an OBJ. Lines (`l`) and points (`p`) refer
/// to earlier vertices, so they are not first; a single `p` is more likely a truncated PLY.
pub(crate) fn can_start_file(keyword: &[u8]) -> bool {
    KEYWORDS.contains(&keyword) && !matches!(keyword, b"l" | b"p")
}

/// Tokenizer of lines: the words of each line in turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineWords<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> LineWords<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let has_byte_order_mark = bytes.starts_with(b"\xef\xbb\xbf");
        Self { bytes, position: if has_byte_order_mark { 3 } else { 0 } }
    }

    /// Next word of this line; `None` at its end or at a comment.
    #[inline]
    fn word(&mut self) -> Option<Word<'a>> {
        loop {
            match *self.bytes.get(self.position)? {
                b'\\' if self.is_continuation(self.position) => self.skip_continuation(),
                b'#' => return None,
                byte if is_line_end(byte) => return None,
                byte if is_space(byte) => self.position += 1,
                _ => break,
            }
        }
        let offset = self.position;
        while let Some(&byte) = self.bytes.get(self.position) {
            if is_space(byte) || (byte == b'\\' && self.is_continuation(self.position)) {
                break;
            }
            self.position += 1;
        }
        Some(Word { text: &self.bytes[offset..self.position], offset })
    }

    /// First word of the next line that has one; skips blank lines and comments.
    pub(crate) fn keyword(&mut self) -> Option<Word<'a>> {
        loop {
            match self.word() {
                Some(word) => return Some(word),
                None if self.position == self.bytes.len() => return None,
                None => self.skip_line(),
            }
        }
    }

    /// Skips the rest of the current line. A backslash does not continue it here: a comment may end
    /// in one, and continuations of ignored lines are ignored as well.
    fn skip_line(&mut self) {
        let rest = &self.bytes[self.position..];
        let length =
            rest.iter().position(|&byte| is_line_end(byte)).map_or(rest.len(), |at| at + 1);
        self.position += length;
    }

    fn is_continuation(&self, backslash: usize) -> bool {
        self.bytes.get(backslash + 1).is_some_and(|&next| is_line_end(next))
    }

    fn skip_continuation(&mut self) {
        let carriage_return = self.bytes[self.position + 1..].starts_with(b"\r\n");
        self.position += if carriage_return { 3 } else { 2 };
    }

    fn count_words(&mut self) -> u64 {
        let mut words = 0;
        while self.word().is_some() {
            words += 1;
        }
        words
    }
}

pub(crate) fn parse(bytes: &[u8], limits: &Limits) -> Result<TriangleMesh, ParseError> {
    let counts = count(bytes)?;
    limits.check(Limit::Vertices, counts.vertices)?;
    limits.check(Limit::Triangles, counts.triangles)?;
    let mut positions = reserve(counts.vertices)?;
    let mut triangles = reserve(counts.triangles)?;

    let mut words = LineWords::new(bytes);
    while let Some(keyword) = words.keyword() {
        match keyword.text {
            b"v" => positions.push(vertex(&mut words, keyword.offset)?),
            b"f" => {
                let mut fan = Fan::default();
                let mut vertices = 0;
                while let Some(word) = words.word() {
                    let vertex = face_vertex(word, positions.len() as u64, counts.vertices)?;
                    triangles.extend(fan.push(vertex));
                    vertices += 1;
                }
                if vertices < 3 {
                    let error = MeshFormatError::FaceTooSmall { vertices };
                    return Err(ParseError::text(keyword.offset, error));
                }
            }
            _ => {}
        }
        words.skip_line();
    }
    Ok(TriangleMesh::new(positions, triangles)?)
}

struct Counts {
    vertices: u64,
    triangles: u64,
}

fn count(bytes: &[u8]) -> Result<Counts, ParseError> {
    let mut words = LineWords::new(bytes);
    let mut counts = Counts { vertices: 0, triangles: 0 };
    let mut unknown = None;
    while let Some(keyword) = words.keyword() {
        match keyword.text {
            b"v" => counts.vertices += 1,
            b"f" => counts.triangles += triangles_in_polygon(words.count_words()),
            other if unknown.is_none() && !KEYWORDS.contains(&other) => unknown = Some(keyword),
            _ => {}
        }
        words.skip_line();
    }
    // Unknown keywords are ignored in a file with vertices. A file of nothing else is not an OBJ;
    // an empty mesh would hide that.
    match unknown {
        Some(word) if counts.vertices == 0 => {
            Err(word.error(|found| ObjError::UnknownKeyword { found }))
        }
        _ => Ok(counts),
    }
}

fn vertex(words: &mut LineWords<'_>, line: usize) -> Result<[f32; 3], ParseError> {
    let mut position = [0.0; 3];
    for (axis, coordinate) in position.iter_mut().enumerate() {
        let Some(word) = words.word() else {
            return Err(ParseError::text(line, ObjError::VertexTooShort { coordinates: axis }));
        };
        *coordinate = word.coordinate()?;
    }
    for extra in 0.. {
        if words.word().is_none() {
            break;
        }
        if extra == MAX_EXTRA_NUMBERS {
            return Err(ParseError::text(line, ObjError::VertexTooLong));
        }
    }
    Ok(position)
}

/// Parses `12`, `12/3`, `12//4` or `12/3/4`; only the first number is used. Negative indices count
/// back from the `preceding` vertices (`-1` is the latest), positive ones may refer to a later
/// vertex.
fn face_vertex(word: Word<'_>, preceding: u64, in_file: u64) -> Result<u32, ParseError> {
    let slash = word.text.iter().position(|&byte| byte == b'/').unwrap_or(word.text.len());
    let (first, rest) = word.text.split_at(slash);
    let is_valid = rest.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'/' | b'-'));
    let Some(index) = integer(first).filter(|_| is_valid) else {
        return Err(word.error(|found| ObjError::FaceVertexSyntax { found }));
    };
    let vertex = match index {
        0 => None,
        1.. => Some(index as u64 - 1).filter(|&vertex| vertex < in_file),
        _ => preceding.checked_sub(index.unsigned_abs()),
    };
    vertex.map(|vertex| vertex as u32).ok_or_else(|| {
        let error = match index {
            0 => ObjError::IndexZero,
            1.. => ObjError::IndexOutOfRange { index, vertices: in_file },
            _ => ObjError::RelativeIndexOutOfRange { index, preceding },
        };
        ParseError::text(word.offset, error)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<TriangleMesh, String> {
        let bytes = text.as_bytes();
        parse(bytes, &Limits::default()).map_err(|error| error.in_file("t.obj", bytes).to_string())
    }

    fn error(text: &str) -> String {
        read(text).unwrap_err().strip_prefix("t.obj, ").unwrap().to_owned()
    }

    const QUAD: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

    #[test]
    fn quad_with_texture_and_normal_indices_is_two_triangles() {
        for face in ["1 2 3 4", "1/1 2/2 3/3 4/4", "1//1 2//1 3//1 4//1", "1/1/1 2/2/1 3/3/1 4/4/1"]
        {
            let mesh = read(&format!("{QUAD}vt 0 0\nvn 0 0 1\nf {face}\n")).unwrap();
            assert_eq!(mesh.triangles(), [[0, 1, 2], [0, 2, 3]], "{face}");
        }
    }

    #[test]
    fn negative_indices_count_back_from_the_face() {
        let mesh = read(&format!("{QUAD}f -4 -3 -2\nv 9 9 9\nf -2 -1 1\n")).unwrap();
        assert_eq!(mesh.triangles(), [[0, 1, 2], [3, 4, 0]]);
    }

    #[test]
    fn face_may_precede_its_vertices() {
        assert_eq!(read(&format!("f 1 2 3\n{QUAD}")).unwrap().triangles(), [[0, 1, 2]]);
    }

    #[test]
    fn weights_colors_and_comments_after_a_vertex_are_ignored() {
        let mesh = read("v 1 2 3 1.0\nv 1 2 3 .1 .2 .3\nv 1 2 3 1 .1 .2 .3 # red\n").unwrap();
        assert_eq!(mesh.positions(), [[1.0, 2.0, 3.0]; 3]);
    }

    #[test]
    fn backslash_continues_a_line_with_any_line_end() {
        let unix = "# cube\\\nv 0 0 \\\n 0\nv 1 0 0\nv 0 1 0\nf 1\\\n 2 \\\n3\n";
        for text in [unix.to_owned(), unix.replace('\n', "\r\n"), unix.replace('\n', "\r")] {
            let mesh = read(&text).unwrap();
            assert_eq!(
                (mesh.positions().len(), mesh.triangles()),
                (3, &[[0, 1, 2]][..]),
                "{text:?}"
            );
        }
    }

    #[test]
    fn other_keywords_and_a_byte_order_mark_are_skipped() {
        let text =
            "\u{feff}mtllib a b.mtl\no café\ng\ns off\nusemtl x\nl 1 2\ncurv2 1 2\nv 0 0 0\nfoo\n";
        assert_eq!(read(text).unwrap().positions().len(), 1);
    }

    #[test]
    fn file_of_comments_is_an_empty_mesh_and_other_text_is_rejected() {
        assert_eq!(read("# nothing\n\n").unwrap(), TriangleMesh::default());
        assert_eq!(
            error("# hm\n<html>\n"),
            "line 2: `<html>` is not an OBJ keyword, and the file has no vertices"
        );
    }

    #[test]
    fn errors_report_the_line() {
        for (tail, message) in [
            ("f 1 2", "line 5: a face needs at least 3 vertices, this one has 2"),
            ("f", "line 5: a face needs at least 3 vertices, this one has 0"),
            ("\nf 1 2 5", "line 6: a face refers to vertex 5, but the file has 4"),
            ("f 0 1 2", "line 5: a face refers to vertex 0, but OBJ counts vertices from 1"),
            ("f -5 1 2", "line 5: a face refers to vertex -5, but only 4 come before it"),
            ("f 1 2 x", "line 5: `x` is not a face vertex such as 1, 1/2, 1//3 or 1/2/3"),
            ("f 1 2 3/a", "line 5: `3/a` is not a face vertex such as 1, 1/2, 1//3 or 1/2/3"),
            (
                "f 1 2 99999999999999999999",
                "line 5: `99999999999999999999` is not a face vertex such as 1, 1/2, 1//3 or 1/2/3",
            ),
            ("v 1 2", "line 5: a vertex needs x, y and z, this one has 2"),
            ("v 1 2 3abc", "line 5: `3abc` is not a number"),
            ("v 1 2 3 4 5 6 7 8", "line 5: a vertex has at most x y z, a weight and a color"),
            (
                "v 1 \\\n2 nan",
                "line 6: coordinate `nan` must be finite and within ±1e18; repair or rescale the \
                 model",
            ),
        ] {
            assert_eq!(error(&format!("{QUAD}{tail}\n")), message);
        }
    }
}
