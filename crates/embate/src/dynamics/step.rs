//! One step of the world: see the drawing in the module's page.

use std::sync::Mutex;

use super::arrive::arrive;
use super::attended::attended;
use super::checks::{InvalidBody, check_number};
use super::events::{self, Event};
use super::integrate::Flight;
use super::method::Method;
use super::prepare::{StepRules, prepare};
use super::report::{Laps, Stage, StepReport};
use super::settings::Settings;
use super::threads::{open, share};
use super::{fast, islands, world::World};

/// Pairs that one thread looks at at least after a step, so that it is worth to call another.
const TELL_LEAST: usize = 256;
/// Bodies for which it is worth to keep threads awake for all of a step.
const ATTENDED_LEAST: usize = 128;

impl World {
    /// Goes on by the settings' time step.
    pub fn step(&mut self) {
        self.go_on(self.settings.time_step);
    }

    /// Goes on by so many seconds. Steps of changing length are less steady than equal ones.
    ///
    /// # Errors
    /// [`InvalidBody::Number`] if it is not between a millionth of a second and a second; the world is as
    /// before.
    pub fn step_by(&mut self, seconds: f32) -> Result<(), InvalidBody> {
        check_number("time step", seconds, 1e-6, 1.0)?;
        self.go_on(seconds);
        Ok(())
    }

    fn go_on(&mut self, time_step: f32) {
        self.touches.tidy();
        self.events.clear();
        self.events.append(&mut self.ended);
        if self.study.is_some() {
            self.go_on_as_study(time_step);
        } else if self.settings.method == Method::Elastic {
            self.go_on_elastically(time_step);
        } else {
            self.go_on_softly(time_step);
        }
        // Stable: what happened to the same two stays in its order.
        self.events.sort_by_key(|event| event.bodies().map(|id| id.index));
        self.asked.follow(&self.bodies, &self.awake);
        self.time += f64::from(time_step);
    }

    fn go_on_softly(&mut self, time_step: f32) {
        let mut laps = Laps::start(self.clock);
        self.list_awake();
        let threads =
            if self.awake.len() < ATTENDED_LEAST { 1 } else { self.settings.threads as usize };
        attended(threads, || self.go_through_stages(time_step, &mut laps));
        self.report.seconds = laps.seconds;
    }

    fn go_through_stages(&mut self, time_step: f32, laps: &mut Laps) {
        self.find_touches(time_step, laps);
        let rules = StepRules::new(&self.settings, time_step);
        self.prepare(&rules);
        let impacts = !(self.bouncy.is_empty() && self.joints.is_empty());
        self.substeps(&StepRules { impacts, ..rules }, laps);
        self.hand_back();
        self.hold_back(time_step);
        self.tell_events();
        let Settings { sleeping, max_speed, threads, .. } = self.settings;
        let calm_for = sleeping.then_some(time_step);
        arrive(&mut self.bodies, &self.awake, max_speed, calm_for, threads as usize);
        if sleeping {
            islands::fall_asleep(&mut self.bodies, &self.touches, &self.joints, &self.awake);
        }
        laps.lap(Stage::Resolve);
    }

    pub(super) fn list_awake(&mut self) {
        self.awake.clear();
        self.awake.extend(self.bodies.awake().map(|place| place as u32));
    }

    pub(super) fn find_touches(&mut self, time_step: f32, laps: &mut Laps) {
        let margin = self.settings.margin();
        let threads = self.settings.threads as usize;
        self.broad.follow(&self.bodies, &self.awake, (margin, time_step), threads);
        let (begun, ended) = self.broad.update();
        let events = &mut self.events;
        self.touches.change(&self.bodies, begun, ended, |pair| {
            events.push(Event::Ended { bodies: pair.ids, sensor: pair.sensor });
        });
        laps.lap(Stage::Broad);
        let [pairs, contacts] = self.touches.collide(&self.bodies, margin, time_step, threads);
        self.report = StepReport { pairs, contacts, ..StepReport::default() };
        laps.lap(Stage::Narrow);
        if islands::wake_touched(&mut self.bodies, &self.touches, &self.joints) {
            self.list_awake();
        }
    }

    fn prepare(&mut self, rules: &StepRules) {
        self.flights.clear();
        self.flights.resize(self.bodies.natures.len(), Flight::default());
        self.blocks.clear(&self.bodies);
        self.bouncy.clear();
        for (number, pair) in (0..).zip(&self.touches.pairs) {
            if self.blocks.place(pair) && pair.material.restitution > 0.0 {
                for touch in (0..).zip(&pair.touches) {
                    self.bouncy.push(prepare(&self.bodies, rules.margin, (number, pair), touch));
                }
            }
        }
        let threads = self.settings.threads as usize;
        self.blocks.fill(&self.bodies, &self.touches.pairs, rules, threads);
    }

    /// What held each touch, for the next step and for whoever asks.
    fn hand_back(&mut self) {
        let Self { touches, blocks, settings, .. } = self;
        share(settings.threads as usize, TELL_LEAST, &mut touches.pairs, |first, pairs| {
            for (number, pair) in (first..).zip(pairs) {
                blocks.hand_back(number, pair);
            }
        });
        for bounced in &self.bouncy {
            let pair = &mut self.touches.pairs[bounced.pair as usize];
            let touch = &mut pair.touches[bounced.touch as usize];
            for (memory, point) in touch.points.iter_mut().zip(&bounced.points) {
                memory.total += point.total;
            }
        }
    }

    /// What began, ended and hit; and who went through a sensor.
    pub(super) fn tell_events(&mut self) {
        let Self { bodies, touches, settings, events, .. } = self;
        let (margin, within) = (settings.margin(), (0.0, settings.slop));
        // Whoever is ready is the next; the end of the step puts them in order.
        let events = Mutex::new(events);
        share(settings.threads as usize, TELL_LEAST, &mut touches.pairs, |_, pairs| {
            let mut told = Vec::new();
            for pair in pairs {
                fast::pass_sensor(bodies, pair, margin);
                if pair.anew || pair.bodies.iter().any(|&place| bodies.is_awake(place as usize)) {
                    events::tell(pair, within, settings.hit_speed, &mut told);
                }
            }
            open(&events).append(&mut told);
        });
    }
}
