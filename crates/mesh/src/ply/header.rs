//! What does the header of a PLY say that follows?

use crate::error::{Fault, quote};
use crate::text::Words;

/// Most elements, and most properties of all of them: real files have a few dozen.
const MOST_DECLARATIONS: usize = 1000;

/// How the rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Ascii,
    LittleEndian,
    BigEndian,
}

#[derive(Debug)]
pub(crate) struct Header<'a> {
    pub(crate) encoding: Encoding,
    pub(crate) elements: Vec<Element<'a>>,
    /// Bytes of the header: where the rows begin.
    pub(crate) length: usize,
}

/// A table: `count` rows, each with all `properties`.
#[derive(Debug)]
pub(crate) struct Element<'a> {
    pub(crate) name: &'a [u8],
    pub(crate) count: u64,
    pub(crate) properties: Vec<Property<'a>>,
    /// Where it is declared.
    pub(crate) offset: usize,
}

#[derive(Debug)]
pub(crate) struct Property<'a> {
    pub(crate) name: &'a [u8],
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Scalar(Scalar),
    List { count: Scalar, item: Scalar },
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn named(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"char" | b"int8" => Self::I8,
            b"uchar" | b"uint8" => Self::U8,
            b"short" | b"int16" => Self::I16,
            b"ushort" | b"uint16" => Self::U16,
            b"int" | b"int32" => Self::I32,
            b"uint" | b"uint32" => Self::U32,
            b"float" | b"float32" => Self::F32,
            b"double" | b"float64" => Self::F64,
            _ => return None,
        })
    }

    #[inline]
    pub(crate) fn size(self) -> u64 {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    pub(crate) fn is_whole(self) -> bool {
        !matches!(self, Self::F32 | Self::F64)
    }
}

impl Element<'_> {
    /// The name, quoted for a message.
    pub(crate) fn title(&self) -> String {
        quote(self.name)
    }
}

/// The encoding a PLY claims, without reading the rest of its header.
pub(crate) fn encoding(bytes: &[u8]) -> Option<Encoding> {
    let mut lines = Lines::of(bytes)?;
    loop {
        let mut words = lines.next()?.words;
        if words.word().is_some_and(|word| word.text == b"format") {
            return words.word().and_then(|word| encoding_named(word.text));
        }
    }
}

fn encoding_named(name: &[u8]) -> Option<Encoding> {
    match name {
        b"ascii" => Some(Encoding::Ascii),
        b"binary_little_endian" => Some(Encoding::LittleEndian),
        b"binary_big_endian" => Some(Encoding::BigEndian),
        _ => None,
    }
}

pub(crate) fn parse(bytes: &[u8]) -> Result<Header<'_>, Fault> {
    let Some(mut lines) = Lines::of(bytes) else {
        return Err(Fault::text(0, "a PLY begins with a line that says ply"));
    };
    let mut encoding = None;
    let mut elements: Vec<Element<'_>> = Vec::new();
    let mut declarations = 0;
    loop {
        let Some(Line { start, mut words }) = lines.next() else {
            return Err(Fault::text(bytes.len(), "the header has no end_header; is the file cut?"));
        };
        let Some(keyword) = words.word() else { continue };
        match keyword.text {
            b"comment" | b"obj_info" => {}
            b"format" => {
                let name = words.word().map_or(&b""[..], |word| word.text);
                encoding = Some(encoding_named(name).ok_or_else(|| {
                    Fault::text(start, format!("{} is not a PLY format; it must be ascii, binary_little_endian or binary_big_endian", quote(name)))
                })?);
            }
            b"element" => {
                declarations += 1;
                let element = element(words, start)?;
                if elements.iter().any(|other| other.name == element.name) {
                    return Err(Fault::text(
                        start,
                        format!("{} is declared twice", element.title()),
                    ));
                }
                elements.push(element);
            }
            b"property" => {
                declarations += 1;
                let property = property(words, start)?;
                let Some(element) = elements.last_mut() else {
                    return Err(Fault::text(start, "a property comes before any element"));
                };
                if element.properties.iter().any(|other| other.name == property.name) {
                    let name = quote(property.name);
                    return Err(Fault::text(start, format!("property {name} is declared twice")));
                }
                element.properties.push(property);
            }
            b"end_header" => break,
            other => {
                let problem = format!("{} is not a line of a PLY header", quote(other));
                return Err(Fault::text(start, problem));
            }
        }
        if declarations > MOST_DECLARATIONS {
            let problem = format!("more than {MOST_DECLARATIONS} elements and properties");
            return Err(Fault::text(start, problem));
        }
    }
    let Some(encoding) = encoding else {
        return Err(Fault::text(0, "the header has no format line"));
    };
    Ok(Header { encoding, elements, length: lines.position })
}

fn element(mut words: Words<'_>, line: usize) -> Result<Element<'_>, Fault> {
    let (name, count) = (words.word(), words.word());
    let (Some(name), Some(count)) = (name, count) else {
        return Err(Fault::text(line, "an element needs a name and a count"));
    };
    let count = u64::try_from(count.integer()?)
        .map_err(|_| Fault::text(line, "an element cannot have fewer than 0 rows"))?;
    Ok(Element { name: name.text, count, properties: Vec::new(), offset: line })
}

fn property(mut words: Words<'_>, line: usize) -> Result<Property<'_>, Fault> {
    let mut word = || {
        let problem = "a property needs a type and a name, a list also the type of its count";
        words.word().map(|word| word.text).ok_or_else(|| Fault::text(line, problem))
    };
    let scalar = |name: &[u8]| {
        let problem = || format!("{} is not a PLY type", quote(name));
        Scalar::named(name).ok_or_else(|| Fault::text(line, problem()))
    };
    let first = word()?;
    let kind = if first == b"list" {
        let (count, item) = (scalar(word()?)?, scalar(word()?)?);
        if !count.is_whole() {
            return Err(Fault::text(line, "the count of a list must be a whole number"));
        }
        Kind::List { count, item }
    } else {
        Kind::Scalar(scalar(first)?)
    };
    Ok(Property { name: word()?, kind })
}

/// Lines of the header. How they end is taken from the first: after `end_header\r` of an old Mac,
/// a `\n` is already data.
#[derive(Debug)]
struct Lines<'a> {
    bytes: &'a [u8],
    position: usize,
    ending: &'static [u8],
}

#[derive(Debug)]
struct Line<'a> {
    start: usize,
    words: Words<'a>,
}

impl<'a> Lines<'a> {
    fn of(bytes: &'a [u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(b"ply")?;
        let blanks = rest.iter().take_while(|&&byte| matches!(byte, b' ' | b'\t')).count();
        let ending: &[u8] = match &rest[blanks..] {
            [b'\r', b'\n', ..] => b"\r\n",
            [b'\n', ..] => b"\n",
            [b'\r', ..] => b"\r",
            _ => return None,
        };
        Some(Self { bytes, position: 3 + blanks + ending.len(), ending })
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let start = self.position;
        let last = self.ending[self.ending.len() - 1];
        let rest = &self.bytes[start..];
        let end = start + rest.iter().position(|&byte| byte == last)?;
        self.position = end + 1;
        let line = &self.bytes[..end];
        Some(Line { start, words: Words::starting_at(line, start) })
    }
}
