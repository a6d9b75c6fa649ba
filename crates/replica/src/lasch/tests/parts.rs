//! Parts of the user's own: broad phase, integrator and contact response.

use embate::broad_phase::{
    AabbSlice, BroadPhase as EngineBroadPhase, BroadPhaseObserver, BruteForceBroadPhase,
    OverlapPair,
};
use embate::dynamics::{BodyDef, LockedAxes, Settings};
use embate_geom::{Vec3, scalar};

use super::*;
use crate::lasch::{
    BodyForces, ContactResponse, Contacts, ImpulseResponse, Integrator, MotionState, Parts,
    PositionBasedResponse, RungeKutta4, Snapshot, SnapshotError,
};

/// Brute force that also emits nonsense and counts its calls.
#[derive(Clone, Debug, Default)]
struct Careless {
    brute: BruteForceBroadPhase<3>,
}

impl EngineBroadPhase<3> for Careless {
    fn find_pairs_observed<O: BroadPhaseObserver>(
        &mut self,
        boxes: AabbSlice<'_, 3>,
        pairs: &mut Vec<OverlapPair>,
        observer: &mut O,
    ) {
        self.brute.find_pairs_observed(boxes, pairs, observer);
        let twice: Vec<OverlapPair> = pairs.iter().map(|&[a, b]| [b, a]).collect();
        pairs.extend(twice);
        pairs.extend([[0, 0], [u32::MAX, 0], [0, boxes.len() as u32]]);
    }

    fn memory_usage(&self) -> usize {
        0
    }
}

/// The study's impulse by the public methods alone.
#[derive(Debug)]
struct OwnImpulse;

impl ContactResponse for OwnImpulse {
    fn respond(&self, contacts: &mut Contacts<'_>) {
        for pair in 0..contacts.pair_count() {
            let Some(contact) = contacts.get(pair) else { continue };
            let speed = contact.relative_velocity.dot(contact.normal);
            if speed <= 0.0 {
                contacts.translate(pair, scalar::max(contact.penetration, 0.0));
                let impulse = -(1.0 + contact.restitution) * speed / contact.inverse_mass;
                contacts.apply_normal_impulse(pair, impulse);
            }
        }
    }
}

/// Keeps what it is given, and moves by the velocity.
#[derive(Debug)]
struct Inert;

impl Integrator for Inert {
    fn integrate(&self, state: &mut MotionState, _: &BodyForces<'_>, time_step: f32) {
        state.position += state.velocity * time_step;
    }
}

fn own() -> Parts {
    Parts::new().broad_phase(Careless::default()).response(OwnImpulse).integrator(RungeKutta4)
}

fn built_in() -> Config {
    Config { integrator: crate::lasch::IntegratorKind::Rk4, ..Config::PUBLISHED }
}

/// The room of the other tests with these parts.
fn furnished(config: Config, parts: Parts) -> Simulator {
    let mut simulator = room(config);
    simulator.parts = parts;
    simulator
}

#[test]
fn own_parts_that_equal_the_built_in_ones_yield_the_same_bits() {
    let mut expected = furnished(built_in(), Parts::new());
    let mut found = furnished(Config::PUBLISHED, own());
    for step in 0..200 {
        expected.step();
        found.step();
        assert_eq!(found.state_hash(), expected.state_hash(), "{step}");
        assert_eq!(found.events(), expected.events());
    }
    let parts = Parts::new().response(PositionBasedResponse { iterations: 4 });
    let config = Config { response: Response::Positions, ..Config::PUBLISHED };
    let (mut expected, mut found) =
        (furnished(config, Parts::new()), furnished(Config::PUBLISHED, parts));
    steps(&mut expected, 100);
    steps(&mut found, 100);
    assert_eq!(found.state_hash(), expected.state_hash());
}

#[test]
fn overlap_tests_of_an_own_broad_phase_are_counted() {
    let mut simulator = furnished(Config::PUBLISHED, own());
    simulator.count_overlap_tests(true);
    simulator.step();
    assert!(simulator.overlap_tests().unwrap() >= 45 * 44 / 2);
}

#[test]
fn own_integrator_replaces_gravity_and_forces() {
    let parts = Parts::new().integrator(Inert);
    let mut simulator =
        Simulator::with_parts(Settings::default(), Config::PUBLISHED, parts).unwrap();
    let ball = BodyDef::dynamic(sphere(0.1), 1.0).linear_velocity(Vec3::X);
    let ball = simulator.insert_body(ball).unwrap();
    steps(&mut simulator, 60);
    assert!((position(&simulator, ball) - Vec3::X).length() < 1e-5);
}

#[test]
fn own_integrator_that_diverges_neither_panics_nor_exceeds_the_maximum_speed() {
    #[derive(Debug)]
    struct Exploding(f32);

    impl Integrator for Exploding {
        fn integrate(&self, state: &mut MotionState, _: &BodyForces<'_>, _: f32) {
            state.velocity = Vec3::splat(self.0);
            state.position = Vec3::splat(self.0);
            state.last = Some(crate::lasch::LastStep {
                position: state.position,
                acceleration: Vec3::splat(self.0),
            });
        }
    }

    for value in [f32::NAN, f32::INFINITY, f32::MAX, 1e20] {
        let mut simulator = furnished(Config::PUBLISHED, Parts::new().integrator(Exploding(value)));
        steps(&mut simulator, 3);
        let fastest = simulator.world().bodies().map(|body| body.linear_velocity().length());
        let limit = simulator.settings().max_linear_speed * 1.001;
        assert!(fastest.filter(|speed| speed.is_finite()).all(|speed| speed <= limit), "{value}");
    }
}

#[test]
fn own_integrator_that_is_too_fast_does_not_move_a_body_along_a_locked_axis() {
    #[derive(Debug)]
    struct Fast;

    impl Integrator for Fast {
        fn integrate(&self, state: &mut MotionState, _: &BodyForces<'_>, _: f32) {
            state.velocity = Vec3::splat(1e6);
        }
    }

    let parts = Parts::new().integrator(Fast);
    let mut simulator =
        Simulator::with_parts(Settings::default(), Config::PUBLISHED, parts).unwrap();
    let locked = LockedAxes { translation: [false, true, false], rotation: [false; 3] };
    let ball = BodyDef::dynamic(sphere(0.1), 1.0).locked_axes(locked);
    let ball = simulator.insert_body(ball).unwrap();
    steps(&mut simulator, 1);
    let velocity = simulator.world().body(ball).unwrap().linear_velocity();
    let maximum = simulator.settings().max_linear_speed;
    assert!(velocity.y == 0.0 && (velocity.length() / maximum - 1.0).abs() < 1e-3, "{velocity:?}");
}

#[test]
fn contact_without_a_body_that_can_move_is_none_and_edits_of_it_do_nothing() {
    #[derive(Debug)]
    struct Pushes;

    impl ContactResponse for Pushes {
        fn respond(&self, contacts: &mut Contacts<'_>) {
            for pair in 0..contacts.pair_count() + 3 {
                assert!(contacts.get(pair).is_none());
                contacts.translate(pair, 1.0);
                contacts.apply_normal_impulse(pair, 1.0);
                contacts.apply_impulse(pair, Vec3::X);
            }
            ImpulseResponse.respond(contacts);
        }
    }

    let settings = Settings { gravity: Vec3::ZERO, ..Settings::default() };
    let parts = Parts::new().response(Pushes);
    let mut simulator = Simulator::with_parts(settings, Config::PUBLISHED, parts).unwrap();
    let ball = BodyDef::dynamic(sphere(0.5), 1.0);
    let ball = simulator.insert_body(ball).unwrap();
    let sensor = BodyDef::fixed(sphere(0.5)).sensor(true);
    simulator.insert_body(sensor).unwrap();
    simulator.step();
    assert_eq!(velocity(&simulator, ball), Vec3::ZERO);
}

#[test]
fn snapshot_in_memory_keeps_the_parts() {
    let mut simulator = furnished(Config::PUBLISHED, own());
    steps(&mut simulator, 40);
    let snapshot = simulator.snapshot();
    let mut copy = Simulator::from_snapshot(&snapshot);
    let mut other = room(Config::PUBLISHED);
    other.restore(&snapshot);
    for _ in 0..40 {
        simulator.step();
        copy.step();
        other.step();
        assert_eq!(simulator.state_hash(), copy.state_hash());
        assert_eq!(simulator.state_hash(), other.state_hash());
    }
}

#[test]
fn bytes_of_a_simulation_with_own_parts_are_read_with_these_parts_alone() {
    let mut simulator = furnished(Config::PUBLISHED, own());
    steps(&mut simulator, 40);
    let bytes = simulator.snapshot().to_bytes();
    let error = Snapshot::from_bytes(&bytes).unwrap_err();
    assert_eq!(error, SnapshotError::UserPart { part: "broad phase" });
    assert!(error.to_string().contains("its own broad phase"), "{error}");
    let some = Parts::new().broad_phase(Careless::default()).integrator(RungeKutta4);
    let error = Snapshot::from_bytes_with_parts(&bytes, &some).unwrap_err();
    assert_eq!(error, SnapshotError::UserPart { part: "contact response" });
    let snapshot = Snapshot::from_bytes_with_parts(&bytes, &own()).unwrap();
    let mut other = Simulator::from_snapshot(&snapshot);
    for _ in 0..40 {
        simulator.step();
        other.step();
        assert_eq!(simulator.state_hash(), other.state_hash());
    }
    // Parts that the simulation did not have are not used.
    let bytes = room(Config::PUBLISHED).snapshot().to_bytes();
    let snapshot = Snapshot::from_bytes_with_parts(&bytes, &own()).unwrap();
    assert_eq!(Simulator::from_snapshot(&snapshot).parts.bits(), 0);
}
