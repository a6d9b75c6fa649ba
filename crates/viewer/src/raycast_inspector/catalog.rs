//! Catalog: structures, scenes, metrics and limits for the page, as JSON.

use embate_replica::lorenzi2014::PUBLISHED_LEVELS;
use serde_json::{Value, json};

use super::TECHNIQUES;
use super::mesh_source::{GeneratedScene, MAX_RANDOM};

/// Scenes, structures and limits, as JSON.
#[must_use]
pub fn catalog() -> String {
    let scenes: Vec<Value> = GeneratedScene::ALL
        .iter()
        .map(|made| json!({ "name": made.name(), "isRandom": matches!(made, GeneratedScene::Random(_)) }))
        .collect();
    json!({
        "scenes": scenes,
        "techniques": TECHNIQUES.map(embate_replica::structure::RayStructure::name),
        "mostRandom": MAX_RANDOM,
        "levels": PUBLISHED_LEVELS,
    })
    .to_string()
}
