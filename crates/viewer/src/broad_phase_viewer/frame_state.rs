//! Frame state: the objects now and one frame ago.

use std::borrow::Cow;

use embate::{Aabb, geometry::BoundingSphere};
use embate_scene::generators::{Bounds, MovingWorld};
use embate_studies::moving_worlds::detector::Frame;

use super::parameters::Parameters;
use super::pick::ObjectRect;

/// The world as it is.
#[derive(Debug)]
pub(super) struct FrameState {
    pub(super) world: MovingWorld<2>,
    bounds: Bounds,
    shapes: Shapes,
    previous: Option<Shapes>,
    /// As a page draws them.
    pub(super) object_rects: Vec<ObjectRect>,
}

/// The objects of one frame.
#[derive(Clone, Debug, Default)]
struct Shapes {
    /// None if the objects are circles.
    boxes: Vec<Aabb<2>>,
    /// None if they are boxes.
    balls: Vec<BoundingSphere<2>>,
}

impl FrameState {
    /// The world before its first frame.
    pub(super) fn new(parameters: &Parameters) -> Self {
        let mut state = Self {
            world: parameters.scene().world(parameters.seed.into()),
            bounds: parameters.bounds,
            shapes: Shapes::default(),
            previous: None,
            object_rects: Vec::new(),
        };
        state.update_shapes();
        state
    }

    /// Moves all objects by a frame. The current objects become the previous ones, if the technique
    /// has searched them.
    pub(super) fn step(&mut self, was_seen: bool) {
        if was_seen {
            core::mem::swap(self.previous.get_or_insert_default(), &mut self.shapes);
        }
        self.world.step();
        self.update_shapes();
    }

    fn update_shapes(&mut self) {
        match self.bounds {
            Bounds::Aabb => self.world.boxes(&mut self.shapes.boxes),
            Bounds::Circle => self.world.balls(&mut self.shapes.balls),
        }
        self.world.corners_and_sizes(&mut self.object_rects);
    }

    /// Another technique begins, which has seen nothing yet.
    pub(super) fn forget_previous(&mut self) {
        self.previous = None;
    }

    /// What a technique is shown.
    pub(super) fn frame(&self) -> Frame<'_, 2> {
        self.shapes.frame()
    }

    /// What it was shown in the frame before, if it was there.
    pub(super) fn previous_frame(&self) -> Option<Frame<'_, 2>> {
        self.previous.as_ref().map(Shapes::frame)
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
