//! A shape in words: `sphere radius 0.5`, `hull points 0 0 0, 1 0 0, 0 1 0, 0 0 1`.
//!
//! Promise: what is written reads back as the same shape, to the bit. Words and numbers are parted by
//! spaces, commas or line breaks; the names are those of the scene file.

use core::{fmt, str::FromStr};

use thiserror::Error;

use super::{Capsule, Cuboid, Hull, InvalidShape, Plane, Sphere};
use crate::Vec3;

/// Why a text is no shape.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ShapeTextError {
    /// Another word was needed.
    #[error("`{found}` where `{expected}` was expected, as in `{example}`")]
    Word {
        /// What stands there.
        found: String,
        /// What should.
        expected: &'static str,
        /// A text that is right.
        example: &'static str,
    },
    /// The text ends too soon.
    #[error("the text ends where {expected} was expected, as in `{example}`")]
    Ended {
        /// What is missing.
        expected: &'static str,
        /// A text that is right.
        example: &'static str,
    },
    /// The text goes on after its end.
    #[error("`{found}` after the end of the shape: a text holds one shape, as in `{example}`")]
    Rest {
        /// What stands there.
        found: String,
        /// A text that is right.
        example: &'static str,
    },
    /// The words are right, the shape is not.
    #[error(transparent)]
    Invalid(#[from] InvalidShape),
}

/// Reads words and numbers one after the other.
struct Words<'a> {
    words: core::iter::Peekable<Split<'a>>,
    example: &'static str,
}

type Split<'a> = core::str::Split<'a, fn(char) -> bool>;

fn parts_words(letter: char) -> bool {
    letter.is_whitespace() || letter == ','
}

impl<'a> Words<'a> {
    fn of(text: &'a str, example: &'static str) -> Self {
        let split = text.split(parts_words as fn(char) -> bool);
        Self { words: split.peekable(), example }
    }

    fn peek(&mut self) -> Option<&'a str> {
        while self.words.next_if(|word| word.is_empty()).is_some() {}
        self.words.peek().copied()
    }

    fn next(&mut self, expected: &'static str) -> Result<&'a str, ShapeTextError> {
        let ended = ShapeTextError::Ended { expected, example: self.example };
        self.peek().ok_or(ended)?;
        Ok(self.words.next().unwrap_or_default())
    }

    fn word(&mut self, expected: &'static str) -> Result<(), ShapeTextError> {
        let found = self.next(expected)?;
        if found == expected { Ok(()) } else { Err(self.not(found, expected)) }
    }

    fn number(&mut self) -> Result<f32, ShapeTextError> {
        let found = self.next("a number")?;
        found.parse().map_err(|_| self.not(found, "a number"))
    }

    fn vector(&mut self) -> Result<Vec3, ShapeTextError> {
        Ok(Vec3::new(self.number()?, self.number()?, self.number()?))
    }

    fn end(mut self) -> Result<(), ShapeTextError> {
        match self.peek() {
            None => Ok(()),
            Some(found) => {
                Err(ShapeTextError::Rest { found: found.to_owned(), example: self.example })
            }
        }
    }

    fn not(&self, found: &str, expected: &'static str) -> ShapeTextError {
        ShapeTextError::Word { found: found.to_owned(), expected, example: self.example }
    }
}

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
    type Err = ShapeTextError;

    fn from_str(text: &str) -> Result<Self, ShapeTextError> {
        let mut words = Words::of(text, "sphere radius 0.5");
        words.word("sphere")?;
        words.word("radius")?;
        let sphere = Self::new(words.number()?)?;
        words.end().map(|()| sphere)
    }
}

impl fmt::Display for Cuboid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "box half {}", Spaced(self.half()))
    }
}

impl FromStr for Cuboid {
    type Err = ShapeTextError;

    fn from_str(text: &str) -> Result<Self, ShapeTextError> {
        let mut words = Words::of(text, "box half 1 0.5 2");
        words.word("box")?;
        words.word("half")?;
        let cuboid = Self::new(words.vector()?)?;
        words.end().map(|()| cuboid)
    }
}

impl fmt::Display for Capsule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "capsule half_height {} radius {}", self.half_height(), self.radius())
    }
}

impl FromStr for Capsule {
    type Err = ShapeTextError;

    fn from_str(text: &str) -> Result<Self, ShapeTextError> {
        let mut words = Words::of(text, "capsule half_height 1 radius 0.25");
        words.word("capsule")?;
        words.word("half_height")?;
        let half_height = words.number()?;
        words.word("radius")?;
        let capsule = Self::new(half_height, words.number()?)?;
        words.end().map(|()| capsule)
    }
}

impl fmt::Display for Plane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "halfspace normal {}", Spaced(self.normal()))
    }
}

impl FromStr for Plane {
    type Err = ShapeTextError;

    fn from_str(text: &str) -> Result<Self, ShapeTextError> {
        let mut words = Words::of(text, "halfspace normal 0 1 0");
        words.word("halfspace")?;
        words.word("normal")?;
        let plane = Self::new(words.vector()?)?;
        words.end().map(|()| plane)
    }
}

impl fmt::Display for Hull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "hull points")?;
        for (index, &vertex) in self.vertices().iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma} {}", Spaced(vertex))?;
        }
        Ok(())
    }
}

impl FromStr for Hull {
    type Err = ShapeTextError;

    fn from_str(text: &str) -> Result<Self, ShapeTextError> {
        let mut words = Words::of(text, "hull points 0 0 0, 1 0 0, 0 1 0, 0 0 1");
        words.word("hull")?;
        words.word("points")?;
        let mut points = Vec::new();
        while words.peek().is_some() {
            points.push(words.vector()?);
        }
        Ok(Self::new(&points)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back_to_the_bit() {
        let sphere = Sphere::new(0.1 + 0.2).unwrap();
        assert_eq!(sphere.to_string().parse(), Ok(sphere));
        let cuboid = Cuboid::new(Vec3::new(1.0, 1.0 / 3.0, 123_456.7)).unwrap();
        assert_eq!(cuboid.to_string(), "box half 1 0.33333334 123456.7");
        assert_eq!(cuboid.to_string().parse(), Ok(cuboid));
        let capsule = Capsule::new(0.0, 0.7).unwrap();
        assert_eq!(capsule.to_string().parse(), Ok(capsule));
        for seed in 0..100_u8 {
            let lean = f32::from(seed) * 0.7 - 20.0;
            let plane = Plane::new(Vec3::new(lean, 2.0, -0.1 * lean)).unwrap();
            assert_eq!(plane.to_string().parse(), Ok(plane));
        }
        let cone = Hull::cone(1.0, 0.5, 7).unwrap();
        assert_eq!(cone.to_string().parse(), Ok(cone));
    }

    #[test]
    fn a_wrong_text_is_told_what_is_right() {
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
            "`2` after the end of the shape: a text holds one shape, as in `sphere radius 0.5`"
        );
        assert!(error("sphere radius -1").contains("give a positive number"));
        assert!("hull points 0 0 0 1".parse::<Hull>().is_err());
    }
}
