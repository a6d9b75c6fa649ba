//! STL: a list of triangles, each with its three corners written out.
//!
//! Equal corners become one vertex again, numbered by first appearance; normals and attributes are
//! left alone, since exporters write anything there, NaN included.

mod ascii;
mod binary;

pub(crate) use ascii::parse as parse_ascii;
pub(crate) use binary::{has_binary_size, parse as parse_binary};
