//! Which impact of a sub-step comes next?
//!
//! A queue by time; of equal times, in the order of the touches. An impact changes when those meet that touch the same
//! bodies, and these alone are asked again: a hundred balls on a floor bounce without asking each other.

use core::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::bodies::Bodies;
use super::prepare::Constraint;

/// Impacts of one touch in a sub-step, at most: a ball that comes to rest would bounce for ever. The last one
/// lets the bodies part just fast enough to be back at the end of the sub-step.
const IMPACTS: u8 = 16;
/// Times that a touch is found anew on the way to an impact: each brings two digits of its time.
pub(super) const LOOKS: u8 = 4;

/// A touch and its next impact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// When, in seconds of the sub-step; infinite if not in this one.
    pub(super) at: f64,
    /// Impacts that it may still have.
    pub(super) left: u8,
    /// Times that the touch may still be found anew before its next impact, or before another one changes how its
    /// bodies move.
    pub(super) looks: u8,
}

/// An entry of the queue. One whose time is no longer that of its touch is passed over.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Next {
    at: f64,
    number: usize,
}

impl Eq for Next {}

impl Ord for Next {
    fn cmp(&self, other: &Self) -> Ordering {
        self.at.total_cmp(&other.at).then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for Next {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The next impact of every touch.
#[derive(Debug)]
pub(super) struct Meetings {
    all: Vec<Meeting>,
    queue: BinaryHeap<Reverse<Next>>,
    /// Bodies that impacts move, each with its touches; sorted.
    of_body: Vec<(usize, usize)>,
}

impl Meetings {
    pub(super) fn new(
        bodies: &Bodies,
        touches: &[Constraint],
        when: impl Fn(&Constraint) -> f64,
    ) -> Self {
        let all: Vec<Meeting> = touches
            .iter()
            .map(|touch| Meeting { at: when(touch), left: IMPACTS, looks: LOOKS })
            .collect();
        let entry = |(number, meeting): (usize, &Meeting)| Reverse(Next { at: meeting.at, number });
        let queue = all.iter().enumerate().map(entry).collect();
        let places = touches
            .iter()
            .enumerate()
            .flat_map(|(number, touch)| touch.bodies.into_iter().map(move |place| (place, number)));
        let mut of_body: Vec<_> = places.filter(|&(place, _)| bodies.is_moved(place)).collect();
        of_body.sort_unstable();
        Self { all, queue, of_body }
    }

    /// The touch that meets first, of those that still may.
    pub(super) fn first(&mut self) -> Option<(usize, Meeting)> {
        while let Some(Reverse(Next { at, number })) = self.queue.peek() {
            let meeting = self.all[*number];
            if meeting.left > 0 && meeting.at.to_bits() == at.to_bits() {
                return Some((*number, meeting));
            }
            self.queue.pop();
        }
        None
    }

    /// It meets at another time, and may be looked at so many times until then.
    pub(super) fn put_off(&mut self, number: usize, at: f64, looks: u8) {
        let meeting = &mut self.all[number];
        let known = meeting.at.to_bits() == at.to_bits();
        (meeting.at, meeting.looks) = (at, looks);
        if !known {
            self.queue.push(Reverse(Next { at, number }));
        }
    }

    /// It has met.
    pub(super) fn met(&mut self, number: usize) {
        self.all[number].left -= 1;
    }

    /// Touches of the bodies that an impact moves, itself among them.
    pub(super) fn changed_by(&self, number: usize, touches: &[Constraint]) -> Vec<usize> {
        let [a, b] = touches[number].bodies.map(|place| {
            let from = self.of_body.partition_point(|entry| entry.0 < place);
            let of_place = self.of_body[from..].iter().take_while(move |entry| entry.0 == place);
            of_place.map(|&(_, number)| number)
        });
        a.chain(b).collect()
    }
}
