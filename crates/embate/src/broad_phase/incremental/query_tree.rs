//! A tree that keeps up with a world, for those who ask.

use embate_geom::Aabb;

use super::{Boxes, Tree};

/// If more than this share of the boxes changed since the last query, all are put in order anew: a tree
/// is built in the time that moving a third of its boxes takes.
const ANEW_FROM: f32 = 0.3;

/// Does nothing, and holds nothing, until the first query.
#[derive(Clone, Debug)]
pub(super) struct Queries<const D: usize> {
    tree: Option<Tree<D>>,
    /// Boxes added, moved or removed since the tree was brought up to date; some more than once.
    changed: Vec<u32>,
}

impl<const D: usize> Queries<D> {
    pub(super) fn new() -> Self {
        Self { tree: None, changed: Vec::new() }
    }

    /// This box changed.
    pub(super) fn note(&mut self, id: u32) {
        if let Some(tree) = &self.tree {
            self.changed.push(id);
            // Nobody has asked for long: not worth keeping up.
            if self.changed.len() > 2 * tree.len() + 64 {
                *self = Self::new();
            }
        }
    }

    /// The tree of all boxes that live.
    pub(super) fn tree(&mut self, boxes: &[Aabb<D>], lives: impl Fn(u32) -> bool) -> &Tree<D> {
        let tree = self.tree.get_or_insert_with(Tree::new);
        if tree.is_empty() || self.changed.len() as f32 > boxes.len() as f32 * ANEW_FROM {
            tree.build_anew(Boxes::checked(boxes));
            for id in (0..boxes.len() as u32).filter(|&id| !lives(id)) {
                tree.remove(id);
            }
        } else {
            for &id in &self.changed {
                if lives(id) {
                    tree.insert(id, boxes[id as usize]).expect("boxes of a world were checked");
                } else {
                    tree.remove(id);
                }
            }
        }
        self.changed.clear();
        tree
    }

    pub(super) fn bytes(&self) -> usize {
        self.tree.as_ref().map_or(0, Tree::bytes) + self.changed.capacity() * size_of::<u32>()
    }
}
