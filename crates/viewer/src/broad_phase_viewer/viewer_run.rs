//! Viewer run: one world, moved and searched frame by frame.

use embate::broad_phase::{AabbSlice, center_variances};
use embate_studies::moving_worlds::search_log::SearchLog;

use super::advice::{Advice, advice};
use super::frame_state::FrameState;
use super::group_boxes::group_boxes;
use super::impact_events::{Impact, impacts_of_frame};
use super::inspection::Inspection;
use super::limits::FieldErrors;
use super::object_levels::{extent, levels_of};
use super::pair_tracker::{PairTracker, partners};
use super::parameters::Parameters;
use super::pick::object_at;
use super::search::{Search, cell_sizes, search_with_log};
use super::search_overlay::{overlay_cells, tested_partners};

/// A world in motion, and a technique that watches it.
///
/// A frame is [`advance`](Self::advance), [`detect`](Self::detect), [`settle`](Self::settle), in
/// this order; numbers are those of the last frame that settled. The first frame, number 0, is the
/// world as it begins: it is searched like every other, and counts towards no sum.
///
/// ```
/// use embate_viewer::broad_phase_viewer::ViewerRun;
///
/// let mut run = ViewerRun::new(
///     r#"{"width":960,"height":540,"objects":600,"bounds":"aabb","minSize":6,"maxSize":16,
///         "minSpeed":20,"maxSpeed":80,"technique":"auto","cellSize":0,"seed":1}"#,
/// )?;
/// for _ in 0..3 {
///     run.advance();
///     run.detect();
///     run.settle();
/// }
/// assert_eq!((run.frame(), run.totals().frames), (3, 3));
/// assert!(run.pairs() > 0 && run.missed() == 0);
/// # Ok::<(), embate_viewer::broad_phase_viewer::FieldErrors>(())
/// ```
#[derive(Debug)]
pub struct ViewerRun {
    parameters: Parameters,
    state: FrameState,
    search: Search,
    pair_tracker: PairTracker,
    frame: u64,
    phase: Phase,
    /// Of this frame alone.
    log: SearchLog,
    totals: FrameTotals,
    impacts: Vec<Impact>,
    /// Of the last look.
    cells: Vec<[f32; 4]>,
    groups: Vec<[f32; 4]>,
    levels: Vec<u8>,
}

/// Sweep of the last search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweep {
    /// Axis, from 0.
    pub axis: usize,
    /// Variance of the centers along each axis.
    pub variances: [f64; 2],
}

/// Totals over the frames since the start, or since the technique was changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameTotals {
    /// Frames that settled.
    pub frames: u64,
    /// Pairs of objects tested against each other.
    pub tests: u64,
    /// Places in cells, tiles or nodes that held an object; 0 where a technique has none.
    pub places: u64,
    /// Overlapping pairs found.
    pub pairs: u64,
    /// Overlapping pairs missed.
    pub missed: u64,
}

/// How far the frame has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Moved,
    Detected,
    Settled,
}

impl ViewerRun {
    /// The world of these parameters, given as [JSON](Parameters::read), before its first frame.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub fn new(json: &str) -> Result<Self, FieldErrors> {
        Parameters::read(json).map(Self::of)
    }

    fn of(parameters: Parameters) -> Self {
        let state = FrameState::new(&parameters);
        let mut run = Self {
            search: Search::new(&parameters, &state),
            parameters,
            state,
            pair_tracker: PairTracker::default(),
            frame: 0,
            phase: Phase::Moved,
            log: SearchLog::default(),
            totals: FrameTotals::default(),
            impacts: Vec::new(),
            cells: Vec::new(),
            groups: Vec::new(),
            levels: Vec::new(),
        };
        run.warm_up();
        run
    }

    /// Continues the same world with another technique; totals restart at 0. A cell size of 0 lets
    /// the technique choose.
    ///
    /// # Errors
    /// [`FieldErrors`]; the run is unchanged.
    pub fn change(&mut self, technique: &str, cell_size: f64) -> Result<(), FieldErrors> {
        self.parameters = self.parameters.with_technique(technique, cell_size)?;
        self.search = Search::new(&self.parameters, &self.state);
        self.totals = FrameTotals::default();
        self.state.forget_previous();
        self.pair_tracker.reset();
        self.warm_up();
        Ok(())
    }

    /// Before a technique counts it sees the world once, as in a study: what reserves memory or
    /// learns from the frame before is then as it is in every later frame.
    fn warm_up(&mut self) {
        self.detect();
        self.finish(true);
    }

    /// Moves everything by one frame, 1/60 s.
    pub fn advance(&mut self) {
        self.state.step(self.phase != Phase::Moved);
        self.frame += 1;
        self.phase = Phase::Moved;
        self.pair_tracker.begin_frame();
    }

    /// Finds the pairs: exactly what a study times.
    pub fn detect(&mut self) {
        self.pair_tracker.found.clear();
        self.log = SearchLog::default();
        let log = self.search.counted.is_none().then_some(&mut self.log);
        self.search.timed.find(&self.state.frame(), &mut self.pair_tracker.found, log);
        self.phase = Phase::Detected;
    }

    /// Counts what the search did, looks for pairs that it missed, and adds to the sums. Does
    /// nothing unless pairs were found since the last time.
    pub fn settle(&mut self) {
        if self.phase == Phase::Detected {
            self.finish(false);
            self.totals.frames += 1;
            self.totals.tests += self.tests();
            self.totals.places += self.log.counts.cell_entries;
            self.totals.pairs += self.pair_tracker.found.len() as u64;
            self.totals.missed += self.pair_tracker.missed.len() as u64;
        }
    }

    fn finish(&mut self, is_first: bool) {
        let Self { search, pair_tracker, state, .. } = self;
        let frame = state.frame();
        // What the others find is of no use here, but its memory is.
        if let Some(counted) = &mut search.counted {
            pair_tracker.truth.clear();
            counted.find(&frame, &mut pair_tracker.truth, Some(&mut self.log));
        }
        if let Some(reference) = &mut search.reference {
            pair_tracker.truth.clear();
            reference.find(&frame, &mut pair_tracker.truth, None);
        }
        pair_tracker.settle(&state.object_rects, search.reference.is_some(), is_first);
        if is_first {
            self.impacts.clear();
        } else {
            impacts_of_frame(state, &pair_tracker.began, &mut self.impacts);
        }
        self.phase = Phase::Settled;
    }

    /// Frames since the start.
    #[must_use]
    pub fn frame(&self) -> u64 {
        self.frame
    }

    /// Number of objects.
    #[must_use]
    pub fn objects(&self) -> u32 {
        self.parameters.objects
    }

    /// Pairs tested against each other in this frame.
    #[must_use]
    pub fn tests(&self) -> u64 {
        self.log.counts.overlap_tests
    }

    /// Overlapping pairs that the technique found.
    #[must_use]
    pub fn pairs(&self) -> u32 {
        self.pair_tracker.found.len() as u32
    }

    /// Overlapping pairs that it did not find, as another technique says; 0 where none [says
    /// so](Self::has_reference).
    #[must_use]
    pub fn missed(&self) -> u32 {
        self.pair_tracker.missed.len() as u32
    }

    /// Whether another technique finds the pairs that this one missed: always, except for the sweep
    /// of more than 10,000 objects, which is faster than any other technique.
    #[must_use]
    pub fn has_reference(&self) -> bool {
        self.search.reference.is_some()
    }

    /// Objects with at least one partner that the technique found.
    #[must_use]
    pub fn touching(&self) -> u32 {
        self.pair_tracker.touching
    }

    /// Bytes that the technique holds between frames.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.search.timed.bytes()
    }

    /// Totals since the start, or since the technique was changed.
    #[must_use]
    pub fn totals(&self) -> FrameTotals {
        self.totals
    }

    /// Least corner and size of every object; a circle's size is its diameter, twice.
    #[must_use]
    pub fn object_rects(&self) -> &[[[f32; 2]; 2]] {
        &self.state.object_rects
    }

    /// A byte for every object: bit 0 if it touches another, bit 1 if it is in a pair that was
    /// missed.
    #[must_use]
    pub fn flags(&self) -> &[u8] {
        &self.pair_tracker.flags
    }

    /// Pairs found now and not in the frame before, at most 32, then walls that were met, at most
    /// 32: where from left to right, how large (the edge of a square; of two objects the geometric
    /// mean), the impulse of elastic bodies as heavy as their areas, and 1 for a wall, 0 for a
    /// pair.
    #[must_use]
    pub fn impacts(&self) -> &[[f32; 4]] {
        &self.impacts
    }

    /// Recommended technique for the current state.
    #[must_use]
    pub fn advice(&self) -> Advice {
        advice(&self.state.boxes(), if self.parameters.max_speed > 0.0 { 1.0 } else { 0.0 })
    }

    /// Searches once more and notes the cells, tiles or nodes that are looked into; nothing else
    /// changes.
    pub fn log_cells(&mut self) {
        self.cells.clear();
        if self.parameters.technique == self.parameters.technique.own_brute_force() {
            // It has no cells, and would take longer than all others to say so.
            return;
        }
        let Parameters { width, height, .. } = self.parameters;
        self.cells =
            overlay_cells(&search_with_log(&self.parameters, &self.state, None).0, [width, height]);
    }

    /// The cells of the last [`log_cells`](Self::log_cells), as far as they lie in the world: least
    /// and greatest corner of each, at most 20,000.
    #[must_use]
    pub fn cells(&self) -> &[[f32; 4]] {
        &self.cells
    }

    /// Groups the objects by the pairs found in this frame.
    pub fn log_groups(&mut self) {
        self.groups = group_boxes(&self.state.object_rects, &self.pair_tracker.found);
    }

    /// The groups of the last [`log_groups`](Self::log_groups): least and greatest corner of each
    /// of two objects or more.
    #[must_use]
    pub fn groups(&self) -> &[[f32; 4]] {
        &self.groups
    }

    /// Searches once more with an octree and notes the level of the cell that lists each object.
    /// Other techniques have no levels.
    pub fn log_levels(&mut self) {
        self.levels = if self.parameters.technique.has_levels() {
            let sizes = cell_sizes(&self.parameters, &self.state);
            levels_of(extent(&self.state.boxes()), &sizes)
        } else {
            Vec::new()
        };
    }

    /// Level of each object at the last [`log_levels`](Self::log_levels), 0 for the root; empty
    /// for techniques without levels.
    #[must_use]
    pub fn levels(&self) -> &[u8] {
        &self.levels
    }

    /// The axis that the last search swept, with the variances; `None` for other techniques.
    #[must_use]
    pub fn sweep(&self) -> Option<Sweep> {
        let axis = self.search.timed.sweep_axis()?;
        let variances = center_variances(AabbSlice::new(&self.state.boxes()).ok()?);
        Some(Sweep { axis, variances })
    }

    /// The search of one object, by searching once more; `None` if there is no such object.
    #[must_use]
    pub fn inspect(&self, object: u32) -> Option<Inspection> {
        let [[x, y], size] = *self.state.object_rects.get(object as usize)?;
        let (view, _) = search_with_log(&self.parameters, &self.state, Some(object));
        let (tested_others, tested) = tested_partners(&view, self.objects());
        Some(Inspection {
            object,
            bounds: [x, y, size[0], size[1]],
            cells: overlay_cells(&view, [self.parameters.width, self.parameters.height]),
            tested,
            tested_others,
            tested_count: view.tested.len() as u64,
            touching: partners(&self.pair_tracker.found, object),
            missed: partners(&self.pair_tracker.missed, object),
        })
    }

    /// The smallest object under a point, or else the nearest within `reach`.
    #[must_use]
    pub fn object_at(&self, point: [f32; 2], reach: f32) -> Option<u32> {
        object_at(&self.state.object_rects, self.parameters.bounds, point, reach)
    }
}

#[cfg(test)]
mod tests;
