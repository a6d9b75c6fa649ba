//! What does the simulator offer, and what is it called?

use embate::broad_phase::{BroadPhaseKind, SweepAxis};
use embate::dynamics::MAX_SUBSTEPS;
use embate_studies::replica::lasch::{BroadPhase, Response};
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
    let listed = |name: &str, label: Text| json!({ "name": name, "label": label });
    let broads = std::iter::once(BroadPhase::AUTO).chain(BroadPhase::ALL);
    json!({
        "presets": presets,
        "broadPhases": broads.map(|broad| listed(broad.name(), broad_label(broad))).collect::<Vec<_>>(),
        "responses": Response::ALL.map(|resolve| listed(resolve.name(), resolve_label(resolve))),
        "mostSubsteps": MAX_SUBSTEPS,
        "mostSteps": MOST_STEPS,
        "farthest": FAR,
        "contactsAPage": CONTACTS_A_PAGE,
    })
    .to_string()
}

/// One without words does not compile: a new one cannot be forgotten here.
fn broad_label(broad: BroadPhase) -> Text {
    let [en, pt] = match broad {
        BroadPhase::Engine(BroadPhaseKind::Auto) => ["Automatic", "Automática"],
        BroadPhase::Engine(BroadPhaseKind::BruteForce) => ["Brute force", "Força bruta"],
        BroadPhase::Engine(BroadPhaseKind::TiledSweep) => ["Sweep", "Varredura"],
        BroadPhase::Engine(BroadPhaseKind::Bvh) => ["Tree", "Árvore"],
        BroadPhase::Engine(BroadPhaseKind::Grid) => ["Grid", "Grade"],
        BroadPhase::Engine(BroadPhaseKind::Octree) => ["Octree", "Octree"],
        BroadPhase::SweepAndPrune(SweepAxis::Fixed(0)) => {
            ["Sort and sweep, x", "Ordenar e varrer, x"]
        }
        BroadPhase::SweepAndPrune(SweepAxis::Fixed(1)) => {
            ["Sort and sweep, y", "Ordenar e varrer, y"]
        }
        BroadPhase::SweepAndPrune(SweepAxis::Fixed(_)) => {
            ["Sort and sweep, z", "Ordenar e varrer, z"]
        }
        BroadPhase::SweepAndPrune(SweepAxis::LargestVariance) => {
            ["Sort and sweep, widest spread", "Ordenar e varrer, maior variância"]
        }
    };
    Text { en, pt }
}

fn resolve_label(resolve: Response) -> Text {
    let [en, pt] = match resolve {
        Response::Impulse => ["Impulses", "Impulsos"],
        Response::Positions => ["Positions only", "Só posições"],
    };
    Text { en, pt }
}
