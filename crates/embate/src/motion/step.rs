//! One step of the world: see the drawing in the module's page.

use super::checks::{InvalidBody, check_number};
use super::events::{self, Event};
use super::integrate::{self, Flight};
use super::method::Method;
use super::prepare::{StepRules, prepare};
use super::report::{Laps, Stage, StepReport};
use super::{fast, islands, world::World};

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
        self.find_touches(time_step, &mut laps);
        let rules = StepRules::new(&self.settings, time_step);
        self.prepare(&rules);
        self.substeps(&rules, &mut laps);
        self.hand_back();
        self.hold_back(time_step);
        fast::pass_sensors(&self.bodies, &mut self.touches.pairs, self.settings.margin());
        integrate::arrive(&mut self.bodies, &self.awake, self.settings.max_speed);
        self.tell_events();
        if self.settings.sleeping {
            islands::calm_down(&mut self.bodies, &self.awake, time_step);
            islands::fall_asleep(&mut self.bodies, &self.touches, &self.joints, &self.awake);
        }
        laps.lap(Stage::Resolve);
        self.report.seconds = laps.seconds;
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
        self.touches.collide(&self.bodies, margin, time_step, threads);
        self.report = StepReport::of(&self.bodies, &self.touches);
        laps.lap(Stage::Narrow);
        if islands::wake_touched(&mut self.bodies, &self.touches, &self.joints) {
            self.list_awake();
        }
    }

    fn prepare(&mut self, rules: &StepRules) {
        self.flights.clear();
        self.flights.resize(self.bodies.natures.len(), Flight::default());
        self.blocks.clear(self.bodies.natures.len());
        self.bouncy.clear();
        for (number, pair) in (0..).zip(&self.touches.pairs) {
            let solved = pair.bodies.iter().any(|&place| self.bodies.is_solved(place as usize));
            if pair.sensor || !solved {
                continue;
            }
            for touch in (0..).zip(&pair.touches) {
                self.blocks.place(&self.bodies, pair, number, touch.0);
                if pair.material.restitution > 0.0 {
                    self.bouncy.push(prepare(&self.bodies, rules.margin, (number, pair), touch));
                }
            }
        }
        let threads = self.settings.threads as usize;
        self.blocks.fill(&self.bodies, &self.touches.pairs, rules, threads);
    }

    /// What held each touch, for the next step and for whoever asks.
    fn hand_back(&mut self) {
        for block in self.blocks.iter() {
            for lane in 0..block.lanes {
                let pair = &mut self.touches.pairs[block.pair[lane] as usize];
                block.hand_back(lane, &mut pair.touches[block.touch[lane] as usize]);
            }
        }
        for bounced in &self.bouncy {
            let pair = &mut self.touches.pairs[bounced.pair as usize];
            let touch = &mut pair.touches[bounced.touch as usize];
            for (memory, point) in touch.points.iter_mut().zip(&bounced.points) {
                memory.total += point.total;
            }
        }
    }

    pub(super) fn tell_events(&mut self) {
        let bodies = &self.bodies;
        let looked_at =
            self.touches.pairs.iter_mut().filter(|pair| {
                pair.anew || pair.bodies.iter().any(|&p| bodies.is_awake(p as usize))
            });
        let Self { settings, events, .. } = self;
        events::tell(looked_at, (0.0, settings.slop), settings.hit_speed, events);
    }
}
