//! Sample rows for tests. The numbers are invented, near the published ones.

use super::case_rows::{CITY, FAMILIES, HOUSE, STUDY_BRUTE, STUDY_OCTREE, published_sizes};
use super::row::{PUBLISHED_LEVELS, Row};

const LEVELS_OF_FAMILIES: [[f64; PUBLISHED_LEVELS]; 3] = [
    [98.5, 1.4, 0.1, 0.0, 0.0, 0.0],
    [65.2, 29.8, 4.7, 0.3, 0.0, 0.0],
    [13.4, 11.9, 20.3, 28.6, 20.9, 4.9],
];
const TESTED: [f64; 3] = [98.95, 66.45, 15.91];

/// The published run with both stand-ins and one mesh of a user.
pub(super) fn published() -> Vec<Row> {
    let mut rows = Vec::new();
    for (family, name) in FAMILIES.into_iter().enumerate() {
        for size in published_sizes() {
            let n = f64::from(size);
            let speedup = match family {
                0 => 0.97 - 30.0 / n,
                1 => 1.0 + 0.035 * (n - 7_800.0) / 1_000.0,
                _ => 1.0 + 0.24 * (n - 2_900.0) / 1_000.0,
            };
            rows.extend(case(name, size, speedup, TESTED[family], LEVELS_OF_FAMILIES[family]));
        }
    }
    let house = [30.1, 20.2, 19.7, 16.0, 10.0, 4.0];
    let city = [2.1, 3.3, 8.6, 20.0, 36.0, 30.0];
    rows.extend(case(HOUSE, 1_566, 0.46, 38.2, house));
    rows.extend(case(CITY, 117_942, 6.1, 10.8, city));
    rows.extend(case("dragão & <script>.ply", 871_306, 18.4, 3.2, city));
    let meshes: Vec<Row> =
        rows.iter().filter(|row| is_mesh(row) && row.technique == "bvh").cloned().collect();
    rows.extend(meshes.iter().flat_map(compact_structures));
    rows
}

fn is_mesh(row: &Row) -> bool {
    !FAMILIES.contains(&row.case.as_str())
}

/// The octree, and the structures of the memory curve, on the mesh of the row of a BVH.
fn compact_structures(bvh: &Row) -> [Row; 5] {
    let row = |technique: &str, bytes: u64, slower: f64| Row {
        technique: technique.to_owned(),
        bytes: bytes * u64::from(bvh.triangles),
        query_s: slower * bvh.query_s,
        query_s_repeats: bvh.query_s_repeats.iter().map(|seconds| slower * seconds).collect(),
        speedup_over_brute: bvh.speedup_over_brute / slower,
        speedup_over_study: bvh.speedup_over_study / slower,
        ..bvh.clone()
    };
    [
        row("octree", 95, 1.1),
        row("bvh-compact", 40, 1.3),
        row("compact-octree", 8, 1.5),
        row("compact-octree-4", 11, 1.49),
        row("compact-octree-2", 14, 1.52),
    ]
}

/// Seven sizes, as `--quick` runs them.
pub(super) fn quick() -> Vec<Row> {
    let sizes = [100, 500, 1_000, 3_000, 5_000, 8_000, 10_000];
    let mut rows = published();
    rows.retain(|row| is_mesh(row) || sizes.contains(&row.triangles));
    rows
}

fn case(
    name: &str,
    triangles: u32,
    speedup: f64,
    tested: f64,
    levels: [f64; PUBLISHED_LEVELS],
) -> [Row; 4] {
    let n = f64::from(triangles);
    let brute_s = 10_000.0 * n * 4.2e-9;
    // A wobble that looks like noise and is the same every time.
    let wobble = 1.0 + 0.012 * (n * 0.7).sin();
    let row = |technique: &str, query_s: f64, tested_percent: f64| Row {
        case: name.to_owned(),
        technique: technique.to_owned(),
        triangles,
        rays: 10_000,
        seed: 1,
        build_s: n * 2e-8,
        query_s,
        query_s_repeats: vec![query_s * 0.99, query_s, query_s * 1.03],
        traversal_s: None,
        traversal_s_repeats: Vec::new(),
        tested_percent,
        boxes_per_ray: None,
        errors: 0,
        bytes: u64::from(triangles) * 72,
        speedup_over_brute: 1.0,
        speedup_over_study: brute_s / query_s,
        levels: None,
    };
    let octree_s = brute_s / speedup * wobble;
    let mut octree = row(STUDY_OCTREE, octree_s, tested + 0.05 * (n * 0.3).sin());
    octree.boxes_per_ray = Some(312.7);
    octree.bytes += 37_449 * 4;
    octree.speedup_over_brute = octree.speedup_over_study;
    octree.levels = Some(levels.to_vec());
    let traversal_s = octree_s * (0.5 / n.sqrt());
    octree.traversal_s = Some(traversal_s);
    octree.traversal_s_repeats = vec![traversal_s * 1.01, traversal_s, traversal_s * 0.98];
    let mut bvh = row("bvh", 10_000.0 * 1.5e-7 * (n + 40.0).ln(), 100.0 * (20.0 / n).min(1.0));
    bvh.boxes_per_ray = Some(24.1);
    bvh.bytes = u64::from(triangles) * 58;
    bvh.speedup_over_brute = brute_s / 15.5 / bvh.query_s;
    [row(STUDY_BRUTE, brute_s, 100.0), octree, row("brute", brute_s / 15.5, 100.0), bvh]
}
