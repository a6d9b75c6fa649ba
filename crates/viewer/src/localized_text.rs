//! Localized text: one text in every language of the page.

use serde::Serialize;

/// One text in every language, by the tags of BCP 47.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LocalizedText<S = &'static str> {
    /// English.
    pub en: S,
    /// Brazilian Portuguese.
    #[serde(rename = "pt-BR")]
    pub pt: S,
}
