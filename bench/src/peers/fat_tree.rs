//! What Box2D 3 and Box3D do round their dynamic tree, step by step as their `broad_phase.c` does.
//!
//! ```text
//! box left its fattened one? ── no ──────────────────────────┐
//!        │ yes                                               │
//! fatten anew, enlarge its leaf                              │
//!        │                                                   │
//! ask the tree for its neighbours, keep pairs not yet known  │
//!        │                                                   │
//! rebuild the part of the tree that was enlarged             │
//!        └──────────────┬────────────────────────────────────┘
//! every known pair: forget it once the fattened boxes part, tell it if the true ones overlap
//! ```
//!
//! The last line is their contact update, which also looks at every contact every step.

use embate::Aabb;
use embate::broad_phase::OverlapPair;
use hashbrown::HashSet;

use super::{Peer, mean_size, pair};

/// The tree itself.
pub trait Tree<const D: usize> {
    fn with_capacity(boxes: usize) -> Self;
    /// Adds a box; the tree calls it `index` from now on, and by the number returned.
    fn insert(&mut self, index: u32, fat: &Aabb<D>) -> i32;
    fn enlarge(&mut self, proxy: i32, fat: &Aabb<D>);
    /// Appends the indices of all boxes that overlap this one.
    fn overlapping(&self, fat: &Aabb<D>, found: &mut Vec<u32>);
    fn rebuild(&mut self);
}

/// A tree and what its engine keeps beside it.
pub struct FatTree<const D: usize, T> {
    name: &'static str,
    tree: T,
    /// `B2_MAX_AABB_MARGIN`, 0.05 m; a metre is the mean size of a box.
    most_margin: f32,
    proxies: Vec<i32>,
    fat: Vec<Aabb<D>>,
    moved: Vec<u32>,
    has_moved: Vec<bool>,
    known: HashSet<OverlapPair>,
    contacts: Vec<OverlapPair>,
    found: Vec<u32>,
}

impl<const D: usize, T: Tree<D>> FatTree<D, T> {
    pub fn new(name: &'static str, boxes: &[Aabb<D>]) -> Self {
        Self {
            name,
            tree: T::with_capacity(boxes.len()),
            most_margin: 0.05 * mean_size(boxes),
            proxies: Vec::new(),
            fat: Vec::new(),
            moved: Vec::new(),
            has_moved: vec![false; boxes.len()],
            known: HashSet::new(),
            contacts: Vec::new(),
            found: Vec::new(),
        }
    }

    fn fattened(&self, b: &Aabb<D>) -> Aabb<D> {
        // An eighth of the half diagonal, as for their polygons and hulls.
        let squares = (0..D).map(|axis| (b.max[axis] - b.min[axis]) * (b.max[axis] - b.min[axis]));
        let margin = 0.125 * 0.5 * squares.sum::<f32>().sqrt();
        let margin = if margin < self.most_margin { margin } else { self.most_margin };
        Aabb { min: b.min.map(|least| least - margin), max: b.max.map(|most| most + margin) }
    }

    fn insert_all(&mut self, boxes: &[Aabb<D>]) {
        for (index, b) in (0..).zip(boxes) {
            let fat = self.fattened(b);
            self.proxies.push(self.tree.insert(index, &fat));
            self.fat.push(fat);
            self.moved.push(index);
            self.has_moved[index as usize] = true;
        }
    }

    fn move_to(&mut self, index: u32, b: &Aabb<D>) {
        let place = index as usize;
        let fat = &self.fat[place];
        if (0..D).all(|axis| fat.min[axis] <= b.min[axis] && b.max[axis] <= fat.max[axis]) {
            return;
        }
        self.fat[place] = self.fattened(b);
        self.tree.enlarge(self.proxies[place], &self.fat[place]);
        self.moved.push(index);
        self.has_moved[place] = true;
    }

    fn update(&mut self, boxes: &[Aabb<D>], pairs: &mut Vec<OverlapPair>) {
        for &index in &self.moved {
            self.found.clear();
            self.tree.overlapping(&self.fat[index as usize], &mut self.found);
            for &other in &self.found {
                // When both moved, the pair is found from the lower one.
                let twice = other < index && self.has_moved[other as usize];
                if other != index && !twice && self.known.insert(pair(index, other)) {
                    self.contacts.push(pair(index, other));
                }
            }
        }
        self.tree.rebuild();
        for index in self.moved.drain(..) {
            self.has_moved[index as usize] = false;
        }
        let (fat, known) = (&self.fat, &mut self.known);
        self.contacts.retain(|&[a, b]| {
            let near = fat[a as usize].overlaps(&fat[b as usize]);
            if !near {
                known.remove(&[a, b]);
            } else if boxes[a as usize].overlaps(&boxes[b as usize]) {
                pairs.push([a, b]);
            }
            near
        });
    }
}

impl<const D: usize, T: Tree<D>> Peer<D> for FatTree<D, T> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn frame(&mut self, boxes: &[Aabb<D>], pairs: &mut Vec<OverlapPair>) {
        if self.fat.is_empty() {
            self.insert_all(boxes);
        } else {
            for (index, b) in (0..).zip(boxes) {
                self.move_to(index, b);
            }
        }
        self.update(boxes, pairs);
    }

    fn frame_with_movers(
        &mut self,
        boxes: &[Aabb<D>],
        movers: &[u32],
        pairs: &mut Vec<OverlapPair>,
    ) {
        for &index in movers {
            self.move_to(index, &boxes[index as usize]);
        }
        self.update(boxes, pairs);
    }
}
