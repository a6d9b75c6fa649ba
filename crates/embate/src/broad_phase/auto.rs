//! Which way of finding pairs, chosen by name at run time?

use super::{
    Boxes, Brute, Grid, OctreePairs, OctreeRule, Pair, PairFinder, PairObserver, SortSweep,
    SweepAxis, TiledSweep, Tree,
};

/// Below this many boxes nothing beats testing each against each: ordering them costs more than it saves.
/// Measured in 2D and 3D.
pub const BRUTE_BELOW: usize = 250;

/// Below this many boxes a sweep sorts them plainly; above it cuts space into tiles. Measured: the two
/// cost the same at about a hundred boxes, in 2D and 3D.
const SWEEP_TILES_FROM: usize = 100;

/// Our structures by name; [`ALL`](Self::ALL) is the list that every shell shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PairTechnique {
    /// Whatever suits so many boxes: [`Brute`] for few, else [`TiledSweep`], which was the fastest on every
    /// scene measured.
    Auto,
    /// [`Brute`].
    Brute,
    /// [`SortSweep`] for few boxes, [`TiledSweep`] for many.
    Sweep,
    /// [`Tree`], built anew for every frame.
    Tree,
    /// [`Grid`].
    Grid,
    /// [`OctreePairs`].
    Octree,
}

impl PairTechnique {
    /// Every structure of ours; `Auto` is one of these.
    pub const ALL: [Self; 5] = [Self::Brute, Self::Sweep, Self::Tree, Self::Grid, Self::Octree];

    /// The name used in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Brute => "brute",
            Self::Sweep => "sweep",
            Self::Tree => "tree",
            Self::Grid => "grid",
            Self::Octree => "octree",
        }
    }

    /// The structure of this name, or `auto`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().chain([Self::Auto]).find(|technique| technique.name() == name)
    }

    /// A finder of this kind for so many boxes.
    #[must_use]
    pub fn finder<const D: usize>(self, boxes: usize) -> AnyPairFinder<D> {
        match self {
            Self::Auto if boxes < BRUTE_BELOW => AnyPairFinder::Brute(Brute::new()),
            Self::Brute => AnyPairFinder::Brute(Brute::new()),
            Self::Sweep if boxes < SWEEP_TILES_FROM => {
                AnyPairFinder::SortSweep(SortSweep::new(SweepAxis::LargestVariance))
            }
            Self::Sweep | Self::Auto => AnyPairFinder::TiledSweep(TiledSweep::new()),
            Self::Tree => AnyPairFinder::Tree(Tree::new()),
            Self::Grid => AnyPairFinder::Grid(Grid::new()),
            Self::Octree => AnyPairFinder::Octree(OctreePairs::new(OctreeRule::default().loose)),
        }
    }
}

/// Any one of the structures.
#[derive(Clone, Debug)]
pub enum AnyPairFinder<const D: usize> {
    /// Every pair.
    Brute(Brute<D>),
    /// Study B's sweep.
    SortSweep(SortSweep),
    /// Tiles, bins and lanes.
    TiledSweep(TiledSweep<D>),
    /// A hierarchy of boxes.
    Tree(Tree<D>),
    /// Cells in layers.
    Grid(Grid<D>),
    /// A tree of cells.
    Octree(OctreePairs<D>),
}

impl<const D: usize> PairFinder<D> for AnyPairFinder<D> {
    fn find_observed<O: PairObserver>(
        &mut self,
        boxes: Boxes<'_, D>,
        pairs: &mut Vec<Pair>,
        observer: &mut O,
    ) {
        match self {
            Self::Brute(finder) => finder.find_observed(boxes, pairs, observer),
            Self::SortSweep(finder) => finder.find_observed(boxes, pairs, observer),
            Self::TiledSweep(finder) => finder.find_observed(boxes, pairs, observer),
            Self::Tree(finder) => finder.find_observed(boxes, pairs, observer),
            Self::Grid(finder) => finder.find_observed(boxes, pairs, observer),
            Self::Octree(finder) => finder.find_observed(boxes, pairs, observer),
        }
    }

    // Forwarded as well: some find faster where nobody watches.
    fn find(&mut self, boxes: Boxes<'_, D>, pairs: &mut Vec<Pair>) {
        match self {
            Self::Brute(finder) => finder.find(boxes, pairs),
            Self::SortSweep(finder) => finder.find(boxes, pairs),
            Self::TiledSweep(finder) => finder.find(boxes, pairs),
            Self::Tree(finder) => finder.find(boxes, pairs),
            Self::Grid(finder) => finder.find(boxes, pairs),
            Self::Octree(finder) => finder.find(boxes, pairs),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Brute(finder) => finder.bytes(),
            Self::SortSweep(finder) => PairFinder::<D>::bytes(finder),
            Self::TiledSweep(finder) => finder.bytes(),
            Self::Tree(finder) => finder.bytes(),
            Self::Grid(finder) => finder.bytes(),
            Self::Octree(finder) => finder.bytes(),
        }
    }
}
