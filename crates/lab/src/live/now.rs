//! Where is everything, and where was it a frame ago?

use std::borrow::Cow;

use embate::{Aabb, geometry::BoundingSphere};

use super::parameters::Parameters;
use super::pick::Drawn;
use crate::scenes::{Bounds, MovingWorld};
use crate::studies::broad::detector::Frame;

/// The world as it is.
#[derive(Debug)]
pub(super) struct Now {
    pub(super) world: MovingWorld<2>,
    bounds: Bounds,
    shapes: Shapes,
    before: Option<Shapes>,
    /// As a page draws them.
    pub(super) drawn: Vec<Drawn>,
}

/// The objects of one frame.
#[derive(Clone, Debug, Default)]
struct Shapes {
    /// None if the objects are circles.
    boxes: Vec<Aabb<2>>,
    /// None if they are boxes.
    balls: Vec<BoundingSphere<2>>,
}

impl Now {
    /// The world before its first frame.
    pub(super) fn new(parameters: &Parameters) -> Self {
        let mut now = Self {
            world: parameters.scene().world(parameters.seed.into()),
            bounds: parameters.bounds,
            shapes: Shapes::default(),
            before: None,
            drawn: Vec::new(),
        };
        now.write_down();
        now
    }

    /// Moves everything by a frame. What is now becomes what was before, if the technique has seen it.
    pub(super) fn step(&mut self, was_seen: bool) {
        if was_seen {
            core::mem::swap(self.before.get_or_insert_default(), &mut self.shapes);
        }
        self.world.step();
        self.write_down();
    }

    fn write_down(&mut self) {
        match self.bounds {
            Bounds::Aabb => self.world.boxes(&mut self.shapes.boxes),
            Bounds::Circle => self.world.balls(&mut self.shapes.balls),
        }
        self.world.corners_and_sizes(&mut self.drawn);
    }

    /// Another technique begins, which has seen nothing yet.
    pub(super) fn forget_before(&mut self) {
        self.before = None;
    }

    /// What a technique is shown.
    pub(super) fn frame(&self) -> Frame<'_, 2> {
        self.shapes.frame()
    }

    /// What it was shown in the frame before, if it was there.
    pub(super) fn frame_before(&self) -> Option<Frame<'_, 2>> {
        self.before.as_ref().map(Shapes::frame)
    }

    /// A box for every object.
    pub(super) fn boxes(&self) -> Cow<'_, [Aabb<2>]> {
        match self.bounds {
            Bounds::Aabb => Cow::Borrowed(&self.shapes.boxes),
            Bounds::Circle => {
                Cow::Owned(self.shapes.balls.iter().map(BoundingSphere::padded_aabb).collect())
            }
        }
    }
}

impl Shapes {
    fn frame(&self) -> Frame<'_, 2> {
        let movers = self.boxes.len().max(self.balls.len()) as u32;
        Frame { boxes: &self.boxes, balls: &self.balls, movers }
    }
}
