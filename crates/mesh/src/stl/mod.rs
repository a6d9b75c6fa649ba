//! STL: a triangle soup, as text or binary.
//!
//! Equal positions are welded into one vertex, numbered by first appearance. Normals and attributes
//! are ignored: exporters write anything there, including NaN.

mod ascii;
mod binary;

pub(crate) use ascii::parse as parse_ascii;
pub(crate) use binary::{HEADER_BYTES, has_binary_size, parse as parse_binary};
