//! Catalog: presets, solvers, shapes and limits for the page, as JSON.

use embate::dynamics::MAX_SUBSTEPS;
use embate_replica::lasch::{BroadPhase, IntegratorKind, Response};
use embate_report::language::Language;
use embate_studies::{StudyKind, technique_label};
use serde_json::{Value, json};

use super::json_views::CONTACTS_PER_PAGE;
use super::presets::PRESETS;
use super::replay::MAX_STEPS;
use super::scene_instance::MAX_COORDINATE;
use crate::localized_text::LocalizedText;

/// Presets, broad phases, integrators, responses and limits, as JSON.
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
    let listed = |kind, name: &str| json!({ "name": name, "label": label(kind, name) });
    let broads = std::iter::once(BroadPhase::AUTO).chain(BroadPhase::ALL);
    json!({
        "presets": presets,
        "broadPhases": broads.map(|broad| listed(StudyKind::Broad3d, broad.name())).collect::<Vec<_>>(),
        "integrators": IntegratorKind::ALL.map(|kind| listed(StudyKind::Simulator, kind.name())),
        "responses": Response::ALL.map(|resolve| listed(StudyKind::Simulator, resolve.name())),
        "mostSubsteps": MAX_SUBSTEPS,
        "mostSteps": MAX_STEPS,
        "farthest": MAX_COORDINATE,
        "contactsAPage": CONTACTS_PER_PAGE,
    })
    .to_string()
}

/// Label of a broad phase, an integrator or a response, as in the study reports.
fn label(kind: StudyKind, name: &str) -> LocalizedText<String> {
    let [en, pt] = Language::ALL.map(|language| technique_label(kind, name, language));
    LocalizedText { en, pt }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: the page called `sweep-x` "Sort and sweep, x", the reports another name.
    #[test]
    fn labels_equal_those_of_the_study_reports() {
        let catalog: Value = serde_json::from_str(&catalog()).unwrap();
        for (list, kind) in [
            ("broadPhases", StudyKind::Broad3d),
            ("integrators", StudyKind::Simulator),
            ("responses", StudyKind::Simulator),
        ] {
            for item in catalog[list].as_array().unwrap() {
                let name = item["name"].as_str().unwrap();
                for language in Language::ALL {
                    let label = item["label"][language.tag()].as_str().unwrap();
                    assert_eq!(label, technique_label(kind, name, language));
                    assert_ne!(label, name, "without a label");
                }
            }
        }
    }
}
