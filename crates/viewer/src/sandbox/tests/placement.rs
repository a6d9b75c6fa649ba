//! New bodies are placed in free space.

use embate::dynamics::{BoundaryMode, QueryFilter};
use embate::shapes::Shape;

use super::*;
use crate::sandbox::presets::PRESETS;

const BALL: &str = r#"{"name":"ball","shape":{"sphere":{"radius":0.4}},"mass":1}"#;
const BLOCK: &str = r#"{"name":"block","shape":{"box":{"half":[0.5,0.5,0.5]}},"type":"fixed"}"#;

/// Asserts that a body is inside the bounds and overlaps no other body.
fn assert_is_free(sandbox: &Sandbox, key: u32, what: &str) {
    let world = &sandbox.scene.world;
    let id = sandbox.scene.id_of(key).unwrap();
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

/// Regression: bodies were added above the bounds of the gas and into the ceiling of the ramp.
#[test]
fn added_body_is_inside_the_bounds_and_overlaps_no_body() {
    for preset in &PRESETS {
        for step in [0, 30] {
            let mut sandbox = open(preset.name);
            sandbox.seek(step);
            for number in 0..4 {
                let ball =
                    sandbox.add_where_free(BALL, PlacementTarget::Above, Vec3::ZERO).unwrap();
                let block =
                    sandbox.add_where_free(BLOCK, PlacementTarget::OnGround, Vec3::ZERO).unwrap();
                for key in [ball, block] {
                    let what = format!("{} at {step}, {number}", preset.name);
                    assert_is_free(&sandbox, key, &what);
                }
            }
        }
    }
}

#[test]
fn ball_added_to_the_gas_is_hit_and_moves() {
    let mut sandbox = open("gas");
    let ball = sandbox.add_where_free(BALL, PlacementTarget::Above, Vec3::ZERO).unwrap();
    sandbox.seek(120);
    let id = sandbox.scene.id_of(ball).unwrap();
    assert!(sandbox.scene.world.body(id).unwrap().linear_velocity().length() > 0.1);
}

/// Regression: initial overlaps of up to 0.4 m accelerated the bodies of the first preset of the
/// page.
#[test]
fn ramp_preset_starts_without_overlaps() {
    for seed in 1..=6 {
        let text = preset("ramp").unwrap().text(seed);
        let sandbox = Sandbox::open(&text, "ramp").unwrap();
        let moving =
            sandbox.scene.document.bodies.iter().filter(|body| !body.json.contains_key("type"));
        for body in moving {
            assert_is_free(&sandbox, body.key, &format!("seed {seed}, body {}", body.key));
        }
    }
}

/// Regression: a duplicate avoided only its original, so that the third overlapped the second.
#[test]
fn repeated_duplicates_do_not_overlap() {
    for name in ["pyramid", "ramp", "gas", "boxes", "cradle"] {
        let mut sandbox = open(name);
        let first = sandbox.scene.document.bodies.last().unwrap().key;
        for number in 0..6 {
            let copy = sandbox.duplicate(first).unwrap();
            assert_is_free(&sandbox, copy, &format!("{name}, {number}"));
        }
    }
}

/// Regression: the duplicate was placed at 2.5e18 m, which is out of range.
#[test]
fn duplicate_of_a_half_space_keeps_its_position() {
    let mut sandbox = open("pyramid");
    let copy = sandbox.duplicate(0).unwrap();
    let id = sandbox.scene.id_of(copy).unwrap();
    let body = sandbox.scene.world.body(id).unwrap();
    assert!(matches!(body.shape(), Shape::HalfSpace(_)));
    assert_eq!(body.position().y, 0.0);
}

#[test]
fn full_bounds_are_an_error() {
    let scene = r#"{"bounds":{"min":[0,0,0],"max":[1,1,1]},"bodies":[
        {"shape":{"cube":{"half":0.45}},"position":[0.5,0.5,0.5],"mass":1}]}"#;
    let mut sandbox = Sandbox::open(scene, "full").unwrap();
    let hash = sandbox.state_hash();
    for refused in [
        sandbox.add_where_free(BALL, PlacementTarget::Above, Vec3::ZERO),
        sandbox.add_where_free(BLOCK, PlacementTarget::OnGround, Vec3::ZERO),
        sandbox.duplicate(0),
    ] {
        let what = refused.unwrap_err();
        assert_eq!(what, EditError::NoRoom);
    }
    assert_eq!((sandbox.state_hash(), sandbox.undoable()), (hash, (0, 0)));
}

/// Regression: new bounds were always 10 m wide, also with bodies outside.
#[test]
fn new_bounds_enclose_every_finite_body() {
    for preset in &PRESETS {
        let mut sandbox = open(preset.name);
        sandbox.seek(20);
        sandbox.enclose().unwrap();
        let world = &sandbox.scene.world;
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
        assert!(sandbox.undo());
    }
}

/// Regression: a ball was added above the highest body of the scene, wherever the camera looked.
#[test]
fn added_body_is_near_the_requested_position_above_what_is_there() {
    let mut sandbox = open("pyramid");
    let near = Vec3::new(6.0, 40.0, -5.0);
    let [ball, other] =
        [(); 2].map(|()| sandbox.add_where_free(BALL, PlacementTarget::Above, near).unwrap());
    let top = sandbox.add_where_free(BALL, PlacementTarget::Above, Vec3::ZERO).unwrap();
    let place = |key| {
        sandbox.scene.world.body(sandbox.scene.id_of(key).unwrap()).unwrap().position().to_array()
    };
    let [x, y, z] = place(ball);
    assert!((x, z) == (6.0, -5.0) && (y - 1.1).abs() < 1e-5, "{x} {y} {z}");
    assert!(place(other)[1] > 1.8, "{:?}", place(other));
    assert!((place(top)[1] - (7.0 + 0.7 + 0.4)).abs() < 0.02, "{:?}", place(top));
}

/// Regression: bounds were created at the height of the floor, so that a resting body touched both,
/// each with half its weight.
#[test]
fn a_resting_body_touches_the_floor_or_the_bounds_and_not_both() {
    let mut sandbox = open("empty");
    sandbox.add_where_free(BALL, PlacementTarget::Above, Vec3::ZERO).unwrap();
    sandbox.enclose().unwrap();
    sandbox.seek(200);
    let mut ramp = open("ramp");
    ramp.seek(400);
    for sandbox in [&sandbox, &ramp] {
        let contacts = || sandbox.scene.world.contacts();
        let floor = sandbox.scene.id_of(0).unwrap();
        assert!(contacts().any(|contact| contact.bodies.contains(&floor)));
        let level = contacts().filter(|contact| contact.normal.y.abs() > 0.9);
        let bounds =
            level.filter(|it| it.bodies.iter().any(|&it| sandbox.scene.key_of(it).is_none()));
        assert_eq!(bounds.count(), 0);
    }
}

#[test]
fn a_floor_added_to_bounds_is_above_their_bottom() {
    let mut sandbox = open("gas");
    let floor = r#"{"name":"floor","shape":{"halfspace":{"normal":[0,1,0]}},"type":"fixed"}"#;
    let key = sandbox.add_where_free(floor, PlacementTarget::OnGround, Vec3::X).unwrap();
    let height = |sandbox: &Sandbox| {
        let id = sandbox.scene.id_of(key).unwrap();
        sandbox.scene.world.body(id).unwrap().position().y
    };
    let bottom = |sandbox: &Sandbox| sandbox.scene.world.settings().bounds.unwrap().min.y;
    assert_eq!((height(&sandbox), bottom(&sandbox), sandbox.undoable()), (0.0, -1.0, (1, 0)));
    assert!(sandbox.undo());
    assert_eq!(bottom(&sandbox), 0.0);
}

#[test]
fn ball_thrown_from_outside_starts_inside_the_bounds() {
    let mut sandbox = open("gas");
    let eye = Vec3::new(20.0, 4.5, 20.0);
    let to = Vec3::new(0.0, 4.5, 0.0) - eye;
    let ball = sandbox.throw(eye, to, to.length(), "ball").unwrap();
    let bounds = sandbox.scene.world.settings().bounds.unwrap();
    let id = sandbox.scene.id_of(ball).unwrap();
    let body = sandbox.scene.world.body(id).unwrap();
    let own = body.aabb();
    for axis in 0..3 {
        assert!(own.min[axis] >= bounds.min.to_array()[axis] - 1e-3, "{own:?}");
        assert!(own.max[axis] <= bounds.max.to_array()[axis] + 1e-3, "{own:?}");
    }
    assert!(body.linear_velocity().dot(to) > 0.0);
}

#[test]
fn free_space_in_a_planar_scene_is_in_the_plane() {
    let text = include_str!("../../../../../examples/scenes/planar.json");
    let mut sandbox = Sandbox::open(text, "planar").unwrap();
    for _ in 0..3 {
        let key = sandbox.add_where_free(BALL, PlacementTarget::Above, Vec3::Z).unwrap();
        let id = sandbox.scene.id_of(key).unwrap();
        assert_eq!(sandbox.scene.world.body(id).unwrap().position().z, 0.0);
    }
}
