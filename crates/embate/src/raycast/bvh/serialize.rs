//! A tree as words, and back.
//!
//! The lines are kept as they are: to load a tree is to check and to copy it. What is checked makes sure that every search
//! ends, in a list this size, and that leaves hold the mesh's own triangles. (Whether boxes are around what they should be
//! is for the checksum to say: boxes of another tree would lose hits, and nothing worse.)

use std::sync::Arc;

use embate_mesh::TriangleMesh;
use fearless_simd::Level;

use super::Bvh;
use super::leaves::{LeafMaker, SharedCorners};
use super::node::{self, Child, LEAF_LINES, Line, NODE_LINES, WIDTH, ZERO};
use super::pages::Lines;

/// Nodes below each other: a build makes a few dozen, on the worst of meshes some hundreds.
const MOST_DEPTH: u32 = 1_024;

/// Numbers a line is saved as.
pub(in crate::rays) const LINE_WORDS: usize = 2 * WIDTH;

impl Bvh {
    /// The root's word (0 over no triangles), and how many lines follow.
    pub(in crate::rays) fn saved_root(&self) -> (u32, usize) {
        (self.root.map_or(0, |root| root.0), self.lines.as_slice().len())
    }

    /// Whether its leaves name corners that they share.
    pub(in crate::rays) fn is_compact(&self) -> bool {
        self.corners.is_some()
    }

    /// All lines, number by number.
    pub(in crate::rays) fn saved_words(&self) -> impl Iterator<Item = u32> + '_ {
        self.lines.as_slice().iter().flatten().flatten().map(|word| word.to_bits())
    }

    /// The tree over `mesh` of these words; or what is wrong with them.
    pub(in crate::rays) fn from_saved(
        mesh: &TriangleMesh,
        (root, is_compact): (u32, bool),
        words: impl Iterator<Item = u32>,
    ) -> Result<Self, &'static str> {
        let level = Level::new();
        let mut lines: Vec<Line> = Vec::with_capacity(words.size_hint().0 / LINE_WORDS);
        let mut words = words.map(f32::from_bits);
        while let Some(first) = words.next() {
            let mut row = [first; LINE_WORDS];
            for place in &mut row[1..] {
                *place = words.next().ok_or("a line of the tree ends too early")?;
            }
            lines.push(bytemuck::cast(row));
        }
        if mesh.triangles().is_empty() {
            let empty = lines.is_empty() && root == 0;
            let tree = Self { lines: Lines::new(0, |_| ()), root: None, corners: None, level };
            return if empty { Ok(tree) } else { Err("a tree over no triangles has nodes") };
        }
        let root = Child(root);
        let shared = is_compact.then(|| SharedCorners::new(mesh));
        let leaves = LeafMaker { mesh, shared: shared.as_ref() };
        let mut check =
            Check { leaves, lines: &lines, next: 0, held: vec![false; mesh.triangles().len()] };
        check.below(root, 0)?;
        if check.next != lines.len() {
            return Err("the tree has lines that no node leads to");
        }
        if !check.held.iter().all(|&held| held) {
            return Err("a triangle is in no leaf of the tree");
        }
        let corners = shared.map(|shared| Arc::new(shared.corners));
        let lines = Lines::new(lines.len(), |place| place.copy_from_slice(&lines));
        Ok(Self { lines, root: Some(root), corners, level })
    }
}

struct Check<'a> {
    leaves: LeafMaker<'a>,
    lines: &'a [Line],
    /// Where the next node or leaf must begin: depth first, one behind the other. So each is met once.
    next: usize,
    held: Vec<bool>,
}

impl Check<'_> {
    fn below(&mut self, child: Child, depth: u32) -> Result<(), &'static str> {
        if child.line() != self.next {
            return Err("the nodes of the tree are not in their order");
        }
        if depth > MOST_DEPTH {
            return Err("the tree is deeper than any that is built");
        }
        if child.is_leaf() { self.leaf(child) } else { self.node(child, depth) }
    }

    fn node(&mut self, child: Child, depth: u32) -> Result<(), &'static str> {
        let node = *node::node(self.lines, child).ok_or("a node goes beyond the tree's end")?;
        self.next += NODE_LINES;
        for lane in 0..WIDTH {
            let below = Child(node::children(&node)[lane].to_bits());
            let side = |axis: usize| (node[axis][0][lane], node[axis][1][lane]);
            let is_box = |(min, max): (f32, f32)| min.is_finite() && max.is_finite() && min <= max;
            let is_nothing = |side| side == (f32::INFINITY, f32::NEG_INFINITY);
            if (0..3).map(side).all(is_box) {
                self.below(below, depth + 1)?;
            } else if below != Child(0) || !(0..3).map(side).all(is_nothing) {
                return Err("a box of the tree is none");
            }
        }
        Ok(())
    }

    fn leaf(&mut self, child: Child) -> Result<(), &'static str> {
        let leaf = self.lines.get(self.next..self.next + self.leaves.lines());
        let leaf = leaf.ok_or("a leaf goes beyond the tree's end")?;
        self.next += leaf.len();
        // In every kind of leaf the last row.
        let numbers = leaf.last().map_or([0; WIDTH], |line| line[1].map(f32::to_bits));
        let numbers = &numbers[..child.count() as usize];
        for &number in numbers {
            let held = self.held.get_mut(number as usize);
            *held.ok_or("a leaf of the tree names a triangle that there is not")? = true;
        }
        let mut expected = [ZERO; LEAF_LINES];
        let expected = &mut expected[..leaf.len()];
        self.leaves.fill(expected, numbers.iter().copied());
        if bytemuck::cast_slice::<Line, u32>(leaf) != bytemuck::cast_slice::<Line, u32>(expected) {
            return Err("a leaf of the tree holds other triangles than the mesh");
        }
        Ok(())
    }
}
