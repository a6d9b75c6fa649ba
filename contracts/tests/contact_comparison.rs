//! Narrow-phase results compared with the reference, which tests every face and edge in f64.
//!
//! A part of `cargo xtask soak contacts`.

use embate_contracts::contact_comparison::{
    cast_table, compare_casts, compare_contacts, compare_contacts_of_kinds, compare_mesh_contacts,
    compare_mesh_penetrations, contact_table, contact_table_of_kinds, reference_meshes,
};
use embate_contracts::contact_scenes::{HullPool, SHAPE_PAIRS, ShapeKind, TRIANGLE_PAIRS};

/// `cargo xtask soak contacts` compares a million.
#[test]
fn contacts_of_30_000_pairs_of_all_types_equal_the_reference() {
    let tallies = compare_contacts(&HullPool::new(200), 1, 0..30_000);
    let wrong: u64 = tallies.iter().map(|tally| tally.wrong).sum();
    let findings = tallies.iter().flat_map(|tally| tally.findings.iter());
    let findings: Vec<String> =
        findings.map(|f| format!("{}: {}\n", f.number, f.description)).collect();
    assert!(wrong == 0, "{wrong} wrong\n{}\n{}", contact_table(&tallies), findings.concat());
}

/// Regressions: scenes of `cargo xtask soak contacts` with formerly wrong results.
#[test]
fn formerly_wrong_scenes_equal_the_reference() {
    type Regression<'a> = (&'a str, &'a [[ShapeKind; 2]], &'a [u64]);
    let pool = HullPool::new(600);
    let scenes: [Regression<'_>; 4] = [
        (
            "a vertex that the clipper visits twice by rounding is one point",
            &SHAPE_PAIRS,
            &[101_428, 298_632],
        ),
        // Its ends were projected along the face normal, then moved along the contact normal.
        (
            "a thick capsule touches a small face at the position of the face",
            &SHAPE_PAIRS,
            &[703_986, 946_340],
        ),
        (
            "nearly parallel edges have no contact point away from the smaller body",
            &SHAPE_PAIRS,
            &[445_114],
        ),
        ("a body leaves a triangle on the side of its center", &TRIANGLE_PAIRS, &[12_921]),
    ];
    for (name, pairs, numbers) in scenes {
        for &number in numbers {
            for tally in compare_contacts_of_kinds(&pool, 2, number..number + 1, pairs) {
                assert!(tally.findings.is_empty(), "{name}: {:?}", tally.findings);
            }
        }
    }
}

/// Regression: whether a body cuts a triangle was decided by a world-space point, which is coarse
/// far from the origin; and a contact farther than the closest point by 1/1,000 of a large body was
/// accepted as it.
#[test]
fn small_body_beside_a_ridge_far_from_the_origin_is_not_penetrating() {
    for number in [23_419, 46_621, 52_093, 52_324, 54_715, 70_226] {
        let tally = compare_mesh_contacts(2, number..number + 1);
        assert!(tally.tested == 1 && tally.findings.is_empty(), "{:?}", tally.findings);
    }
}

/// `cargo xtask soak contacts` compares 100,000.
#[test]
fn contacts_of_6_000_pairs_with_a_mesh_triangle_equal_the_reference() {
    let tallies = compare_contacts_of_kinds(&HullPool::new(100), 1, 0..6_000, &TRIANGLE_PAIRS);
    let wrong: u64 = tallies.iter().map(|tally| tally.wrong).sum();
    let findings = tallies.iter().flat_map(|tally| tally.findings.iter());
    let findings: Vec<String> =
        findings.map(|f| format!("{}: {}\n", f.number, f.description)).collect();
    let table = contact_table_of_kinds(&tallies, &TRIANGLE_PAIRS);
    assert!(wrong == 0, "{wrong} wrong\n{table}\n{}", findings.concat());
}

/// `cargo xtask soak contacts` compares 100,000.
#[test]
fn contacts_of_4_000_bodies_on_hull_meshes_and_rough_ground_equal_the_reference() {
    let tally = compare_mesh_contacts(1, 0..4_000);
    let findings: Vec<String> =
        tally.findings.iter().map(|(number, error)| format!("{number}: {error}\n")).collect();
    assert!(tally.wrong == 0, "{} wrong\n{}", tally.wrong, findings.concat());
    assert!(tally.enclosed < 40, "{tally:?}");
    assert!(tally.separated > 1_000 && tally.tested - tally.separated > 1_000, "{tally:?}");
}

/// `cargo xtask soak contacts` compares 100,000.
#[test]
fn bodies_moved_by_their_penetration_are_clear_of_every_triangle_in_10_000_overlaps() {
    let tally = compare_mesh_penetrations(&reference_meshes(), 1, 0..10_000);
    let findings: Vec<String> =
        tally.findings.iter().map(|(number, error)| format!("{number}: {error}\n")).collect();
    assert!(tally.wrong == 0, "{} wrong\n{}", tally.wrong, findings.concat());
    assert!(tally.overlaps > 9_990, "{tally:?}");
}

/// `cargo xtask soak contacts` compares 100,000.
#[test]
fn times_of_impact_of_2_000_casts_are_never_late_and_at_most_1e_3_early() {
    let tallies = compare_casts(&HullPool::new(100), 1, 0..2_000);
    let wrong: u64 = tallies.iter().map(|tally| tally.wrong).sum();
    let findings = tallies.iter().flat_map(|tally| tally.findings.iter());
    let findings: Vec<String> =
        findings.map(|f| format!("{}: {}\n", f.number, f.description)).collect();
    assert!(wrong == 0, "{wrong} wrong\n{}\n{}", cast_table(&tallies), findings.concat());
}
