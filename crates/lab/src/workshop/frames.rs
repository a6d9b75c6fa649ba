//! How does the world go back without beginning anew? Some of its states are kept on the way.
//!
//! They lie dense around the step that is looked at and ever thinner away from it, so that the next step back costs
//! little wherever one is. Promise: all frames together hold no more bodies than [`MOST_BODIES`], or are two: the first
//! and the newest.

use std::sync::Arc;

use embate::dynamics::{BodyId, JointId};

use super::document::Document;
use super::hand::Pull;
use super::live::Live;
use crate::scene_world::SceneSnapshot;

/// Frames are so many steps apart, where they are densest: going back computes half of them in the mean.
const GAP: u32 = 4;
/// A body in a heap takes about 2 KB in a frame, with what it touches: all frames together at most about 80 MB.
pub(super) const MOST_BODIES: usize = 40_000;
/// The first, and the one that was just kept: whoever kept it may need it at once.
const LEAST_FRAMES: usize = 2;

/// The world after a step.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) step: u32,
    /// How many actions had been done.
    pub(super) done: usize,
    pub(super) pull: Option<Pull>,
    snapshot: Arc<SceneSnapshot>,
    words: Arc<Document>,
    ids: Arc<Vec<BodyId>>,
    joints: Arc<Vec<JointId>>,
    since: f64,
}

impl Frame {
    pub(super) fn of(live: &Live, step: u32, done: usize, pull: Option<Pull>) -> Self {
        let snapshot = Arc::new(live.world.snapshot());
        let (words, ids, joints) = live.names();
        Self { step, done, pull, snapshot, words, ids, joints, since: live.since }
    }

    pub(super) fn put_into(&self, live: &mut Live) {
        live.world.restore(&self.snapshot);
        live.words = Arc::clone(&self.words);
        live.ids = Arc::clone(&self.ids);
        live.joints = Arc::clone(&self.joints);
        live.since = self.since;
    }

    pub(super) fn text(&self) -> String {
        self.words.text()
    }

    pub(super) fn live_words_are(&self, live: &Live) -> bool {
        Arc::ptr_eq(&self.words, &live.words)
    }

    /// A body that gets another shape gets another id.
    pub(super) fn live_bodies_are(&self, live: &Live) -> bool {
        Arc::ptr_eq(&self.ids, &live.ids)
    }

    fn key(&self) -> (u32, usize) {
        (self.step, self.done)
    }

    fn bodies(&self) -> usize {
        self.words.bodies.len().max(1)
    }
}

/// Frames in the order of their steps, and of what was done before them; the first is of step 0 and never goes.
#[derive(Clone, Debug, Default)]
pub(super) struct Frames {
    kept: Vec<Frame>,
    /// In all of them.
    bodies: usize,
}

impl Frames {
    /// Whether a frame of this step is worth its room.
    pub(super) fn wants(&self, step: u32, done: usize) -> bool {
        step.is_multiple_of(GAP) && !self.has(step, done)
    }

    pub(super) fn has(&self, step: u32, done: usize) -> bool {
        self.kept.binary_search_by_key(&(step, done), Frame::key).is_ok()
    }

    /// Keeps it; others go if there is no room, those first that are missed least by whoever is `here`.
    pub(super) fn keep(&mut self, frame: Frame, here: u32) {
        let newest = frame.key();
        let Err(place) = self.kept.binary_search_by_key(&newest, Frame::key) else { return };
        self.bodies += frame.bodies();
        self.kept.insert(place, frame);
        while self.bodies > MOST_BODIES && self.kept.len() > LEAST_FRAMES {
            let gone = self.kept.remove(self.least_missed(here, newest));
            self.bodies -= gone.bodies();
        }
    }

    /// The gap that it would leave, against how far away it is; never the first, nor the newest.
    fn least_missed(&self, here: u32, newest: (u32, usize)) -> usize {
        let missed = |place: usize| {
            let before = self.kept[place - 1].step;
            let after = self.kept.get(place + 1).map_or(self.kept[place].step + GAP, |it| it.step);
            let far = self.kept[place].step.abs_diff(here) + GAP;
            f64::from(after - before) / f64::from(far)
        };
        let others = (1..self.kept.len()).filter(|&place| self.kept[place].key() != newest);
        others.min_by(|&a, &b| missed(a).total_cmp(&missed(b))).unwrap_or(1)
    }

    /// The world as it was opened, before anything was done to it.
    pub(super) fn first(&self) -> &Frame {
        &self.kept[0]
    }

    /// The last one that is not after this step.
    pub(super) fn before(&self, step: u32) -> &Frame {
        let after = self.kept.partition_point(|frame| frame.step <= step);
        // There is always one of step 0.
        &self.kept[after.max(1) - 1]
    }

    /// The one of this step, before the action of this number was done.
    pub(super) fn of(&self, step: u32, done: usize) -> Option<&Frame> {
        let place = self.kept.binary_search_by_key(&(step, done), Frame::key).ok()?;
        Some(&self.kept[place])
    }

    /// What followed from more than the first `same` actions is so no longer; nor is what comes after the step at
    /// which the next one is done now.
    pub(super) fn forget(&mut self, same: usize, next: Option<u32>) {
        let end = next.unwrap_or(u32::MAX);
        self.kept.retain(|frame| frame.done < same || (frame.done == same && frame.step <= end));
        self.bodies = self.kept.iter().map(Frame::bodies).sum();
    }

    #[cfg(test)]
    pub(super) fn steps(&self) -> Vec<u32> {
        self.kept.iter().map(|frame| frame.step).collect()
    }

    #[cfg(test)]
    pub(super) fn bodies(&self) -> usize {
        self.bodies
    }
}
