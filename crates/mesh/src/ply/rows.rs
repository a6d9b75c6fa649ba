//! How are the numbers of a PLY's rows written: as words, or as bytes of either order?

use super::header::{Kind, Scalar};
use crate::error::Fault;
use crate::text::{Words, out_of_range};
use crate::triangle_mesh::is_valid_coordinate;

/// A cursor over rows. Copying it is how a pass that only counts is made.
pub(crate) trait Rows: Copy {
    /// The fewest bytes a property can take in a file.
    fn smallest(kind: Kind) -> u64;
    /// Bytes left; at least what every row still to come needs by [`smallest`](Self::smallest).
    fn remaining(&self) -> u64;
    fn coordinate(&mut self, scalar: Scalar) -> Result<f32, Fault>;
    /// A whole number; `scalar` is never a float.
    fn integer(&mut self, scalar: Scalar) -> Result<i64, Fault>;
    fn skip(&mut self, scalar: Scalar, count: u64) -> Result<(), Fault>;
    /// A fault at the number that comes next.
    fn fault(&self, problem: String) -> Fault;

    fn list_length(&mut self, scalar: Scalar) -> Result<u64, Fault> {
        let before = *self;
        let length = self.integer(scalar)?;
        u64::try_from(length)
            .map_err(|_| before.fault(format!("a list cannot have {length} items")))
    }
}

const CUT: &str =
    "the file ends in the middle of its rows; it is cut or its header promises too much";

#[derive(Clone, Copy, Debug)]
pub(crate) struct AsciiRows<'a> {
    words: Words<'a>,
}

impl<'a> AsciiRows<'a> {
    pub(crate) fn new(bytes: &'a [u8], start: usize) -> Self {
        Self { words: Words::starting_at(bytes, start) }
    }

    fn cut(&self) -> Fault {
        Fault::text(self.words.position(), CUT)
    }
}

impl Rows for AsciiRows<'_> {
    fn smallest(_: Kind) -> u64 {
        // A digit and a space.
        2
    }

    fn remaining(&self) -> u64 {
        // The last word of the file needs no space after it.
        self.words.remaining() as u64 + 1
    }

    #[inline]
    fn coordinate(&mut self, _: Scalar) -> Result<f32, Fault> {
        // Whatever the type, the f32 nearest to what is written: through an f64 it would be
        // rounded twice.
        self.words.word().ok_or_else(|| self.cut())?.coordinate()
    }

    #[inline]
    fn integer(&mut self, _: Scalar) -> Result<i64, Fault> {
        self.words.word().ok_or_else(|| self.cut())?.integer()
    }

    #[inline]
    fn skip(&mut self, _: Scalar, count: u64) -> Result<(), Fault> {
        self.words.pass_over(count).ok_or_else(|| self.cut())
    }

    fn fault(&self, problem: String) -> Fault {
        let next = { self.words }.word();
        Fault::text(next.map_or(self.words.position(), |word| word.offset), problem)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct BinaryRows<'a, const BIG: bool> {
    rest: &'a [u8],
    position: u64,
}

impl<'a, const BIG: bool> BinaryRows<'a, BIG> {
    pub(crate) fn new(bytes: &'a [u8], start: usize) -> Self {
        Self { rest: &bytes[start..], position: start as u64 }
    }

    #[inline]
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let Some((bytes, rest)) = self.rest.split_first_chunk::<N>() else {
            return Err(self.fault(CUT.to_owned()));
        };
        self.rest = rest;
        self.position += N as u64;
        let mut bytes = *bytes;
        if BIG {
            bytes.reverse();
        }
        Ok(bytes)
    }
}

impl<const BIG: bool> Rows for BinaryRows<'_, BIG> {
    fn smallest(kind: Kind) -> u64 {
        match kind {
            Kind::Scalar(scalar) => scalar.size(),
            Kind::List { count, .. } => count.size(),
        }
    }

    fn remaining(&self) -> u64 {
        self.rest.len() as u64
    }

    #[inline]
    fn coordinate(&mut self, scalar: Scalar) -> Result<f32, Fault> {
        let before = *self;
        let number = match scalar {
            Scalar::F32 => f32::from_le_bytes(self.take()?),
            Scalar::F64 => f64::from_le_bytes(self.take()?) as f32,
            _ => self.integer(scalar)? as f32,
        };
        if is_valid_coordinate(number) {
            Ok(number)
        } else {
            Err(before.fault(out_of_range(format_args!("{number:?}"))))
        }
    }

    #[inline]
    fn integer(&mut self, scalar: Scalar) -> Result<i64, Fault> {
        Ok(match scalar {
            Scalar::I8 => i8::from_le_bytes(self.take()?).into(),
            Scalar::U8 => u8::from_le_bytes(self.take()?).into(),
            Scalar::I16 => i16::from_le_bytes(self.take()?).into(),
            Scalar::U16 => u16::from_le_bytes(self.take()?).into(),
            Scalar::I32 => i32::from_le_bytes(self.take()?).into(),
            Scalar::U32 => u32::from_le_bytes(self.take()?).into(),
            Scalar::F32 | Scalar::F64 => {
                return Err(self.fault("a whole number is needed here".to_owned()));
            }
        })
    }

    #[inline]
    fn skip(&mut self, scalar: Scalar, count: u64) -> Result<(), Fault> {
        // A count is below 2³² and a size at most 8: no overflow.
        let bytes = count * scalar.size();
        let rest = usize::try_from(bytes).ok().and_then(|bytes| self.rest.get(bytes..));
        self.rest = rest.ok_or_else(|| self.fault(CUT.to_owned()))?;
        self.position += bytes;
        Ok(())
    }

    fn fault(&self, problem: String) -> Fault {
        Fault::binary(self.position, problem)
    }
}
