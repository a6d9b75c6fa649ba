//! By which method does a world go on?

use crate::pairs::{
    AnyPairFinder, Boxes, Pair, PairFinder, PairObserver, PairTechnique, SortSweep, SweepAxis,
};

/// How touches are found and answered.
///
/// ```
/// use embate::{motion::{Broad, Method, Resolve, Settings, World}, pairs::PairTechnique};
///
/// let method = Method::Study {
///     broad: Broad::Technique(PairTechnique::Grid),
///     resolve: Resolve::Impulse,
///     tolerance: 0.0,
/// };
/// let world = World::new(Settings { method, ..Settings::default() })?;
/// assert_eq!(world.settings().method.name(), "study");
/// # Ok::<(), embate::motion::InvalidSettings>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Method {
    /// Ours: soft contacts in sub-steps, with friction, stacks that stand, and sleep.
    #[default]
    Soft,
    /// For worlds in which nothing is lost: impacts one after the other, each at its instant, every one with
    /// the energy that its restitution leaves. No friction, no resting, no sleep.
    Elastic,
    /// The chain of study B (Lasch): move, find near pairs, test them, resolve them one by one. Bodies do not
    /// turn.
    Study {
        /// What finds pairs among the moving bodies. The still ones are in an octree beside it.
        broad: Broad,
        /// What is done about two bodies that touch.
        resolve: Resolve,
        /// Bodies this near count as touching, in metres.
        tolerance: f32,
    },
}

impl Method {
    /// Study B's chain as it describes it: sort and sweep, impulses, no tolerance.
    pub const STUDY: Self = Self::Study {
        broad: Broad::SortSweep(SweepAxis::LargestVariance),
        resolve: Resolve::Impulse,
        tolerance: 0.0,
    };

    /// The name used in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Soft => "soft",
            Self::Elastic => "elastic",
            Self::Study { .. } => "study",
        }
    }
}

/// What finds near pairs in the study's chain.
///
/// ```
/// use embate::motion::Broad;
///
/// for broad in Broad::ALL {
///     assert_eq!(Broad::from_name(broad.name()), Some(broad));
/// }
/// assert_eq!(Broad::from_name("magic"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broad {
    /// One of ours.
    Technique(PairTechnique),
    /// The study's sort and sweep.
    SortSweep(SweepAxis),
}

impl Broad {
    /// Every one, but for `auto`, which is one of these.
    pub const ALL: [Self; 9] = [
        Self::Technique(PairTechnique::Brute),
        Self::SortSweep(SweepAxis::Fixed(0)),
        Self::SortSweep(SweepAxis::Fixed(1)),
        Self::SortSweep(SweepAxis::Fixed(2)),
        Self::SortSweep(SweepAxis::LargestVariance),
        Self::Technique(PairTechnique::Sweep),
        Self::Technique(PairTechnique::Tree),
        Self::Technique(PairTechnique::Grid),
        Self::Technique(PairTechnique::Octree),
    ];

    /// The name used in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Technique(technique) => technique.name(),
            Self::SortSweep(SweepAxis::Fixed(0)) => "sweep-x",
            Self::SortSweep(SweepAxis::Fixed(1)) => "sweep-y",
            Self::SortSweep(SweepAxis::Fixed(_)) => "sweep-z",
            Self::SortSweep(SweepAxis::LargestVariance) => "sweep-variance",
        }
    }

    /// The one of this name, or `auto`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let auto = Self::Technique(PairTechnique::Auto);
        Self::ALL.into_iter().chain([auto]).find(|broad| broad.name() == name)
    }

    /// A finder of this kind for so many boxes.
    pub(super) fn finder(self, boxes: usize) -> Finder {
        match self {
            Self::Technique(technique) => Finder::Ours(technique.finder(boxes)),
            Self::SortSweep(axis) => Finder::SortSweep(SortSweep::new(axis)),
        }
    }
}

/// What is done about two bodies that touch, in the study's chain.
///
/// ```
/// use embate::motion::Resolve;
///
/// assert_eq!(Resolve::from_name("positions"), Some(Resolve::Positions));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Resolve {
    /// They are moved apart, by the shortest way, and keep their velocities.
    Positions,
    /// They are moved apart and get the impulse of a collision.
    Impulse,
}

impl Resolve {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Positions, Self::Impulse];

    /// The name used in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Positions => "positions",
            Self::Impulse => "impulse",
        }
    }

    /// The one of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|resolve| resolve.name() == name)
    }
}

/// A broad phase at work.
#[derive(Clone, Debug)]
pub(super) enum Finder {
    Ours(AnyPairFinder<3>),
    SortSweep(SortSweep),
}

impl Finder {
    /// Appends every overlapping pair.
    pub(super) fn find(&mut self, boxes: Boxes<'_, 3>, pairs: &mut Vec<Pair>) {
        match self {
            Self::Ours(finder) => finder.find(boxes, pairs),
            Self::SortSweep(finder) => finder.find(boxes, pairs),
        }
    }

    /// The same, counted.
    pub(super) fn find_observed<O: PairObserver>(
        &mut self,
        boxes: Boxes<'_, 3>,
        pairs: &mut Vec<Pair>,
        observer: &mut O,
    ) {
        match self {
            Self::Ours(finder) => finder.find_observed(boxes, pairs, observer),
            Self::SortSweep(finder) => finder.find_observed(boxes, pairs, observer),
        }
    }
}
