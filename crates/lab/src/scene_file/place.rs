//! Where in the text is a part of a scene?

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::{SceneError, SceneSource};

/// More bodies than anyone will simulate; a list costs at most 8 times its text before it is refused.
const MOST_PARTS: usize = 1 << 20;

/// The words of a list's parts, each to be read on its own: what is wrong with one is told with its place.
#[derive(Debug, Default)]
pub(super) struct Parts<'a>(pub(super) Vec<&'a RawValue>);

impl<'de: 'a, 'a> Deserialize<'de> for Parts<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct List;
        impl<'de> Visitor<'de> for List {
            type Value = Parts<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a list [...]")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Parts<'de>, A::Error> {
                let mut parts = Vec::new();
                while let Some(part) = list.next_element()? {
                    if parts.len() == MOST_PARTS {
                        let message = format!("more than {MOST_PARTS} of them; split the scene");
                        return Err(A::Error::custom(message));
                    }
                    parts.push(part);
                }
                Ok(Parts(parts))
            }
        }
        from.deserialize_seq(List)
    }
}

/// A part of a text, and where it begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    words: &'a str,
    /// Line and column, both from 0.
    place: (usize, usize),
}

/// Finds the places of parts that come in the order of the text.
#[derive(Debug)]
pub(super) struct Places<'a> {
    text: &'a str,
    /// Bytes looked at, and the line and column there.
    seen: usize,
    place: (usize, usize),
}

impl<'a> Places<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, seen: 0, place: (0, 0) }
    }

    /// The next part.
    pub(super) fn part(&mut self, words: &'a RawValue) -> Part<'a> {
        let words = words.get();
        let begins = words.as_ptr().addr().saturating_sub(self.text.as_ptr().addr());
        for byte in self.text.as_bytes().get(self.seen..begins).unwrap_or_default() {
            let (line, column) = self.place;
            self.place = if *byte == b'\n' { (line + 1, 0) } else { (line, column + 1) };
        }
        self.seen = self.seen.max(begins);
        Part { words, place: self.place }
    }
}

impl<'a> Part<'a> {
    /// What the words say.
    pub(super) fn read<T: Deserialize<'a>>(
        &self,
        source: &SceneSource<'_>,
    ) -> Result<T, SceneError> {
        if !self.words.starts_with('{') {
            return Err(self.wrong(source, "an object {...} belongs here"));
        }
        serde_json::from_str(self.words).map_err(|error| {
            let mut wrong = SceneError::json(source.name, &error);
            wrong.place = wrong.place.map(|(line, column)| {
                let (lines, columns) = self.place;
                (lines + line, if line == 1 { columns + column } else { column })
            });
            wrong
        })
    }

    /// A fault of the whole part: told at its beginning.
    pub(super) fn wrong(&self, source: &SceneSource<'_>, what: impl Into<String>) -> SceneError {
        let (line, column) = self.place;
        let mut wrong = SceneError::whole(source.name, what);
        wrong.place = Some((line + 1, column + 1));
        wrong
    }
}
