//! Where are the words of a text file, and which of them are numbers?
//!
//! Everything works on bytes and offsets: no line or word is copied, names may be in any encoding,
//! and a line number is only counted once there is an error to report.

use std::fmt;

use crate::error::{Fault, quote};
use crate::triangle_mesh::is_valid_coordinate;

/// Words parted by white space, line ends included.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<'a> {
    bytes: &'a [u8],
    position: usize,
}

/// A word and the offset where it begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) offset: usize,
}

impl<'a> Words<'a> {
    pub(crate) fn starting_at(bytes: &'a [u8], position: usize) -> Self {
        Self { bytes, position }
    }

    /// Offset of the first byte not yet read.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// How many bytes are left.
    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len() - self.position
    }

    /// Forgets what is left of the current line.
    pub(crate) fn skip_line(&mut self) {
        let rest = &self.bytes[self.position..];
        let length = rest.iter().position(|&byte| is_line_end(byte)).unwrap_or(rest.len());
        self.position += length;
    }

    /// Passes over `count` words; `None` if there are fewer.
    pub(crate) fn pass_over(&mut self, count: u64) -> Option<()> {
        for _ in 0..count {
            self.word()?;
        }
        Some(())
    }

    /// The next word, if there is one.
    #[inline]
    pub(crate) fn word(&mut self) -> Option<Word<'a>> {
        let rest = &self.bytes[self.position..];
        let Some(start) = rest.iter().position(|&byte| !is_space(byte)) else {
            self.position = self.bytes.len();
            return None;
        };
        let rest = &rest[start..];
        let length = rest.iter().position(|&byte| is_space(byte)).unwrap_or(rest.len());
        let offset = self.position + start;
        self.position = offset + length;
        Some(Word { text: &rest[..length], offset })
    }
}

/// White space as C's `isspace` has it, which is what these formats were first read with.
#[inline]
pub(crate) fn is_space(byte: u8) -> bool {
    byte == b' ' || (b'\t'..=b'\r').contains(&byte)
}

#[inline]
pub(crate) fn is_line_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

impl Word<'_> {
    /// The word as a coordinate: the f32 nearest to what is written, finite and within range.
    #[inline]
    pub(crate) fn coordinate(&self) -> Result<f32, Fault> {
        let number = str::from_utf8(self.text).ok().and_then(|text| text.parse::<f32>().ok());
        match number {
            Some(number) if is_valid_coordinate(number) => Ok(number),
            Some(_) => Err(Fault::text(self.offset, out_of_range(quote(self.text)))),
            None => Err(Fault::text(self.offset, format!("{} is not a number", quote(self.text)))),
        }
    }

    /// The word as a whole number.
    #[inline]
    pub(crate) fn integer(&self) -> Result<i64, Fault> {
        integer(self.text).ok_or_else(|| {
            Fault::text(self.offset, format!("{} is not a whole number", quote(self.text)))
        })
    }
}

/// `None` unless all of `text` is a whole number of at most eighteen digits, which cannot overflow.
#[inline]
pub(crate) fn integer(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] | digits => (false, digits),
    };
    if digits.is_empty() || digits.len() > 18 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let size = digits.iter().fold(0, |number, &digit| number * 10 + i64::from(digit - b'0'));
    Some(if negative { -size } else { size })
}

/// The one sentence for a coordinate no mesh may hold, whatever the format.
pub(crate) fn out_of_range(number: impl fmt::Display) -> String {
    format!("coordinate {number} must be finite and within ±1e18; repair or rescale the model")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coordinate(text: &str) -> Option<f32> {
        Word { text: text.as_bytes(), offset: 0 }.coordinate().ok()
    }

    #[test]
    fn coordinates_are_read_as_rust_reads_them_but_must_be_finite() {
        for good in ["1", "+1", "-1", ".5", "5.", "1e5", "1E-5", "0.1", "16777217", "1e-60", "1e18"]
        {
            assert_eq!(coordinate(good), good.parse().ok(), "{good}");
        }
        for bad in ["", ".", "1.0abc", "1,5", "0x10", "1f", "--1", "nan", "inf", "-inf", "infinity"]
        {
            assert_eq!(coordinate(bad), None, "{bad}");
        }
        for huge in ["1.1e18", "-1e19", "1e39", "1e999999999999"] {
            assert_eq!(coordinate(huge), None, "{huge}");
        }
    }

    #[test]
    fn whole_numbers_have_digits_only() {
        assert_eq!(integer(b"-12"), Some(-12));
        assert_eq!(integer(b"+7"), Some(7));
        assert_eq!(integer(b"999999999999999999"), Some(999_999_999_999_999_999));
        for bad in ["", "-", "1.0", "1 ", "9999999999999999999", "٣"] {
            assert_eq!(integer(bad.as_bytes()), None, "{bad}");
        }
    }
}
