//! How far apart or how deep are two shapes really? The judge of contacts, in f64.
//!
//! Promise: it is slow, and right. Every face of both and every edge of one with every edge of the other
//! is an axis along which two cores may part; every corner with every face and every edge with every
//! edge may hold their closest points. All of them are tried, on faces and edges that `skin.rs` found by
//! trying every three corners; the engine's own faces, clipping and iterations are not asked.
//!
//! ```text
//! space.rs     points, turns        skin.rs      faces and edges of a few points
//! solid.rs     shapes               features.rs  point – triangle, segment – segment
//! parting.rs   depth and distance   impact.rs    when do they meet?
//! claims.rs    is an answer of the engine true?
//! ```

pub mod claims;
mod features;
pub mod impact;
mod parting;
mod skin;
mod solid;
mod space;

pub use parting::{Parting, gap_along, parting, parting_of_point};
pub use skin::Skin;
pub use solid::{Form, Rounded, Solid};
pub use space::{Place, Point, Turn};
