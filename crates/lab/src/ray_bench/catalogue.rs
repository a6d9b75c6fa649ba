//! What does the bench offer?

use embate_studies::replica::lorenzi2014::MAX_LEVELS;
use serde_json::{Value, json};

use super::TECHNIQUES;
use super::source::{MOST_RANDOM, Made};

/// Scenes, structures and limits, as JSON.
#[must_use]
pub fn catalogue() -> String {
    let scenes: Vec<Value> = Made::ALL
        .iter()
        .map(|made| json!({ "name": made.name(), "isRandom": matches!(made, Made::Random(_)) }))
        .collect();
    json!({
        "scenes": scenes,
        "techniques": TECHNIQUES.map(embate_studies::structure::RayStructure::name),
        "mostRandom": MOST_RANDOM,
        "levels": MAX_LEVELS,
    })
    .to_string()
}
