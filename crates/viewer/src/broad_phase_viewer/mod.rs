//! Broad-phase viewer: a moving 2D world, searched by one technique frame by frame.
//!
//! ```text
//! JSON ──check──► Parameters ──► ViewerRun: advance ► detect ► settle ──► numbers, flags, impacts
//!                                     │                       └───► look, inspect: what the search did
//!                                     └─ world, techniques and counts of `study broad2d`
//! ```
//!
//! The page's 2D world is decided here: its options ([`catalog()`]), validation ([`check`]) and
//! counts ([`ViewerRun`]). The wasm crate converts, the page draws.
//!
//! Guarantee: the same parameters give the counts of `embate study broad2d`, to the last digit, on
//! every platform. No clock is read here; a caller that measures time reads its own around
//! [`ViewerRun::detect`].

mod advice;
mod catalog;
mod experiments;
mod form_input;
mod frame_state;
mod group_boxes;
mod impact_events;
mod inspection;
mod limits;
mod object_levels;
mod pair_tracker;
mod parameters;
mod pick;
mod search;
mod search_overlay;
#[cfg(test)]
mod study_equivalence;
mod techniques;
mod viewer_run;

pub use advice::Advice;
pub use catalog::catalog;
pub use inspection::Inspection;
pub use limits::{Field, FieldError, FieldErrors, FormError};
pub use parameters::{Parameters, check};
pub use viewer_run::{FrameTotals, Sweep, ViewerRun};
