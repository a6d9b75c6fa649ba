//! Located JSON values: parts of a scene's text, each with its line and column for errors.
//!
//! A [`Node`] is a slice of the text and is parsed on demand, so that a list of numbers takes no
//! more memory than its values. The syntax of the whole text is checked first ([`Document::root`]);
//! what follows can only fail on types, keys and values.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::keys::{Key, Keys, closest, current};
use super::{SceneError, SceneErrorKind, SceneSource};

/// Characters of a wrong value that an error quotes.
const MAX_QUOTED: usize = 40;

/// A scene's text and the name of its file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Document<'a> {
    pub(super) source: &'a SceneSource<'a>,
    pub(super) text: &'a str,
}

/// A value within a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'a> {
    document: Document<'a>,
    /// Its text, without surrounding whitespace.
    raw: &'a str,
}

/// An object whose keys are known and unambiguous.
#[derive(Debug)]
pub(super) struct Object<'a> {
    node: Node<'a>,
    entries: Vec<(&'static Key, Node<'a>)>,
}

impl<'a> Document<'a> {
    /// The value of the whole text, which is an object: a `"scene"` or a `"body"`.
    pub(super) fn root(self, expected: &'static str) -> Result<Node<'a>, SceneError> {
        let start = self.text.trim_start();
        if start.starts_with("//") || start.starts_with("/*") {
            return Err(self.error(start, SceneErrorKind::Syntax));
        }
        if !start.starts_with('{') {
            return Err(self.error(start, SceneErrorKind::NotAnObject { expected }));
        }
        match serde_json::from_str::<&RawValue>(self.text) {
            Ok(raw) => Ok(Node { document: self, raw: raw.get() }),
            Err(error) => {
                let kind =
                    if error.is_eof() { SceneErrorKind::Truncated } else { SceneErrorKind::Syntax };
                let lines = self.text.split_inclusive('\n').take(error.line().saturating_sub(1));
                let start: usize = lines.map(str::len).sum();
                // The column of the JSON parser is the number of bytes read in the line.
                let offset = start + error.column().saturating_sub(1);
                Err(self.error_at(offset, kind))
            }
        }
    }

    /// An error at this byte.
    fn error_at(self, offset: usize, kind: SceneErrorKind) -> SceneError {
        let before = &self.text.as_bytes()[..offset.min(self.text.len())];
        let line = before.split(|&byte| byte == b'\n').count();
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
        SceneError { location: Some((line, column)), ..SceneError::new(self.source.name, kind) }
    }

    /// An error at a part of the text.
    fn error(self, part: &str, kind: SceneErrorKind) -> SceneError {
        self.error_at(part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr()), kind)
    }
}

impl<'a> Node<'a> {
    /// An error at the value.
    pub(super) fn error(&self, kind: impl Into<SceneErrorKind>) -> SceneError {
        self.document.error(self.raw, kind.into())
    }

    fn wrong_type(&self, expected: &'static str) -> SceneError {
        self.error(SceneErrorKind::WrongType { expected, found: quoted(self.raw) })
    }

    fn at(&self, raw: &'a RawValue) -> Self {
        Self { document: self.document, raw: raw.get() }
    }

    /// The object of these keys.
    pub(super) fn object(&self, keys: Keys) -> Result<Object<'a>, SceneError> {
        if !self.raw.starts_with('{') {
            return Err(self.wrong_type("object"));
        }
        let mut deserializer = serde_json::Deserializer::from_str(self.raw);
        let found = deserializer
            .deserialize_map(ObjectVisitor { node: *self, keys })
            .map_err(|_| self.wrong_type("object"))?;
        found.map(|entries| Object { node: *self, entries })
    }

    /// The spelling of each key of an object; empty for another value.
    pub(super) fn spellings(&self) -> Vec<String> {
        let entries: Result<BTreeMap<String, &RawValue>, _> = serde_json::from_str(self.raw);
        entries.map_or_else(|_| Vec::new(), |entries| entries.into_keys().collect())
    }

    /// The value of the key `"name"` of an object that has errors elsewhere.
    pub(super) fn name_hint(&self) -> Option<String> {
        let mut entries: BTreeMap<String, &RawValue> = serde_json::from_str(self.raw).ok()?;
        serde_json::from_str(entries.remove("name")?.get()).ok()
    }

    /// The key and value of an object of one key, as shapes and joints are.
    pub(super) fn variant(&self, keys: Keys) -> Result<(&'static str, Node<'a>), SceneError> {
        let object = self.object(keys)?;
        match object.entries[..] {
            [(key, value)] => Ok((key.name, value)),
            [] => Err(self.error(SceneErrorKind::NoVariant { expected: current(keys) })),
            [(one, _), (other, value), ..] => {
                let keys = [one.spelling, other.spelling];
                Err(value.error(SceneErrorKind::KeyConflict { keys }))
            }
        }
    }

    /// The items of a list of at most `max`.
    pub(super) fn list(&self, max: usize) -> Result<Vec<Node<'a>>, SceneError> {
        if !self.raw.starts_with('[') {
            return Err(self.wrong_type("list"));
        }
        let mut deserializer = serde_json::Deserializer::from_str(self.raw);
        let items = deserializer
            .deserialize_seq(ListVisitor { node: *self, max })
            .map_err(|_| self.wrong_type("list"))?;
        items.ok_or_else(|| self.error(SceneErrorKind::TooManyItems { max }))
    }

    /// The number of items of a list, or 0.
    fn item_count(&self) -> usize {
        serde_json::from_str::<Vec<IgnoredAny>>(self.raw).map_or(0, |items| items.len())
    }

    fn read<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_str(self.raw).ok()
    }

    /// A finite number.
    pub(super) fn number(&self) -> Result<f32, SceneError> {
        if let Some(number) = self.read() {
            return Ok(number);
        }
        if self.raw.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
            let found = quoted(self.raw);
            return Err(self.error(SceneErrorKind::NumberTooLarge { found }));
        }
        Err(self.wrong_type("number"))
    }

    /// A list of as many numbers.
    pub(super) fn numbers<const N: usize>(&self) -> Result<[f32; N], SceneError>
    where
        [f32; N]: DeserializeOwned,
    {
        if let Some(numbers) = self.read() {
            return Ok(numbers);
        }
        // The first item that is wrong, or else their number.
        for item in self.list(N)? {
            item.number()?;
        }
        Err(self.error(SceneErrorKind::WrongLength { expected: N, found: self.item_count() }))
    }

    /// A list of points.
    pub(super) fn points(&self) -> Result<Vec<[f32; 3]>, SceneError> {
        if let Some(points) = self.read() {
            return Ok(points);
        }
        self.list(usize::MAX)?.iter().map(Self::numbers::<3>).collect()
    }

    /// A whole number, 0 or above.
    pub(super) fn whole_number(&self) -> Result<u32, SceneError> {
        self.read().ok_or_else(|| self.wrong_type("whole-number"))
    }

    /// `true` or `false`.
    pub(super) fn boolean(&self) -> Result<bool, SceneError> {
        self.read().ok_or_else(|| self.wrong_type("boolean"))
    }

    /// A text in quotes.
    pub(super) fn string(&self) -> Result<String, SceneError> {
        self.read().ok_or_else(|| self.wrong_type("text"))
    }

    /// The name or the index of a body.
    pub(super) fn body_reference(&self) -> Result<BodyReference, SceneError> {
        if self.raw.starts_with('"') {
            return self.string().map(BodyReference::Name);
        }
        let index: Option<u32> = self.read();
        index.map(BodyReference::Index).ok_or_else(|| self.wrong_type("body"))
    }

    /// One of these names, or an earlier spelling of it.
    pub(super) fn name<T: Copy>(&self, names: &'static [Name<T>]) -> Result<T, SceneError> {
        let found = self.string()?;
        let named = names.iter().find(|name| name.current == found || name.earlier == Some(&found));
        named.map(|name| name.value).ok_or_else(|| {
            let expected = names.iter().map(|name| name.current).collect();
            self.error(SceneErrorKind::UnknownName { found: escaped(&found), expected })
        })
    }
}

/// A body of the scene, as joints refer to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum BodyReference {
    Name(String),
    Index(u32),
}

/// A name that a key may have as its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<T> {
    pub(super) current: &'static str,
    /// An earlier spelling, still read.
    pub(super) earlier: Option<&'static str>,
    pub(super) value: T,
}

impl<T> Name<T> {
    pub(super) const fn new(current: &'static str, value: T) -> Self {
        Self { current, earlier: None, value }
    }

    pub(super) const fn renamed(current: &'static str, earlier: &'static str, value: T) -> Self {
        Self { current, earlier: Some(earlier), value }
    }
}

impl<'a> Object<'a> {
    /// The value of a key, also under an earlier spelling.
    pub(super) fn get(&self, name: &str) -> Option<Node<'a>> {
        self.entries.iter().find(|(key, _)| key.name == name).map(|&(_, value)| value)
    }

    /// The value of a key of exactly this spelling.
    pub(super) fn spelled(&self, spelling: &str) -> Option<Node<'a>> {
        self.entries.iter().find(|(key, _)| key.spelling == spelling).map(|&(_, value)| value)
    }

    /// The value of a required key.
    pub(super) fn require(&self, key: &'static str) -> Result<Node<'a>, SceneError> {
        self.get(key).ok_or_else(|| self.node.error(SceneErrorKind::MissingKey { key }))
    }

    /// The value of a key as `read` returns it, or `default` without the key.
    pub(super) fn read_or<T>(
        &self,
        name: &str,
        default: T,
        read: impl FnOnce(&Node<'a>) -> Result<T, SceneError>,
    ) -> Result<T, SceneError> {
        self.get(name).map_or(Ok(default), |value| read(&value))
    }

    /// The value of a key as `read` returns it; `None` without the key.
    pub(super) fn read<T>(
        &self,
        name: &str,
        read: impl FnOnce(&Node<'a>) -> Result<T, SceneError>,
    ) -> Result<Option<T>, SceneError> {
        self.get(name).map(|value| read(&value)).transpose()
    }

    /// As [`read`](Self::read), and `None` for `null`.
    pub(super) fn optional<T>(
        &self,
        name: &str,
        read: impl FnOnce(&Node<'a>) -> Result<T, SceneError>,
    ) -> Result<Option<T>, SceneError> {
        let value = self.get(name).filter(|value| value.raw != "null");
        value.map(|value| read(&value)).transpose()
    }

    /// An error at the object.
    pub(super) fn error(&self, kind: impl Into<SceneErrorKind>) -> SceneError {
        self.node.error(kind)
    }
}

/// Entries of an object, or the first error of its keys.
type Entries<'a> = Result<Vec<(&'static Key, Node<'a>)>, SceneError>;

struct ObjectVisitor<'a> {
    node: Node<'a>,
    keys: Keys,
}

impl<'a> ObjectVisitor<'a> {
    /// The key of this spelling, unless another of its spellings came before.
    fn check(
        &self,
        spelling: &str,
        before: &[(&'static Key, Node<'a>)],
    ) -> Result<&'static Key, SceneErrorKind> {
        let Some(key) = self.keys.iter().find(|key| key.spelling == spelling) else {
            return Err(SceneErrorKind::UnknownKey {
                key: escaped(spelling),
                closest: closest(self.keys, spelling),
                expected: current(self.keys),
            });
        };
        for (other, _) in before {
            if other.spelling == key.spelling {
                return Err(SceneErrorKind::DuplicateKey { key: key.spelling });
            }
            if other.name == key.name && (other.is_current() || key.is_current()) {
                return Err(SceneErrorKind::KeyConflict { keys: [other.spelling, key.spelling] });
            }
        }
        Ok(key)
    }
}

impl<'a> Visitor<'a> for ObjectVisitor<'a> {
    type Value = Entries<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        let mut wrong = None;
        while let Some(Spelling(spelling)) = map.next_key()? {
            let value = self.node.at(map.next_value()?);
            if wrong.is_some() {
                continue;
            }
            match self.check(&spelling, &entries) {
                Ok(key) => entries.push((key, value)),
                Err(kind) => {
                    wrong = Some(match spelling {
                        Cow::Borrowed(text) => self.node.document.error(text, kind),
                        // A key with escapes is not a part of the text.
                        Cow::Owned(_) => value.error(kind),
                    });
                }
            }
        }
        Ok(wrong.map_or(Ok(entries), Err))
    }
}

/// A key as it is written, borrowed from the text unless it has escapes.
struct Spelling<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Spelling<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Borrowing;
        impl<'de> Visitor<'de> for Borrowing {
            type Value = Cow<'de, str>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Cow::Borrowed(text))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Cow::Owned(text.to_owned()))
            }
        }
        from.deserialize_str(Borrowing).map(Spelling)
    }
}

struct ListVisitor<'a> {
    node: Node<'a>,
    max: usize,
}

impl<'a> Visitor<'a> for ListVisitor<'a> {
    /// `None` if the list has more than `max` items.
    type Value = Option<Vec<Node<'a>>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element::<&RawValue>()? {
            if items.len() < self.max {
                items.push(self.node.at(item));
            } else {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                return Ok(None);
            }
        }
        Ok(Some(items))
    }
}

/// A value for a message: short, on one line, without control characters.
fn quoted(raw: &str) -> String {
    match raw.as_bytes().first() {
        Some(b'{') => "{...}".to_owned(),
        Some(b'[') => "[...]".to_owned(),
        _ if raw.chars().count() <= MAX_QUOTED => raw.replace(char::is_control, "\u{fffd}"),
        _ => {
            let start: String = raw.chars().take(MAX_QUOTED).collect();
            format!("{}…", start.replace(char::is_control, "\u{fffd}"))
        }
    }
}

/// A key or name for a message: short, on one line, without control characters.
pub(super) fn escaped(text: &str) -> String {
    let start: String = text.chars().take(MAX_QUOTED).collect();
    let more = if start.len() < text.len() { "…" } else { "" };
    format!("{}{more}", start.escape_debug())
}
