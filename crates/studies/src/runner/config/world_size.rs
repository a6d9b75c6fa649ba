//! Sides of a world as an option.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};

/// Sides of a world, as text `WxH` or `WxHxD`. A newtype, since clap would read a plain `Vec` as a
/// repeated argument.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct WorldSize(pub Vec<f32>);

impl fmt::Display for WorldSize {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.write_str(&self.0.iter().map(f32::to_string).collect::<Vec<_>>().join("x"))
    }
}

impl From<WorldSize> for String {
    fn from(size: WorldSize) -> Self {
        size.to_string()
    }
}

impl FromStr for WorldSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sides: Result<Vec<f32>, _> = text.split('x').map(str::parse).collect();
        sides.map(Self).map_err(|_| "give WxH, for instance 2000x1000".to_owned())
    }
}

impl TryFrom<String> for WorldSize {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}
