//! Conversions to and from other crates, each behind the feature of that crate's name.

#[cfg(feature = "glam")]
mod glam;
#[cfg(feature = "mint")]
mod mint;
#[cfg(feature = "serde")]
mod serde;
