//! What may a host ask of the studies?

use embate_studies::structure::RayStructure;
use serde::Serialize;

use crate::language::Language;
use crate::scenes::Family;
use crate::studies::asked::{Asked, limits};
use crate::studies::broad::{Unfit, broad2d, broad3d};
use crate::studies::{rays, simulator};
use embate_studies::structure::PairStructure;

/// Triangles of a random case: more than twice the city. A browser gives a module 4 GB at most.
const SIZES: [u32; 2] = [1, 300_000];
/// Objects of a world: as many as study B's evaluation has. Brute force judges every frame.
const OBJECTS: [u32; 2] = [1, 50_000];
/// What every number in JavaScript holds exactly, and people can read.
const SEED: [u32; 2] = [0, u32::MAX];

#[derive(Serialize)]
struct Catalogue {
    studies: Vec<Offer>,
    limits: Limits,
}

/// Least and most of each.
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

/// A study: its techniques in the order of the report, and what it measures unless told.
#[derive(Serialize)]
struct Offer {
    name: &'static str,
    techniques: Vec<&'static str>,
    quick: Usual,
    full: Usual,
}

/// What a study measures unless told; absent what it cannot be told, or decides by itself.
#[derive(Default, Serialize)]
struct Usual {
    seed: u64,
    repeats: u32,
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

/// Studies, their techniques, what they measure unless told, and the limits of it, as JSON.
#[must_use]
pub fn catalogue() -> String {
    let catalogue = Catalogue {
        studies: vec![of_rays(), of_broad2d(), of_broad3d(), of_simulator()],
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
    serde_json::to_string(&catalogue).unwrap_or_default()
}

/// What a host may not ask, though the command line may.
pub(super) fn check(asked: &Asked) -> Result<(), Unfit> {
    for (flag, values, [least, most]) in
        [("--sizes", &asked.sizes, SIZES), ("--objects", &asked.objects, OBJECTS)]
    {
        let mut values = values.iter().flatten();
        if let Some(value) = values.find(|value| !(least..=most).contains(*value)) {
            let most = Language::English.integer(most.into());
            return Err(Unfit(format!("{flag} {value}: give {least} to {most} here")));
        }
    }
    Ok(())
}

fn of_rays() -> Offer {
    let usual = |plan: rays::plan::Plan| Usual {
        seed: plan.seed,
        repeats: plan.repeats,
        sizes: Some(plan.sizes),
        families: Some(Family::ALL.map(Family::name).to_vec()),
        rays: Some(plan.rays),
        ..Usual::default()
    };
    Offer {
        name: "rays",
        techniques: RayStructure::ALL.map(RayStructure::name).to_vec(),
        quick: usual(rays::plan::Plan::quick()),
        full: usual(rays::plan::Plan::published()),
    }
}

fn of_broad2d() -> Offer {
    let usual = |effort: crate::studies::broad::Effort| Usual {
        seed: effort.seed,
        repeats: effort.repeats,
        objects: Some(broad2d::plan::objects().to_vec()),
        frames: Some(Frames::Number(broad2d::plan::frames(&effort))),
        seeds: Some(effort.seeds),
        ..Usual::default()
    };
    Offer {
        name: "broad2d",
        techniques: PairStructure::all_2d().into_iter().map(PairStructure::name).collect(),
        quick: usual(broad2d::plan::quick()),
        full: usual(broad2d::plan::published()),
    }
}

fn of_broad3d() -> Offer {
    let usual = |effort: crate::studies::broad::Effort| Usual {
        seed: effort.seed,
        repeats: effort.repeats,
        objects: Some(broad3d::plan::objects().to_vec()),
        frames: Some(effort.frames.map_or(Frames::ByObjects(()), Frames::Number)),
        seeds: Some(effort.seeds),
        ..Usual::default()
    };
    Offer {
        name: "broad3d",
        techniques: PairStructure::all_3d().into_iter().map(PairStructure::name).collect(),
        quick: usual(broad3d::plan::quick()),
        full: usual(broad3d::plan::published()),
    }
}

fn of_simulator() -> Offer {
    let usual = |effort: simulator::Effort| Usual {
        seed: effort.seed,
        repeats: effort.repeats,
        ..Usual::default()
    };
    Offer {
        name: "simulator",
        techniques: simulator::TECHNIQUES.to_vec(),
        quick: usual(simulator::Effort::new(true)),
        full: usual(simulator::Effort::new(false)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::studies::hosted::Study;

    /// A page that asks for what is usual, written out, gets the usual.
    #[test]
    fn whatever_is_offered_is_accepted() {
        let catalogue: Value = serde_json::from_str(&catalogue()).unwrap();
        let studies = catalogue["studies"].as_array().unwrap();
        assert_eq!(studies.len(), 4);
        for study in studies {
            let name = study["name"].as_str().unwrap();
            for extent in ["quick", "full"] {
                let mut asked = study[extent].clone();
                asked["quick"] = (extent == "quick").into();
                asked["technique"] = study["techniques"].clone();
                if name == "broad2d" {
                    asked["experiment"] = 2.into();
                }
                let asked = Study::new(name, &asked.to_string()).unwrap();
                assert!(asked.cases().len() > 5, "{name}");
            }
        }
    }

    #[test]
    fn the_most_objects_that_are_offered_fit_the_worlds() {
        let most = OBJECTS[1];
        for (name, more) in [("broad2d", r#""experiment":2,"#), ("broad3d", "")] {
            let asked = format!(r#"{{{more}"objects":[{most}]}}"#);
            assert!(Study::new(name, &asked).is_ok(), "{name}");
        }
    }
}
