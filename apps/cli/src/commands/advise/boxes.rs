//! `embate advise` for boxes, circles and spheres: recommended broad phase, with measurements of
//! all.

use std::path::Path;
use std::time::{Duration, Instant};

use embate::advisor::{BroadPhaseAdvice, recommend_broad_phase};
use embate::broad_phase::{AabbSlice, BroadPhase, BroadPhaseKind, OverlapPair, sort_pairs};
use embate::{Aabb, geometry::BoundingSphere};
use embate_report::language::Language;
use serde_json::{Value, json};

use super::AdviseRequest;
use crate::failure::Failure;
use crate::io::boxes_file::{self, Bounds};
use crate::io::output::{align_numbers, bare_table, print};

/// Maximum number of repeats, and maximum time, per measured broad phase.
const TRIALS: usize = 1_000;
const TRIAL_TIME: Duration = Duration::from_millis(300);

/// Maximum number of boxes for which brute force is measured.
const MAX_BOXES_FOR_BRUTE_FORCE: usize = 50_000;

/// Maximum number of pairs held in memory by a measurement.
const MAX_PAIRS: u64 = 50_000_000;

/// Minimum speed ratio at which the measurement overrules the advice by the features of the boxes.
const NOTABLE_RATIO: f64 = 1.1;
/// Minimum difference of the same times, in seconds: a clock and an allocation take as long.
const NOTABLE_DIFFERENCE: f64 = 1e-6;

/// Measured costs of one broad phase.
struct Trial {
    kind: BroadPhaseKind,
    /// Minimum over the repeats.
    query_s: f64,
    bytes: usize,
}

pub(super) fn run(request: &AdviseRequest) -> Result<(), Failure> {
    match boxes_file::read(&request.file)? {
        Bounds::Boxes2(boxes) => advise(request, &boxes),
        Bounds::Boxes3(boxes) => advise(request, &boxes),
        Bounds::Circles(circles) => advise(request, &aabbs(&circles)),
        Bounds::Spheres(spheres) => advise(request, &aabbs(&spheres)),
    }
}

/// Fraction of the boxes that move; all of them by default.
fn moving(request: &AdviseRequest) -> f32 {
    request.moving.unwrap_or(1.0)
}

fn aabbs<const D: usize>(spheres: &[BoundingSphere<D>]) -> Vec<Aabb<D>> {
    spheres.iter().map(BoundingSphere::padded_aabb).collect()
}

fn advise<const D: usize>(request: &AdviseRequest, boxes: &[Aabb<D>]) -> Result<(), Failure> {
    let boxes = boxes_file::validated(&request.file, boxes)?;
    boxes_file::reject_too_many_pairs(&request.file, boxes, MAX_PAIRS)?;
    let advice = recommend_broad_phase(boxes, moving(request));
    let (trials, pairs) = measure_all(&request.file, boxes)?;
    if request.json {
        return print(&format!("{:#}\n", to_json(request, &advice, &trials, pairs)));
    }
    print(&to_text(request, &advice, &trials, pairs))
}

/// Times every broad phase and checks that all find the same pairs.
fn measure_all<const D: usize>(
    file: &Path,
    boxes: AabbSlice<'_, D>,
) -> Result<(Vec<Trial>, usize), Failure> {
    let mut expected: Option<Vec<OverlapPair>> = None;
    let mut trials = Vec::new();
    for kind in BroadPhaseKind::ALL {
        if kind == BroadPhaseKind::BruteForce && boxes.len() > MAX_BOXES_FOR_BRUTE_FORCE {
            continue;
        }
        let mut broad_phase = kind.create(boxes.len());
        let mut pairs = Vec::new();
        let (start, mut query_s) = (Instant::now(), f64::INFINITY);
        for _ in 0..TRIALS {
            pairs.clear();
            let clock = Instant::now();
            broad_phase.find_pairs(boxes, &mut pairs);
            query_s = query_s.min(clock.elapsed().as_secs_f64());
            if start.elapsed() > TRIAL_TIME {
                break;
            }
        }
        trials.push(Trial { kind, query_s, bytes: broad_phase.memory_usage() });
        sort_pairs(&mut pairs, boxes.len() as u32);
        if expected.get_or_insert_with(|| pairs.clone()) != &pairs {
            let (file, name) = (file.display(), kind.name());
            return Err(Failure::Problem(format!(
                "{file}: {name} finds different pairs from the other structures, which is a bug; \
                 please report it with this file"
            )));
        }
    }
    trials.sort_by(|a, b| a.query_s.total_cmp(&b.query_s));
    Ok((trials, expected.map_or(0, |pairs| pairs.len())))
}

/// The measured broad phase that is faster than the one advised by the features by a notable
/// ratio. The trials are in order of time.
fn overruling<'a, const D: usize>(
    advice: &BroadPhaseAdvice<D>,
    trials: &'a [Trial],
) -> Option<&'a Trial> {
    let advised = trials.iter().find(|trial| trial.kind == advice.kind)?;
    trials.first().filter(|fastest| {
        advised.query_s > NOTABLE_RATIO * fastest.query_s
            && advised.query_s > fastest.query_s + NOTABLE_DIFFERENCE
    })
}

/// The recommended structure, and why.
fn recommendation<const D: usize>(
    advice: &BroadPhaseAdvice<D>,
    trials: &[Trial],
) -> (BroadPhaseKind, String) {
    let Some(fastest) = overruling(advice, trials) else {
        let tie = trials.first().filter(|fastest| fastest.kind != advice.kind).map(|fastest| {
            let name = fastest.kind.name();
            format!("; {name} is as fast here, within what the measurement can tell")
        });
        return (advice.kind, advice.reason() + &tie.unwrap_or_default());
    };
    let advised = advice.kind.name();
    let reason = format!(
        "the fastest here; {advised} is the fastest on most inputs of this size: measure again on \
         an idle machine if the inputs vary"
    );
    (fastest.kind, reason)
}

fn to_json<const D: usize>(
    request: &AdviseRequest,
    advice: &BroadPhaseAdvice<D>,
    trials: &[Trial],
    pairs: usize,
) -> Value {
    let features = &advice.features;
    let (kind, reason) = recommendation(advice, trials);
    let measured = trials.iter().map(|trial| {
        json!({ "structure": trial.kind.name(), "query_s": trial.query_s, "bytes": trial.bytes })
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
            "structure": kind.name(),
            "keep_world": advice.use_incremental,
            "cell_size": advice.grid_cell_size,
            "reason": format!("{}: {reason}", kind.name()),
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
        "longest / median side",
        &features.size_ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.1}")),
    ]);
    facts.add_row(["extent", &format!("{:?}", features.extent)]);

    let mut measured = bare_table(&["structure", "all pairs", "relative to fastest", "memory"]);
    let fastest = trials.first().map_or(0.0, |trial| trial.query_s);
    for trial in trials {
        measured.add_row([
            trial.kind.name().to_owned(),
            english.duration(trial.query_s),
            english.times(trial.query_s / fastest),
            english.bytes(trial.bytes as u64),
        ]);
    }
    align_numbers(&mut measured, 1);
    let (kind, reason) = recommendation(advice, trials);
    let kind = kind.name();
    format!("{facts}\n\n{measured}\nAll structures find the same pairs.\n\nUse {kind}: {reason}.\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The recommendation where a sweep is the advice by features, and these times are measured.
    fn recommended(micros: &[(BroadPhaseKind, f64)]) -> (&'static str, String) {
        let boxes: Vec<Aabb<2>> = (0..900_u16)
            .map(|number| {
                let min = [number % 30, number / 30].map(f32::from);
                Aabb { min, max: min.map(|side| side + 0.5) }
            })
            .collect();
        let advice = recommend_broad_phase(AabbSlice::new(&boxes).unwrap(), 1.0);
        assert_eq!(advice.kind, BroadPhaseKind::TiledSweep);
        let mut trials: Vec<Trial> = micros
            .iter()
            .map(|&(kind, micros)| Trial { kind, query_s: micros * 1e-6, bytes: 0 })
            .collect();
        trials.sort_by(|a, b| a.query_s.total_cmp(&b.query_s));
        let (kind, reason) = recommendation(&advice, &trials);
        (kind.name(), reason)
    }

    /// Regression: brute force took 17.3 µs, the sweep 25.3 µs, and the sweep was recommended.
    #[test]
    fn the_structure_that_the_table_shows_fastest_is_recommended() {
        use BroadPhaseKind::{BruteForce, Grid, TiledSweep};
        let (name, reason) = recommended(&[(TiledSweep, 25.3), (BruteForce, 17.3), (Grid, 60.0)]);
        assert_eq!(name, "brute");
        assert!(reason.starts_with("the fastest here"), "{reason}");
        let (name, reason) = recommended(&[(TiledSweep, 12.0), (BruteForce, 17.3)]);
        assert_eq!(name, "sweep");
        assert!(!reason.contains("as fast"), "{reason}");
    }

    #[test]
    fn a_tie_with_the_fastest_is_stated() {
        use BroadPhaseKind::{BruteForce, TiledSweep};
        for micros in [[25.3, 24.9], [1.9, 1.0]] {
            let (name, reason) = recommended(&[(TiledSweep, micros[0]), (BruteForce, micros[1])]);
            assert_eq!(name, "sweep");
            assert!(reason.contains("brute is as fast here"), "{reason}");
        }
    }
}
