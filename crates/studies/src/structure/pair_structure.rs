//! Which ways of finding pairs are compared, and by what names?

use embate::pairs::{PairTechnique, SweepAxis};

/// A broad phase by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Technique {
    /// Study C's brute force; in 2D.
    StudyBrute,
    /// Study C's grid by spatial hashing; in 2D.
    StudyGrid,
    /// One of our own.
    Ours(PairTechnique),
    /// Study B's sort and sweep; in 3D.
    SortSweep(SweepAxis),
}

impl Technique {
    /// The judge of all others: what it finds are the overlapping pairs.
    pub const JUDGE: Self = Self::Ours(PairTechnique::Brute);

    /// Study B's sort and sweep as it describes it.
    pub const SWEEP_OF_STUDY: Self = Self::SortSweep(SweepAxis::LargestVariance);

    /// What is compared in 2D, in the order of the report.
    #[must_use]
    pub fn of_2d() -> Vec<Self> {
        let ours = PairTechnique::ALL.into_iter().map(Self::Ours);
        [Self::StudyBrute, Self::StudyGrid].into_iter().chain(ours).collect()
    }

    /// What is compared in 3D, in the order of the report.
    #[must_use]
    pub fn of_3d() -> Vec<Self> {
        let sweeps = (0..3).map(SweepAxis::Fixed).chain([SweepAxis::LargestVariance]);
        let ours = PairTechnique::ALL.into_iter().map(Self::Ours);
        let others = ours.filter(|technique| *technique != Self::JUDGE);
        [Self::JUDGE].into_iter().chain(sweeps.map(Self::SortSweep)).chain(others).collect()
    }

    /// The name used in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::StudyBrute => "study-brute",
            Self::StudyGrid => "study-grid",
            Self::Ours(technique) => technique.name(),
            Self::SortSweep(SweepAxis::Fixed(0)) => "sweep-x",
            Self::SortSweep(SweepAxis::Fixed(1)) => "sweep-y",
            Self::SortSweep(SweepAxis::Fixed(_)) => "sweep-z",
            Self::SortSweep(SweepAxis::LargestVariance) => "sweep-variance",
        }
    }

    /// What a user who does not choose gets. In no list: it is one of them, which one depends on the world.
    pub const AUTO: Self = Self::Ours(PairTechnique::Auto);

    /// The one of `all` with this name, or `auto`.
    #[must_use]
    pub fn from_name(name: &str, all: &[Self]) -> Option<Self> {
        all.iter().copied().chain([Self::AUTO]).find(|technique| technique.name() == name)
    }

    /// Whether the size of its cells can be chosen.
    #[must_use]
    pub fn has_cells(self) -> bool {
        matches!(self, Self::StudyGrid | Self::Ours(PairTechnique::Grid))
    }

    /// Whether what it does in a frame depends on the frame before: some sort along the axis that was best
    /// there.
    #[must_use]
    pub fn remembers(self) -> bool {
        use SweepAxis::LargestVariance;
        matches!(self, Self::SortSweep(LargestVariance) | Self::Ours(PairTechnique::Sweep))
    }

    /// The brute force that its speed is held against: a study's techniques against the study's.
    #[must_use]
    pub fn own_brute(self) -> Self {
        match self {
            Self::StudyBrute | Self::StudyGrid => Self::StudyBrute,
            Self::Ours(_) | Self::SortSweep(_) => Self::JUDGE,
        }
    }

    /// Those of `asked` in the order of `all`, then `auto`, each once.
    #[must_use]
    pub fn in_order(all: &[Self], asked: &[Self]) -> Vec<Self> {
        let every = all.iter().copied().chain([Self::AUTO]);
        every.filter(|technique| asked.contains(technique)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auto_is_measured_when_asked_for_and_only_then() {
        let all = Technique::of_2d();
        let asked = ["auto", "tree", "study-brute", "tree"];
        let asked = asked.map(|name| Technique::from_name(name, &all).expect("it is there"));
        let names: Vec<_> =
            Technique::in_order(&all, &asked).into_iter().map(Technique::name).collect();
        assert_eq!(names, ["study-brute", "tree", "auto"]);
        assert_eq!(Technique::in_order(&all, &all), all);
    }
}
