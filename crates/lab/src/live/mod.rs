//! What happens in this world, frame after frame, while somebody watches?
//!
//! ```text
//! JSON ──check──► Parameters ──► Run: advance ► detect ► settle ──► numbers, flags, strikes
//!                                     │                       └───► look, inspect: what the search did
//!                                     └─ the world and the techniques of `study broad2d`, and its counts
//! ```
//!
//! Everything a page shows of a 2D world is decided here: what it offers ([`catalogue()`]), what it refuses
//! ([`check`]) and what it counts ([`Run`]). The shell around it converts, the page draws.
//!
//! Promise: the same parameters give the same counts as `embate study broad2d`, to the last digit, on
//! every platform. No clock is read here; whoever wants to time calls [`Run::detect`] between two looks
//! at one.

mod advice;
mod catalogue;
mod draft;
#[cfg(test)]
mod equals_study;
mod experiments;
mod inspection;
mod limits;
mod look;
mod meetings;
mod now;
mod parameters;
mod pick;
mod run;
mod search;
mod strikes;
mod techniques;
mod text;

pub use advice::Advice;
pub use catalogue::catalogue;
pub use inspection::Inspection;
pub use limits::{Field, Problem, Problems, Trouble};
pub use parameters::{Parameters, check};
pub use run::{Run, Sums};
pub use text::Text;
