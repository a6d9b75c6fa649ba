//! Catalog of the studies for a host: options, limits and defaults as JSON.

use embate_replica::structure::PairStructure;
use embate_replica::structure::RayStructure;
use embate_replica::triangle_tests::TriangleTestKind;
use embate_scene::generators::Family;
use serde::Serialize;

use crate::runner::config::{ConfigError, StudyConfig, limits};
use crate::studies::triangle_tests::plan::TriangleTestsPlan;
use crate::studies::{broad2d, broad3d, rays, simulator};
use crate::study_kind::StudyKind;

/// Triangles of a random case: more than twice the city. A browser gives a module 4 GB at most.
const SIZES: [u32; 2] = [1, 300_000];
/// Objects of a world: as many as the 3D study has. Brute force checks every frame.
const OBJECTS: [u32; 2] = [1, 50_000];
/// What every number in JavaScript holds exactly, and people can read.
const SEED: [u32; 2] = [0, u32::MAX];

#[derive(Serialize)]
struct Catalog {
    studies: Vec<StudyOptions>,
    limits: Limits,
}

/// Minimum and maximum of the options.
#[derive(Serialize)]
struct Limits {
    seed: [u32; 2],
    repeats: [u32; 2],
    sizes: [u32; 2],
    rays: [u32; 2],
    objects: [u32; 2],
    frames: [u32; 2],
    seeds: [u32; 2],
}

/// A study: its techniques in the order of the report, and its defaults.
#[derive(Serialize)]
struct StudyOptions {
    name: &'static str,
    techniques: Vec<&'static str>,
    quick: Defaults,
    full: Defaults,
}

/// Defaults of a study; absent for options that it does not have or chooses itself.
#[derive(Default, Serialize)]
struct Defaults {
    seed: u64,
    repeats: u32,
    /// Absent if all of the study are the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    technique: Option<Vec<&'static str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sizes: Option<Vec<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    families: Option<Vec<&'static str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rays: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    objects: Option<Vec<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    frames: Option<Frames>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seeds: Option<u32>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Frames {
    Number(u32),
    /// `null`: fewer, the more objects there are.
    ByObjects(()),
}

/// Studies with their techniques, defaults and limits, as JSON.
#[must_use]
pub fn catalog() -> String {
    let catalog = Catalog {
        studies: vec![
            rays_plan(),
            broad2d_plan(),
            broad3d_plan(),
            simulator_plan(),
            triangle_tests_plan(),
        ],
        limits: Limits {
            seed: SEED,
            repeats: limits::REPEATS,
            sizes: SIZES,
            rays: limits::RAYS,
            objects: OBJECTS,
            frames: limits::FRAMES,
            seeds: limits::SEEDS,
        },
    };
    serde_json::to_string(&catalog).unwrap_or_default()
}

/// Checks the limits of a page, which are lower than those of the command line.
pub(super) fn check(config: &StudyConfig) -> Result<(), ConfigError> {
    for (option, values, [min, max]) in
        [("sizes", &config.sizes, SIZES), ("objects", &config.objects, OBJECTS)]
    {
        let mut values = values.iter().flatten();
        if let Some(&value) = values.find(|value| !(min..=max).contains(*value)) {
            let [value, min, max] = [value, min, max].map(u64::from);
            return Err(ConfigError::OutOfRange { option, value, min, max });
        }
    }
    Ok(())
}

fn rays_plan() -> StudyOptions {
    let defaults = |plan: rays::plan::RaysPlan| Defaults {
        seed: plan.seed,
        repeats: plan.repeats,
        technique: (plan.techniques.len() < RayStructure::ALL.len())
            .then(|| plan.techniques.iter().map(|technique| technique.name()).collect()),
        sizes: Some(plan.sizes),
        families: Some(Family::ALL.map(Family::name).to_vec()),
        rays: Some(plan.rays),
        ..Defaults::default()
    };
    StudyOptions {
        name: StudyKind::Rays.name(),
        techniques: RayStructure::ALL.map(RayStructure::name).to_vec(),
        quick: defaults(rays::plan::RaysPlan::quick()),
        full: defaults(rays::plan::RaysPlan::published()),
    }
}

fn broad2d_plan() -> StudyOptions {
    let defaults = |budget: crate::studies::moving_worlds::Budget| Defaults {
        seed: budget.seed,
        repeats: budget.repeats,
        objects: Some(broad2d::plan::objects().to_vec()),
        frames: Some(Frames::Number(broad2d::plan::frames(&budget))),
        seeds: Some(budget.seeds),
        ..Defaults::default()
    };
    StudyOptions {
        name: StudyKind::Broad2d.name(),
        techniques: PairStructure::all_2d().into_iter().map(PairStructure::name).collect(),
        quick: defaults(broad2d::plan::quick()),
        full: defaults(broad2d::plan::published()),
    }
}

fn broad3d_plan() -> StudyOptions {
    let defaults = |budget: crate::studies::moving_worlds::Budget| Defaults {
        seed: budget.seed,
        repeats: budget.repeats,
        objects: Some(broad3d::plan::objects().to_vec()),
        frames: Some(budget.frames.map_or(Frames::ByObjects(()), Frames::Number)),
        seeds: Some(budget.seeds),
        ..Defaults::default()
    };
    StudyOptions {
        name: StudyKind::Broad3d.name(),
        techniques: PairStructure::all_3d().into_iter().map(PairStructure::name).collect(),
        quick: defaults(broad3d::plan::quick()),
        full: defaults(broad3d::plan::published()),
    }
}

fn simulator_plan() -> StudyOptions {
    let defaults = |budget: simulator::Budget| Defaults {
        seed: budget.seed,
        repeats: budget.repeats,
        ..Defaults::default()
    };
    StudyOptions {
        name: StudyKind::Simulator.name(),
        techniques: simulator::TECHNIQUES.to_vec(),
        quick: defaults(simulator::Budget::new(true)),
        full: defaults(simulator::Budget::new(false)),
    }
}

fn triangle_tests_plan() -> StudyOptions {
    let defaults = |plan: TriangleTestsPlan| Defaults {
        seed: plan.seed,
        repeats: plan.repeats,
        rays: Some(plan.rays),
        ..Defaults::default()
    };
    StudyOptions {
        name: StudyKind::TriangleTests.name(),
        techniques: TriangleTestKind::ALL.map(TriangleTestKind::name).to_vec(),
        quick: defaults(TriangleTestsPlan::new(true)),
        full: defaults(TriangleTestsPlan::new(false)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::runner::incremental::IncrementalStudy;

    /// A quick study of rays has fewer techniques by default, which are named.
    #[test]
    fn default_techniques_are_listed_where_they_are_not_all() {
        let catalog: Value = serde_json::from_str(&catalog()).unwrap();
        let [rays, others @ ..] = catalog["studies"].as_array().unwrap().as_slice() else {
            panic!("there are studies");
        };
        let all = rays["techniques"].as_array().unwrap();
        let quick = rays["quick"]["technique"].as_array().unwrap();
        assert!(quick.len() < all.len() && quick.iter().all(|name| all.contains(name)));
        assert_eq!(rays["full"]["technique"], Value::Null);
        assert!(others.iter().all(|study| study["quick"]["technique"].is_null()));
    }

    /// Explicit defaults give the default plan.
    #[test]
    fn listed_configurations_are_valid() {
        let catalog: Value = serde_json::from_str(&catalog()).unwrap();
        let studies = catalog["studies"].as_array().unwrap();
        assert_eq!(studies.len(), 5);
        for study in studies {
            let name = study["name"].as_str().unwrap();
            for extent in ["quick", "full"] {
                let mut config = study[extent].clone();
                config["quick"] = (extent == "quick").into();
                config["technique"] = study["techniques"].clone();
                if name == "broad2d" {
                    config["experiment"] = 2.into();
                }
                let config = IncrementalStudy::new(name, &config.to_string()).unwrap();
                assert!(config.cases().len() > 5, "{name}");
            }
        }
    }

    #[test]
    fn listed_object_limit_fits_the_worlds() {
        let max_objects = OBJECTS[1];
        for (name, more) in [("broad2d", r#""experiment":2,"#), ("broad3d", "")] {
            let config = format!(r#"{{{more}"objects":[{max_objects}]}}"#);
            assert!(IncrementalStudy::new(name, &config).is_ok(), "{name}");
        }
    }
}
