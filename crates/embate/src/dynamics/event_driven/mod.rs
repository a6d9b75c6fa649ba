//! What happens in a world in which nothing is lost?
//!
//! Nothing but flights and impacts, one after the other, each at its own instant. Each sub-step looks anew for
//! who may meet, then goes from impact to impact:
//!
//! ```text
//! gap of a point   g(t) = g₀ + v·t + ½·a·t²        the first t with g = 0 and g' < 0, over all touches
//! impact there     impulses λ ≥ 0 along the normal, for all points that touch at that instant
//! elastic ones     scaled by s = −2 p·v / p·Kp, so that kinetic energy is kept to rounding, however well the
//!                  points of the touch agree with each other
//! ```
//!
//! Flights are exact parabolas and free turns keep their momentum, so that the whole world keeps its energy.
//! There is no friction, nothing is pushed apart, and nothing comes to rest.

use embate_geom::{Vec3, scalar};

use super::arrive::arrive;
use super::bodies::Bodies;
use super::instant::{Scene, touch_at};
use super::integrate::{self, Flight, turned};
use super::jump::Jump;
use super::meetings::{LOOKS, Meeting, Meetings};
use super::prepare::{Constraint, Point, prepare};
use super::report::{Laps, Stage, StepReport};
use super::settings::Settings;
use super::world::World;
use crate::contacts::MAX_POINTS;

/// Rounds over the points of one impact, at most: four corners of a box agree to rounding by then.
const ROUNDS: usize = 64;
/// The share of a sub-step within which two times are one.
const SAME_INSTANT: f64 = 1e-4;
/// Points this near to each other when others touch touch as well, in metres.
const TOGETHER: f64 = 1e-5;

impl World {
    /// One step of flights and impacts.
    pub(super) fn go_on_elastically(&mut self, time_step: f32) {
        let mut laps = Laps::start(self.clock);
        let h = time_step / self.settings.substeps as f32;
        let pushes = self.bodies.pushes.clone();
        let (mut pairs, mut contacts) = (0, 0);
        for substep in 0..self.settings.substeps {
            if substep > 0 {
                self.bodies.pushes.clone_from(&pushes);
            }
            self.list_awake();
            self.find_touches(h, &mut laps);
            (pairs, contacts) = (pairs + self.report.pairs, contacts + self.report.contacts);
            self.get_ready();
            laps.lap(Stage::Resolve);
            let Self { bodies, awake, flights, settings, bouncy, touches, .. } = self;
            integrate::push(bodies, awake, flights, settings.gravity, h);
            laps.lap(Stage::Moving);
            let scene = Scene { pairs: &touches.pairs, flights, margin: settings.margin(), h };
            meet(bodies, bouncy, &scene);
            laps.lap(Stage::Resolve);
            integrate::take_off(bodies, awake, flights);
            integrate::go(bodies, awake, flights, settings, h);
            for met in &self.bouncy {
                let pair = &mut self.touches.pairs[met.pair as usize];
                let touch = &mut pair.touches[met.touch as usize];
                for (memory, point) in touch.points.iter_mut().zip(&met.points) {
                    memory.total = point.total;
                }
            }
            self.hold_back(h);
            self.tell_events();
            laps.lap(Stage::Resolve);
            let Settings { max_speed, threads, .. } = self.settings;
            arrive(&mut self.bodies, &self.awake, max_speed, None, threads as usize);
            laps.lap(Stage::Moving);
        }
        self.report = StepReport { pairs, contacts, ..StepReport::default() };
        laps.lap(Stage::Resolve);
        self.report.seconds = laps.seconds;
    }

    fn get_ready(&mut self) {
        self.flights.clear();
        self.flights.resize(self.bodies.natures.len(), Flight::default());
        self.bouncy.clear();
        let margin = self.settings.margin();
        for (number, pair) in (0..).zip(&self.touches.pairs) {
            if pair.sensor {
                continue;
            }
            for touch in (0..).zip(&pair.touches) {
                self.bouncy.push(prepare(&self.bodies, margin, (number, pair), touch));
            }
        }
    }
}

/// All impacts of a sub-step, in the order in which they happen; of equal times, in that of the touches.
fn meet(bodies: &mut Bodies, touches: &mut [Constraint], scene: &Scene<'_>) {
    let &Scene { flights, h, .. } = scene;
    let mut since = vec![0.0_f64; bodies.natures.len()];
    let when = |bodies: &Bodies, touch: &Constraint, since: &[f64]| {
        let [a, b] = touch.bodies;
        next_impact(
            bodies,
            touch,
            flights,
            h,
            if since[a] > since[b] { since[a] } else { since[b] },
        )
    };
    let mut meetings = Meetings::new(bodies, touches, |touch| when(bodies, touch, &since));
    while let Some((number, Meeting { at, left, looks, .. })) = meetings.first() {
        if at > f64::from(h) {
            return;
        }
        if looks > 0 {
            // As it is there and then, it may come a little later, or not at all.
            let looks = looks - 1;
            let Some(now) = touch_at(bodies, &touches[number], scene, at as f32) else {
                // They are not near each other then. Later they may be.
                let later = 0.5 * (at + f64::from(h));
                meetings.put_off(number, if looks > 0 { later } else { f64::INFINITY }, looks);
                continue;
            };
            touches[number] = now;
            let again = when(bodies, &touches[number], &since);
            if (again - at).abs() > SAME_INSTANT * f64::from(h) {
                meetings.put_off(number, again, looks);
                continue;
            }
        }
        let last = if left == 1 { f64::from(h) - at } else { 0.0 };
        impact(bodies, &mut touches[number], flights, h, (at, last));
        meetings.met(number);
        // What nothing moves takes part in many impacts, and is changed by none.
        for place in touches[number].bodies {
            if bodies.is_moved(place) {
                since[place] = at;
            }
        }
        for other in meetings.changed_by(number, touches) {
            let at = when(bodies, &touches[other], &since);
            meetings.put_off(other, at, LOOKS);
        }
    }
}

/// How a point of a touch closes: its gap when the sub-step began, its speed then, and what the speed gains.
#[derive(Clone, Copy)]
struct Closing {
    gap: f64,
    speed: f64,
    gain: f64,
}

impl Closing {
    fn of(bodies: &Bodies, touch: &Constraint, point: &Point, flights: &[Flight], h: f32) -> Self {
        let [a, b] = touch.bodies;
        let (one, other) = (&bodies.motions[a], &bodies.motions[b]);
        let along = |a: Vec3, b: Vec3| f64::from(touch.normal.dot(b - a));
        let about = |a: Vec3, b: Vec3| f64::from(point.turn_b.dot(b) - point.turn_a.dot(a));
        let gained = along(flights[a].gained, flights[b].gained);
        let end = along(one.velocity, other.velocity) + about(one.spin, other.spin);
        Self {
            gap: f64::from(point.gap)
                + along(one.moved, other.moved)
                + about(one.turned, other.turned),
            speed: end - gained,
            gain: gained / f64::from(h),
        }
    }

    fn gap_at(&self, time: f64) -> f64 {
        self.gap + time * (self.speed + 0.5 * self.gain * time)
    }

    fn speed_at(&self, time: f64) -> f64 {
        self.speed + self.gain * time
    }

    /// The first time from `since` on at which the gap closes; infinite if never.
    fn closes(&self, since: f64) -> f64 {
        let (gap, speed) = (self.gap_at(since), self.speed_at(since));
        if gap <= 0.0 && (speed < 0.0 || speed == 0.0 && self.gain < 0.0) {
            return since;
        }
        // gap + speed·t + ½ gain·t² = 0, downwards: the root with 2c / (−b + √…), which loses nothing.
        let inside = speed * speed - 2.0 * self.gain * gap;
        if inside < 0.0 {
            // Never open, or never out of the other: then as soon as it turns back.
            let turns = gap <= 0.0 && self.gain < 0.0;
            return if turns { since - speed / self.gain } else { f64::INFINITY };
        }
        let root = inside.sqrt();
        let time = if gap > 0.0 {
            2.0 * gap / (root - speed)
        } else if self.gain < 0.0 {
            (-speed - root) / self.gain
        } else {
            return f64::INFINITY;
        };
        if time >= 0.0 { since + time } else { f64::INFINITY }
    }
}

fn next_impact(bodies: &Bodies, touch: &Constraint, flights: &[Flight], h: f32, since: f64) -> f64 {
    let mut first = f64::INFINITY;
    for point in &touch.points[..touch.count] {
        let at = Closing::of(bodies, touch, point, flights, h).closes(since);
        first = if at < first { at } else { first };
    }
    first
}

/// Lets a touch bounce at this time of the sub-step, and part for the rest of it, if that is to be.
fn impact(
    bodies: &mut Bodies,
    touch: &mut Constraint,
    flights: &[Flight],
    h: f32,
    (at, parted_for): (f64, f64),
) {
    let restitution = touch.material.restitution;
    let (mut speeds, mut missing) = ([None; MAX_POINTS], [None; MAX_POINTS]);
    for (index, point) in touch.points[..touch.count].iter().enumerate() {
        let closing = Closing::of(bodies, touch, point, flights, h);
        if closing.gap_at(at) <= TOGETHER {
            let speed = closing.speed_at(at) as f32;
            let back = (-0.5 * closing.gain * parted_for) as f32;
            speeds[index] = Some(speed);
            missing[index] = Some(scalar::max(-restitution * speed, back) - speed);
        }
    }
    let (mut jump, mut impulses) = Jump::that_parts(bodies, touch, &missing, ROUNDS);
    if restitution == 1.0 && parted_for == 0.0 {
        let scale = keeping_energy(&jump, touch, &impulses, &speeds);
        jump.velocity = jump.velocity.map(|velocity| velocity * scale);
        jump.spin = jump.spin.map(|spin| spin * scale);
        impulses = impulses.map(|impulse| impulse * scale);
    }
    for (point, impulse) in touch.points.iter_mut().zip(impulses) {
        point.total += impulse;
    }
    for side in 0..2 {
        let place = touch.bodies[side];
        let back = -(at as f32);
        let motion = &mut bodies.motions[place];
        motion.velocity += jump.velocity[side];
        motion.spin += jump.spin[side];
        motion.moved += jump.velocity[side] * back;
        motion.turned += jump.spin[side] * back;
        // A body that tumbles is left as it is turned: its momentum is that of this turn.
        if jump.spin[side] != Vec3::ZERO && bodies.nature(place).mass.even {
            let rotation = &mut bodies.places[place].rotation;
            *rotation = turned(*rotation, jump.spin[side] * back);
        }
    }
}

/// By what to multiply impulses so that they change no kinetic energy: with p·v the power that they have
/// against the motion before, and p·Kp twice the energy of what they add.
fn keeping_energy(
    jump: &Jump,
    touch: &Constraint,
    impulses: &[f32; MAX_POINTS],
    speeds: &[Option<f32>; MAX_POINTS],
) -> f32 {
    let (mut taken, mut given) = (0.0_f64, 0.0_f64);
    for (index, point) in touch.points[..touch.count].iter().enumerate() {
        let impulse = f64::from(impulses[index]);
        taken += impulse * f64::from(speeds[index].unwrap_or(0.0));
        given += impulse * f64::from(jump.parting(touch.normal, point));
    }
    let scale = -2.0 * taken / given;
    // No impulse at all gives 0 / 0.
    if scale.is_finite() && scale > 0.0 { scale as f32 } else { 1.0 }
}
