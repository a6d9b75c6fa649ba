//! Experiments of Gonçales et al. 2016 and their published numbers.

use embate_replica::structure::PairStructure;
use embate_scene::generators::Bounds;
use embate_studies::broad2d::plan::{Request, experiment};
use embate_studies::broad2d::published::{FRAMES, brute_tests, lines};
use embate_studies::moving_worlds::Scene;
use embate_studies::moving_worlds::measure::Candidate;
use serde::Serialize;

use crate::localized_text::LocalizedText;

/// An experiment as the page offers it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Experiment {
    number: u8,
    title: LocalizedText,
    about: LocalizedText,
    /// The field along which the charts go.
    varies: &'static str,
    frames: u32,
    cases: Vec<Case>,
    techniques: Vec<&'static str>,
    published: Vec<Published>,
}

/// Parameters without a seed, which the page chooses.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    width: f32,
    height: f32,
    objects: u32,
    bounds: &'static str,
    min_size: f32,
    max_size: f32,
    min_speed: f32,
    max_speed: f32,
    technique: &'static str,
    cell_size: f32,
}

/// A value that the study printed.
#[derive(Clone, Debug, Serialize)]
struct Published {
    objects: u32,
    bounds: &'static str,
    technique: &'static str,
    tests: f64,
    ms: f64,
}

/// Both, as printed.
pub(super) fn all() -> Vec<Experiment> {
    let of = |number, varies, title, about, published| Experiment {
        number,
        title,
        about,
        varies,
        frames: FRAMES,
        cases: experiment(number, &Request::default(), FRAMES).iter().flat_map(cases).collect(),
        techniques: PairStructure::all_2d().into_iter().map(PairStructure::name).collect(),
        published,
    };
    vec![
        of(
            1,
            "cellSize",
            LocalizedText { en: "Size of the cells", pt: "Tamanho das células" },
            LocalizedText {
                en: "One world, many sizes of cells: which suits the grid? Embate also measures memory, which the study did not.",
                pt: "Um mundo, muitos tamanhos de célula: qual convém à grade? O Embate mede também a memória, que o estudo não mediu.",
            },
            // The study drew its figures and printed none.
            Vec::new(),
        ),
        of(
            2,
            "objects",
            LocalizedText { en: "Number of objects", pt: "Número de objetos" },
            LocalizedText {
                en: "More and more objects, boxes and circles: from when on does a grid pay?",
                pt: "Cada vez mais objetos, caixas e círculos: a partir de quando a grade compensa?",
            },
            printed(),
        ),
    ]
}

/// What `study broad2d` measures on a scene.
fn cases(scene: &Scene<2>) -> Vec<Case> {
    let case = |Candidate { technique, cell_size }| Case {
        width: scene.world.sides[0],
        height: scene.world.sides[1],
        objects: scene.world.objects,
        bounds: scene.world.bounds.name(),
        min_size: scene.world.size.min,
        max_size: scene.world.size.max,
        min_speed: scene.world.speed.min,
        max_speed: scene.world.speed.max,
        technique: technique.name(),
        cell_size: cell_size.unwrap_or(0.0),
    };
    scene.candidates(&PairStructure::all_2d()).into_iter().map(case).collect()
}

fn printed() -> Vec<Published> {
    let of_bounds = |bounds: Bounds| {
        lines(bounds).flat_map(move |line| {
            let of = |technique: PairStructure, tests, ms| Published {
                objects: line.objects,
                bounds: bounds.name(),
                technique: technique.name(),
                tests,
                ms,
            };
            [
                of(PairStructure::GoncalesBruteForce, brute_tests(line.objects), line.brute_ms),
                of(PairStructure::GoncalesGrid, line.grid_tests, line.grid_ms),
            ]
        })
    };
    Bounds::ALL.into_iter().flat_map(of_bounds).collect()
}
