//! One step of the world: see the drawing in the module's page.

use super::body::{InvalidBody, check_number};
use super::events::{self, Event};
use super::integrate::{self, Flight};
use super::prepare::{StepRules, prepare};
use super::{bounce, fast, islands, solve, world::World};

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
        self.events.clear();
        self.events.append(&mut self.ended);
        self.list_awake();
        self.find_touches(time_step);
        let rules = StepRules::new(&self.settings, time_step);
        self.prepare();
        for _ in 0..self.settings.substeps {
            self.substep(&rules);
        }
        for constraint in &self.constraints {
            let pair = &mut self.touches.pairs[constraint.pair as usize];
            constraint.store(&mut pair.touches[constraint.touch as usize]);
        }
        fast::hold_back(&mut self.bodies, &self.awake, &self.touches.pairs);
        integrate::arrive(&mut self.bodies, &self.awake);
        self.tell_events();
        if self.settings.sleeping {
            islands::calm_down(&mut self.bodies, &self.awake, time_step);
            islands::fall_asleep(&mut self.bodies, &self.touches, &self.awake);
        }
        self.time += f64::from(time_step);
    }

    fn list_awake(&mut self) {
        self.awake.clear();
        self.awake.extend(self.bodies.awake().map(|place| place as u32));
    }

    fn find_touches(&mut self, time_step: f32) {
        let margin = self.settings.margin();
        self.broad.follow(&self.bodies, &self.awake, margin, time_step);
        let (begun, ended) = self.broad.update();
        let events = &mut self.events;
        self.touches.change(&self.bodies, begun, ended, |pair| {
            events.push(Event::Ended { bodies: pair.ids, sensor: pair.sensor });
        });
        self.touches.collide(&self.bodies, margin, time_step);
        if islands::wake_touched(&mut self.bodies, &self.touches) {
            self.list_awake();
        }
    }

    fn prepare(&mut self) {
        self.flights.clear();
        self.flights.resize(self.bodies.natures.len(), Flight::default());
        self.constraints.clear();
        self.bouncy.clear();
        let margin = self.settings.margin();
        for (number, pair) in (0..).zip(&self.touches.pairs) {
            let awake = pair.bodies.iter().any(|&place| self.bodies.is_awake(place as usize));
            if pair.sensor || !awake {
                continue;
            }
            for (index, touch) in (0..).zip(&pair.touches) {
                if pair.material.restitution > 0.0 {
                    self.bouncy.push(self.constraints.len() as u32);
                }
                let touch = (index, touch);
                self.constraints.push(prepare(&self.bodies, margin, (number, pair), touch));
            }
        }
    }

    fn substep(&mut self, rules: &StepRules) {
        let Self { bodies, constraints, awake, flights, settings, .. } = self;
        integrate::push(bodies, awake, flights, settings.gravity, rules.h);
        bounce::bounce(bodies, constraints, &self.bouncy, flights, rules);
        integrate::take_off(bodies, awake, flights);
        solve::warm_start(bodies, constraints);
        for _ in 0..solve::SWEEPS {
            solve::push_apart(bodies, constraints, rules);
        }
        integrate::go(bodies, awake, flights, settings, rules.h);
        for _ in 0..solve::SWEEPS {
            solve::relax(bodies, constraints, rules);
        }
        solve::sum_up(constraints);
    }

    fn tell_events(&mut self) {
        let bodies = &self.bodies;
        let looked_at = self
            .touches
            .pairs
            .iter_mut()
            .filter(|pair| pair.bodies.iter().any(|&place| bodies.is_awake(place as usize)));
        let Self { settings, events, .. } = self;
        events::tell(looked_at, settings.slop, settings.hit_speed, events);
    }
}
