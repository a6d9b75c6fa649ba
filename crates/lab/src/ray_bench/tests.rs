//! What a page shows of rays is what the command line tells.

use embate::geometry::Camera;
use embate::raycast::{RayIndex, TraversalStats, TraversalTrace};
use embate::{Aabb, Ray};
use embate_studies::structure::RayStructure;

use super::*;
use crate::heat_map::{HeatMap, Metric};

fn bench() -> RayBench {
    let mut bench = RayBench::scene("random-high", 400, 3).unwrap();
    for technique in TECHNIQUES {
        bench.build(technique.name()).unwrap();
    }
    bench
}

fn rays() -> Vec<Ray<3>> {
    let aim = |i: u32| [20.0 + (i % 9) as f32 * 7.0, 10.0 + (i / 9) as f32 * 11.0, 50.0];
    (0..60)
        .map(|i| Ray::segment([-20.0, 130.0, 150.0], aim(i)).with_range(0.0, f32::INFINITY))
        .collect()
}

#[test]
fn a_cast_counts_what_each_structure_counts_by_itself() {
    let bench = bench();
    let mut hits = 0;
    for ray in rays() {
        let cast = bench.cast(&ray);
        hits += usize::from(cast.at.is_some());
        for (told, technique) in cast.structures.iter().zip(TECHNIQUES) {
            let mut counts = TraversalStats::default();
            let hit = technique.build(bench.mesh()).closest_hit_observed(&ray, &mut counts);
            assert_eq!(
                (told.tests, told.boxes),
                (counts.triangle_tests, counts.nodes_visited),
                "{}",
                told.name
            );
            assert_eq!((told.t, told.triangle), (hit.map(|h| h.t), hit.map(|h| h.triangle)));
        }
    }
    assert!(hits > 5 && hits < 60, "{hits}");
}

#[test]
fn a_walk_visits_what_a_trace_tells_in_its_order() {
    let bench = bench();
    for ray in rays() {
        for technique in TECHNIQUES {
            let walk = bench.walk(technique.name(), &ray);
            let mut trace = TraversalTrace::default();
            let hit = technique.build(bench.mesh()).closest_hit_observed(&ray, &mut trace);
            assert_eq!(walk.hit, hit);
            assert_eq!(walk.tested, trace.triangles);
            let boxes: Vec<Aabb<3>> = walk.visits.iter().map(|visit| visit.bounds).collect();
            assert_eq!(boxes, trace.nodes);
            let rows = walk.rows();
            assert_eq!(rows.len(), boxes.len() * NUMBERS_A_VISIT);
            let tests: f32 = rows.chunks(NUMBERS_A_VISIT).map(|row| row[7]).sum();
            if technique != RayStructure::BRUTE_FORCE {
                assert_eq!(tests as usize, trace.triangles.len(), "{technique:?}");
                let last = walk.visits.last().and_then(|visit| visit.nearest);
                assert_eq!(last, hit.map(|hit| hit.t), "{technique:?}");
            }
        }
    }
}

#[test]
fn a_heat_map_made_in_slices_is_the_one_made_at_once() {
    let bench = bench();
    let size = [21, 13];
    let eye = [180.0, 140.0, 230.0];
    let at = [50.0; 3];
    for metric in Metric::ALL {
        let request = HeatRequest { eye, at, fov: 38.0, size, metric };
        let mut heating = Heating::new(&bench, &request).unwrap();
        let mut slices = 0;
        while !heating.go_on(&bench, || true) {
            slices += 1;
        }
        assert_eq!(slices, 12, "a row a slice");
        let view = Camera {
            eye,
            target: at,
            up: [0.0, 1.0, 0.0],
            vertical_fov: 38.0_f32.to_radians(),
            aspect: 1.0,
            near: 0.1,
            far: 9.0,
        };
        let rays = view.primary_rays(size[0], size[1]).unwrap();
        let told: serde_json::Value = serde_json::from_str(&heating.told()).unwrap();
        for (place, technique) in TECHNIQUES.into_iter().enumerate() {
            let map = HeatMap::new(&technique.build(bench.mesh()), &rays, size, metric, &|| ());
            assert_eq!(heating.heat(place), map.heat, "{technique:?} {metric:?}");
            assert_eq!(told["maps"][place]["total"], map.total(), "{technique:?} {metric:?}");
            assert_eq!(told["maps"][place]["max"], map.most());
            assert_eq!(told["maps"][place]["mean"].as_f64(), Some(map.mean()));
        }
        assert_eq!(told["progress"], 1.0);
    }
}

#[test]
fn a_picture_that_cannot_be_is_refused_in_words() {
    let bench = bench();
    let request =
        HeatRequest { eye: [0.0; 3], at: [0.0; 3], fov: 38.0, size: [4, 4], metric: Metric::Tests };
    assert_eq!(Heating::new(&bench, &request).unwrap_err(), "the camera looks nowhere");
    let nothing = HeatRequest { at: [1.0; 3], size: [0, 4], ..request };
    assert!(Heating::new(&bench, &nothing).unwrap_err().contains("pixels"));
}

#[test]
fn every_row_is_made_once_whatever_the_height() {
    for height in 1..40 {
        let bench = bench_of_one();
        let request = HeatRequest {
            eye: [0.2, 0.2, 5.0],
            at: [0.2, 0.2, 0.0],
            fov: 30.0,
            size: [1, height],
            metric: Metric::Tests,
        };
        let mut heating = Heating::new(&bench, &request).unwrap();
        assert!(heating.go_on(&bench, || false));
        assert_eq!(heating.heat(0).len(), height as usize);
    }
}

fn bench_of_one() -> RayBench {
    let mut bench = RayBench::open(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "one.obj").unwrap();
    bench.build("bvh").unwrap();
    bench
}

#[test]
fn what_blocks_the_sight_is_named_with_where_it_is() {
    let bench = bench_of_one();
    let sight = bench.sight([0.25, 0.25, 1.0], [0.25, 0.25, -3.0]).unwrap();
    assert_eq!((sight.blocked, sight.t), (true, Some(0.25)));
    let at = sight.at.unwrap();
    assert_eq!((at.point, at.normal, at.triangle), ([0.25, 0.25, 0.0], [0.0, 0.0, 1.0], 0));
    let clear = bench.sight([0.25, 0.25, 1.0], [0.25, 0.25, 0.5]).unwrap();
    assert_eq!((clear.blocked, clear.t, clear.at), (false, None, None));
    assert_eq!(bench.sight([0.0; 3], [0.0; 3]), None, "one point sees nothing");
}

#[test]
fn what_cannot_be_opened_says_why_in_one_line() {
    for (bytes, name, words) in [
        (&b""[..], "a.obj", "a.obj: is empty"),
        (b"v 0 0 zero\n", "b.obj", "b.obj, line 1: `zero` is not a number"),
        (b"v 0 0 0\n", "c.obj", "has no triangles"),
        (b"hello", "d.txt", "not"),
    ] {
        let error = RayBench::open(bytes, name).unwrap_err();
        assert!(error.contains(words) && !error.contains('\n'), "{error}");
    }
    assert!(RayBench::scene("moon", 1, 1).is_err());
    assert!(RayBench::scene("random-low", 0, 1).is_err());
    assert!(RayBench::scene("random-low", 9_000_000, 1).is_err());
}

#[test]
fn a_mesh_read_elsewhere_is_the_same_and_a_broken_one_is_refused() {
    let text = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let read = read_mesh(text, "one.obj").unwrap();
    let positions = read.mesh.positions().as_flattened();
    let triangles = read.mesh.triangles().as_flattened();
    let format = read.format.to_string();
    let again =
        RayBench::of_numbers(positions, triangles, "one.obj", format.clone(), read.file_bytes)
            .unwrap();
    assert_eq!(again.facts(), bench_of_one().facts());
    assert_eq!(again.mesh(), bench_of_one().mesh());
    let broken = RayBench::of_numbers(positions, &[0, 1, 9], "one.obj", format, 0).unwrap_err();
    assert!(broken.starts_with("one.obj: "), "{broken}");
}

#[test]
fn levels_are_known_once_the_studys_octree_is_built() {
    let mut bench = RayBench::scene("random-high", 300, 1).unwrap();
    assert_eq!(bench.levels(), None);
    let told = bench.build("study-octree").unwrap();
    let levels = bench.levels().unwrap();
    assert_eq!(levels.triangles.iter().sum::<u32>(), 300);
    assert!((told.references - 1.0).abs() < 1e-9, "each triangle lies in one cell");
    assert!(bench.build("moon").is_err());
    assert_eq!(bench.boxes("bvh", 2), Vec::<f32>::new(), "not built");
    assert!(bench.boxes("study-octree", 2).len() >= 12);
}

#[test]
fn advice_names_a_structure_of_ours() {
    let bench = bench();
    let advice: serde_json::Value = serde_json::from_str(&bench.advice(0.001)).unwrap();
    let name = advice["advice"]["name"].as_str().unwrap();
    assert!(["brute", "octree", "bvh"].contains(&name));
    assert_eq!(advice["rays"].as_array().unwrap().len(), 5);
}
