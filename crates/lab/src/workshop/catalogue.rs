//! What does the simulator offer, and what is it called?

use embate::motion::{Broad, MAX_SUBSTEPS, Resolve};
use embate::pairs::{PairTechnique, SweepAxis};
use serde_json::{Value, json};

use super::live::FAR;
use super::presets::PRESETS;
use super::replay::MOST_STEPS;
use super::told::CONTACTS_A_PAGE;
use crate::live::Text;

/// Presets, broad phases, ways to resolve and limits, as JSON.
#[must_use]
pub fn catalogue() -> String {
    let presets: Vec<Value> = PRESETS
        .iter()
        .map(|preset| {
            let [name, description] = preset.own_words();
            json!({
                "name": preset.name,
                "title": preset.title,
                "about": preset.about,
                "takesSeed": preset.takes_seed(),
                "own": { "name": name, "description": description },
            })
        })
        .collect();
    let auto = Broad::Technique(PairTechnique::Auto);
    let listed = |name: &str, label: Text| json!({ "name": name, "label": label });
    let broads = std::iter::once(auto).chain(Broad::ALL);
    json!({
        "presets": presets,
        "broads": broads.map(|broad| listed(broad.name(), broad_label(broad))).collect::<Vec<_>>(),
        "resolves": Resolve::ALL.map(|resolve| listed(resolve.name(), resolve_label(resolve))),
        "mostSubsteps": MAX_SUBSTEPS,
        "mostSteps": MOST_STEPS,
        "farthest": FAR,
        "contactsAPage": CONTACTS_A_PAGE,
    })
    .to_string()
}

/// One without words does not compile: a new one cannot be forgotten here.
fn broad_label(broad: Broad) -> Text {
    let [en, pt] = match broad {
        Broad::Technique(PairTechnique::Auto) => ["Automatic", "Automática"],
        Broad::Technique(PairTechnique::Brute) => ["Brute force", "Força bruta"],
        Broad::Technique(PairTechnique::Sweep) => ["Sweep", "Varredura"],
        Broad::Technique(PairTechnique::Tree) => ["Tree", "Árvore"],
        Broad::Technique(PairTechnique::Grid) => ["Grid", "Grade"],
        Broad::Technique(PairTechnique::Octree) => ["Octree", "Octree"],
        Broad::SortSweep(SweepAxis::Fixed(0)) => ["Sort and sweep, x", "Ordenar e varrer, x"],
        Broad::SortSweep(SweepAxis::Fixed(1)) => ["Sort and sweep, y", "Ordenar e varrer, y"],
        Broad::SortSweep(SweepAxis::Fixed(_)) => ["Sort and sweep, z", "Ordenar e varrer, z"],
        Broad::SortSweep(SweepAxis::LargestVariance) => {
            ["Sort and sweep, widest spread", "Ordenar e varrer, maior variância"]
        }
    };
    Text { en, pt }
}

fn resolve_label(resolve: Resolve) -> Text {
    let [en, pt] = match resolve {
        Resolve::Impulse => ["Impulses", "Impulsos"],
        Resolve::Positions => ["Positions only", "Só posições"],
    };
    Text { en, pt }
}
