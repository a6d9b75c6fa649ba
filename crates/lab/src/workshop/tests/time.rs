//! Is every step what it was, from wherever one comes?

use super::*;
use crate::random::Random;
use crate::workshop::frames::MOST_BODIES;

#[test]
fn back_and_forward_gives_the_same_state() {
    let mut workshop = open("ramp");
    let mut hashes = vec![workshop.state_hash()];
    for _ in 0..90 {
        workshop.step();
        hashes.push(workshop.state_hash());
    }
    for step in [89, 13, 40, 0, 90, 64, 1] {
        workshop.seek(step);
        assert_eq!(workshop.state_hash(), hashes[step as usize], "step {step}");
        assert_eq!((workshop.at(), workshop.last()), (step, 90));
    }
}

#[test]
fn what_was_done_is_done_again_on_the_way_forward() {
    let mut workshop = open("pyramid");
    workshop.seek(20);
    let ball = workshop.throw(Vec3::new(0.0, 1.0, 9.0), -Vec3::Z, 9.0, "ball").unwrap();
    workshop.seek(50);
    workshop.pull(ball, Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 5.0, 0.0));
    workshop.seek(70);
    workshop.let_go();
    workshop.seek(90);
    let (hash, version) = (workshop.state_hash(), workshop.version());
    workshop.seek(5);
    assert_eq!(workshop.look().bodies.len() / NUMBERS_A_BODY, 106);
    assert_ne!(workshop.version(), version, "the ball is not there yet, so the picture is another");
    workshop.seek(90);
    assert_eq!(workshop.state_hash(), hash);
    assert_eq!(workshop.look().bodies.len() / NUMBERS_A_BODY, 107);
}

#[test]
fn a_change_in_the_past_makes_another_future() {
    let mut workshop = open("spheres");
    workshop.seek(60);
    let first = workshop.state_hash();
    workshop.seek(30);
    workshop.remove(5);
    assert_eq!(workshop.last(), 30);
    workshop.seek(60);
    assert_ne!(workshop.state_hash(), first);
    assert!(workshop.undo());
    assert_eq!((workshop.at(), workshop.last()), (30, 60));
    workshop.seek(60);
    assert_eq!(workshop.state_hash(), first);
}

#[test]
fn random_actions_at_random_steps_lead_to_the_same_state_from_wherever_one_comes() {
    for seed in 0..6_u64 {
        let mut random = Random::new(seed);
        let name = ["ramp", "cradle", "pyramid", "wrecking", "study-pile", "hulls"][seed as usize];
        let mut workshop = open(name);
        for _ in 0..3 {
            act(&mut workshop, &mut random);
        }
        // As it goes for whoever never looks back.
        let mut hashes = vec![workshop.state_hash()];
        for step in 1..=120_u32 {
            workshop.step();
            if random.between(0.0, 1.0) < 0.2 {
                act(&mut workshop, &mut random);
            }
            hashes.push(workshop.state_hash());
            assert_eq!(workshop.at(), step);
        }
        for _ in 0..25 {
            let step = random.between(0.0, 120.99) as u32;
            workshop.seek(step);
            assert_eq!(workshop.at(), step);
            assert_eq!(workshop.state_hash(), hashes[step as usize], "{name}: step {step}");
        }
        workshop.seek(120);
        let again = replayed(&workshop.recording().unwrap());
        assert_eq!(again.state_hash(), hashes[120], "{name}: recorded");
        // All the way back, and forth again.
        let (undoable, _) = workshop.undoable();
        let mut met = vec![workshop.state_hash()];
        for _ in 0..undoable {
            assert!(workshop.undo());
            met.push(workshop.state_hash());
        }
        for hash in met.iter().rev().skip(1) {
            assert!(workshop.redo());
            assert_eq!(workshop.state_hash(), *hash, "{name}: redone");
        }
    }
}

/// Does something to some body.
fn act(workshop: &mut Workshop, random: &mut Random) {
    let count = workshop.live.words.bodies.len();
    let place = (random.between(0.0, 1.0) * count as f32) as usize % count;
    let key = workshop.live.words.bodies[place].key;
    let part = random.between(-1.0, 1.0);
    match (random.between(0.0, 10.0)) as u32 {
        0 => {
            drop(workshop.throw(
                Vec3::new(0.0, 3.0, 8.0),
                Vec3::new(part, -0.1, -1.0),
                8.0,
                "ball",
            ));
        }
        1 => drop(workshop.remove(key)),
        2 => drop(workshop.duplicate(key)),
        3 => drop(workshop.change(key, &format!(r#"{{"name":"n{part}","mass":{}}}"#, 2.0 + part))),
        4 => drop(workshop.change(key, &format!(r#"{{"position":[{part},null,null]}}"#))),
        5 => drop(workshop.change(key, r#"{"restitution":0.5,"velocity":[0,2,0]}"#)),
        6 => drop(workshop.change(key, r#"{"shape":{"sphere":{"radius":0.3}}}"#)),
        7 => drop(workshop.change_rules(&format!(r#"{{"gravity":[{part},-9,0]}}"#))),
        8 => drop(workshop.change_rules(r#"{"bounds":{"min":[-4,0,-4],"max":[4,6,4]}}"#)),
        _ => {
            workshop.pull(key, Vec3::ZERO, Vec3::new(part, 3.0, part));
            workshop.pull_to(Vec3::new(part, 2.0, 1.0));
            if part > 0.0 {
                workshop.let_go();
            }
        }
    }
}

#[test]
fn the_way_forward_takes_frames_that_were_kept() {
    let mut workshop = open("ramp");
    workshop.seek(400);
    let hash = workshop.state_hash();
    workshop.seek(3);
    workshop.head_for(400);
    assert!(workshop.at() >= 396, "begins at {}", workshop.at());
    assert!(workshop.approach(|| false).unwrap());
    assert_eq!(workshop.state_hash(), hash);
}

#[test]
fn frames_lie_densest_where_one_looks_and_stay_within_their_budget() {
    let mut workshop = open("boxes");
    let bodies = workshop.live.words.bodies.len();
    let most = MOST_BODIES / bodies;
    let long = most as u32 * 12;
    workshop.seek(long);
    assert!(workshop.frames.bodies() <= MOST_BODIES);
    let near = |workshop: &Workshop, step: u32| {
        let before = workshop.frames.before(step).step;
        step - before
    };
    assert!(near(&workshop, long - 1) < 4 && near(&workshop, long - 20) < 8);
    assert_eq!(workshop.frames.steps()[0], 0);
    // In the past it is sparse until one looks there.
    let middle = long / 2 + 3;
    workshop.seek(middle);
    for back in 1..12 {
        workshop.head_for(middle - back);
        let way = middle - back - workshop.at();
        assert!(way < 8, "{way} steps to go one back");
        workshop.approach(|| false).unwrap();
    }
    assert!(workshop.frames.bodies() <= MOST_BODIES);
}

#[test]
fn of_a_world_as_large_as_the_budget_the_first_frame_and_the_newest_are_kept() {
    let ball = |x: usize| {
        format!(r#"{{"shape":{{"sphere":{{"radius":0.1}}}},"mass":1,"position":[{x},0,0]}}"#)
    };
    let balls: Vec<String> = (0..=MOST_BODIES / 2).map(ball).collect();
    let text = format!(r#"{{"gravity":[0,0,0],"bodies":[{}]}}"#, balls.join(","));
    let mut workshop = Workshop::open(&text, "many").unwrap();
    for _ in 0..9 {
        workshop.step();
    }
    assert_eq!(workshop.frames.steps(), [0, 8]);
    // What is refused halfway is put back from a frame that lies beside another.
    workshop.change(7, r#"{"friction":0.25}"#).unwrap();
    assert_eq!(workshop.frames.steps(), [0, 9]);
    workshop.seek(3);
    assert_eq!(workshop.at(), 3);
}

#[test]
fn running_resetting_and_editing_over_and_over_keeps_to_one_budget() {
    let mut workshop = open("boxes");
    for round in 0..12 {
        workshop.seek(240);
        workshop.seek(round);
        workshop.change(7, &format!(r#"{{"friction":0.{round}}}"#)).unwrap();
        assert!(workshop.frames.bodies() <= MOST_BODIES);
    }
    assert_eq!(workshop.undoable().0, 12);
}

#[test]
fn a_long_way_is_gone_in_slices_and_left_for_another_step() {
    let mut workshop = open("pyramid");
    workshop.head_for(100);
    let mut steps = 0;
    let mut after_ten = || {
        steps += 1;
        steps % 10 == 0
    };
    assert!(!workshop.approach(&mut after_ten).unwrap());
    assert_eq!((workshop.at(), workshop.goal()), (10, Some(100)));
    workshop.head_for(15);
    assert!(workshop.approach(&mut after_ten).unwrap());
    assert_eq!((workshop.at(), workshop.goal()), (15, None));
    workshop.head_for(90);
    assert!(!workshop.approach(&mut after_ten).unwrap());
    workshop.stay();
    assert_eq!((workshop.at(), workshop.goal()), (20, None));
}

#[test]
fn time_is_the_sum_of_its_steps_however_long_they_were() {
    let mut workshop = open("gas");
    workshop.seek(120);
    workshop.change_rules(r#"{"time_step":0.005}"#).unwrap();
    workshop.seek(220);
    assert!((workshop.figures().time - 2.5).abs() < 1e-4, "{}", workshop.figures().time);
    workshop.seek(60);
    assert!((workshop.figures().time - 1.0).abs() < 1e-4);
    workshop.seek(220);
    assert!((workshop.figures().time - 2.5).abs() < 1e-4);
}
