//! What did somebody type, before anybody knows whether it makes sense?

use core::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Parameters as they came: anything may be missing, or be of another kind.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(super) struct Draft {
    pub(super) width: Given,
    pub(super) height: Given,
    pub(super) objects: Given,
    pub(super) bounds: Given,
    pub(super) min_size: Given,
    pub(super) max_size: Given,
    pub(super) min_speed: Given,
    pub(super) max_speed: Given,
    pub(super) technique: Given,
    pub(super) cell_size: Given,
    pub(super) seed: Given,
}

/// One value. A field of a form that holds no number comes as `null`, and must be named, not fail the rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Given {
    #[default]
    Nothing,
    Number(f64),
    Word(String),
}

impl<'de> Deserialize<'de> for Given {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Anything)
    }
}

struct Anything;

impl<'de> Visitor<'de> for Anything {
    type Value = Given;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or a word")
    }

    fn visit_f64<E>(self, value: f64) -> Result<Given, E> {
        Ok(Given::Number(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Given, E> {
        Ok(Given::Number(value as f64))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Given, E> {
        Ok(Given::Number(value as f64))
    }

    fn visit_str<E>(self, word: &str) -> Result<Given, E> {
        Ok(Given::Word(word.to_owned()))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Given, E> {
        Ok(Given::Nothing)
    }

    fn visit_unit<E>(self) -> Result<Given, E> {
        Ok(Given::Nothing)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Given, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Given::Nothing)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Given, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Given::Nothing)
    }
}
