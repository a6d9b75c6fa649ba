//! Search: the technique, its counting copy, and its reference.

use core::fmt;

use embate::broad_phase::{BroadPhaseKind, BroadPhaseStats};
use embate_replica::structure::PairStructure;
use embate_studies::broad2d::plan::detector;
use embate_studies::moving_worlds::detector::Detector;
use embate_studies::moving_worlds::measure::Candidate;
use embate_studies::moving_worlds::search_log::{SearchLog, SearchView};

use super::frame_state::FrameState;
use super::parameters::Parameters;

/// Maximum number of objects for which the sweep is checked too: twice the maximum of the study, a
/// few milliseconds of the tree.
const MAX_REFERENCED: u32 = 10_000;

/// The selected technique, its counters and its reference.
pub(super) struct Search {
    pub(super) timed: Box<dyn Detector<2>>,
    /// The same detector with counters, if counting would slow the timed one down.
    pub(super) counted: Option<Box<dyn Detector<2>>>,
    /// Finds all pairs, if there is a reference.
    pub(super) reference: Option<Box<dyn Detector<2>>>,
}

impl Search {
    pub(super) fn new(parameters: &Parameters, state: &FrameState) -> Self {
        let timed = of_parameters(parameters, state);
        let counted = (!timed.counts_for_free()).then(|| of_parameters(parameters, state));
        let reference = reference_for(parameters).map(|technique| {
            let technique = PairStructure::Engine(technique);
            detector(&Candidate { technique, cell_size: None }, &parameters.scene(), &state.world)
        });
        Self { timed, counted, reference }
    }
}

impl fmt::Debug for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search").finish_non_exhaustive()
    }
}

/// Searches this frame again, from the state that the technique had before it, and logs all cells,
/// or one object; the counts are those of the first search.
pub(super) fn search_with_log(
    parameters: &Parameters,
    state: &FrameState,
    object: Option<u32>,
) -> (SearchView, BroadPhaseStats) {
    search_with_view(parameters, state, SearchView { object, ..SearchView::default() })
}

/// Searches this frame again, as [`search_with_log`] does, and notes the size of the cell that lists
/// each object.
pub(super) fn cell_sizes(parameters: &Parameters, state: &FrameState) -> Vec<f32> {
    let cell_sizes = Some(vec![0.0; parameters.objects as usize]);
    let view = SearchView { cell_sizes, ..SearchView::default() };
    search_with_view(parameters, state, view).0.cell_sizes.unwrap_or_default()
}

fn search_with_view(
    parameters: &Parameters,
    state: &FrameState,
    view: SearchView,
) -> (SearchView, BroadPhaseStats) {
    let mut again = of_parameters(parameters, state);
    let mut pairs = Vec::new();
    if let Some(before) = state.previous_frame().filter(|_| parameters.technique.is_stateful()) {
        again.find(&before, &mut pairs, None);
        pairs.clear();
    }
    let mut log = SearchLog { view: Some(view), ..SearchLog::default() };
    again.find(&state.frame(), &mut pairs, Some(&mut log));
    (log.view.unwrap_or_default(), log.counts)
}

fn of_parameters(parameters: &Parameters, state: &FrameState) -> Box<dyn Detector<2>> {
    let Parameters { technique, .. } = *parameters;
    let candidate = Candidate { technique, cell_size: parameters.fixed_cell_size() };
    detector(&candidate, &parameters.scene(), &state.world)
}

/// The reference of a technique. The sweep is the fastest, and the contracts compare it with brute
/// force; the reference of the sweep itself is the tree, as long as it costs no more than the sweep.
fn reference_for(parameters: &Parameters) -> Option<BroadPhaseKind> {
    use BroadPhaseKind::{Auto, Bvh, TiledSweep};
    match parameters.technique {
        PairStructure::Engine(Auto | TiledSweep) => {
            (parameters.objects <= MAX_REFERENCED).then_some(Bvh)
        }
        _ => Some(TiledSweep),
    }
}
