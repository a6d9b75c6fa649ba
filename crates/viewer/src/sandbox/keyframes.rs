//! Keyframes: stored states from which earlier steps are recomputed.
//!
//! They are dense around the current step and sparser away from it, so that a step back is cheap
//! everywhere. Guarantee: all keyframes together hold at most [`MAX_BODIES`] bodies, or there are
//! two: the first and the newest.

use std::sync::Arc;

use embate_scene::scene_world::SceneSnapshot;

use super::mouse_drag::Pull;
use super::scene_instance::{SceneInstance, SceneNames};

/// Steps between keyframes where they are densest: a step back recomputes half of them on average.
const INTERVAL: u32 = 4;
/// A body in a heap takes about 2 KB in a frame, with what it touches: all frames together at most
/// about 80 MB.
pub(super) const MAX_BODIES: usize = 40_000;
/// The first keyframe, and the one just stored, which its caller may need at once.
const MIN_KEYFRAMES: usize = 2;

/// The world after a step.
#[derive(Clone, Debug)]
pub(super) struct Keyframe {
    pub(super) step: u32,
    /// How many actions had been done.
    pub(super) done: usize,
    pub(super) pull: Option<Pull>,
    snapshot: Arc<SceneSnapshot>,
    names: SceneNames,
    since: f64,
}

impl Keyframe {
    pub(super) fn of(scene: &SceneInstance, step: u32, done: usize, pull: Option<Pull>) -> Self {
        let snapshot = Arc::new(scene.world.snapshot());
        Self { step, done, pull, snapshot, names: scene.names(), since: scene.since }
    }

    pub(super) fn restore_into(&self, scene: &mut SceneInstance) {
        scene.world.restore(&self.snapshot);
        scene.set_names(&self.names);
        scene.since = self.since;
    }

    pub(super) fn text(&self) -> String {
        self.names.document.text()
    }

    pub(super) fn has_document_of(&self, scene: &SceneInstance) -> bool {
        Arc::ptr_eq(&self.names.document, &scene.document)
    }

    /// A body that gets another shape gets another id.
    pub(super) fn has_bodies_of(&self, scene: &SceneInstance) -> bool {
        Arc::ptr_eq(&self.names.ids, &scene.ids)
    }

    fn key(&self) -> (u32, usize) {
        (self.step, self.done)
    }

    fn bodies(&self) -> usize {
        self.names.document.bodies.len().max(1)
    }
}

/// Keyframes sorted by step and number of applied actions; the first is of step 0 and stays.
#[derive(Clone, Debug, Default)]
pub(super) struct Keyframes {
    keyframes: Vec<Keyframe>,
    /// In all of them.
    bodies: usize,
}

impl Keyframes {
    /// Whether a frame of this step is worth its room.
    pub(super) fn wants(&self, step: u32, done: usize) -> bool {
        step.is_multiple_of(INTERVAL) && !self.has(step, done)
    }

    pub(super) fn has(&self, step: u32, done: usize) -> bool {
        self.keyframes.binary_search_by_key(&(step, done), Keyframe::key).is_ok()
    }

    /// Stores a keyframe; if there is no room, removes those first that are least useful near step
    /// `here`.
    pub(super) fn keep(&mut self, frame: Keyframe, here: u32) {
        let newest = frame.key();
        let Err(index) = self.keyframes.binary_search_by_key(&newest, Keyframe::key) else {
            return;
        };
        self.bodies += frame.bodies();
        self.keyframes.insert(index, frame);
        while self.bodies > MAX_BODIES && self.keyframes.len() > MIN_KEYFRAMES {
            let removed = self.keyframes.remove(self.least_missed(here, newest));
            self.bodies -= removed.bodies();
        }
    }

    /// The gap that it would leave, against how far away it is; never the first, nor the newest.
    fn least_missed(&self, here: u32, newest: (u32, usize)) -> usize {
        let missed = |index: usize| {
            let before = self.keyframes[index - 1].step;
            let after = self
                .keyframes
                .get(index + 1)
                .map_or(self.keyframes[index].step + INTERVAL, |it| it.step);
            let far = self.keyframes[index].step.abs_diff(here) + INTERVAL;
            f64::from(after - before) / f64::from(far)
        };
        let others =
            (1..self.keyframes.len()).filter(|&index| self.keyframes[index].key() != newest);
        others.min_by(|&a, &b| missed(a).total_cmp(&missed(b))).unwrap_or(1)
    }

    /// The world as it was opened, before anything was done to it.
    pub(super) fn first(&self) -> &Keyframe {
        &self.keyframes[0]
    }

    /// The last one that is not after this step.
    pub(super) fn before(&self, step: u32) -> &Keyframe {
        let after = self.keyframes.partition_point(|frame| frame.step <= step);
        // There is always one of step 0.
        &self.keyframes[after.max(1) - 1]
    }

    /// The one of this step, before the action of this number was done.
    pub(super) fn of(&self, step: u32, done: usize) -> Option<&Keyframe> {
        let index = self.keyframes.binary_search_by_key(&(step, done), Keyframe::key).ok()?;
        Some(&self.keyframes[index])
    }

    /// Removes keyframes that depend on more than the first `same` actions, or lie after the step
    /// of the next action.
    pub(super) fn forget(&mut self, same: usize, next: Option<u32>) {
        let end = next.unwrap_or(u32::MAX);
        self.keyframes
            .retain(|frame| frame.done < same || (frame.done == same && frame.step <= end));
        self.bodies = self.keyframes.iter().map(Keyframe::bodies).sum();
    }

    #[cfg(test)]
    pub(super) fn steps(&self) -> Vec<u32> {
        self.keyframes.iter().map(|frame| frame.step).collect()
    }

    #[cfg(test)]
    pub(super) fn bodies(&self) -> usize {
        self.bodies
    }
}
