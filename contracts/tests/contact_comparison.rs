//! What is said of two bodies is true: held against a judge that tries every face and every edge in f64.
//!
//! Parts of what `cargo xtask soak contacts` asks.

use embate_contracts::contact_scenes::{KIND_PAIRS, Kind, Stock, TRIANGLE_PAIRS};
use embate_contracts::contact_trial::{
    cast_table, cast_trial, mesh_trial, table, table_of, trial, trial_of,
};

/// `cargo xtask soak contacts` asks of a million.
#[test]
fn thirty_thousand_pairs_of_all_kinds_postures_and_sizes_are_told_truly() {
    let tallies = trial(&Stock::new(200), 1, 0..30_000);
    let wrong: u64 = tallies.iter().map(|tally| tally.wrong).sum();
    let findings = tallies.iter().flat_map(|tally| tally.findings.iter());
    let findings: Vec<String> = findings.map(|f| format!("{}: {}\n", f.number, f.what)).collect();
    assert!(wrong == 0, "{wrong} wrong\n{}\n{}", table(&tallies), findings.concat());
}

/// Scenes of `cargo xtask soak contacts`, and what happened in them.
#[test]
fn scenes_that_were_told_wrongly_once_are_told_truly() {
    type Told<'a> = (&'a str, &'a [[Kind; 2]], &'a [u64]);
    let stock = Stock::new(600);
    let scenes: [Told<'_>; 4] = [
        (
            "a corner that rounding let the walk pass twice is told once",
            &KIND_PAIRS,
            &[101_428, 298_632],
        ),
        // Its ends were seen along the face's own normal, then moved along the way to it: from afar, elsewhere.
        (
            "a thick capsule touches a small face where the face is",
            &KIND_PAIRS,
            &[703_986, 946_340],
        ),
        (
            "edges along each other do not cross a length beside the smaller",
            &KIND_PAIRS,
            &[445_114],
        ),
        ("a triangle is left on the side of the body's middle", &TRIANGLE_PAIRS, &[12_921]),
    ];
    for (what, pairs, numbers) in scenes {
        for &number in numbers {
            for tally in trial_of(&stock, 2, number..number + 1, pairs) {
                assert!(tally.findings.is_empty(), "{what}: {:?}", tally.findings);
            }
        }
    }
}

/// Whether a body cuts a triangle was read off a point in the world, which far from its origin lies on a coarse grid; and
/// a contact that was farther than the nearest place by a thousandth of a large body passed for that place.
#[test]
fn small_bodies_far_away_beside_a_ridge_are_not_told_to_be_deep() {
    for number in [23_419, 46_621, 52_093, 52_324, 54_715, 70_226] {
        let tally = mesh_trial(2, number..number + 1);
        assert!(tally.asked == 1 && tally.findings.is_empty(), "{:?}", tally.findings);
    }
}

/// `cargo xtask soak contacts` asks of a hundred thousand.
#[test]
fn six_thousand_pairs_with_a_triangle_of_a_mesh_are_told_truly() {
    let tallies = trial_of(&Stock::new(100), 1, 0..6_000, &TRIANGLE_PAIRS);
    let wrong: u64 = tallies.iter().map(|tally| tally.wrong).sum();
    let findings = tallies.iter().flat_map(|tally| tally.findings.iter());
    let findings: Vec<String> = findings.map(|f| format!("{}: {}\n", f.number, f.what)).collect();
    let table = table_of(&tallies, &TRIANGLE_PAIRS);
    assert!(wrong == 0, "{wrong} wrong\n{table}\n{}", findings.concat());
}

/// `cargo xtask soak contacts` asks of a hundred thousand.
#[test]
fn four_thousand_bodies_on_hollow_solids_and_rough_ground_are_told_truly() {
    let tally = mesh_trial(1, 0..4_000);
    let findings: Vec<String> =
        tally.findings.iter().map(|(number, what)| format!("{number}: {what}\n")).collect();
    assert!(tally.wrong == 0, "{} wrong\n{}", tally.wrong, findings.concat());
    assert!(tally.hidden < 40, "{tally:?}");
    assert!(tally.apart > 1_000 && tally.asked - tally.apart > 1_000, "{tally:?}");
}

/// `cargo xtask soak contacts` asks of a hundred thousand.
#[test]
fn two_thousand_casts_of_all_kinds_are_never_late_and_hardly_early() {
    let tallies = cast_trial(&Stock::new(100), 1, 0..2_000);
    let wrong: u64 = tallies.iter().map(|tally| tally.wrong).sum();
    let findings = tallies.iter().flat_map(|tally| tally.findings.iter());
    let findings: Vec<String> = findings.map(|f| format!("{}: {}\n", f.number, f.what)).collect();
    assert!(wrong == 0, "{wrong} wrong\n{}\n{}", cast_table(&tallies), findings.concat());
}
