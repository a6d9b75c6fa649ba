//! What does the simulator offer?

use embate::motion::{Broad, MAX_SUBSTEPS, Resolve};
use serde_json::{Value, json};

use super::live::FAR;
use super::presets::PRESETS;
use super::replay::MOST_STEPS;
use super::told::CONTACTS_A_PAGE;

/// Presets, broad phases, ways to resolve and limits, as JSON.
#[must_use]
pub fn catalogue() -> String {
    let presets: Vec<Value> = PRESETS
        .iter()
        .map(|preset| {
            json!({
                "name": preset.name,
                "title": preset.title,
                "about": preset.about,
                "takesSeed": preset.takes_seed(),
            })
        })
        .collect();
    let broads: Vec<&str> =
        std::iter::once("auto").chain(Broad::ALL.iter().map(|broad| broad.name())).collect();
    json!({
        "presets": presets,
        "broads": broads,
        "resolves": Resolve::ALL.map(Resolve::name),
        "mostSubsteps": MAX_SUBSTEPS,
        "mostSteps": MOST_STEPS,
        "farthest": FAR,
        "contactsAPage": CONTACTS_A_PAGE,
    })
    .to_string()
}
