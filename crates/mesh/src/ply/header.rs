//! PLY header: elements (tables), their properties (columns) and row counts.

use crate::error::{ParseError, PlyError, excerpt};
use crate::text::Words;

/// Maximum number of elements and properties together: real files have a few dozen.
const MAX_DECLARATIONS: usize = 1000;

/// Encoding of the rows.
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
    /// Bytes of the header: offset of the first row.
    pub(crate) length: usize,
}

/// A table: `count` rows, each with all `properties`.
#[derive(Debug)]
pub(crate) struct Element<'a> {
    pub(crate) name: &'a [u8],
    pub(crate) count: u64,
    pub(crate) properties: Vec<Property<'a>>,
    /// Offset of the declaration.
    pub(crate) offset: usize,
}

#[derive(Debug)]
pub(crate) struct Property<'a> {
    pub(crate) name: &'a [u8],
    pub(crate) property_type: PropertyType,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum PropertyType {
    Scalar(ScalarType),
    List { count: ScalarType, item: ScalarType },
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum ScalarType {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl ScalarType {
    fn from_name(name: &[u8]) -> Option<Self> {
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

    /// Size in bytes.
    #[inline]
    pub(crate) fn size(self) -> u64 {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    pub(crate) fn is_integer(self) -> bool {
        !matches!(self, Self::F32 | Self::F64)
    }
}

impl Element<'_> {
    /// Excerpt of the name, for a message.
    pub(crate) fn name_excerpt(&self) -> String {
        excerpt(self.name)
    }
}

/// Encoding of a PLY, without validation of the rest of its header.
pub(crate) fn encoding(bytes: &[u8]) -> Option<Encoding> {
    let mut lines = Lines::new(bytes)?;
    loop {
        let mut words = lines.next()?.words;
        if words.word().is_some_and(|word| word.text == b"format") {
            return words.word().and_then(|word| encoding_from_name(word.text));
        }
    }
}

fn encoding_from_name(name: &[u8]) -> Option<Encoding> {
    match name {
        b"ascii" => Some(Encoding::Ascii),
        b"binary_little_endian" => Some(Encoding::LittleEndian),
        b"binary_big_endian" => Some(Encoding::BigEndian),
        _ => None,
    }
}

pub(crate) fn parse(bytes: &[u8]) -> Result<Header<'_>, ParseError> {
    let Some(mut lines) = Lines::new(bytes) else {
        return Err(ParseError::text(0, PlyError::NoMagic));
    };
    let mut encoding = None;
    let mut elements: Vec<Element<'_>> = Vec::new();
    let mut declarations = 0;
    loop {
        let Some(HeaderLine { start, mut words }) = lines.next() else {
            return Err(ParseError::text(bytes.len(), PlyError::HeaderTruncated));
        };
        let Some(keyword) = words.word() else { continue };
        match keyword.text {
            b"comment" | b"obj_info" => {}
            b"format" => {
                let name = words.word().map_or(&b""[..], |word| word.text);
                encoding = Some(encoding_from_name(name).ok_or_else(|| {
                    ParseError::text(start, PlyError::UnknownFormat { found: excerpt(name) })
                })?);
            }
            b"element" => {
                declarations += 1;
                let element = element(words, start)?;
                if elements.iter().any(|other| other.name == element.name) {
                    let error = PlyError::DuplicateElement { element: element.name_excerpt() };
                    return Err(ParseError::text(start, error));
                }
                elements.push(element);
            }
            b"property" => {
                declarations += 1;
                let property = property(words, start)?;
                let Some(element) = elements.last_mut() else {
                    return Err(ParseError::text(start, PlyError::PropertyWithoutElement));
                };
                if element.properties.iter().any(|other| other.name == property.name) {
                    let error = PlyError::DuplicateProperty { property: excerpt(property.name) };
                    return Err(ParseError::text(start, error));
                }
                element.properties.push(property);
            }
            b"end_header" => break,
            other => {
                let error = PlyError::UnknownKeyword { found: excerpt(other) };
                return Err(ParseError::text(start, error));
            }
        }
        if declarations > MAX_DECLARATIONS {
            let error = PlyError::TooManyDeclarations { max: MAX_DECLARATIONS };
            return Err(ParseError::text(start, error));
        }
    }
    let Some(encoding) = encoding else {
        return Err(ParseError::text(0, PlyError::NoFormat));
    };
    Ok(Header { encoding, elements, length: lines.position })
}

fn element(mut words: Words<'_>, line: usize) -> Result<Element<'_>, ParseError> {
    let (name, count) = (words.word(), words.word());
    let (Some(name), Some(count)) = (name, count) else {
        return Err(ParseError::text(line, PlyError::IncompleteElement));
    };
    let count = u64::try_from(count.integer()?)
        .map_err(|_| ParseError::text(line, PlyError::NegativeCount))?;
    Ok(Element { name: name.text, count, properties: Vec::new(), offset: line })
}

fn property(mut words: Words<'_>, line: usize) -> Result<Property<'_>, ParseError> {
    let mut word = || {
        let incomplete = || ParseError::text(line, PlyError::IncompleteProperty);
        words.word().map(|word| word.text).ok_or_else(incomplete)
    };
    let scalar = |name: &[u8]| {
        ScalarType::from_name(name)
            .ok_or_else(|| ParseError::text(line, PlyError::UnknownType { found: excerpt(name) }))
    };
    let first = word()?;
    let property_type = if first == b"list" {
        let (count, item) = (scalar(word()?)?, scalar(word()?)?);
        if !count.is_integer() {
            return Err(ParseError::text(line, PlyError::FloatListCount));
        }
        PropertyType::List { count, item }
    } else {
        PropertyType::Scalar(scalar(first)?)
    };
    Ok(Property { name: word()?, property_type })
}

/// Lines of the header. The first line determines the line end: after `end_header\r` of an old Mac,
/// a `\n` is already data.
#[derive(Debug)]
struct Lines<'a> {
    bytes: &'a [u8],
    position: usize,
    ending: &'static [u8],
}

#[derive(Debug)]
struct HeaderLine<'a> {
    start: usize,
    words: Words<'a>,
}

impl<'a> Lines<'a> {
    fn new(bytes: &'a [u8]) -> Option<Self> {
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
    type Item = HeaderLine<'a>;

    fn next(&mut self) -> Option<HeaderLine<'a>> {
        let start = self.position;
        let last = self.ending[self.ending.len() - 1];
        let rest = &self.bytes[start..];
        let end = start + rest.iter().position(|&byte| byte == last)?;
        self.position = end + 1;
        let line = &self.bytes[..end];
        Some(HeaderLine { start, words: Words::starting_at(line, start) })
    }
}
