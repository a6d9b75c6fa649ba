//! Run-time choice of the broad phase, by name or by the number of boxes.

use crate::broad_phase::{
    AabbSlice, BroadPhase, BroadPhaseObserver, BruteForceBroadPhase, DynamicBvh, HierarchicalGrid,
    OctreeBroadPhase, OctreeConfig, OverlapPair, SweepAndPrune, SweepAxis, TiledSweepAndPrune,
};

/// Below this many boxes [`BruteForceBroadPhase`] is the fastest: sorting costs more than the tests
/// it saves.
/// Measured in 2D and 3D.
#[doc(alias = "BRUTE_BELOW")]
pub const BRUTE_FORCE_MAX: usize = 250;

/// From this many boxes on [`BroadPhaseKind::TiledSweep`] uses tiles; below, it sorts along one
/// axis. Measured: both cost the same at about 100 boxes, in 2D and 3D.
const TILED_SWEEP_MIN_BOXES: usize = 100;

/// The structures by name. [`ALL`](Self::ALL) is the list that front ends show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "PairTechnique")]
pub enum BroadPhaseKind {
    /// [`BruteForceBroadPhase`] below [`BRUTE_FORCE_MAX`] boxes, else [`TiledSweepAndPrune`], which
    /// was the fastest in every scene measured.
    Auto,
    /// [`BruteForceBroadPhase`].
    BruteForce,
    /// [`SweepAndPrune`] below 100 boxes, else [`TiledSweepAndPrune`].
    TiledSweep,
    /// [`DynamicBvh`], rebuilt every frame.
    Bvh,
    /// [`HierarchicalGrid`].
    Grid,
    /// [`OctreeBroadPhase`].
    Octree,
}

impl BroadPhaseKind {
    /// Every structure; `Auto` selects one of these.
    pub const ALL: [Self; 5] =
        [Self::BruteForce, Self::TiledSweep, Self::Bvh, Self::Grid, Self::Octree];

    /// The name used in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::BruteForce => "brute",
            Self::TiledSweep => "sweep",
            Self::Bvh => "tree",
            Self::Grid => "grid",
            Self::Octree => "octree",
        }
    }

    /// The kind of this [`name`](Self::name), including `auto`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().chain([Self::Auto]).find(|kind| kind.name() == name)
    }

    /// A broad phase of this kind, suited to `boxes` boxes.
    #[must_use]
    #[doc(alias = "finder")]
    pub fn create<const D: usize>(self, boxes: usize) -> AnyBroadPhase<D> {
        match self {
            Self::Auto if boxes < BRUTE_FORCE_MAX => {
                AnyBroadPhase::BruteForce(BruteForceBroadPhase::new())
            }
            Self::BruteForce => AnyBroadPhase::BruteForce(BruteForceBroadPhase::new()),
            Self::TiledSweep if boxes < TILED_SWEEP_MIN_BOXES => {
                AnyBroadPhase::SweepAndPrune(SweepAndPrune::new(SweepAxis::LargestVariance))
            }
            Self::TiledSweep | Self::Auto => AnyBroadPhase::TiledSweep(TiledSweepAndPrune::new()),
            Self::Bvh => AnyBroadPhase::Bvh(DynamicBvh::new()),
            Self::Grid => AnyBroadPhase::Grid(HierarchicalGrid::new()),
            Self::Octree => {
                AnyBroadPhase::Octree(OctreeBroadPhase::new(OctreeConfig::default().looseness))
            }
        }
    }
}

/// Any of the structures, chosen at run time by [`BroadPhaseKind::create`].
#[derive(Clone, Debug)]
#[doc(alias = "AnyPairFinder")]
pub enum AnyBroadPhase<const D: usize> {
    /// All pairs, eight at a time.
    BruteForce(BruteForceBroadPhase<D>),
    /// Sort and sweep along one axis.
    SweepAndPrune(SweepAndPrune),
    /// Sweep and prune within tiles.
    TiledSweep(TiledSweepAndPrune<D>),
    /// Bounding volume hierarchy.
    Bvh(DynamicBvh<D>),
    /// Hierarchical grid.
    Grid(HierarchicalGrid<D>),
    /// Loose octree or quadtree.
    Octree(OctreeBroadPhase<D>),
}

impl<const D: usize> BroadPhase<D> for AnyBroadPhase<D> {
    fn find_pairs_observed<O: BroadPhaseObserver>(
        &mut self,
        boxes: AabbSlice<'_, D>,
        pairs: &mut Vec<OverlapPair>,
        observer: &mut O,
    ) {
        match self {
            Self::BruteForce(inner) => inner.find_pairs_observed(boxes, pairs, observer),
            Self::SweepAndPrune(inner) => inner.find_pairs_observed(boxes, pairs, observer),
            Self::TiledSweep(inner) => inner.find_pairs_observed(boxes, pairs, observer),
            Self::Bvh(inner) => inner.find_pairs_observed(boxes, pairs, observer),
            Self::Grid(inner) => inner.find_pairs_observed(boxes, pairs, observer),
            Self::Octree(inner) => inner.find_pairs_observed(boxes, pairs, observer),
        }
    }

    // Forwarded as well: the tiled sweep uses threads only without an observer.
    fn find_pairs(&mut self, boxes: AabbSlice<'_, D>, pairs: &mut Vec<OverlapPair>) {
        match self {
            Self::BruteForce(inner) => inner.find_pairs(boxes, pairs),
            Self::SweepAndPrune(inner) => inner.find_pairs(boxes, pairs),
            Self::TiledSweep(inner) => inner.find_pairs(boxes, pairs),
            Self::Bvh(inner) => inner.find_pairs(boxes, pairs),
            Self::Grid(inner) => inner.find_pairs(boxes, pairs),
            Self::Octree(inner) => inner.find_pairs(boxes, pairs),
        }
    }

    fn memory_usage(&self) -> usize {
        match self {
            Self::BruteForce(inner) => inner.memory_usage(),
            Self::SweepAndPrune(inner) => BroadPhase::<D>::memory_usage(inner),
            Self::TiledSweep(inner) => inner.memory_usage(),
            Self::Bvh(inner) => inner.memory_usage(),
            Self::Grid(inner) => inner.memory_usage(),
            Self::Octree(inner) => inner.memory_usage(),
        }
    }
}
