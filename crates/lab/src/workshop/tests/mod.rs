mod changes;
mod files;
mod room;
mod time;

use super::presets::PRESETS;
use super::*;
use crate::scene_file::{SceneSource, read_scene};
use crate::simulation::Simulation;

fn open(name: &str) -> Workshop {
    Workshop::open(&preset(name).unwrap().text(1), name).unwrap()
}

/// A recording, done again to its end.
fn replayed(recording: &str) -> Workshop {
    let mut workshop = Workshop::open(recording, "mine").unwrap();
    assert!(workshop.approach(|| false).unwrap());
    workshop
}

/// As `embate simulate` does it.
fn simulated(text: &str, steps: u32) -> u64 {
    let scene = read_scene(text, &SceneSource::text("exported")).unwrap();
    let mut run = Simulation::new(&scene);
    (0..steps).map(|_| run.step()).last().unwrap_or_else(|| run.world().state_hash())
}

#[test]
fn every_preset_goes_as_embate_simulate_goes_with_its_words() {
    for preset in &PRESETS {
        let steps = 600;
        let mut workshop = Workshop::open(&preset.text(7), preset.name).unwrap();
        let words = workshop.words();
        workshop.seek(steps);
        assert_eq!(workshop.state_hash(), simulated(&words, steps), "{}", preset.name);
        assert!(workshop.figures().energy.is_finite(), "{}", preset.name);
    }
}

#[test]
fn a_ray_picks_the_body_that_it_meets_first() {
    let workshop = open("pyramid");
    let (key, point) = workshop.pick(Vec3::new(0.0, 6.75, 9.0), -Vec3::Z).unwrap();
    assert_eq!((key, point.z), (105, 0.25));
    assert!(workshop.pick(Vec3::new(0.0, 20.0, 9.0), -Vec3::Z).is_none());
}

#[test]
fn a_body_that_is_pulled_comes_along() {
    let mut workshop = open("pyramid");
    let held = Vec3::new(0.0, 6.75, 0.0);
    workshop.pull(105, held, held + Vec3::Y * 2.0);
    assert!(workshop.pulled().is_some());
    for _ in 0..120 {
        workshop.step();
    }
    let [at, target] = workshop.pulled().unwrap();
    assert!((at - target).length() < 0.1, "{at:?} {target:?}");
    workshop.let_go();
    assert!(workshop.pulled().is_none());
}

#[test]
fn a_body_without_weight_stays_where_it_is_held() {
    let text = r#"{"bodies":[{"shape":{"sphere":{"radius":1}},"mass":2,"gravity_scale":0}]}"#;
    let mut workshop = Workshop::open(text, "one").unwrap();
    workshop.pull(0, Vec3::ZERO, Vec3::ZERO);
    for _ in 0..60 {
        workshop.step();
    }
    let [at, _] = workshop.pulled().unwrap();
    assert!(at.length() < 1e-5, "{at:?}");
}

#[test]
fn every_body_is_drawn_from_outside() {
    let mut workshop = open("ramp");
    workshop.add(r#"{"shape":{"capsule":{"half_height":0.5,"radius":0.2}},"mass":1}"#).unwrap();
    let drawn = workshop.drawn();
    let corner = |place: u32| {
        let at = 7 * place as usize;
        let numbers = &drawn.vertices[at..at + 7];
        (
            Vec3::new(numbers[0], numbers[1], numbers[2]),
            Vec3::new(numbers[3], numbers[4], numbers[5]),
            numbers[6] as usize,
        )
    };
    let mut bodies = std::collections::BTreeSet::new();
    for triangle in drawn.triangles.chunks(3) {
        let [(a, normal, body), (b, ..), (c, ..)] = [0, 1, 2].map(|place| corner(triangle[place]));
        let outwards = (b - a).cross(c - a);
        assert!(outwards.length() < 1e-9 || outwards.dot(normal) > 0.0, "body {body}");
        bodies.insert(body);
    }
    // The floor has no end, and so no triangles.
    assert_eq!(bodies.len(), workshop.live.ids.len() - 1);
    assert_eq!(drawn.ranges.len(), 4 * workshop.live.ids.len());
}

#[test]
fn contacts_islands_cells_and_strikes_are_told() {
    let mut workshop = open("ramp");
    workshop.seek(60);
    let mut strikes = 0;
    for _ in 0..60 {
        workshop.step();
        strikes += workshop.take_strikes().len() / NUMBERS_A_STRIKE;
    }
    let figures = workshop.figures();
    assert!(figures.contacts > 20 && figures.islands > 0 && figures.touching > 10, "{figures:?}");
    assert!(strikes > 5, "{strikes}");
    assert_eq!(workshop.look().contacts.len() / NUMBERS_A_CONTACT, figures.contacts);
    assert_eq!(workshop.islands().len() / 6, figures.islands);
    let cells = |depth| workshop.octree(depth).len() / 6;
    assert!(cells(1) >= 1 && cells(4) > cells(1), "{} {}", cells(1), cells(4));
    let listed = |key, page| -> Vec<serde_json::Value> {
        serde_json::from_str(&workshop.contacts(key, page)).unwrap()
    };
    let every = |key| -> Vec<serde_json::Value> {
        let pages = (0..).map(|page| listed(key, page)).take_while(|page| !page.is_empty());
        pages.flatten().collect()
    };
    let all = every(None);
    assert_eq!(all.len(), figures.contacts, "every contact is on one page");
    let is_of_1 = |each: &&serde_json::Value| {
        each["bodies"].as_array().unwrap().contains(&serde_json::Value::from(1))
    };
    let of_1: Vec<serde_json::Value> = all.iter().filter(is_of_1).cloned().collect();
    assert_eq!(every(Some(1)), of_1);
}
