//! Tokenizer of text formats: words separated by white space, and their conversion to numbers.
//!
//! Works on bytes and offsets: no line or word is copied, names may be in any encoding, and line
//! numbers are counted only for an error.

use crate::error::{MeshFormatError, ParseError, excerpt};
use crate::triangle_mesh::is_valid_coordinate;

/// Words separated by white space, including line ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<'a> {
    bytes: &'a [u8],
    position: usize,
}

/// A word and its offset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) offset: usize,
}

impl<'a> Words<'a> {
    pub(crate) fn starting_at(bytes: &'a [u8], position: usize) -> Self {
        Self { bytes, position }
    }

    /// Offset of the first unread byte.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// Number of unread bytes.
    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len() - self.position
    }

    /// Skips the rest of the current line.
    pub(crate) fn skip_line(&mut self) {
        let rest = &self.bytes[self.position..];
        let length = rest.iter().position(|&byte| is_line_end(byte)).unwrap_or(rest.len());
        self.position += length;
    }

    /// Skips `count` words; `None` if there are fewer.
    pub(crate) fn skip_words(&mut self, count: u64) -> Option<()> {
        for _ in 0..count {
            self.word()?;
        }
        Some(())
    }

    /// Next word; `None` at the end.
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

/// White space as in C's `isspace`, which the first readers of these formats used.
#[inline]
pub(crate) fn is_space(byte: u8) -> bool {
    byte == b' ' || (b'\t'..=b'\r').contains(&byte)
}

#[inline]
pub(crate) fn is_line_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

impl Word<'_> {
    /// The word as a coordinate: the nearest f32, finite and in range.
    #[inline]
    pub(crate) fn coordinate(&self) -> Result<f32, ParseError> {
        let number = str::from_utf8(self.text).ok().and_then(|text| text.parse::<f32>().ok());
        match number {
            Some(number) if is_valid_coordinate(number) => Ok(number),
            Some(_) => Err(self.error(|found| MeshFormatError::TextCoordinateOutOfRange { found })),
            None => Err(self.error(|found| MeshFormatError::NotANumber { found })),
        }
    }

    /// The word as an integer.
    #[inline]
    pub(crate) fn integer(&self) -> Result<i64, ParseError> {
        integer(self.text)
            .ok_or_else(|| self.error(|found| MeshFormatError::NotAnInteger { found }))
    }

    /// Error at this word, with an excerpt of it.
    pub(crate) fn error<F: Into<MeshFormatError>>(
        &self,
        error: impl FnOnce(String) -> F,
    ) -> ParseError {
        ParseError::text(self.offset, error(excerpt(self.text)))
    }
}

/// `None` unless all of `text` is an integer of at most 18 digits, which cannot overflow.
#[inline]
pub(crate) fn integer(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] | digits => (false, digits),
    };
    if digits.is_empty() || digits.len() > 18 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let magnitude = digits.iter().fold(0, |number, &digit| number * 10 + i64::from(digit - b'0'));
    Some(if negative { -magnitude } else { magnitude })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coordinate(text: &str) -> Option<f32> {
        Word { text: text.as_bytes(), offset: 0 }.coordinate().ok()
    }

    #[test]
    fn coordinates_parse_as_in_rust_but_must_be_finite() {
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
    fn integers_have_digits_only() {
        assert_eq!(integer(b"-12"), Some(-12));
        assert_eq!(integer(b"+7"), Some(7));
        assert_eq!(integer(b"999999999999999999"), Some(999_999_999_999_999_999));
        for bad in ["", "-", "1.0", "1 ", "9999999999999999999", "٣"] {
            assert_eq!(integer(bad.as_bytes()), None, "{bad}");
        }
    }
}
