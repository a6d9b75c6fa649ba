//! `embate advise`: which technique suits this file, and how do all of them do on it?

use std::path::Path;
use std::time::{Duration, Instant};

use embate::advisor::{BroadPhaseAdvice, recommend_broad_phase};
use embate::broad_phase::{AabbSlice, BroadPhase, BroadPhaseKind, OverlapPair, sort_pairs};
use embate::{Aabb, geometry::BoundingSphere};
use embate_lab::language::Language;
use embate_lab::reason::reason;
use serde_json::{Value, json};

use crate::advise_scene;
use crate::args::AdviseRequest;
use crate::boxes_file::{self, Bounds};
use crate::failure::{Failure, print};
use crate::inspect;
use crate::tables::{align_numbers, bare_table};

/// How often each technique is timed, at most; and for how long.
const TRIALS: usize = 5;
const TRIAL_TIME: Duration = Duration::from_millis(300);

/// Above this many boxes testing each against each takes longer than anyone would wait.
const MOST_FOR_BRUTE: usize = 50_000;

/// More pairs are not held to try the techniques on.
const MOST_PAIRS: u64 = 50_000_000;

/// How one technique did on these boxes.
struct Trial {
    technique: BroadPhaseKind,
    /// The shortest of the trials.
    query_s: f64,
    bytes: usize,
}

pub(crate) fn run(request: &AdviseRequest) -> Result<(), Failure> {
    if let Err(error) = std::fs::metadata(&request.file) {
        let (file, why) = (request.file.display(), reason(&error));
        return Err(Failure::Problem(format!("{file}: {why}")));
    }
    let of_scene = advise_scene::looks_like_a_scene(&request.file);
    let of_boxes = !of_scene && boxes_file::looks_like_boxes(&request.file);
    if request.moving.is_some() && !of_boxes {
        let file = request.file.display();
        return Err(Failure::Misuse(format!("--moving is about boxes; {file} holds none")));
    }
    if of_scene {
        return advise_scene::run(request);
    }
    if !of_boxes {
        return inspect::advise(&request.file, &request.limits, request.json);
    }
    match boxes_file::read(&request.file)? {
        Bounds::Boxes2(boxes) => advise(request, &boxes),
        Bounds::Boxes3(boxes) => advise(request, &boxes),
        Bounds::Circles(balls) => advise(request, &around(&balls)),
        Bounds::Spheres(balls) => advise(request, &around(&balls)),
    }
}

/// All of them, unless told.
fn moving(request: &AdviseRequest) -> f32 {
    request.moving.unwrap_or(1.0)
}

fn around<const D: usize>(balls: &[BoundingSphere<D>]) -> Vec<Aabb<D>> {
    balls.iter().map(BoundingSphere::padded_aabb).collect()
}

fn advise<const D: usize>(request: &AdviseRequest, boxes: &[Aabb<D>]) -> Result<(), Failure> {
    let boxes = boxes_file::checked(&request.file, boxes)?;
    boxes_file::refuse_crowd(&request.file, boxes, MOST_PAIRS)?;
    let advice = recommend_broad_phase(boxes, moving(request));
    let (trials, pairs) = try_all(&request.file, boxes)?;
    if request.json {
        return print(&format!("{:#}\n", to_json(request, &advice, &trials, pairs)));
    }
    print(&to_text(request, &advice, &trials, pairs))
}

/// Times every technique, and holds their answers against each other.
fn try_all<const D: usize>(
    file: &Path,
    boxes: AabbSlice<'_, D>,
) -> Result<(Vec<Trial>, usize), Failure> {
    let mut expected: Option<Vec<OverlapPair>> = None;
    let mut trials = Vec::new();
    for technique in BroadPhaseKind::ALL {
        if technique == BroadPhaseKind::BruteForce && boxes.len() > MOST_FOR_BRUTE {
            continue;
        }
        let mut finder = technique.create(boxes.len());
        let mut pairs = Vec::new();
        let (began, mut query_s) = (Instant::now(), f64::INFINITY);
        for _ in 0..TRIALS {
            pairs.clear();
            let clock = Instant::now();
            finder.find_pairs(boxes, &mut pairs);
            query_s = query_s.min(clock.elapsed().as_secs_f64());
            if began.elapsed() > TRIAL_TIME {
                break;
            }
        }
        trials.push(Trial { technique, query_s, bytes: finder.memory_usage() });
        sort_pairs(&mut pairs, boxes.len() as u32);
        if expected.get_or_insert_with(|| pairs.clone()) != &pairs {
            let (file, name) = (file.display(), technique.name());
            return Err(Failure::Problem(format!(
                "{file}: {name} finds other pairs than the others do; please report this file"
            )));
        }
    }
    trials.sort_by(|a, b| a.query_s.total_cmp(&b.query_s));
    Ok((trials, expected.map_or(0, |pairs| pairs.len())))
}

fn to_json<const D: usize>(
    request: &AdviseRequest,
    advice: &BroadPhaseAdvice<D>,
    trials: &[Trial],
    pairs: usize,
) -> Value {
    let features = &advice.features;
    let measured = trials.iter().map(|trial| {
        json!({ "structure": trial.technique.name(), "query_s": trial.query_s, "bytes": trial.bytes })
    });
    json!({
        "asked": {
            "command": "advise",
            "file": request.file.display().to_string(),
            "moving": moving(request),
        },
        "features": {
            "dimensions": D,
            "boxes": features.boxes,
            "median_side": features.median_side,
            "size_ratio": features.size_ratio,
            "extent": features.extent.as_slice(),
            "expected_pairs_per_box": features.density,
        },
        "counts": { "objects": features.boxes, "pairs": pairs },
        "recommendation": {
            "structure": advice.kind.name(),
            "keep_world": advice.use_incremental,
            "cell_size": advice.grid_cell_size,
            "reason": advice.to_string(),
        },
        "measured": measured.collect::<Vec<_>>(),
    })
}

fn to_text<const D: usize>(
    request: &AdviseRequest,
    advice: &BroadPhaseAdvice<D>,
    trials: &[Trial],
    pairs: usize,
) -> String {
    let (english, features) = (Language::English, &advice.features);
    let mut facts = bare_table(&[]);
    facts.add_row(["file", &request.file.display().to_string()]);
    facts.add_row(["dimensions", &D.to_string()]);
    facts.add_row(["objects", &english.integer(features.boxes as u64)]);
    facts.add_row(["overlapping pairs", &english.integer(pairs as u64)]);
    facts.add_row(["median side", &format!("{}", features.median_side)]);
    facts.add_row([
        "longest over median",
        &features.size_ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.1}")),
    ]);
    facts.add_row(["extent", &format!("{:?}", features.extent)]);

    let mut measured = bare_table(&["structure", "all pairs", "over the fastest", "memory"]);
    let fastest = trials.first().map_or(0.0, |trial| trial.query_s);
    for trial in trials {
        measured.add_row([
            trial.technique.name().to_owned(),
            english.duration(trial.query_s),
            english.times(trial.query_s / fastest),
            english.bytes(trial.bytes as u64),
        ]);
    }
    align_numbers(&mut measured, 1);
    let faster = trials.first().filter(|first| {
        let chosen = trials.iter().find(|trial| trial.technique == advice.kind);
        chosen.is_some_and(|chosen| chosen.query_s > 1.1 * first.query_s)
    });
    let but = faster.map_or_else(String::new, |first| {
        format!(
            " Here and now {} was faster: an unusual file, or other work on this machine.\n",
            first.technique.name()
        )
    });
    format!("{facts}\n\n{measured}\nAll of them find the same pairs.\n\nUse {advice}.\n{but}")
}
