//! Reference of the narrow phase: separation, penetration and time of impact, exhaustive, in f64.
//!
//! Every face normal of both cores and every cross product of two edges is a candidate for the
//! separating axis; every vertex–face and every edge–edge pair is a candidate for the closest
//! points. All of them are evaluated, on faces and edges that `hull_features.rs` finds by testing
//! every three vertices. The faces, clipping and iterations of the engine are not used.
//!
//! ```text
//! math.rs        points, rotations         hull_features.rs  faces and edges of a hull
//! solid.rs       shapes                    features.rs       point–triangle, segment–segment
//! separation.rs  distance, penetration     toi.rs            time of impact
//! evaluation.rs  errors of an answer of the engine
//! ```

mod evaluation;
mod features;
mod hull_features;
mod math;
mod separation;
mod solid;
pub mod toi;

pub use evaluation::{Answer, Errors, evaluate, evaluate_normal, evaluate_point};
pub use hull_features::HullFeatures;
pub use math::{Point, Quaternion, Transform};
pub use separation::{
    SeparationTruth, separation_along_axis, true_separation, true_separation_of_point,
};
pub use solid::{ReferenceShape, Rounded, Solid};
