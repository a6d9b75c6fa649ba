//! The broad phase of Box2D 3 and Box3D around their dynamic tree, after their `broad_phase.c`.
//!
//! ```text
//! AABB outside its fat AABB? ── no ──────────────────────────┐
//!        │ yes                                               │
//! compute a new fat AABB, enlarge its leaf                   │
//!        │                                                   │
//! query the tree for overlapping proxies, add new pairs      │
//!        │                                                   │
//! rebuild the enlarged part of the tree                      │
//!        └──────────────┬────────────────────────────────────┘
//! every pair: remove it if the fat AABBs are separate, report it if the tight AABBs overlap
//! ```
//!
//! The last line corresponds to their contact update, which visits every contact in every step.

use embate::Aabb;
use embate::broad_phase::OverlapPair;
use hashbrown::HashSet;

use super::{Peer, mean_size, pair};

/// A dynamic tree.
pub trait Tree<const D: usize> {
    fn with_capacity(boxes: usize) -> Self;
    /// Inserts a fat AABB with `index` as user data; returns its proxy.
    fn insert(&mut self, index: u32, fat: &Aabb<D>) -> i32;
    fn enlarge(&mut self, proxy: i32, fat: &Aabb<D>);
    /// Appends the indices of all overlapping fat AABBs.
    fn overlapping(&self, fat: &Aabb<D>, found: &mut Vec<u32>);
    fn rebuild(&mut self);
}

/// A dynamic tree with the pair bookkeeping of its engine.
pub struct FatTree<const D: usize, T> {
    name: &'static str,
    tree: T,
    /// `B2_MAX_AABB_MARGIN`, 0.05 m, with the mean size of a box as 1 m.
    max_margin: f32,
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
            max_margin: 0.05 * mean_size(boxes),
            proxies: Vec::new(),
            fat: Vec::new(),
            moved: Vec::new(),
            has_moved: vec![false; boxes.len()],
            known: HashSet::new(),
            contacts: Vec::new(),
            found: Vec::new(),
        }
    }

    fn fatten(&self, b: &Aabb<D>) -> Aabb<D> {
        // 1/8 of the half diagonal, as for their polygons and hulls.
        let squares = (0..D).map(|axis| (b.max[axis] - b.min[axis]) * (b.max[axis] - b.min[axis]));
        let margin = 0.125 * 0.5 * squares.sum::<f32>().sqrt();
        let margin = if margin < self.max_margin { margin } else { self.max_margin };
        Aabb { min: b.min.map(|min| min - margin), max: b.max.map(|max| max + margin) }
    }

    fn insert_all(&mut self, boxes: &[Aabb<D>]) {
        for (index, b) in (0..).zip(boxes) {
            let fat = self.fatten(b);
            self.proxies.push(self.tree.insert(index, &fat));
            self.fat.push(fat);
            self.moved.push(index);
            self.has_moved[index as usize] = true;
        }
    }

    fn move_to(&mut self, index: u32, b: &Aabb<D>) {
        let slot = index as usize;
        let fat = &self.fat[slot];
        if (0..D).all(|axis| fat.min[axis] <= b.min[axis] && b.max[axis] <= fat.max[axis]) {
            return;
        }
        self.fat[slot] = self.fatten(b);
        self.tree.enlarge(self.proxies[slot], &self.fat[slot]);
        self.moved.push(index);
        self.has_moved[slot] = true;
    }

    fn update(&mut self, boxes: &[Aabb<D>], pairs: &mut Vec<OverlapPair>) {
        for &index in &self.moved {
            self.found.clear();
            self.tree.overlapping(&self.fat[index as usize], &mut self.found);
            for &other in &self.found {
                // If both moved, the pair is added by the one with the smaller index.
                let is_duplicate = other < index && self.has_moved[other as usize];
                if other != index && !is_duplicate && self.known.insert(pair(index, other)) {
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
            let is_near = fat[a as usize].overlaps(&fat[b as usize]);
            if !is_near {
                known.remove(&[a, b]);
            } else if boxes[a as usize].overlaps(&boxes[b as usize]) {
                pairs.push([a, b]);
            }
            is_near
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
