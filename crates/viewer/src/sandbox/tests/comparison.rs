//! Two methods on one scene.

use super::*;

const STUDY: &str = r#"{"solver":"baseline"}"#;
const SAME: &str = r#"{"solver":"soft-step"}"#;

fn stepped_together(a: &mut Sandbox, b: &mut Sandbox, steps: u32) {
    for _ in 0..steps {
        a.step();
        b.step();
    }
}

#[test]
fn fork_with_the_same_method_stays_bit_identical() {
    let mut sandbox = open("spheres");
    let mut fork = sandbox.fork(SAME).unwrap();
    stepped_together(&mut sandbox, &mut fork, 200);
    assert_eq!(fork.state_hash(), sandbox.state_hash());
    assert_eq!(sandbox.position_difference(&fork), PositionDifference::default());
}

#[test]
fn fork_with_another_method_equals_the_scene_run_with_that_method() {
    let mut sandbox = open("spheres");
    let mut fork = sandbox.fork(STUDY).unwrap();
    let mut alone = open("spheres");
    alone.change_settings(STUDY).unwrap();
    for _ in 0..200 {
        stepped_together(&mut sandbox, &mut fork, 1);
        alone.step();
    }
    assert_eq!(fork.state_hash(), alone.state_hash());
    assert!(sandbox.is_unmodified(), "the compared world is left alone");

    let difference = sandbox.position_difference(&fork);
    assert!(difference.max > 0.1 && difference.mean > 0.0, "{difference:?}");
    assert!(difference.mean <= difference.max);
    let key = difference.key.unwrap();
    let position = |sandbox: &Sandbox| {
        let id = sandbox.scene.id_of(key).unwrap();
        sandbox.scene.world.body(id).unwrap().position()
    };
    let distance = f64::from((position(&sandbox) - position(&fork)).length());
    assert!((distance - difference.max).abs() < 1e-4 * difference.max, "{distance}");
}

#[test]
fn fork_at_a_later_step_starts_from_the_state_there_and_seeks_no_earlier_one() {
    let mut sandbox = open("spheres");
    sandbox.seek(90);
    let mut fork = sandbox.fork(STUDY).unwrap();
    assert_eq!((fork.at(), sandbox.position_difference(&fork).max), (90, 0.0));
    stepped_together(&mut sandbox, &mut fork, 60);
    let hash = fork.state_hash();
    fork.seek(40);
    assert_eq!(fork.at(), 90, "where it begins");
    assert_eq!(sandbox.fork(STUDY).unwrap().at(), 150);
    fork.seek(150);
    assert_eq!(fork.state_hash(), hash);
}

#[test]
fn later_edits_of_the_timeline_are_made_in_the_fork_too() {
    let mut sandbox = open("spheres");
    sandbox.seek(30);
    let ball = r#"{"shape":{"sphere":{"radius":0.5}},"mass":1,"position":[0,40,0]}"#;
    let key = sandbox.add(ball).unwrap();
    sandbox.seek(10);
    let mut fork = sandbox.fork(STUDY).unwrap();
    assert!(fork.body(key).is_none());
    fork.seek(35);
    assert!(fork.body(key).is_some());
    assert!(!fork.undo(), "undo is the matter of the compared world");
}

#[test]
fn fork_rejects_settings_that_do_not_suit_the_scene() {
    let sandbox = open("spheres");
    for settings in [r#"{"solver":"none"}"#, "[]", r#"{"solver":"soft-step","response":"impulse"}"#]
    {
        assert!(!sandbox.fork(settings).unwrap_err().code().is_empty(), "{settings}");
    }
}
