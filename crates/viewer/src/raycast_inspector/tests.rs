//! The inspector shows what the command line prints.

use embate::geometry::Camera;
use embate::raycast::{RayIndex, TraversalStats, TraversalTrace};
use embate::{Aabb, Ray};
use embate_replica::structure::RayStructure;

use super::*;
use crate::heat_map::{HeatMap, Metric};

fn inspector() -> RaycastInspector {
    let mut inspector = RaycastInspector::scene("random-high", 1000, 3).unwrap();
    for technique in TECHNIQUES {
        inspector.build(technique.name()).unwrap();
    }
    inspector
}

fn rays() -> Vec<Ray<3>> {
    let aim = |i: u32| [20.0 + (i % 9) as f32 * 7.0, 10.0 + (i / 9) as f32 * 11.0, 50.0];
    (0..60)
        .map(|i| Ray::segment([-20.0, 130.0, 150.0], aim(i)).with_range(0.0, f32::INFINITY))
        .collect()
}

#[test]
fn saved_scene_reads_back_with_the_same_triangles_in_every_format() {
    let inspector = RaycastInspector::scene("random-high", 400, 3).unwrap();
    for format in ["ply", "obj", "txt"] {
        let bytes = inspector.save(format).unwrap();
        let read = RaycastInspector::open(&bytes, &format!("scene.{format}")).unwrap();
        assert!(read.mesh().iter_triangles().eq(inspector.mesh().iter_triangles()), "{format}");
    }
    assert!(inspector.save("stl").is_err());
}

#[test]
fn random_scene_is_that_of_the_study_and_the_command_line() {
    use embate_scene::generators::Family;
    let inspector = RaycastInspector::scene("random-low", 120, 7).unwrap();
    let scene = embate_studies::rays::random_scene(7, Family::Low, 120);
    assert_eq!(inspector.mesh().positions(), scene.positions());
}

#[test]
fn ray_cast_counts_equal_the_counts_of_each_structure() {
    let inspector = inspector();
    let mut hits = 0;
    for ray in rays() {
        let cast = inspector.cast(&ray);
        hits += usize::from(cast.at.is_some());
        for (row, technique) in cast.structures.iter().zip(TECHNIQUES) {
            let mut counts = TraversalStats::default();
            let hit = technique.build(inspector.mesh()).closest_hit_observed(&ray, &mut counts);
            assert_eq!(
                (row.tests, row.boxes),
                (counts.triangle_tests, counts.nodes_visited),
                "{}",
                row.name
            );
            assert_eq!((row.t, row.triangle), (hit.map(|h| h.t), hit.map(|h| h.triangle)));
        }
    }
    assert!(hits > 5 && hits < 60, "{hits}");
}

#[test]
fn trace_lists_visited_nodes_and_tested_triangles_in_order() {
    let inspector = inspector();
    for ray in rays() {
        for technique in TECHNIQUES {
            let traversal = inspector.trace(technique.name(), &ray);
            let mut trace = TraversalTrace::default();
            let hit = technique.build(inspector.mesh()).closest_hit_observed(&ray, &mut trace);
            assert_eq!(traversal.hit, hit);
            assert_eq!(traversal.tested, trace.triangles);
            let boxes: Vec<Aabb<3>> = traversal.visits.iter().map(|visit| visit.bounds).collect();
            assert_eq!(boxes, trace.nodes);
            let rows = traversal.rows();
            assert_eq!(rows.len(), boxes.len() * FLOATS_PER_VISIT);
            let tests: f32 = rows.chunks(FLOATS_PER_VISIT).map(|row| row[7]).sum();
            if technique != RayStructure::BRUTE_FORCE {
                assert_eq!(tests as usize, trace.triangles.len(), "{technique:?}");
                let last = traversal.visits.last().and_then(|visit| visit.nearest);
                assert_eq!(last, hit.map(|hit| hit.t), "{technique:?}");
            }
        }
    }
}

#[test]
fn heat_map_computed_in_slices_equals_one_computed_at_once() {
    let inspector = inspector();
    let size = [21, 13];
    let eye = [180.0, 140.0, 230.0];
    let at = [50.0; 3];
    for metric in Metric::ALL {
        let request = HeatMapRequest { eye, at, fov: 38.0, size, metric };
        let mut heating = HeatMapJob::new(&inspector, &request).unwrap();
        let mut slices = 0;
        while !heating.advance(&inspector, || true) {
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
        let summary: serde_json::Value = serde_json::from_str(&heating.summary()).unwrap();
        for (index, technique) in TECHNIQUES.into_iter().enumerate() {
            let map = HeatMap::new(&technique.build(inspector.mesh()), &rays, size, metric, &|| ());
            assert_eq!(heating.heat(index), map.heat, "{technique:?} {metric:?}");
            assert_eq!(summary["maps"][index]["total"], map.total(), "{technique:?} {metric:?}");
            assert_eq!(summary["maps"][index]["max"], map.max());
            assert_eq!(summary["maps"][index]["mean"].as_f64(), Some(map.mean()));
        }
        assert_eq!(summary["progress"], 1.0);
    }
}

#[test]
fn invalid_heat_map_requests_are_rejected_with_a_reason() {
    let inspector = inspector();
    let request = HeatMapRequest {
        eye: [0.0; 3],
        at: [0.0; 3],
        fov: 38.0,
        size: [4, 4],
        metric: Metric::Tests,
    };
    assert_eq!(HeatMapJob::new(&inspector, &request).unwrap_err(), "the camera looks nowhere");
    let nothing = HeatMapRequest { at: [1.0; 3], size: [0, 4], ..request };
    assert!(HeatMapJob::new(&inspector, &nothing).unwrap_err().contains("pixels"));
}

#[test]
fn every_heat_map_row_is_computed_once_at_any_height() {
    for height in 1..40 {
        let inspector = inspector_of_one();
        let request = HeatMapRequest {
            eye: [0.2, 0.2, 5.0],
            at: [0.2, 0.2, 0.0],
            fov: 30.0,
            size: [1, height],
            metric: Metric::Tests,
        };
        let mut heating = HeatMapJob::new(&inspector, &request).unwrap();
        assert!(heating.advance(&inspector, || false));
        assert_eq!(heating.heat(0).len(), height as usize);
    }
}

fn inspector_of_one() -> RaycastInspector {
    let mut inspector =
        RaycastInspector::open(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "one.obj").unwrap();
    inspector.build("bvh").unwrap();
    inspector
}

#[test]
fn visibility_reports_the_blocking_hit() {
    let inspector = inspector_of_one();
    let visibility = inspector.visibility([0.25, 0.25, 1.0], [0.25, 0.25, -3.0]).unwrap();
    assert_eq!((visibility.blocked, visibility.t), (true, Some(0.25)));
    let at = visibility.at.unwrap();
    assert_eq!((at.point, at.normal, at.triangle), ([0.25, 0.25, 0.0], [0.0, 0.0, 1.0], 0));
    let clear = inspector.visibility([0.25, 0.25, 1.0], [0.25, 0.25, 0.5]).unwrap();
    assert_eq!((clear.blocked, clear.t, clear.at), (false, None, None));
    assert_eq!(inspector.visibility([0.0; 3], [0.0; 3]), None, "one point sees nothing");
}

#[test]
fn invalid_input_yields_a_one_line_error() {
    for (bytes, name, words) in [
        (&b""[..], "a.obj", "a.obj: is empty; name a file with a mesh, or write this one again"),
        (b"v 0 0 zero\n", "b.obj", "b.obj, line 1: `zero` is not a number"),
        (b"v 0 0 0\n", "c.obj", "has no triangles"),
        (b"hello", "d.txt", "not"),
    ] {
        let error = RaycastInspector::open(bytes, name).unwrap_err();
        assert!(error.contains(words) && !error.contains('\n'), "{error}");
    }
    assert!(RaycastInspector::scene("moon", 1, 1).is_err());
    assert!(RaycastInspector::scene("random-low", 0, 1).is_err());
    assert!(RaycastInspector::scene("random-low", 9_000_000, 1).is_err());
}

#[test]
fn mesh_file_is_read_and_an_index_out_of_range_is_rejected() {
    let text = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let opened = RaycastInspector::open(text, "one.obj").unwrap();
    assert_eq!(opened.mesh().positions(), [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_eq!(opened.mesh().triangles(), [[0, 1, 2]]);
    let broken = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 10\n";
    let error = RaycastInspector::open(broken, "one.obj").unwrap_err();
    assert!(error.starts_with("one.obj"), "{error}");
}

#[test]
fn levels_are_available_once_the_study_octree_is_built() {
    let mut inspector = RaycastInspector::scene("random-high", 300, 1).unwrap();
    assert_eq!(inspector.levels(), None);
    let summary = inspector.build("study-octree").unwrap();
    let levels = inspector.levels().unwrap();
    assert_eq!(levels.triangles.iter().sum::<u32>(), 300);
    assert!((summary.references - 1.0).abs() < 1e-9, "each triangle lies in one cell");
    assert!(inspector.build("moon").is_err());
    assert_eq!(inspector.boxes("bvh", 2), Vec::<f32>::new(), "not built");
    assert!(inspector.boxes("study-octree", 2).len() >= 12);
}

#[test]
fn advice_names_an_engine_structure() {
    let inspector = inspector();
    let advice: serde_json::Value = serde_json::from_str(&inspector.advice(0.001)).unwrap();
    let name = advice["advice"]["name"].as_str().unwrap();
    assert!(["brute", "octree", "bvh"].contains(&name));
    assert_eq!(advice["rays"].as_array().unwrap().len(), 1 + TECHNIQUES.len());
}
