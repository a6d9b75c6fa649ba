//! Is what comes to a world put where there is room for it?

use embate::dynamics::{BoundaryMode, QueryFilter};
use embate::shapes::Shape;

use super::*;
use crate::workshop::presets::PRESETS;

const BALL: &str = r#"{"name":"ball","shape":{"sphere":{"radius":0.4}},"mass":1}"#;
const BLOCK: &str = r#"{"name":"block","shape":{"box":{"half":[0.5,0.5,0.5]}},"type":"fixed"}"#;

/// That it is within the bounds, and in nobody.
fn assert_has_room(workshop: &Workshop, key: u32, what: &str) {
    let world = &workshop.live.world;
    let id = workshop.live.id_of(key).unwrap();
    let body = world.body(id).unwrap();
    let own = body.aabb();
    if let Some(bounds) = world.settings().bounds {
        for axis in 0..3 {
            let within = own.min[axis] >= bounds.min[axis] - 1e-3
                && own.max[axis] <= bounds.max[axis] + 1e-3;
            assert!(within, "{what}: {own:?} in {bounds:?}");
        }
    }
    let others = world.world().overlap_shape(
        body.shape(),
        &body.pose(),
        &QueryFilter { exclude_body: Some(id), ..QueryFilter::default() },
    );
    for other in others {
        let other = world.body(other).unwrap();
        let near = embate::narrow_phase::closest_points(
            body.shape(),
            &body.pose(),
            other.shape(),
            &other.pose(),
        );
        assert!(near.distance > -2e-3, "{what}: {} deep in another", -near.distance);
    }
}

/// In the gas it was put over the room, where it never moved; in the ramp through its ceiling.
#[test]
fn what_is_added_to_a_room_is_within_it_and_in_nobody() {
    for preset in &PRESETS {
        for step in [0, 30] {
            let mut workshop = open(preset.name);
            workshop.seek(step);
            for number in 0..4 {
                let ball = workshop.add_where_free(BALL, Spot::Above).unwrap();
                let block = workshop.add_where_free(BLOCK, Spot::OnGround).unwrap();
                for key in [ball, block] {
                    let what = format!("{} at {step}, {number}", preset.name);
                    assert_has_room(&workshop, key, &what);
                }
            }
        }
    }
}

#[test]
fn a_ball_added_to_the_gas_is_hit_and_moves() {
    let mut workshop = open("gas");
    let ball = workshop.add_where_free(BALL, Spot::Above).unwrap();
    workshop.seek(120);
    let id = workshop.live.id_of(ball).unwrap();
    assert!(workshop.live.world.body(id).unwrap().linear_velocity().length() > 0.1);
}

/// The preset that the page opens with began with bodies 0.4 m deep in each other, which flew apart.
#[test]
fn nobody_on_the_ramp_begins_in_another() {
    for seed in 1..=6 {
        let text = preset("ramp").unwrap().text(seed);
        let workshop = Workshop::open(&text, "ramp").unwrap();
        let moving =
            workshop.live.words.bodies.iter().filter(|body| !body.words.contains_key("type"));
        for body in moving {
            assert_has_room(&workshop, body.key, &format!("seed {seed}, body {}", body.key));
        }
    }
}

/// Only the original was kept away from: the third lay in the second.
#[test]
fn copies_of_copies_lie_in_nobody() {
    for name in ["pyramid", "ramp", "gas", "boxes", "cradle"] {
        let mut workshop = open(name);
        let first = workshop.live.words.bodies.last().unwrap().key;
        for number in 0..6 {
            let copy = workshop.duplicate(first).unwrap();
            assert_has_room(&workshop, copy, &format!("{name}, {number}"));
        }
    }
}

/// It was put 2.5e18 m away, which no scene takes.
#[test]
fn a_floor_without_end_is_copied_as_it_is() {
    let mut workshop = open("pyramid");
    let copy = workshop.duplicate(0).unwrap();
    let id = workshop.live.id_of(copy).unwrap();
    let body = workshop.live.world.body(id).unwrap();
    assert!(matches!(body.shape(), Shape::HalfSpace(_)));
    assert_eq!(body.position().y, 0.0);
}

#[test]
fn where_there_is_no_room_it_is_said() {
    let scene = r#"{"bounds":{"min":[0,0,0],"max":[1,1,1]},"bodies":[
        {"shape":{"cube":{"half":0.45}},"position":[0.5,0.5,0.5],"mass":1}]}"#;
    let mut workshop = Workshop::open(scene, "full").unwrap();
    let hash = workshop.state_hash();
    for refused in [
        workshop.add_where_free(BALL, Spot::Above),
        workshop.add_where_free(BLOCK, Spot::OnGround),
        workshop.duplicate(0),
    ] {
        let what = refused.unwrap_err();
        assert_eq!(what, EditError::NoRoom);
    }
    assert_eq!((workshop.state_hash(), workshop.undoable()), (hash, (0, 0)));
}

/// They were always ten metres wide, whatever lay outside.
#[test]
fn bounds_that_come_hold_every_body_that_has_an_end() {
    for preset in &PRESETS {
        let mut workshop = open(preset.name);
        workshop.seek(20);
        workshop.enclose().unwrap();
        let world = &workshop.live.world;
        let bounds = world.settings().bounds.unwrap();
        assert_eq!(bounds.mode, BoundaryMode::Solid);
        for body in world.bodies().filter(|body| !matches!(body.shape(), Shape::HalfSpace(_))) {
            let own = body.aabb();
            for axis in 0..3 {
                let within = own.min[axis] >= bounds.min.to_array()[axis] - 0.011
                    && own.max[axis] <= bounds.max.to_array()[axis] + 0.011;
                assert!(within, "{}: {own:?} in {bounds:?}", preset.name);
            }
        }
        assert!(workshop.undo());
    }
}

#[test]
fn a_ball_thrown_into_a_room_begins_within_it() {
    let mut workshop = open("gas");
    let eye = Vec3::new(20.0, 4.5, 20.0);
    let to = Vec3::new(0.0, 4.5, 0.0) - eye;
    let ball = workshop.throw(eye, to, to.length(), "ball").unwrap();
    let bounds = workshop.live.world.settings().bounds.unwrap();
    let id = workshop.live.id_of(ball).unwrap();
    let body = workshop.live.world.body(id).unwrap();
    let own = body.aabb();
    for axis in 0..3 {
        assert!(own.min[axis] >= bounds.min.to_array()[axis] - 1e-3, "{own:?}");
        assert!(own.max[axis] <= bounds.max.to_array()[axis] + 1e-3, "{own:?}");
    }
    assert!(body.linear_velocity().dot(to) > 0.0);
}

#[test]
fn what_is_added_to_a_scene_of_the_plane_finds_room_in_the_plane() {
    let text = include_str!("../../../../../examples/scenes/planar.json");
    let mut workshop = Workshop::open(text, "planar").unwrap();
    for _ in 0..3 {
        let key = workshop.add_where_free(BALL, Spot::Above).unwrap();
        let id = workshop.live.id_of(key).unwrap();
        assert_eq!(workshop.live.world.body(id).unwrap().position().z, 0.0);
    }
}
