//! Integrators: energy and phase error of three motions with a closed form, by time step.
//!
//! ```text
//! flight        thrown ball under gravity                       parabola
//! spring        body on a spring, period 1 s                    sine
//! orbit         ellipse of eccentricity 0.2, period 1 s, 1/r²   Kepler's equation
//! ```
//!
//! Time steps are powers of two, so that f32 holds them exactly and all runs end at the same time.

use std::f64::consts::{PI, TAU};

use embate::Vec3;
use embate::dynamics::{BodyDef, BodyId, Settings};
use embate::shapes::Sphere;
use embate_replica::lasch::{AppliedForce, AppliedForces, Config, ForceLaw, IntegratorKind};
use embate_scene::scene_world::{Method, SceneWorld};

use super::row::Row;
use super::stages::Sums;
use crate::runner::run_context::RunContext;

const VALID: &str = "the study's worlds are valid";

/// Steps per second, ascending by factors of two.
pub(super) const RATES: [u32; 6] = [16, 32, 64, 128, 256, 512];
/// Simulated seconds: two periods of the spring and of the orbit.
const SECONDS: u32 = 2;
/// Time at which positions are compared, in s: early, so that the errors of all methods are still
/// proportional to a power of the time step, and in no special place of a period.
const CHECKED_AT: f64 = 0.375;
/// Mass of the body, in kg.
const MASS: f32 = 2.0;
/// Initial velocity of the free flight, in m/s.
const THROW: Vec3 = Vec3::new(3.0, 8.0, 0.0);
/// Distance of the body from the anchor or from the center at the start, in m.
const START: f32 = 0.8;
/// Eccentricity of the orbit.
const ECCENTRICITY: f64 = 0.2;
/// Multiple of the estimated rounding error above which an error is one of the method.
const ABOVE_ROUNDING: f64 = 8.0;

/// A motion with a closed form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Motion {
    FreeFlight,
    Spring,
    Orbit,
}

/// Position in the plane of the motion, in m, and velocity, in m/s.
type State = ([f64; 2], [f64; 2]);

impl Motion {
    pub(super) const ALL: [Self; 3] = [Self::FreeFlight, Self::Spring, Self::Orbit];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::FreeFlight => "flight",
            Self::Spring => "spring",
            Self::Orbit => "orbit",
        }
    }

    /// Whether the motion repeats.
    pub(super) fn is_periodic(self) -> bool {
        self != Self::FreeFlight
    }

    fn gravity(self) -> Vec3 {
        if self == Self::FreeFlight { Vec3::Y * -9.81 } else { Vec3::ZERO }
    }

    fn velocity(self) -> Vec3 {
        // At the periapsis, by the vis-viva equation, with the semi-major axis START / (1 − e).
        let a = f64::from(START) / (1.0 - ECCENTRICITY);
        let periapsis = (strength() * (2.0 / f64::from(START) - 1.0 / a)).sqrt();
        match self {
            Self::FreeFlight => THROW,
            Self::Spring => Vec3::ZERO,
            Self::Orbit => Vec3::Y * periapsis as f32,
        }
    }

    fn law(self) -> Option<ForceLaw> {
        match self {
            Self::FreeFlight => None,
            Self::Spring => {
                let stiffness = MASS * (TAU * TAU) as f32;
                Some(ForceLaw::Spring { anchor: Vec3::ZERO, stiffness, damping: 0.0 })
            }
            Self::Orbit => {
                let strength = MASS * strength() as f32;
                Some(ForceLaw::Central { center: Vec3::ZERO, strength })
            }
        }
    }

    /// The motion in closed form, by the f32 numbers of the scene.
    fn exact(self, time: f64) -> State {
        let start = f64::from(START);
        let [vx, vy] = [self.velocity().x, self.velocity().y].map(f64::from);
        match self {
            Self::FreeFlight => {
                let g = f64::from(self.gravity().y);
                ([start + vx * time, vy * time + 0.5 * g * time * time], [vx, vy + g * time])
            }
            Self::Spring => {
                let omega = (f64::from(MASS * (TAU * TAU) as f32) / f64::from(MASS)).sqrt();
                let (sine, cosine) = libm::sincos(omega * time);
                ([start * cosine, 0.0], [-start * omega * sine, 0.0])
            }
            Self::Orbit => kepler(start, vy, time),
        }
    }

    /// Phase by which a state is ahead of the closed form, in s: along the path in free flight, by
    /// the angle in the phase plane of the spring, by the polar angle of the orbit. Periodic
    /// motions have a period of 1 s; a phase is then within half of it.
    fn phase_error(self, (position, velocity): State, time: f64) -> f64 {
        let (exact, speed) = self.exact(time);
        let angle = |[x, y]: [f64; 2]| libm::atan2(y, x);
        // Clockwise in the phase plane, since x′ = v.
        let phase = |x: f64, v: f64| -libm::atan2(v / TAU, x);
        match self {
            Self::FreeFlight => {
                let off = [position[0] - exact[0], position[1] - exact[1]];
                (off[0] * speed[0] + off[1] * speed[1]) / (speed[0].powi(2) + speed[1].powi(2))
            }
            Self::Spring => wrapped(phase(position[0], velocity[0]) - phase(exact[0], speed[0])),
            Self::Orbit => wrapped(angle(position) - angle(exact)),
        }
    }

    /// Estimated rounding error of the compared position, in m: a random walk of the last bit of a
    /// position, as a velocity that acts for the rest of the time or of a radian.
    fn rounding(self, rate: u32) -> f64 {
        let steps = CHECKED_AT * f64::from(rate);
        let (size, seconds) = if self.is_periodic() { (1.0, 1.0 / TAU) } else { (4.0, CHECKED_AT) };
        0.5 * f64::from(f32::EPSILON) * size * steps.sqrt() * seconds * f64::from(rate)
    }
}

/// Gravitational parameter of the orbit, in m³/s²: a semi-major axis of 1 m has a period of 1 s.
fn strength() -> f64 {
    TAU * TAU
}

/// An angle as a share of a turn, from −1/2 to 1/2.
fn wrapped(angle: f64) -> f64 {
    let turns = angle / TAU;
    turns - libm::round(turns)
}

/// Kepler orbit from a periapsis at `x = start` with velocity `vy` along y.
fn kepler(start: f64, vy: f64, time: f64) -> State {
    let mu = f64::from(MASS * strength() as f32) / f64::from(MASS);
    let a = 1.0 / (2.0 / start - vy * vy / mu);
    let (e, n) = (1.0 - start / a, (mu / (a * a * a)).sqrt());
    let mean = (n * time) % TAU;
    let mut eccentric = if mean > PI { mean - e } else { mean + e };
    // Newton's method; converges quadratically for an eccentricity of 0.2.
    for _ in 0..8 {
        let (sine, cosine) = libm::sincos(eccentric);
        eccentric -= (eccentric - e * sine - mean) / (1.0 - e * cosine);
    }
    let (sine, cosine) = libm::sincos(eccentric);
    let b = a * (1.0 - e * e).sqrt();
    let rate = n / (1.0 - e * cosine);
    ([a * (cosine - e), b * sine], [-a * sine * rate, b * cosine * rate])
}

/// One motion with every integrator and time step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct IntegratorCase {
    pub(super) motion: Motion,
    pub(super) seed: u64,
}

impl IntegratorCase {
    /// Steps of all rows of an integrator.
    pub(super) fn steps() -> u64 {
        RATES.iter().map(|rate| u64::from(rate * SECONDS)).sum()
    }

    /// One row per requested integrator and time step.
    pub(super) fn rows(
        &self,
        integrators: &[IntegratorKind],
        context: &RunContext<'_>,
    ) -> Vec<Row> {
        let of = |&kind: &IntegratorKind| RATES.map(|rate| self.row(kind, rate, context));
        integrators.iter().flat_map(of).collect()
    }

    fn row(&self, integrator: IntegratorKind, rate: u32, context: &RunContext<'_>) -> Row {
        let (mut world, body) = world(self.motion, integrator, rate);
        world.set_clock(context.clock);
        let steps = rate * SECONDS;
        let at_start = world.total_energy();
        let (mut sums, mut energies) = (Sums::default(), vec![at_start]);
        let mut position_error = None;
        for _ in 0..steps {
            world.step();
            sums.add(&world);
            energies.push(world.total_energy());
            if world.time() == CHECKED_AT {
                let (found, exact) = (state(&world, body).0, self.motion.exact(CHECKED_AT).0);
                let off = [found[0] - exact[0], found[1] - exact[1]];
                position_error = Some((off[0] * off[0] + off[1] * off[1]).sqrt());
            }
            (context.on_progress)(1);
        }
        let time = f64::from(SECONDS);
        let state = state(&world, body);
        let percent = |energy: f64| 100.0 * energy / at_start.abs();
        let largest = energies.iter().map(|energy| (energy - at_start).abs()).fold(0.0, f64::max);
        Row {
            part: "integrators".to_owned(),
            case: self.motion.name().to_owned(),
            technique: integrator.name().to_owned(),
            bodies: 1,
            steps,
            seed: self.seed,
            ms: Sums::best_ms(&[&sums]),
            energy_drift_percent: Some(percent(drift(&energies, self.motion, rate))),
            time_step: Some(1.0 / f64::from(rate)),
            max_energy_error_percent: Some(percent(largest)),
            phase_error_ms: Some(1e3 * self.motion.phase_error(state, time)),
            position_error,
            ..Row::default()
        }
    }
}

/// The world of a motion: one body.
fn world(motion: Motion, integrator: IntegratorKind, rate: u32) -> (SceneWorld, BodyId) {
    let settings = Settings {
        gravity: motion.gravity(),
        time_step: 1.0 / rate as f32,
        enable_sleep: false,
        ..Settings::default()
    };
    let method = Method::Lasch(Config { integrator, ..Config::PUBLISHED });
    let mut world = SceneWorld::new(settings, method).expect(VALID);
    let body = BodyDef::dynamic(Sphere::new(0.1).expect(VALID), MASS);
    let body = body.position(Vec3::X * START).linear_velocity(motion.velocity());
    let body = world.insert_body(body).expect(VALID);
    let force = |law| AppliedForce { body, law, from: 0.0, until: f64::INFINITY };
    world.set_forces(AppliedForces::new(motion.law().into_iter().map(force).collect()));
    (world, body)
}

fn state(world: &SceneWorld, body: BodyId) -> State {
    let Some(body) = world.body(body) else { return ([f64::NAN; 2], [f64::NAN; 2]) };
    let plane = |vector: Vec3| [f64::from(vector.x), f64::from(vector.y)];
    (plane(body.center_of_mass()), plane(body.linear_velocity()))
}

/// Change of the energy, in J: from the mean of the first period to that of the last, so that the
/// swing within a period does not count; of free flight from the first step to the last.
fn drift(energies: &[f64], motion: Motion, rate: u32) -> f64 {
    let length = if motion.is_periodic() { rate as usize } else { 1 };
    let mean = |energies: &[f64]| energies.iter().sum::<f64>() / energies.len().max(1) as f64;
    mean(&energies[energies.len() - length..]) - mean(&energies[..length])
}

/// Order of convergence of the position: log₂ of the ratio of the errors of two time steps, of the
/// shortest two whose errors are above the rounding error. `None` if none are: the method is exact
/// up to rounding, or was not run.
pub(super) fn order(rows: &[Row], motion: Motion, integrator: &str) -> Option<f64> {
    let error = |rate: u32| {
        let own = rows.iter().filter(|row| row.part == "integrators");
        let mut own = own.filter(|row| row.case == motion.name() && row.technique == integrator);
        let error = own.find(|row| row.time_step == Some(1.0 / f64::from(rate)))?.position_error?;
        (error > ABOVE_ROUNDING * motion.rounding(rate)).then_some(error)
    };
    let pairs = RATES.windows(2).rev();
    let mut ratios = pairs.filter_map(|rates| Some(error(rates[0])? / error(rates[1])?));
    ratios.next().map(libm::log2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::run_context::system_clock;

    fn rows(motion: Motion) -> Vec<Row> {
        let context = RunContext { clock: system_clock, on_progress: &|_| {} };
        IntegratorCase { motion, seed: 1 }.rows(&IntegratorKind::ALL, &context)
    }

    #[test]
    fn closed_forms_begin_with_the_scene_and_conserve_energy() {
        for motion in Motion::ALL {
            let (world, body) = world(motion, IntegratorKind::Rk4, 64);
            let (position, velocity) = motion.exact(0.0);
            let start = state(&world, body);
            for axis in 0..2 {
                assert!((position[axis] - start.0[axis]).abs() < 1e-12, "{motion:?}");
                assert!((velocity[axis] - start.1[axis]).abs() < 1e-12, "{motion:?}");
            }
            assert!(motion.phase_error(start, 0.0).abs() < 1e-12);
            // By the gravity, the stiffness and the strength of the scene.
            let energy = |([x, y], [vx, vy]): State| {
                let potential = match motion {
                    Motion::FreeFlight => 9.81_f64 * y,
                    Motion::Spring => 0.5 * TAU * TAU * x * x,
                    Motion::Orbit => -TAU * TAU / (x * x + y * y).sqrt(),
                };
                0.5 * (vx * vx + vy * vy) + potential
            };
            for time in [0.1, 0.37, 0.5, 1.0, 1.9] {
                let (now, before) = (energy(motion.exact(time)), energy(start));
                assert!((now - before).abs() < 1e-5 * before.abs(), "{motion:?} {now} {before}");
            }
        }
    }

    #[test]
    fn every_integrator_converges_with_its_order() {
        for motion in Motion::ALL {
            let rows = rows(motion);
            for (kind, expected) in IntegratorKind::ALL.into_iter().zip([1.0, 1.0, 2.0, 4.0]) {
                match order(&rows, motion, kind.name()) {
                    Some(order) => {
                        assert!((order - expected).abs() < 0.3, "{motion:?} {kind:?}: {order}");
                    }
                    // A parabola is a polynomial of degree 2.
                    None => assert!(motion == Motion::FreeFlight && expected >= 2.0, "{kind:?}"),
                }
            }
        }
    }

    #[test]
    fn energy_of_periodic_motions_grows_by_explicit_euler_and_only_swings_by_symplectic_methods() {
        for motion in [Motion::Spring, Motion::Orbit] {
            for row in rows(motion) {
                let (drift, largest) =
                    (row.energy_drift_percent.unwrap(), row.max_energy_error_percent.unwrap());
                match row.technique.as_str() {
                    "explicit-euler" => assert!(drift > 0.05 * largest, "{row:?}"),
                    "rk4" => assert!(largest < 2.0, "{row:?}"),
                    // The second term is the rounding of f32.
                    _ => assert!(drift.abs() < 0.2 * largest + 0.01, "{row:?}"),
                }
            }
        }
    }
}
