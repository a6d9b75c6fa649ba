//! Text form of shapes: `sphere radius 0.5`, `hull points 0 0 0, 1 0 0, 0 1 0, 0 0 1`.
//!
//! Guarantee: `Display` and `FromStr` round-trip to the same shape, bit for bit. Words and numbers
//! are separated by white space or commas; the names are those of the scene file.

use core::{fmt, str::FromStr};

use thiserror::Error;

use crate::Vec3;
use crate::shapes::{Capsule, ConvexHull, Cuboid, HalfSpace, ShapeError, Sphere};

/// Why a text is not a shape.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
#[doc(alias = "ShapeTextError")]
pub enum ParseShapeError {
    /// A word other than the expected one.
    #[error("`{found}` where `{expected}` was expected, as in `{example}`")]
    Word {
        /// Word in the text.
        found: String,
        /// Word or kind of word expected.
        expected: &'static str,
        /// A valid text.
        example: &'static str,
    },
    /// The text ends early.
    #[error("the text ends where {expected} was expected, as in `{example}`")]
    Ended {
        /// Word or kind of word expected.
        expected: &'static str,
        /// A valid text.
        example: &'static str,
    },
    /// The text continues after the shape.
    #[error("`{found}` after the end of the shape: give one shape, as in `{example}`")]
    TrailingText {
        /// First word after the shape.
        found: String,
        /// A valid text.
        example: &'static str,
    },
    /// The text is well formed, but its numbers are not a valid shape.
    #[error(transparent)]
    Invalid(#[from] ShapeError),
}

impl ParseShapeError {
    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Word { .. } => "shape-text.unexpected-word",
            Self::Ended { .. } => "shape-text.unexpected-end",
            Self::TrailingText { .. } => "shape-text.trailing-text",
            Self::Invalid(error) => error.code(),
        }
    }
}

/// Tokenizer: words and numbers in order.
struct Tokens<'a> {
    tokens: core::iter::Peekable<Split<'a>>,
    example: &'static str,
}

type Split<'a> = core::str::Split<'a, fn(char) -> bool>;

fn is_separator(character: char) -> bool {
    character.is_whitespace() || character == ','
}

impl<'a> Tokens<'a> {
    fn new(text: &'a str, example: &'static str) -> Self {
        let split = text.split(is_separator as fn(char) -> bool);
        Self { tokens: split.peekable(), example }
    }

    fn peek(&mut self) -> Option<&'a str> {
        while self.tokens.next_if(|word| word.is_empty()).is_some() {}
        self.tokens.peek().copied()
    }

    fn next(&mut self, expected: &'static str) -> Result<&'a str, ParseShapeError> {
        let ended = ParseShapeError::Ended { expected, example: self.example };
        self.peek().ok_or(ended)?;
        Ok(self.tokens.next().unwrap_or_default())
    }

    fn keyword(&mut self, expected: &'static str) -> Result<(), ParseShapeError> {
        let found = self.next(expected)?;
        if found == expected { Ok(()) } else { Err(self.unexpected(found, expected)) }
    }

    fn number(&mut self) -> Result<f32, ParseShapeError> {
        let found = self.next("a number")?;
        found.parse().map_err(|_| self.unexpected(found, "a number"))
    }

    fn vector(&mut self) -> Result<Vec3, ParseShapeError> {
        Ok(Vec3::new(self.number()?, self.number()?, self.number()?))
    }

    fn end(mut self) -> Result<(), ParseShapeError> {
        match self.peek() {
            None => Ok(()),
            Some(found) => Err(ParseShapeError::TrailingText {
                found: found.to_owned(),
                example: self.example,
            }),
        }
    }

    fn unexpected(&self, found: &str, expected: &'static str) -> ParseShapeError {
        ParseShapeError::Word { found: found.to_owned(), expected, example: self.example }
    }
}

/// Formats a vector as `x y z`.
struct Spaced(Vec3);

impl fmt::Display for Spaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.0.x, self.0.y, self.0.z)
    }
}

impl fmt::Display for Sphere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sphere radius {}", self.radius())
    }
}

impl FromStr for Sphere {
    type Err = ParseShapeError;

    fn from_str(text: &str) -> Result<Self, ParseShapeError> {
        let mut tokens = Tokens::new(text, "sphere radius 0.5");
        tokens.keyword("sphere")?;
        tokens.keyword("radius")?;
        let sphere = Self::new(tokens.number()?)?;
        tokens.end().map(|()| sphere)
    }
}

impl fmt::Display for Cuboid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "box half {}", Spaced(self.half_extents()))
    }
}

impl FromStr for Cuboid {
    type Err = ParseShapeError;

    fn from_str(text: &str) -> Result<Self, ParseShapeError> {
        let mut tokens = Tokens::new(text, "box half 1 0.5 2");
        tokens.keyword("box")?;
        tokens.keyword("half")?;
        let cuboid = Self::new(tokens.vector()?)?;
        tokens.end().map(|()| cuboid)
    }
}

impl fmt::Display for Capsule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "capsule half_height {} radius {}", self.half_height(), self.radius())
    }
}

impl FromStr for Capsule {
    type Err = ParseShapeError;

    fn from_str(text: &str) -> Result<Self, ParseShapeError> {
        let mut tokens = Tokens::new(text, "capsule half_height 1 radius 0.25");
        tokens.keyword("capsule")?;
        tokens.keyword("half_height")?;
        let half_height = tokens.number()?;
        tokens.keyword("radius")?;
        let capsule = Self::new(half_height, tokens.number()?)?;
        tokens.end().map(|()| capsule)
    }
}

impl fmt::Display for HalfSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "halfspace normal {}", Spaced(self.normal()))
    }
}

impl FromStr for HalfSpace {
    type Err = ParseShapeError;

    fn from_str(text: &str) -> Result<Self, ParseShapeError> {
        let mut tokens = Tokens::new(text, "halfspace normal 0 1 0");
        tokens.keyword("halfspace")?;
        tokens.keyword("normal")?;
        let half_space = Self::new(tokens.vector()?)?;
        tokens.end().map(|()| half_space)
    }
}

impl fmt::Display for ConvexHull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "hull points")?;
        for (index, &vertex) in self.vertices().iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma} {}", Spaced(vertex))?;
        }
        Ok(())
    }
}

impl FromStr for ConvexHull {
    type Err = ParseShapeError;

    fn from_str(text: &str) -> Result<Self, ParseShapeError> {
        let mut tokens = Tokens::new(text, "hull points 0 0 0, 1 0 0, 0 1 0, 0 0 1");
        tokens.keyword("hull")?;
        tokens.keyword("points")?;
        let mut points = Vec::new();
        while tokens.peek().is_some() {
            points.push(tokens.vector()?);
        }
        Ok(Self::new(&points)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_and_parse_round_trip_bit_for_bit() {
        let sphere = Sphere::new(0.1 + 0.2).unwrap();
        assert_eq!(sphere.to_string().parse(), Ok(sphere));
        let cuboid = Cuboid::new(Vec3::new(1.0, 1.0 / 3.0, 123_456.7)).unwrap();
        assert_eq!(cuboid.to_string(), "box half 1 0.33333334 123456.7");
        assert_eq!(cuboid.to_string().parse(), Ok(cuboid));
        let capsule = Capsule::new(0.0, 0.7).unwrap();
        assert_eq!(capsule.to_string().parse(), Ok(capsule));
        for seed in 0..100_u8 {
            let tilt = f32::from(seed) * 0.7 - 20.0;
            let half_space = HalfSpace::new([tilt, 2.0, -0.1 * tilt]).unwrap();
            assert_eq!(half_space.to_string().parse(), Ok(half_space));
        }
        let cone = ConvexHull::cone(1.0, 0.5, 7).unwrap();
        assert_eq!(cone.to_string().parse(), Ok(cone));
    }

    #[test]
    fn error_quotes_the_wrong_word_and_a_valid_example() {
        let error = |text: &str| text.parse::<Sphere>().unwrap_err().to_string();
        assert_eq!(
            error("ball radius 1"),
            "`ball` where `sphere` was expected, as in `sphere radius 0.5`"
        );
        assert_eq!(
            error("sphere radius one"),
            "`one` where `a number` was expected, as in `sphere radius 0.5`"
        );
        assert_eq!(
            error("sphere radius"),
            "the text ends where a number was expected, as in `sphere radius 0.5`"
        );
        assert_eq!(
            error("sphere radius 1 2"),
            "`2` after the end of the shape: give one shape, as in `sphere radius 0.5`"
        );
        assert!(error("sphere radius -1").contains("give a positive number"));
        assert!("hull points 0 0 0 1".parse::<ConvexHull>().is_err());
    }
}
