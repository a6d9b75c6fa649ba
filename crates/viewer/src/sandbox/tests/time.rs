//! Every step has one state, however it is reached.

use embate_scene::random::Random;

use super::*;
use crate::sandbox::keyframes::MAX_BODIES;

#[test]
fn seeking_back_and_forward_yields_the_same_state() {
    let mut sandbox = open("ramp");
    let mut hashes = vec![sandbox.state_hash()];
    for _ in 0..90 {
        sandbox.step();
        hashes.push(sandbox.state_hash());
    }
    for step in [89, 13, 40, 0, 90, 64, 1] {
        sandbox.seek(step);
        assert_eq!(sandbox.state_hash(), hashes[step as usize], "step {step}");
        assert_eq!((sandbox.at(), sandbox.last()), (step, 90));
    }
}

#[test]
fn seeking_forward_replays_the_recorded_actions() {
    let mut sandbox = open("pyramid");
    sandbox.seek(20);
    let ball = sandbox.throw(Vec3::new(0.0, 1.0, 9.0), -Vec3::Z, 9.0, "ball").unwrap();
    sandbox.seek(50);
    sandbox.pull(ball, Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 5.0, 0.0));
    sandbox.seek(70);
    sandbox.release();
    sandbox.seek(90);
    let (hash, version) = (sandbox.state_hash(), sandbox.version());
    sandbox.seek(5);
    assert_eq!(sandbox.render_state().bodies.len() / FLOATS_PER_BODY, 106);
    assert_ne!(sandbox.version(), version, "the ball is not there yet, so the picture is another");
    sandbox.seek(90);
    assert_eq!(sandbox.state_hash(), hash);
    assert_eq!(sandbox.render_state().bodies.len() / FLOATS_PER_BODY, 107);
}

#[test]
fn edit_in_the_past_discards_later_steps_until_undo() {
    let mut sandbox = open("spheres");
    sandbox.seek(60);
    let first = sandbox.state_hash();
    sandbox.seek(30);
    sandbox.remove(5);
    assert_eq!(sandbox.last(), 30);
    sandbox.seek(60);
    assert_ne!(sandbox.state_hash(), first);
    assert!(sandbox.undo());
    assert_eq!((sandbox.at(), sandbox.last()), (30, 60));
    sandbox.seek(60);
    assert_eq!(sandbox.state_hash(), first);
}

#[test]
fn seek_undo_and_replay_of_random_actions_yield_equal_states() {
    for seed in 0..6_u64 {
        let mut random = Random::new(seed);
        let name = ["ramp", "cradle", "pyramid", "wrecking", "study-pile", "hulls"][seed as usize];
        let mut sandbox = open(name);
        for _ in 0..3 {
            apply_random_action(&mut sandbox, &mut random);
        }
        // The reference: a run without seeking.
        let mut hashes = vec![sandbox.state_hash()];
        for step in 1..=120_u32 {
            sandbox.step();
            if random.between(0.0, 1.0) < 0.2 {
                apply_random_action(&mut sandbox, &mut random);
            }
            hashes.push(sandbox.state_hash());
            assert_eq!(sandbox.at(), step);
        }
        for _ in 0..25 {
            let step = random.between(0.0, 120.99) as u32;
            sandbox.seek(step);
            assert_eq!(sandbox.at(), step);
            assert_eq!(sandbox.state_hash(), hashes[step as usize], "{name}: step {step}");
        }
        sandbox.seek(120);
        let again = replayed(&sandbox.recording().unwrap());
        assert_eq!(again.state_hash(), hashes[120], "{name}: recorded");
        // All the way back, and forth again.
        let (undoable, _) = sandbox.undoable();
        let mut met = vec![sandbox.state_hash()];
        for _ in 0..undoable {
            assert!(sandbox.undo());
            met.push(sandbox.state_hash());
        }
        for hash in met.iter().rev().skip(1) {
            assert!(sandbox.redo());
            assert_eq!(sandbox.state_hash(), *hash, "{name}: redone");
        }
    }
}

/// Applies a random action to a random body.
fn apply_random_action(sandbox: &mut Sandbox, random: &mut Random) {
    let count = sandbox.scene.document.bodies.len();
    let index = (random.between(0.0, 1.0) * count as f32) as usize % count;
    let key = sandbox.scene.document.bodies[index].key;
    let part = random.between(-1.0, 1.0);
    match (random.between(0.0, 10.0)) as u32 {
        0 => {
            drop(sandbox.throw(Vec3::new(0.0, 3.0, 8.0), Vec3::new(part, -0.1, -1.0), 8.0, "ball"));
        }
        1 => drop(sandbox.remove(key)),
        2 => drop(sandbox.duplicate(key)),
        3 => drop(sandbox.change(key, &format!(r#"{{"name":"n{part}","mass":{}}}"#, 2.0 + part))),
        4 => drop(sandbox.change(key, &format!(r#"{{"position":[{part},null,null]}}"#))),
        5 => drop(sandbox.change(key, r#"{"restitution":0.5,"velocity":[0,2,0]}"#)),
        6 => drop(sandbox.change(key, r#"{"shape":{"sphere":{"radius":0.3}}}"#)),
        7 => drop(sandbox.change_settings(&format!(r#"{{"gravity":[{part},-9,0]}}"#))),
        8 => drop(sandbox.change_settings(r#"{"bounds":{"min":[-4,0,-4],"max":[4,6,4]}}"#)),
        _ => {
            sandbox.pull(key, Vec3::ZERO, Vec3::new(part, 3.0, part));
            sandbox.pull_to(Vec3::new(part, 2.0, 1.0));
            if part > 0.0 {
                sandbox.release();
            }
        }
    }
}

#[test]
fn seeking_forward_starts_at_a_later_keyframe() {
    let mut sandbox = open("ramp");
    sandbox.seek(400);
    let hash = sandbox.state_hash();
    sandbox.seek(3);
    sandbox.set_seek_target(400);
    assert!(sandbox.at() >= 396, "begins at {}", sandbox.at());
    assert!(sandbox.advance_seek(|| false).unwrap());
    assert_eq!(sandbox.state_hash(), hash);
}

#[test]
fn keyframes_are_densest_near_the_current_step_and_within_budget() {
    let mut sandbox = open("boxes");
    let bodies = sandbox.scene.document.bodies.len();
    let max_steps = MAX_BODIES / bodies;
    let long = max_steps as u32 * 12;
    sandbox.seek(long);
    assert!(sandbox.frames.bodies() <= MAX_BODIES);
    let near = |sandbox: &Sandbox, step: u32| {
        let before = sandbox.frames.before(step).step;
        step - before
    };
    assert!(near(&sandbox, long - 1) < 4 && near(&sandbox, long - 20) < 8);
    assert_eq!(sandbox.frames.steps()[0], 0);
    // In the past it is sparse until one looks there.
    let middle = long / 2 + 3;
    sandbox.seek(middle);
    for back in 1..12 {
        sandbox.set_seek_target(middle - back);
        let way = middle - back - sandbox.at();
        assert!(way < 8, "{way} steps to go one back");
        sandbox.advance_seek(|| false).unwrap();
    }
    assert!(sandbox.frames.bodies() <= MAX_BODIES);
}

#[test]
fn world_above_the_budget_keeps_the_first_and_last_keyframe() {
    let ball = |x: usize| {
        format!(r#"{{"shape":{{"sphere":{{"radius":0.1}}}},"mass":1,"position":[{x},0,0]}}"#)
    };
    let balls: Vec<String> = (0..=MAX_BODIES / 2).map(ball).collect();
    let text = format!(r#"{{"gravity":[0,0,0],"bodies":[{}]}}"#, balls.join(","));
    let mut sandbox = Sandbox::open(&text, "many").unwrap();
    for _ in 0..9 {
        sandbox.step();
    }
    assert_eq!(sandbox.frames.steps(), [0, 8]);
    // A partially applied edit is rolled back from a keyframe beside another one.
    sandbox.change(7, r#"{"friction":0.25}"#).unwrap();
    assert_eq!(sandbox.frames.steps(), [0, 9]);
    sandbox.seek(3);
    assert_eq!(sandbox.at(), 3);
}

#[test]
fn repeated_seeks_and_edits_stay_within_the_keyframe_budget() {
    let mut sandbox = open("boxes");
    for round in 0..12 {
        sandbox.seek(240);
        sandbox.seek(round);
        sandbox.change(7, &format!(r#"{{"friction":0.{round}}}"#)).unwrap();
        assert!(sandbox.frames.bodies() <= MAX_BODIES);
    }
    assert_eq!(sandbox.undoable().0, 12);
}

#[test]
fn long_seek_runs_in_slices_and_can_be_retargeted_or_canceled() {
    let mut sandbox = open("pyramid");
    sandbox.set_seek_target(100);
    let mut steps = 0;
    let mut after_ten = || {
        steps += 1;
        steps % 10 == 0
    };
    assert!(!sandbox.advance_seek(&mut after_ten).unwrap());
    assert_eq!((sandbox.at(), sandbox.seek_target()), (10, Some(100)));
    sandbox.set_seek_target(15);
    assert!(sandbox.advance_seek(&mut after_ten).unwrap());
    assert_eq!((sandbox.at(), sandbox.seek_target()), (15, None));
    sandbox.set_seek_target(90);
    assert!(!sandbox.advance_seek(&mut after_ten).unwrap());
    sandbox.cancel_seek();
    assert_eq!((sandbox.at(), sandbox.seek_target()), (20, None));
}

#[test]
fn time_is_the_sum_of_varying_time_steps() {
    let mut sandbox = open("gas");
    sandbox.seek(120);
    sandbox.change_settings(r#"{"time_step":0.005}"#).unwrap();
    sandbox.seek(220);
    assert!((sandbox.stats().time - 2.5).abs() < 1e-4, "{}", sandbox.stats().time);
    sandbox.seek(60);
    assert!((sandbox.stats().time - 1.0).abs() < 1e-4);
    sandbox.seek(220);
    assert!((sandbox.stats().time - 2.5).abs() < 1e-4);
}
