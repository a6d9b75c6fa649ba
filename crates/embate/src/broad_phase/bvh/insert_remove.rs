//! How does a tree change, one box at a time?

use embate_geom::Aabb;

use super::Tree;
use super::node::{Node, Place, girth};
use super::split::{Entry, split};
use crate::pairs::block::LANES;
use crate::pairs::{Boxes, InvalidBox};

impl<const D: usize> Tree<D> {
    /// Holds a box under this id, instead of the one it held before, if any.
    ///
    /// # Errors
    /// [`InvalidBox`] as [`Boxes`] would, with `id` as the index. The tree is then as it was.
    pub fn insert(&mut self, id: u32, bounds: Aabb<D>) -> Result<(), InvalidBox> {
        if self.move_to(id, bounds)? {
            return Ok(());
        }
        if self.places.len() <= id as usize {
            self.places.resize(id as usize + 1, Place::NOWHERE);
        }
        self.len += 1;
        self.put(&bounds, id);
        self.note_changes(1);
        Ok(())
    }

    /// Takes out the box of this id and returns it; `None` if there is none.
    pub fn remove(&mut self, id: u32) -> Option<Aabb<D>> {
        let place = self.place(id)?;
        let bounds = self.nodes[place.node()].get(place.lane());
        self.take(place);
        self.places[id as usize] = Place::NOWHERE;
        self.len -= 1;
        self.note_changes(1);
        Some(bounds)
    }

    /// Changes the box of this id; false if there is none. Cheap if it stays near where it was.
    ///
    /// # Errors
    /// [`InvalidBox`] as [`Boxes`] would, with `id` as the index. The tree is then as it was.
    pub fn move_to(&mut self, id: u32, bounds: Aabb<D>) -> Result<bool, InvalidBox> {
        Boxes::check(id, &bounds)?;
        let Some(place) = self.place(id) else { return Ok(false) };
        if self.strays(place, &bounds) {
            self.take(place);
            self.put(&bounds, id);
        } else {
            self.nodes[place.node()].boxes.set(place.lane(), &bounds);
            self.refit_above(place.node());
        }
        self.note_changes(1);
        Ok(true)
    }

    /// Changes all boxes at once, keeping the shape of the tree: cheaper than
    /// [`build_anew`](Self::build_anew) while most things stay near where they were. Ids that are not
    /// places in `boxes` keep theirs; places that are no ids of the tree are passed over.
    pub fn refit(&mut self, boxes: Boxes<'_, D>) {
        for node in self.nodes.iter_mut().filter(|node| node.height == 0) {
            for lane in 0..node.count() {
                if let Some(bounds) = boxes.get(node.children[lane] as usize) {
                    node.boxes.set(lane, bounds);
                }
            }
        }
        for height in 0..self.nodes[self.root as usize].height {
            for number in 0..self.nodes.len() {
                let node = &self.nodes[number];
                if node.height == height && node.count > 0 {
                    let (bounds, place) = (node.bounds(), node.place);
                    self.nodes[place.node()].boxes.set(place.lane(), &bounds);
                }
            }
        }
        self.note_changes(self.len);
    }

    /// Whether a box would stretch its node too far: it lies further from its neighbours there than
    /// they reach themselves. A box alone in its node has none, and looks for some.
    fn strays(&self, place: Place, bounds: &Aabb<D>) -> bool {
        let node = &self.nodes[place.node()];
        let others = (0..node.count()).filter(|&lane| lane != place.lane());
        let around = others.map(|lane| node.get(lane)).reduce(|all, own| all.joined(&own));
        around.is_none_or(|around| !around.grown(around.longest_side()).overlaps(bounds))
    }

    /// Finds room for an item's box.
    fn put(&mut self, bounds: &Aabb<D>, id: u32) {
        let mut number = self.root;
        while self.nodes[number as usize].height > 0 {
            number = self.nodes[number as usize].best_child(bounds);
        }
        let mut entry = Entry { bounds: *bounds, child: id };
        while self.nodes[number as usize].count() == LANES {
            let sibling = self.split(number, &entry);
            if number == self.root {
                return self.grow_root(sibling);
            }
            let place = self.nodes[number as usize].place;
            let bounds = self.nodes[number as usize].bounds();
            self.nodes[place.node()].boxes.set(place.lane(), &bounds);
            let bounds = self.nodes[sibling as usize].bounds();
            entry = Entry { bounds, child: sibling };
            number = place.node() as u32;
        }
        self.push(number, &entry);
        self.refit_above(number as usize);
    }

    /// Shares the boxes of a full node, and one more, between it and a new one of the same height.
    fn split(&mut self, number: u32, extra: &Entry<D>) -> u32 {
        let node = &mut self.nodes[number as usize];
        let (height, place) = (node.height, node.place);
        let entry = |lane: usize| Entry { bounds: node.get(lane), child: node.children[lane] };
        let mut entries: [Entry<D>; LANES + 1] =
            core::array::from_fn(|lane| if lane < LANES { entry(lane) } else { *extra });
        let cut = split(&mut entries);
        *node = Node { place, ..Node::empty(height) };
        let sibling = self.new_node(height);
        for (at, entry) in entries.iter().enumerate() {
            self.push(if at < cut { number } else { sibling }, entry);
        }
        sibling
    }

    /// A new root above the old one and its sibling.
    fn grow_root(&mut self, sibling: u32) {
        let old = self.root;
        self.root = self.new_node(self.nodes[old as usize].height + 1);
        for child in [old, sibling] {
            let bounds = self.nodes[child as usize].bounds();
            self.push(self.root, &Entry { bounds, child });
        }
    }

    /// Takes out the box at a place, and every node that is left without one.
    fn take(&mut self, mut place: Place) {
        loop {
            let number = place.node() as u32;
            if let Some(moved) = self.nodes[number as usize].swap_remove(place.lane()) {
                self.note_place(number, moved, place);
            }
            if self.nodes[number as usize].count > 0 || number == self.root {
                self.refit_above(number as usize);
                break;
            }
            place = self.nodes[number as usize].place;
            self.free.push(number);
        }
        // A root with one child is no use; nor is that child, if it has but one.
        loop {
            let root = &mut self.nodes[self.root as usize];
            if root.height == 0 || root.count != 1 {
                break;
            }
            root.count = 0;
            self.free.push(self.root);
            self.root = root.children[0];
            self.nodes[self.root as usize].place = Place::NOWHERE;
        }
    }

    /// Tightens the boxes around a node and all above it, up to the first that fits already.
    fn refit_above(&mut self, mut number: usize) {
        while self.nodes[number].place != Place::NOWHERE {
            let (bounds, place) = (self.nodes[number].bounds(), self.nodes[number].place);
            let above = &mut self.nodes[place.node()];
            if above.get(place.lane()) == bounds {
                return;
            }
            above.boxes.set(place.lane(), &bounds);
            number = place.node();
        }
    }

    fn push(&mut self, number: u32, entry: &Entry<D>) {
        let lane = self.nodes[number as usize].push(&entry.bounds, entry.child);
        self.note_place(number, entry.child, Place::new(number, lane));
    }

    /// Tells a child of a node where its box now is.
    fn note_place(&mut self, number: u32, child: u32, place: Place) {
        if self.nodes[number as usize].height == 0 {
            self.places[child as usize] = place;
        } else {
            self.nodes[child as usize].place = place;
        }
    }

    fn new_node(&mut self, height: u8) -> u32 {
        let number = self.free.pop().unwrap_or(self.nodes.len() as u32);
        if number as usize == self.nodes.len() {
            self.nodes.push(Node::empty(height));
        } else {
            self.nodes[number as usize] = Node::empty(height);
        }
        number
    }
}

impl<const D: usize> Node<D> {
    /// The child whose box has to grow least to hold `bounds`; of equals, the smaller one.
    fn best_child(&self, bounds: &Aabb<D>) -> u32 {
        let mut best = (f32::INFINITY, f32::INFINITY, 0);
        for lane in 0..self.count() {
            let own = self.get(lane);
            let size = girth(&own);
            let growth = girth(&own.joined(bounds)) - size;
            if (growth, size) < (best.0, best.1) {
                best = (growth, size, self.children[lane]);
            }
        }
        best.2
    }
}
