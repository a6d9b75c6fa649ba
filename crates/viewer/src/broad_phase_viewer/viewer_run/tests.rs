//! Tests of [`ViewerRun`].

use embate::broad_phase::{BroadPhaseKind, SweepAxis};

use super::*;
use crate::broad_phase_viewer::catalog::FIRST_SCENE;
use crate::broad_phase_viewer::techniques;
use embate_replica::structure::PairStructure;
use embate_scene::generators::Bounds;

fn run_frames(run: &mut ViewerRun, frames: u32) {
    for _ in 0..frames {
        run.advance();
        run.detect();
        run.settle();
    }
}

fn first_scene(technique: PairStructure) -> ViewerRun {
    ViewerRun::of(Parameters { technique, ..FIRST_SCENE })
}

fn bits(run: &ViewerRun) -> u32 {
    let mut hasher = embate_scene::checksum::Hasher::new();
    let numbers = run.object_rects().iter().flatten().flatten();
    numbers.for_each(|number| hasher.update(&number.to_le_bytes()));
    hasher.update(run.flags());
    hasher.finalize()
}

/// If these numbers change, every shared link shows another scene.
#[test]
fn sweep_has_its_axis_and_groups_have_boxes() {
    let variance = PairStructure::SweepAndPrune(SweepAxis::LargestVariance);
    let mut run = ViewerRun::of(Parameters { height: 2000.0, ..FIRST_SCENE });
    assert_eq!(run.sweep(), None);
    run.change(variance.name(), 0.0).unwrap();
    run_frames(&mut run, 2);
    let sweep = run.sweep().unwrap();
    assert_eq!(sweep.axis, 1, "the world is higher than wide");
    assert!(sweep.variances[1] > 2.0 * sweep.variances[0], "{sweep:?}");
    run.log_groups();
    assert!(!run.groups().is_empty());
    assert!(run.groups().len() <= run.pairs() as usize);
    assert!(run.groups().iter().all(|[x, y, right, top]| x < right && y < top));
}

#[test]
fn octrees_list_every_object_on_a_level_and_a_strict_one_on_no_deeper_one() {
    let mut loose = first_scene(PairStructure::Engine(BroadPhaseKind::Octree));
    let mut strict = first_scene(PairStructure::StrictOctree);
    for run in [&mut loose, &mut strict] {
        run.log_levels();
        assert_eq!(run.levels().len(), 600);
        assert!(run.levels().iter().all(|&level| level < 20), "every object has a cell");
    }
    let at_root = |run: &ViewerRun| -> usize {
        run.levels().iter().map(|&level| usize::from(level == 0)).sum()
    };
    // A box that a dividing plane cuts stays in the parent cell.
    assert!(at_root(&strict) > 5 && at_root(&loose) < at_root(&strict));
    strict.change("tree", 0.0).unwrap();
    strict.log_levels();
    assert!(strict.levels().is_empty());
}

#[test]
fn first_scene_is_reproducible() {
    let mut run = ViewerRun::of(FIRST_SCENE);
    assert_eq!(
        (run.frame(), run.pairs(), run.touching(), bits(&run)),
        (0, 154, 237, 4_288_794_221)
    );
    run_frames(&mut run, 500);
    let FrameTotals { frames, pairs, missed, .. } = run.totals();
    assert_eq!((frames, pairs, missed, bits(&run)), (500, 83_760, 0, 1_198_270_463));
}

#[test]
fn initial_frame_is_searched_but_not_in_the_totals() {
    let mut run = ViewerRun::of(FIRST_SCENE);
    assert!(run.pairs() > 0 && run.tests() > 0);
    assert_eq!(run.totals(), FrameTotals::default());
    assert!(run.impacts().is_empty(), "what was always there did not begin");
    run.settle();
    assert_eq!(run.totals(), FrameTotals::default(), "nothing was detected since");
    run_frames(&mut run, 1);
    run.settle();
    assert_eq!(run.totals().frames, 1);
    assert_eq!((run.totals().tests, run.totals().pairs), (run.tests(), run.pairs().into()));
}

#[test]
fn technique_change_keeps_the_world_state() {
    let mut changed = first_scene(PairStructure::GoncalesGrid);
    let mut unchanged = first_scene(PairStructure::Engine(BroadPhaseKind::Bvh));
    for technique in techniques::all() {
        run_frames(&mut changed, 3);
        run_frames(&mut unchanged, 3);
        changed.change(technique.name(), 24.0).unwrap();
        assert_eq!(changed.totals(), FrameTotals::default());
        assert_eq!(changed.frame(), unchanged.frame());
        assert_eq!(bits(&changed), bits(&unchanged), "{}", technique.name());
        assert!(changed.impacts().is_empty());
    }
}

#[test]
fn rejected_change_keeps_state_and_totals() {
    let mut run = ViewerRun::of(FIRST_SCENE);
    run_frames(&mut run, 2);
    let before = (bits(&run), run.totals(), run.tests());
    for (technique, cell_size) in
        [("magic", 24.0), ("study-grid", 0.0), ("grid", f64::NAN), ("study-grid", 961.0)]
    {
        assert_eq!(run.change(technique, cell_size).unwrap_err().problems.len(), 1);
        assert_eq!((bits(&run), run.totals(), run.tests()), before);
    }
}

#[test]
fn missed_pairs_of_too_small_cells_are_flagged() {
    let small =
        Parameters { cell_size: 4.0, technique: PairStructure::GoncalesGrid, ..FIRST_SCENE };
    let mut run = ViewerRun::of(small);
    let mut reference = first_scene(PairStructure::REFERENCE);
    run_frames(&mut run, 5);
    run_frames(&mut reference, 5);
    assert!(run.missed() > 0);
    assert_eq!(run.pairs() + run.missed(), reference.pairs());
    let marked = run.flags().iter().filter(|flags| **flags & 2 > 0).count();
    assert!(marked > 0 && marked <= 2 * run.missed() as usize);
}

/// All techniques, with boxes and circles, at several object counts and frames, and after a
/// change.
#[test]
fn inspection_equals_the_counted_search_and_keeps_the_state() {
    let every = techniques::all().into_iter();
    for (technique, bounds) in every.flat_map(|one| Bounds::ALL.map(|bounds| (one, bounds))) {
        for objects in [3, 60, 400] {
            let parameters = Parameters { objects, bounds, technique, ..FIRST_SCENE };
            let mut run = ViewerRun::of(parameters);
            for frames in [0, 1, 7, 0] {
                run_frames(&mut run, frames);
                let before = (bits(&run), run.totals(), run.tests());
                run.log_cells();
                let what = format!("{} {bounds:?} {objects}", technique.name());
                let (_, counts) = search_with_log(&run.parameters, &run.state, None);
                assert_eq!(counts.overlap_tests, run.tests(), "{what}");
                if objects == 60 {
                    let seen = (0..objects).filter_map(|id| run.inspect(id));
                    let found: u64 = seen.map(|seen| seen.tested_count).sum();
                    assert_eq!(found, 2 * run.tests(), "{what}: each test has two partners");
                }
                assert_eq!((bits(&run), run.totals(), run.tests()), before);
                assert!(run.cells().iter().all(|[left, top, right, bottom]| {
                    0.0 <= *left && left < right && *right <= 960.0 && top < bottom
                }));
                if frames == 7 {
                    run.change(technique.name(), 24.0).unwrap();
                }
            }
        }
    }
}

/// Touching objects were tested, missed ones were not.
#[test]
fn touching_partners_were_tested_and_missed_ones_were_not() {
    let small =
        Parameters { cell_size: 4.0, technique: PairStructure::GoncalesGrid, ..FIRST_SCENE };
    let run = ViewerRun::of(small);
    let (mut touching, mut missed) = (0, 0);
    for object in 0..run.objects() {
        let seen = run.inspect(object).unwrap();
        assert!(!seen.cells.is_empty() && seen.cells.len() <= 4, "one to four key cells");
        assert!(seen.touching.iter().all(|partner| seen.tested.contains(partner)));
        assert!(seen.missed.iter().all(|partner| !seen.tested.contains(partner)));
        touching += seen.touching.len() as u32;
        missed += seen.missed.len() as u32;
    }
    assert_eq!((touching, missed), (2 * run.pairs(), 2 * run.missed()));
    assert_eq!(run.inspect(run.objects()), None);
}

/// With many objects, a reference for the fastest technique would cost more than the frame.
#[test]
fn reference_is_omitted_only_for_a_sweep_of_over_10_000_objects() {
    let largest = Parameters { width: 9_000.0, height: 9_000.0, objects: 10_000, ..FIRST_SCENE };
    for technique in techniques::all() {
        assert!(first_scene(technique).has_reference(), "{}", technique.name());
    }
    assert!(ViewerRun::of(largest).has_reference());
    let mut run = ViewerRun::of(Parameters { objects: 10_001, ..largest });
    assert!(!run.has_reference());
    run.change("tree", 0.0).unwrap();
    assert!(run.has_reference());
}

#[test]
fn every_technique_except_brute_force_and_a_single_sweep_has_cells() {
    for technique in techniques::all() {
        let mut run = first_scene(technique);
        run.log_cells();
        let has_none = technique == technique.own_brute_force()
            || matches!(technique, PairStructure::SweepAndPrune(_));
        assert_eq!(run.cells().is_empty(), has_none, "{}", technique.name());
        if !has_none {
            assert!((0..600).all(|id| !run.inspect(id).unwrap().cells.is_empty()));
        }
    }
    let mut run = first_scene(PairStructure::GoncalesGrid);
    run.log_cells();
    // All of them, empty or not: 40 columns and 23 rows of 24.
    assert_eq!(run.cells().len(), 40 * 23);
}

/// Tiny and huge worlds, objects as large as the world or as small as can be, speeds that cross
/// it many times in a frame: all techniques find the same pairs, and none fails.
#[test]
fn techniques_agree_on_worlds_at_the_limits() {
    for (side, size, objects, speed, cell_size) in [
        (10.0, [10.0, 10.0], 40, [100_000.0; 2], 10.0),
        (10.0, [0.1, 10.0], 300, [0.0, 100_000.0], 0.1),
        (100_000.0, [0.1, 0.1], 300, [0.0; 2], 100_000.0),
        (100_000.0, [0.1, 100_000.0], 300, [0.0, 100_000.0], 110.0),
        (960.0, [6.0, 16.0], 1, [20.0, 80.0], 1.0),
    ] {
        for bounds in Bounds::ALL {
            let of = |technique: PairStructure| {
                let mut run = ViewerRun::of(Parameters {
                    width: side,
                    height: side,
                    objects,
                    bounds,
                    min_size: size[0],
                    max_size: size[1],
                    min_speed: speed[0],
                    max_speed: speed[1],
                    technique,
                    cell_size,
                    seed: 3,
                });
                run_frames(&mut run, 3);
                run.log_cells();
                assert!(run.inspect(0).is_some());
                run
            };
            let reference = of(PairStructure::REFERENCE);
            for technique in techniques::all() {
                let run = of(technique);
                let found = (run.pairs() + run.missed(), run.totals().pairs + run.totals().missed);
                let name = technique.name();
                assert_eq!(
                    found,
                    (reference.pairs(), reference.totals().pairs),
                    "{name} {side} {size:?}"
                );
                assert!(technique == PairStructure::GoncalesGrid || run.missed() == 0, "{name}");
            }
        }
    }
}

#[test]
fn new_pairs_and_wall_hits_are_impacts() {
    let mut run = ViewerRun::of(FIRST_SCENE);
    let mut impacts = [0, 0];
    for _ in 0..60 {
        run_frames(&mut run, 1);
        for &[x, size, impulse, wall] in run.impacts() {
            assert!((0.0..=960.0).contains(&x) && (6.0..=16.0).contains(&size));
            // The heaviest, as fast as can be against a wall.
            assert!(0.0 < impulse && impulse <= 2.0 * 16.0 * 16.0 * 80.1);
            impacts[wall as usize] += 1;
        }
    }
    assert!(impacts.iter().all(|count| *count > 10), "{impacts:?} in a second");
}
