//! Who looks for pairs, who counts, and who judges?

use core::fmt;

use embate::pairs::{PairCounts, PairTechnique};

use super::now::Now;
use super::parameters::Parameters;
use crate::studies::broad::Technique;
use crate::studies::broad::broad2d::plan::detector;
use crate::studies::broad::detector::Detector;
use crate::studies::broad::measure::Contestant;
use crate::studies::broad::notes::{Notes, Sight};

/// The technique at work, and what stands beside it.
pub(super) struct Search {
    pub(super) timed: Box<dyn Detector<2>>,
    /// Does the same and counts, where counting would slow the first one down.
    pub(super) watched: Option<Box<dyn Detector<2>>>,
    /// Says what there is to find, where the technique's own answer is not above doubt.
    pub(super) judge: Option<Box<dyn Detector<2>>>,
}

/// What a second look at a search brought.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    /// As many as the first time.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "only the tests hold it against the first time")
    )]
    pub(super) counts: PairCounts,
    pub(super) sight: Sight,
}

impl Search {
    pub(super) fn new(parameters: &Parameters, now: &Now) -> Self {
        let timed = of_parameters(parameters, now);
        let watched = (!timed.counts_for_free()).then(|| of_parameters(parameters, now));
        let judge = is_judged(parameters.technique).then(|| {
            let technique = Technique::Ours(PairTechnique::Auto);
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
/// all cells, or at one object.
pub(super) fn search_again(parameters: &Parameters, now: &Now, object: Option<u32>) -> Seen {
    let mut again = of_parameters(parameters, now);
    let mut pairs = Vec::new();
    if let Some(before) = now.frame_before().filter(|_| parameters.technique.remembers()) {
        again.find(&before, &mut pairs, None);
        pairs.clear();
    }
    let sight = Some(Sight { object, ..Sight::default() });
    let mut notes = Notes { sight, ..Notes::default() };
    again.find(&now.frame(), &mut pairs, Some(&mut notes));
    Seen { counts: notes.counts, sight: notes.sight.unwrap_or_default() }
}

fn of_parameters(parameters: &Parameters, now: &Now) -> Box<dyn Detector<2>> {
    let Parameters { technique, .. } = *parameters;
    let contestant = Contestant { technique, cell_size: parameters.chosen_cell() };
    detector(&contestant, &parameters.scene(), &now.world)
}

/// Brute force is the truth; the sweep is what the others are judged by, as it takes the least time, and
/// the contracts hold it against brute force.
fn is_judged(technique: Technique) -> bool {
    use PairTechnique::{Auto, Brute, Sweep};
    !matches!(technique, Technique::StudyBrute | Technique::Ours(Auto | Brute | Sweep))
}
