//! Whose touches end, begin or are looked at again when somebody changes the world?
//!
//! Promise: those that the change concerns, and no others. All others keep what held them, tell nothing, and sleep on.

use super::events::Event;
use super::islands;
use super::touches::NearPair;
use super::world::World;
use crate::pairs::Pair;

impl World {
    /// Wakes a body and all that it touches, or nearly; what only watches disturbs nobody.
    pub(super) fn wake_neighbours(&mut self, place: usize) {
        let mine = |pair: &&NearPair| !pair.sensor && pair.bodies.contains(&(place as u32));
        let near = self.touches.present().filter(mine).flat_map(|pair| pair.bodies);
        let woken: Vec<usize> = near.map(|place| place as usize).chain([place]).collect();
        islands::wake_bodies(&mut self.bodies, woken);
    }

    /// All touches of a body are looked at in the next step, even if both sleep or stand still.
    pub(super) fn look_again(&mut self, place: usize) {
        let pairs = self.touches.pairs.iter_mut();
        for pair in pairs.filter(|pair| pair.bodies.contains(&(place as u32))) {
            pair.anew = true;
        }
    }

    /// Ends all pairs of a body that is about to go; what it touched wakes.
    pub(super) fn let_go(&mut self, place: usize) {
        let (mut woken, ended) = (vec![place], &mut self.ended);
        self.touches.let_go(place as u32, |pair| {
            if pair.touching {
                ended.push(Event::Ended { bodies: pair.ids, sensor: pair.sensor });
            }
            if !pair.sensor {
                woken.extend(pair.bodies.map(|place| place as usize));
            }
        });
        islands::wake_bodies(&mut self.bodies, woken);
    }

    /// Ends pairs; told are those that touched.
    pub(super) fn part(&mut self, goes: impl Fn(&NearPair) -> bool) {
        let ended = &mut self.ended;
        self.touches.pairs.retain(|pair| {
            let goes = goes(pair);
            if goes && pair.touching {
                ended.push(Event::Ended { bodies: pair.ids, sensor: pair.sensor });
            }
            !goes
        });
    }

    /// Ends the pair of two bodies, if there is one.
    pub(super) fn keep_apart(&mut self, pair: Pair) {
        if let Ok(number) = self.touches.find(pair) {
            let pair = self.touches.pairs.remove(number);
            if pair.touching {
                self.ended.push(Event::Ended { bodies: pair.ids, sensor: pair.sensor });
            }
        }
    }

    /// Two bodies that did not touch for some reason may do so from now on, if they are near each other.
    pub(super) fn meet(&mut self, places: [usize; 2]) {
        let [a, b] = places.map(|place| place as u32);
        let pair = [a.min(b), a.max(b)];
        if self.broad.are_near(places)
            && let Err(place) = self.touches.find(pair)
            && let Some(near) = NearPair::of(&self.bodies, pair)
        {
            self.touches.pairs.insert(place, near);
        }
    }

    /// A body touches others than before: ends the pairs that may no longer be, and begins those that may.
    pub(super) fn choose_again(&mut self, place: usize) {
        let mine = |pair: &NearPair| pair.bodies.contains(&(place as u32));
        let refused: Vec<_> = self
            .touches
            .pairs
            .iter()
            .filter(|pair| mine(pair) && NearPair::of(&self.bodies, pair.bodies).is_none())
            .map(|pair| pair.bodies)
            .collect();
        for &other in refused.iter().flatten() {
            islands::wake_body(&mut self.bodies, other as usize);
        }
        self.part(|pair| refused.binary_search(&pair.bodies).is_ok());
        for other in 0..self.bodies.natures.len() {
            if other != place && self.bodies.lives(other) {
                self.meet([place, other]);
            }
        }
    }
}
