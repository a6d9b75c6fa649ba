//! What does the engine offer to a page?

use embate::pairs::PairTechnique;
use serde::Serialize;

use super::experiments::{self, Experiment};
use super::limits::{CELL, FRAMES, MOST_CELLS, OBJECTS, SEED, SIDE, SIZE, SPEED};
use super::parameters::Parameters;
use super::techniques::{self, Listed};
use crate::scenes::Bounds;
use crate::studies::broad::Technique;

/// What a visitor sees first: as many objects as can be told apart on a small stage, some of them
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
    technique: Technique::Ours(PairTechnique::Auto),
    cell_size: 24.0,
    seed: 1,
};

#[derive(Debug, Serialize)]
struct Catalogue {
    techniques: Vec<Listed>,
    limits: Limits,
    defaults: Parameters,
    experiments: Vec<Experiment>,
}

/// Least and most of each; of `cells` the most.
#[derive(Debug, Serialize)]
struct Limits {
    objects: [f64; 2],
    side: [f64; 2],
    size: [f64; 2],
    speed: [f64; 2],
    cell: [f64; 2],
    cells: u32,
    seed: [f64; 2],
    frames: [f64; 2],
}

/// Techniques, limits, the first scene and the study's experiments, as JSON. A page that lists what it
/// finds here shows a technique that is new in the engine without being changed.
#[must_use]
pub fn catalogue() -> String {
    let catalogue = Catalogue {
        techniques: techniques::listed(),
        limits: Limits {
            objects: OBJECTS,
            side: SIDE,
            size: SIZE,
            speed: SPEED,
            cell: CELL,
            cells: MOST_CELLS,
            seed: SEED,
            frames: FRAMES,
        },
        defaults: FIRST_SCENE,
        experiments: experiments::all(),
    };
    serde_json::to_string(&catalogue).unwrap_or_default()
}
