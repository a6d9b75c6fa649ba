//! A tree over all bodies as they are now, for those who ask.
//!
//! The rooms of the broad phase would do, but for where they are: a body that bounced has left its own until
//! the next step gives it another. And to give it one for a question would let the question change what moves
//! next. So there is a tree of its own, made when first asked for, and kept up while few bodies move.

use std::sync::OnceLock;

use embate_geom::Aabb;

use super::bodies::Bodies;
use crate::pairs::{Boxes, Tree};

/// If more than this share of the bodies moved in a step, all are put in order anew, when asked: a tree is
/// built in the time that moving a third of its boxes takes.
const ANEW_FROM: f32 = 0.3;

/// Holds nothing until the first question.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    tree: OnceLock<Tree<3>>,
}

fn bounds(bodies: &Bodies, place: usize) -> Aabb<3> {
    bodies.nature(place).shape.aabb(&bodies.poses[place])
}

/// Whether a body can be asked for: the walls of the world cannot, nor what has flown out of the range of boxes.
fn is_there(bodies: &Bodies, place: usize) -> bool {
    bodies.natures[place].as_ref().is_some_and(|nature| !nature.wall)
        && Boxes::check(place as u32, &bounds(bodies, place)).is_ok()
}

impl Asked {
    /// The boxes of all bodies, by place.
    pub(super) fn tree(&self, bodies: &Bodies) -> &Tree<3> {
        self.tree.get_or_init(|| {
            let nowhere = Aabb { min: [0.0; 3], max: [0.0; 3] };
            let places = 0..bodies.natures.len();
            let there =
                |place| if is_there(bodies, place) { bounds(bodies, place) } else { nowhere };
            let boxes: Vec<Aabb<3>> = places.clone().map(there).collect();
            // Each was checked: one that is out of range must not hide the others.
            let mut tree = Boxes::new(&boxes).map_or_else(|_| Tree::new(), Tree::build);
            for place in places.filter(|&place| !is_there(bodies, place)) {
                tree.remove(place as u32);
            }
            tree
        })
    }

    /// A body came, went or was put elsewhere.
    pub(super) fn forget(&mut self) {
        self.tree.take();
    }

    /// These bodies moved.
    pub(super) fn follow(&mut self, bodies: &Bodies, moved: &[u32]) {
        let Some(tree) = self.tree.get_mut() else { return };
        if moved.len() as f32 > tree.len() as f32 * ANEW_FROM {
            self.forget();
            return;
        }
        for &place in moved {
            if tree.insert(place, bounds(bodies, place as usize)).is_err() {
                tree.remove(place);
            }
        }
    }
}
