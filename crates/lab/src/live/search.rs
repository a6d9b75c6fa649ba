//! Who looks for pairs, who counts, and who judges?

use core::fmt;

use embate::broad_phase::{BroadPhaseKind, BroadPhaseStats};

use super::now::Now;
use super::parameters::Parameters;
use crate::studies::broad::broad2d::plan::detector;
use crate::studies::broad::detector::Detector;
use crate::studies::broad::measure::Contestant;
use crate::studies::broad::notes::{Notes, Sight};
use embate_studies::structure::PairStructure;

/// Objects up to which the sweep is judged too: twice the study's most, a few milliseconds of the tree.
const MOST_JUDGED: u32 = 10_000;

/// The technique at work, and what stands beside it.
pub(super) struct Search {
    pub(super) timed: Box<dyn Detector<2>>,
    /// Does the same and counts, where counting would slow the first one down.
    pub(super) watched: Option<Box<dyn Detector<2>>>,
    /// Says what there is to find, if somebody does.
    pub(super) judge: Option<Box<dyn Detector<2>>>,
}

impl Search {
    pub(super) fn new(parameters: &Parameters, now: &Now) -> Self {
        let timed = of_parameters(parameters, now);
        let watched = (!timed.counts_for_free()).then(|| of_parameters(parameters, now));
        let judge = judge_of(parameters).map(|technique| {
            let technique = PairStructure::Engine(technique);
            detector(&Contestant { technique, cell_size: None }, &parameters.scene(), &now.world)
        });
        Self { timed, watched, judge }
    }
}

impl fmt::Debug for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search").finish_non_exhaustive()
    }
}

/// The search of this frame once more, by somebody who knows what the technique knew before it. Looks at
/// all cells, or at one object; the counts are those of the first time.
pub(super) fn search_again(
    parameters: &Parameters,
    now: &Now,
    object: Option<u32>,
) -> (Sight, BroadPhaseStats) {
    let mut again = of_parameters(parameters, now);
    let mut pairs = Vec::new();
    if let Some(before) = now.frame_before().filter(|_| parameters.technique.is_stateful()) {
        again.find(&before, &mut pairs, None);
        pairs.clear();
    }
    let sight = Some(Sight { object, ..Sight::default() });
    let mut notes = Notes { sight, ..Notes::default() };
    again.find(&now.frame(), &mut pairs, Some(&mut notes));
    (notes.sight.unwrap_or_default(), notes.counts)
}

fn of_parameters(parameters: &Parameters, now: &Now) -> Box<dyn Detector<2>> {
    let Parameters { technique, .. } = *parameters;
    let contestant = Contestant { technique, cell_size: parameters.chosen_cell() };
    detector(&contestant, &parameters.scene(), &now.world)
}

/// Who says what there is to find. The sweep takes the least time, and the contracts hold it against brute
/// force; where it searches itself, another way of searching judges, as long as that does not cost more than
/// the search.
fn judge_of(parameters: &Parameters) -> Option<BroadPhaseKind> {
    use BroadPhaseKind::{Auto, Bvh, TiledSweep};
    match parameters.technique {
        PairStructure::Engine(Auto | TiledSweep) => {
            (parameters.objects <= MOST_JUDGED).then_some(Bvh)
        }
        _ => Some(TiledSweep),
    }
}
