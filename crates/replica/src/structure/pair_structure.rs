//! Broad-phase structures: the engine's, the sweep of Lasch, and the two of Gonçales et al. 2016.

use embate::broad_phase::{BroadPhaseKind, SweepAxis};

use crate::lasch;

/// A broad-phase structure by name.
///
/// ```
/// use embate_replica::structure::PairStructure;
///
/// let names: Vec<_> = PairStructure::all_2d().into_iter().map(PairStructure::name).collect();
/// assert_eq!(names, ["study-brute", "study-grid", "brute", "sweep", "tree", "grid", "octree"]);
/// ```
#[doc(alias = "Technique")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairStructure {
    /// [`goncales2016::brute_force`](crate::goncales2016::brute_force); 2D.
    GoncalesBruteForce,
    /// [`goncales2016::Grid`](crate::goncales2016::Grid); 2D.
    GoncalesGrid,
    /// A structure of the engine.
    Engine(BroadPhaseKind),
    /// Sort and sweep along an axis, as Lasch describes it.
    SweepAndPrune(SweepAxis),
    /// The sweep along the axis of largest variance, without the order of the frame before.
    FreshSweep,
    /// [`IncrementalBroadPhase`](embate::broad_phase::IncrementalBroadPhase).
    Incremental,
    /// The strict octree of Lasch, rebuilt in every frame.
    StrictOctree,
}

impl PairStructure {
    /// The engine's brute force: ground truth of all others.
    pub const REFERENCE: Self = Self::Engine(BroadPhaseKind::BruteForce);

    /// The engine's choice by the number of objects. In no list: it is one of the others.
    pub const AUTO: Self = Self::Engine(BroadPhaseKind::Auto);

    /// The sort and sweep of Lasch as published, along the axis of largest variance.
    pub const LASCH_SWEEP: Self = Self::SweepAndPrune(SweepAxis::LargestVariance);

    /// The structures of Gonçales et al. 2016.
    pub const GONCALES: [Self; 2] = [Self::GoncalesBruteForce, Self::GoncalesGrid];

    /// Those whose use of temporal coherence is compared: the sweep with and without the order of
    /// the frame before, the incremental broad phase, and two that rebuild in every frame.
    pub const COHERENCE: [Self; 5] = [
        Self::LASCH_SWEEP,
        Self::FreshSweep,
        Self::Incremental,
        Self::Engine(BroadPhaseKind::TiledSweep),
        Self::Engine(BroadPhaseKind::Grid),
    ];

    /// The structures compared in 2D, in the order of reports.
    #[must_use]
    pub fn all_2d() -> Vec<Self> {
        let engine = BroadPhaseKind::ALL.into_iter().map(Self::Engine);
        Self::GONCALES.into_iter().chain(engine).collect()
    }

    /// The structures compared in 3D, in the order of reports.
    #[must_use]
    pub fn all_3d() -> Vec<Self> {
        lasch::BroadPhase::ALL.into_iter().map(Self::from).collect()
    }

    /// The structures to choose from for 2D: [`all_2d`](Self::all_2d), then those of Lasch: sort and
    /// sweep along either axis or that of the largest variance, and the strict octree.
    #[must_use]
    pub fn choices_2d() -> Vec<Self> {
        let axes = [SweepAxis::Fixed(0), SweepAxis::Fixed(1), SweepAxis::LargestVariance];
        let of_lasch = axes.map(Self::SweepAndPrune).into_iter().chain([Self::StrictOctree]);
        Self::all_2d().into_iter().chain(of_lasch).collect()
    }

    /// Every structure, each once: those to choose from for 2D, then the others of 3D.
    #[must_use]
    pub fn choices() -> Vec<Self> {
        let mut choices = Self::choices_2d();
        let others = Self::all_3d().into_iter().filter(|structure| !choices.contains(structure));
        choices.extend(others.collect::<Vec<_>>());
        choices
    }

    /// The name used in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::GoncalesBruteForce => "study-brute",
            Self::GoncalesGrid => "study-grid",
            Self::Engine(kind) => kind.name(),
            Self::SweepAndPrune(axis) => lasch::BroadPhase::SweepAndPrune(axis).name(),
            Self::FreshSweep => "sweep-fresh",
            Self::Incremental => "incremental",
            Self::StrictOctree => lasch::BroadPhase::StrictOctree.name(),
        }
    }

    /// The structure of `all` with this name, or `auto`.
    #[must_use]
    pub fn from_name(name: &str, all: &[Self]) -> Option<Self> {
        all.iter().copied().chain([Self::AUTO]).find(|structure| structure.name() == name)
    }

    /// Whether its cell size can be chosen.
    #[must_use]
    pub fn has_cell_size(self) -> bool {
        matches!(self, Self::GoncalesGrid | Self::Engine(BroadPhaseKind::Grid))
    }

    /// Whether it is an octree, whose objects lie on levels.
    #[must_use]
    pub fn has_levels(self) -> bool {
        matches!(self, Self::StrictOctree | Self::Engine(BroadPhaseKind::Octree))
    }

    /// Whether this is a structure of Gonçales et al. 2016.
    #[must_use]
    pub fn is_goncales(self) -> bool {
        Self::GONCALES.contains(&self)
    }

    /// Whether its work in a frame depends on the frame before: some sort along the axis that was
    /// best there.
    #[must_use]
    pub fn is_stateful(self) -> bool {
        let engine = Self::Engine(BroadPhaseKind::TiledSweep);
        [Self::LASCH_SWEEP, Self::FreshSweep, Self::Incremental, engine].contains(&self)
    }

    /// The brute force that its speed is compared with: that of the same study, or the engine's.
    #[must_use]
    pub fn own_brute_force(self) -> Self {
        if self.is_goncales() { Self::GoncalesBruteForce } else { Self::REFERENCE }
    }

    /// The structures of `selected` in the order of `all`, then `auto`, each once.
    #[must_use]
    pub fn in_order(all: &[Self], selected: &[Self]) -> Vec<Self> {
        let every = all.iter().copied().chain([Self::AUTO]);
        every.filter(|structure| selected.contains(structure)).collect()
    }
}

impl From<lasch::BroadPhase> for PairStructure {
    fn from(broad_phase: lasch::BroadPhase) -> Self {
        match broad_phase {
            lasch::BroadPhase::Engine(kind) => Self::Engine(kind),
            lasch::BroadPhase::SweepAndPrune(axis) => Self::SweepAndPrune(axis),
            lasch::BroadPhase::StrictOctree => Self::StrictOctree,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_have_different_names() {
        let mut names: Vec<_> =
            PairStructure::choices().into_iter().map(PairStructure::name).collect();
        assert!(["sweep-x", "sweep-z", "sweep-variance"].iter().all(|name| names.contains(name)));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn auto_is_listed_only_if_selected() {
        let all = PairStructure::all_2d();
        let selected = ["auto", "tree", "study-brute", "tree"];
        let selected = selected.map(|name| PairStructure::from_name(name, &all).unwrap());
        let names: Vec<_> =
            PairStructure::in_order(&all, &selected).into_iter().map(PairStructure::name).collect();
        assert_eq!(names, ["study-brute", "tree", "auto"]);
        assert_eq!(PairStructure::in_order(&all, &all), all);
    }
}
