mod comparison;
mod edits;
mod files;
mod lasch;
mod placement;
mod time;

use embate_scene::scene_file::{SceneSource, read_scene};
use embate_scene::simulation::Simulation;

use super::presets::PRESETS;
use super::*;

fn open(name: &str) -> Sandbox {
    Sandbox::open(&preset(name).unwrap().text(1), name).unwrap()
}

/// A recording, done again to its end.
fn replayed(recording: &str) -> Sandbox {
    let mut sandbox = Sandbox::open(recording, "mine").unwrap();
    assert!(sandbox.advance_seek(|| false).unwrap());
    sandbox
}

/// As `embate simulate` does it.
fn simulated(text: &str, steps: u32) -> u64 {
    let scene = read_scene(text, &SceneSource::text("exported")).unwrap();
    let mut run = Simulation::new(&scene);
    (0..steps).map(|_| run.step()).last().unwrap_or_else(|| run.world().state_hash())
}

#[test]
fn sandbox_and_simulation_have_equal_state_hashes_for_every_preset() {
    for preset in &PRESETS {
        let steps = 600;
        let mut sandbox = Sandbox::open(&preset.text(7), preset.name).unwrap();
        let json = sandbox.scene_json();
        sandbox.seek(steps);
        assert_eq!(sandbox.state_hash(), simulated(&json, steps), "{}", preset.name);
        assert!(sandbox.stats().energy.is_finite(), "{}", preset.name);
    }
}

#[test]
fn pick_returns_the_first_body_hit_by_the_ray() {
    let sandbox = open("pyramid");
    let (key, point) = sandbox.pick(Vec3::new(0.0, 6.75, 9.0), -Vec3::Z).unwrap();
    assert_eq!((key, point.z), (105, 0.25));
    assert!(sandbox.pick(Vec3::new(0.0, 20.0, 9.0), -Vec3::Z).is_none());
}

#[test]
fn pulled_body_follows_the_target() {
    let mut sandbox = open("pyramid");
    let held = Vec3::new(0.0, 6.75, 0.0);
    sandbox.pull(105, held, held + Vec3::Y * 2.0);
    assert!(sandbox.pull_points().is_some());
    for _ in 0..120 {
        sandbox.step();
    }
    let [at, target] = sandbox.pull_points().unwrap();
    assert!((at - target).length() < 0.1, "{at:?} {target:?}");
    sandbox.release();
    assert!(sandbox.pull_points().is_none());
}

#[test]
fn pulled_body_without_gravity_stays_at_the_target() {
    let text = r#"{"bodies":[{"shape":{"sphere":{"radius":1}},"mass":2,"gravity_scale":0}]}"#;
    let mut sandbox = Sandbox::open(text, "one").unwrap();
    sandbox.pull(0, Vec3::ZERO, Vec3::ZERO);
    for _ in 0..60 {
        sandbox.step();
    }
    let [at, _] = sandbox.pull_points().unwrap();
    assert!(at.length() < 1e-5, "{at:?}");
}

#[test]
fn triangles_of_every_body_face_outwards() {
    let mut sandbox = open("ramp");
    sandbox.add(r#"{"shape":{"capsule":{"half_height":0.5,"radius":0.2}},"mass":1}"#).unwrap();
    let drawn = sandbox.render_mesh();
    let corner = |index: u32| {
        let at = 7 * index as usize;
        let numbers = &drawn.vertices[at..at + 7];
        (
            Vec3::new(numbers[0], numbers[1], numbers[2]),
            Vec3::new(numbers[3], numbers[4], numbers[5]),
            numbers[6] as usize,
        )
    };
    let mut bodies = std::collections::BTreeSet::new();
    for triangle in drawn.triangles.chunks(3) {
        let [(a, normal, body), (b, ..), (c, ..)] = [0, 1, 2].map(|index| corner(triangle[index]));
        let outwards = (b - a).cross(c - a);
        assert!(outwards.length() < 1e-9 || outwards.dot(normal) > 0.0, "body {body}");
        bodies.insert(body);
    }
    // The floor has no end, and so no triangles.
    assert_eq!(bodies.len(), sandbox.scene.ids.len() - 1);
    assert_eq!(drawn.ranges.len(), 4 * sandbox.scene.ids.len());
}

#[test]
fn contacts_islands_octree_cells_and_impacts_are_reported() {
    let mut sandbox = open("ramp");
    sandbox.seek(60);
    let mut impacts = 0;
    for _ in 0..60 {
        sandbox.step();
        impacts += sandbox.take_impacts().len() / FLOATS_PER_IMPACT;
    }
    let stats = sandbox.stats();
    assert!(stats.contacts > 20 && stats.islands > 0 && stats.touching > 10, "{stats:?}");
    assert!(impacts > 5, "{impacts}");
    assert_eq!(sandbox.render_state().contacts.len() / FLOATS_PER_CONTACT, stats.contacts);
    assert_eq!(sandbox.islands().len() / 6, stats.islands);
    let cells = |depth| sandbox.octree(depth).len() / 6;
    assert!(cells(1) >= 1 && cells(4) > cells(1), "{} {}", cells(1), cells(4));
    let listed = |key, page| -> Vec<serde_json::Value> {
        serde_json::from_str(&sandbox.contacts(key, page)).unwrap()
    };
    let every = |key| -> Vec<serde_json::Value> {
        let pages = (0..).map(|page| listed(key, page)).take_while(|page| !page.is_empty());
        pages.flatten().collect()
    };
    let all = every(None);
    assert_eq!(all.len(), stats.contacts, "every contact is on one page");
    let is_of_1 = |each: &&serde_json::Value| {
        each["bodies"].as_array().unwrap().contains(&serde_json::Value::from(1))
    };
    let of_1: Vec<serde_json::Value> = all.iter().filter(is_of_1).cloned().collect();
    assert_eq!(every(Some(1)), of_1);
}
