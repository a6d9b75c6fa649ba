//! What does the page say, in every language it speaks?

use serde::Serialize;

/// One text in every language, by the tags of BCP 47.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Text<S = &'static str> {
    /// English.
    pub en: S,
    /// Brazilian Portuguese.
    #[serde(rename = "pt-BR")]
    pub pt: S,
}
