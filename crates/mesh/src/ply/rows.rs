//! Rows of a PLY: cursors over numbers as text, or as binary of either byte order.

use crate::error::{MeshFormatError, ParseError, PlyError};
use crate::ply::header::{PropertyType, ScalarType};
use crate::text::Words;
use crate::triangle_mesh::is_valid_coordinate;

/// Cursor over rows. A copy of it serves for a counting pass.
pub(crate) trait Rows: Copy {
    /// Smallest size of a property in the file, in bytes.
    fn min_size(property_type: PropertyType) -> u64;
    /// Bytes left; at least the sum of [`min_size`](Self::min_size) over all remaining rows of a
    /// valid file.
    fn remaining(&self) -> u64;
    fn coordinate(&mut self, scalar: ScalarType) -> Result<f32, ParseError>;
    /// An integer; `scalar` is never a float.
    fn integer(&mut self, scalar: ScalarType) -> Result<i64, ParseError>;
    fn skip(&mut self, scalar: ScalarType, count: u64) -> Result<(), ParseError>;
    /// Error at the next number.
    fn error(&self, error: impl Into<MeshFormatError>) -> ParseError;

    fn list_length(&mut self, scalar: ScalarType) -> Result<u64, ParseError> {
        let before = *self;
        let length = self.integer(scalar)?;
        u64::try_from(length).map_err(|_| before.error(PlyError::NegativeListLength { length }))
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct AsciiRows<'a> {
    words: Words<'a>,
}

impl<'a> AsciiRows<'a> {
    pub(crate) fn new(bytes: &'a [u8], start: usize) -> Self {
        Self { words: Words::starting_at(bytes, start) }
    }

    fn truncated(&self) -> ParseError {
        ParseError::text(self.words.position(), PlyError::RowsTruncated)
    }
}

impl Rows for AsciiRows<'_> {
    fn min_size(_: PropertyType) -> u64 {
        // A digit and a space.
        2
    }

    fn remaining(&self) -> u64 {
        // The last word needs no space after it.
        self.words.remaining() as u64 + 1
    }

    #[inline]
    fn coordinate(&mut self, _: ScalarType) -> Result<f32, ParseError> {
        // Parsed as f32 for every type: through an f64 it would be rounded twice.
        self.words.word().ok_or_else(|| self.truncated())?.coordinate()
    }

    #[inline]
    fn integer(&mut self, _: ScalarType) -> Result<i64, ParseError> {
        self.words.word().ok_or_else(|| self.truncated())?.integer()
    }

    #[inline]
    fn skip(&mut self, _: ScalarType, count: u64) -> Result<(), ParseError> {
        self.words.skip_words(count).ok_or_else(|| self.truncated())
    }

    fn error(&self, error: impl Into<MeshFormatError>) -> ParseError {
        let next = { self.words }.word();
        ParseError::text(next.map_or(self.words.position(), |word| word.offset), error)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct BinaryRows<'a, const BIG_ENDIAN: bool> {
    rest: &'a [u8],
    position: u64,
}

impl<'a, const BIG_ENDIAN: bool> BinaryRows<'a, BIG_ENDIAN> {
    pub(crate) fn new(bytes: &'a [u8], start: usize) -> Self {
        Self { rest: &bytes[start..], position: start as u64 }
    }

    #[inline]
    fn take<const N: usize>(&mut self) -> Result<[u8; N], ParseError> {
        let Some((bytes, rest)) = self.rest.split_first_chunk::<N>() else {
            return Err(self.error(PlyError::RowsTruncated));
        };
        self.rest = rest;
        self.position += N as u64;
        let mut bytes = *bytes;
        if BIG_ENDIAN {
            bytes.reverse();
        }
        Ok(bytes)
    }
}

impl<const BIG_ENDIAN: bool> Rows for BinaryRows<'_, BIG_ENDIAN> {
    fn min_size(property_type: PropertyType) -> u64 {
        match property_type {
            PropertyType::Scalar(scalar) => scalar.size(),
            PropertyType::List { count, .. } => count.size(),
        }
    }

    fn remaining(&self) -> u64 {
        self.rest.len() as u64
    }

    #[inline]
    fn coordinate(&mut self, scalar: ScalarType) -> Result<f32, ParseError> {
        let before = *self;
        let number = match scalar {
            ScalarType::F32 => f32::from_le_bytes(self.take()?),
            ScalarType::F64 => f64::from_le_bytes(self.take()?) as f32,
            _ => self.integer(scalar)? as f32,
        };
        if is_valid_coordinate(number) {
            Ok(number)
        } else {
            Err(before.error(MeshFormatError::CoordinateOutOfRange { value: number }))
        }
    }

    #[inline]
    fn integer(&mut self, scalar: ScalarType) -> Result<i64, ParseError> {
        Ok(match scalar {
            ScalarType::I8 => i8::from_le_bytes(self.take()?).into(),
            ScalarType::U8 => u8::from_le_bytes(self.take()?).into(),
            ScalarType::I16 => i16::from_le_bytes(self.take()?).into(),
            ScalarType::U16 => u16::from_le_bytes(self.take()?).into(),
            ScalarType::I32 => i32::from_le_bytes(self.take()?).into(),
            ScalarType::U32 => u32::from_le_bytes(self.take()?).into(),
            ScalarType::F32 | ScalarType::F64 => {
                return Err(self.error(PlyError::IntegerRequired));
            }
        })
    }

    #[inline]
    fn skip(&mut self, scalar: ScalarType, count: u64) -> Result<(), ParseError> {
        // A count is below 2³² and a size at most 8: no overflow.
        let bytes = count * scalar.size();
        let rest = usize::try_from(bytes).ok().and_then(|bytes| self.rest.get(bytes..));
        self.rest = rest.ok_or_else(|| self.error(PlyError::RowsTruncated))?;
        self.position += bytes;
        Ok(())
    }

    fn error(&self, error: impl Into<MeshFormatError>) -> ParseError {
        ParseError::binary(self.position, error)
    }
}
