//! How does a technique find the pairs of one frame?

use embate::pairs::{
    AnyPairFinder, Boxes, Grid, Pair, PairFinder, PairTechnique, SortSweep, StudyGrid,
    study_brute_observed,
};
use embate::{Aabb, Ball};

use super::notes::Notes;
use super::technique::Technique;

/// Where everything is now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<'a, const D: usize> {
    /// The objects, or none if they are circles.
    pub(crate) boxes: &'a [Aabb<D>],
    /// The objects, or none if they are boxes.
    pub(crate) balls: &'a [Ball<D>],
    /// How many of the objects, the first ones, move. Pairs of which neither moves are nobody's concern.
    pub(crate) movers: u32,
}

/// Finds the pairs of frame after frame.
pub(crate) trait Detector<const D: usize> {
    /// Appends each pair once, in any order, and notes what it took if asked to.
    fn find(&mut self, frame: &Frame<'_, D>, pairs: &mut Vec<Pair>, notes: Option<&mut Notes>);

    /// Bytes held between frames.
    fn bytes(&self) -> usize;

    /// Whether counting does not slow it down.
    fn counts_for_free(&self) -> bool;
}

impl<const D: usize> Frame<'_, D> {
    pub(super) fn objects(&self) -> usize {
        self.boxes.len().max(self.balls.len())
    }
}

/// Study C's two techniques as they were published: they test boxes or circles directly.
pub(super) enum OfStudy {
    Brute,
    Grid(StudyGrid),
}

impl Detector<2> for OfStudy {
    fn find(&mut self, frame: &Frame<'_, 2>, pairs: &mut Vec<Pair>, notes: Option<&mut Notes>) {
        let are_boxes = frame.balls.is_empty();
        let mut nobodys = Notes::default();
        let notes = notes.unwrap_or(&mut nobodys);
        match self {
            Self::Brute if are_boxes => study_brute_observed(frame.boxes, pairs, notes),
            Self::Brute => study_brute_observed(frame.balls, pairs, notes),
            Self::Grid(grid) if are_boxes => grid.find_observed(frame.boxes, pairs, notes),
            Self::Grid(grid) => grid.find_observed(frame.balls, pairs, notes),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Brute => 0,
            Self::Grid(grid) => grid.bytes(),
        }
    }

    fn counts_for_free(&self) -> bool {
        true
    }
}

/// A finder of ours. Circles get a box around each, and then the exact test.
pub(super) struct Ours<F, const D: usize> {
    finder: F,
    around: Vec<Aabb<D>>,
    is_brute: bool,
}

impl<F: PairFinder<D>, const D: usize> Detector<D> for Ours<F, D> {
    fn find(&mut self, frame: &Frame<'_, D>, pairs: &mut Vec<Pair>, notes: Option<&mut Notes>) {
        let are_boxes = frame.balls.is_empty();
        let boxes = if are_boxes {
            frame.boxes
        } else {
            self.around.clear();
            self.around.extend(frame.balls.iter().map(Ball::guarded_bounds));
            &self.around
        };
        let Ok(boxes) = Boxes::new(boxes) else {
            unreachable!("a world is finite, and its objects have a size")
        };
        match notes {
            None => self.finder.find(boxes, pairs),
            Some(notes) => self.finder.find_observed(boxes, pairs, notes),
        }
        if !are_boxes {
            let balls = frame.balls;
            pairs.retain(|&[a, b]| balls[a as usize].overlaps(&balls[b as usize]));
        }
        if (frame.movers as usize) < frame.objects() {
            // The first ones move, and the smaller number comes first.
            pairs.retain(|&[a, _]| a < frame.movers);
        }
    }

    fn bytes(&self) -> usize {
        self.finder.bytes() + self.around.capacity() * size_of::<Aabb<D>>()
    }

    fn counts_for_free(&self) -> bool {
        self.is_brute
    }
}

fn ours<F: PairFinder<D> + 'static, const D: usize>(finder: F) -> Box<dyn Detector<D>> {
    Box::new(Ours { finder, around: Vec::new(), is_brute: false })
}

/// What finds pairs in `D` dimensions, for techniques that are the same in both.
pub(super) fn of_any_dimension<const D: usize>(
    technique: Technique,
    cell_size: Option<f32>,
    objects: u32,
) -> Option<Box<dyn Detector<D>>> {
    match technique {
        Technique::StudyBrute | Technique::StudyGrid => None,
        Technique::SortSweep(axis) => Some(ours(SortSweep::new(axis))),
        Technique::Ours(PairTechnique::Grid) if cell_size.is_some() => {
            cell_size.and_then(Grid::with_cell).map(ours)
        }
        Technique::Ours(technique) => {
            let finder: AnyPairFinder<D> = technique.finder(objects as usize);
            let is_brute = technique == PairTechnique::Brute;
            Some(Box::new(Ours { finder, around: Vec::new(), is_brute }))
        }
    }
}
