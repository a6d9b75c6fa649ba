//! Catalog: presets, solvers, shapes and limits for the page, as JSON.

use embate::broad_phase::{BroadPhaseKind, SweepAxis};
use embate::dynamics::MAX_SUBSTEPS;
use embate_replica::lasch::{BroadPhase, Response};
use serde_json::{Value, json};

use super::json_views::CONTACTS_PER_PAGE;
use super::presets::PRESETS;
use super::replay::MAX_STEPS;
use super::scene_instance::MAX_COORDINATE;
use crate::localized_text::LocalizedText;

/// Presets, broad phases, ways to resolve and limits, as JSON.
#[must_use]
pub fn catalog() -> String {
    let presets: Vec<Value> = PRESETS
        .iter()
        .map(|preset| {
            let [name, description] = preset.name_and_description();
            json!({
                "name": preset.name,
                "title": preset.title,
                "about": preset.about,
                "takesSeed": preset.takes_seed(),
                "own": { "name": name, "description": description },
            })
        })
        .collect();
    let listed = |name: &str, label: LocalizedText| json!({ "name": name, "label": label });
    let broads = std::iter::once(BroadPhase::AUTO).chain(BroadPhase::ALL);
    json!({
        "presets": presets,
        "broadPhases": broads.map(|broad| listed(broad.name(), broad_label(broad))).collect::<Vec<_>>(),
        "responses": Response::ALL.map(|resolve| listed(resolve.name(), resolve_label(resolve))),
        "mostSubsteps": MAX_SUBSTEPS,
        "mostSteps": MAX_STEPS,
        "farthest": MAX_COORDINATE,
        "contactsAPage": CONTACTS_PER_PAGE,
    })
    .to_string()
}

/// Exhaustive: a new broad phase without a label does not compile.
fn broad_label(broad: BroadPhase) -> LocalizedText {
    let [en, pt] = match broad {
        BroadPhase::Engine(BroadPhaseKind::Auto) => ["Automatic", "Automática"],
        BroadPhase::Engine(BroadPhaseKind::BruteForce) => ["Brute force", "Força bruta"],
        BroadPhase::Engine(BroadPhaseKind::TiledSweep) => ["Sweep", "Varredura"],
        BroadPhase::Engine(BroadPhaseKind::Bvh) => ["Tree (BVH)", "Árvore (BVH)"],
        BroadPhase::Engine(BroadPhaseKind::Grid) => ["Grid", "Grade"],
        BroadPhase::Engine(BroadPhaseKind::Octree) => ["Octree (loose)", "Octree (frouxa)"],
        BroadPhase::StrictOctree => ["Octree (strict, Lasch)", "Octree (estrita, Lasch)"],
        BroadPhase::SweepAndPrune(SweepAxis::Fixed(0)) => {
            ["Sort and sweep, x", "Ordenar e varrer, x"]
        }
        BroadPhase::SweepAndPrune(SweepAxis::Fixed(1)) => {
            ["Sort and sweep, y", "Ordenar e varrer, y"]
        }
        BroadPhase::SweepAndPrune(SweepAxis::Fixed(_)) => {
            ["Sort and sweep, z", "Ordenar e varrer, z"]
        }
        BroadPhase::SweepAndPrune(SweepAxis::LargestVariance) => [
            "Sort and sweep (axis of greatest variance)",
            "Ordenar e varrer (eixo de maior variância)",
        ],
    };
    LocalizedText { en, pt }
}

fn resolve_label(resolve: Response) -> LocalizedText {
    let [en, pt] = match resolve {
        Response::Impulse => ["Impulses", "Impulsos"],
        Response::Positions => ["Positions only", "Só posições"],
    };
    LocalizedText { en, pt }
}
