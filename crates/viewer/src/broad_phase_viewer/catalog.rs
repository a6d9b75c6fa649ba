//! Catalog: techniques, experiments, limits and defaults for the page, as JSON.

use embate::broad_phase::BroadPhaseKind;
use embate_replica::structure::PairStructure;
use embate_scene::generators::Bounds;
use serde::Serialize;

use super::experiments::{self, Experiment};
use super::limits::{CELL, FRAMES, OBJECTS, SEED, SIDE, SIZE, SPEED};
use super::parameters::Parameters;
use super::techniques::{self, TechniqueEntry};

/// The initial world: as many objects as are distinguishable on a small stage, some of them
/// touching in every frame.
pub(super) const FIRST_SCENE: Parameters = Parameters {
    width: 960.0,
    height: 540.0,
    objects: 600,
    bounds: Bounds::Aabb,
    min_size: 6.0,
    max_size: 16.0,
    min_speed: 20.0,
    max_speed: 80.0,
    technique: PairStructure::Engine(BroadPhaseKind::Auto),
    cell_size: 24.0,
    seed: 1,
};

#[derive(Debug, Serialize)]
struct Catalog {
    techniques: Vec<TechniqueEntry>,
    limits: Limits,
    defaults: Parameters,
    experiments: Vec<Experiment>,
}

/// Least and most of each.
#[derive(Debug, Serialize)]
struct Limits {
    objects: [f64; 2],
    side: [f64; 2],
    size: [f64; 2],
    speed: [f64; 2],
    cell: [f64; 2],
    seed: [f64; 2],
    frames: [f64; 2],
}

/// Techniques, limits, the first scene and the study's experiments, as JSON. A page that lists what
/// it finds here shows a technique that is new in the engine without being changed.
#[must_use]
pub fn catalog() -> String {
    let catalog = Catalog {
        techniques: techniques::listed(),
        limits: Limits {
            objects: OBJECTS,
            side: SIDE,
            size: SIZE,
            speed: SPEED,
            cell: CELL,
            seed: SEED,
            frames: FRAMES,
        },
        defaults: FIRST_SCENE,
        experiments: experiments::all(),
    };
    serde_json::to_string(&catalog).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::broad_phase_viewer::check;

    fn read() -> Value {
        serde_json::from_str(&catalog()).unwrap()
    }

    #[test]
    fn every_engine_technique_is_listed_with_label_and_description() {
        let catalog = read();
        let listed = catalog["techniques"].as_array().unwrap();
        let names: Vec<&str> = listed.iter().map(|one| one["name"].as_str().unwrap()).collect();
        let ours = BroadPhaseKind::ALL.map(BroadPhaseKind::name);
        let of_lasch = ["sweep-x", "sweep-y", "sweep-variance", "octree-strict"];
        assert_eq!(names, [&["auto", "study-brute", "study-grid"][..], &ours, &of_lasch].concat());
        for technique in listed {
            for text in ["label", "about"] {
                for language in ["en", "pt-BR"] {
                    assert!(technique[text][language].as_str().unwrap().len() > 3);
                }
            }
        }
    }

    #[test]
    fn listed_parameters_are_valid() {
        let catalog = read();
        assert!(check(&catalog["defaults"].to_string()).problems.is_empty());
        for experiment in catalog["experiments"].as_array().unwrap() {
            for case in experiment["cases"].as_array().unwrap() {
                let mut case = case.clone();
                case["seed"] = 1.into();
                assert_eq!(check(&case.to_string()).problems, [], "{case}");
            }
        }
    }

    #[test]
    fn experiments_have_the_cases_and_published_values_of_the_study() {
        let catalog = read();
        let experiment = |number: usize| &catalog["experiments"][number - 1];
        let count = |number: usize, list: &str| experiment(number)[list].as_array().unwrap().len();
        // Sixteen sizes of cells for two techniques, once for the others.
        assert_eq!(count(1, "cases"), 2 * 16 + 5);
        assert_eq!(count(2, "cases"), 2 * 9 * 7);
        assert_eq!((count(1, "published"), count(2, "published")), (0, 2 * 9 * 2));
        let is_wanted = |line: &&Value| {
            line["objects"] == 500
                && line["bounds"] == "circle"
                && line["technique"] == "study-grid"
        };
        let line = experiment(2)["published"].as_array().unwrap().iter().find(is_wanted).unwrap();
        assert_eq!((line["tests"].as_f64(), line["ms"].as_f64()), (Some(735.9), Some(0.211)));
    }
}
