//! In which cell of a quadtree (`D = 2`) or octree (`D = 3`) does a box live, and who meets whom there?
//!
//! ```text
//!   ┌───────┬───────┐   Study B's rule (SOURCES B): a box lives in the smallest cell that holds it whole.
//!   │ ▭     │   ▭   │   Strict cells meet edge to edge, and a box across an edge lives in a larger cell
//!   │     ┌─┼─┐     │   however small it is. Loose cells reach over their edges: what keeps a box out
//!   ├─────┤▭│ ├─────┤   of one is then its size alone (Ulrich, Loose Octrees, 2000).
//!   │     └─┼─┘     │
//!   └───────┴───────┘   Which cell that is depends on the box alone, not on what came before it.
//! ```
//!
//! A box is compared with the very bounds that a search is later pruned by, in every cell from the root
//! to its own. So no rounding can lose it.

use embate_geom::Aabb;

use super::{Pair, PairObserver};

/// No such cell.
const NONE: u32 = u32::MAX;
pub(super) const ROOT: u32 = 0;

/// Deepest level whatever is asked for: halving the longest side 1e18 reaches the smallest `f32` that
/// matters, 1e-18, after 120 steps, but each level costs a step for every box.
const DEEPEST: u8 = 64;

/// When division stops, and how far cells reach over their edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OctreeRule {
    /// Levels below the root, at most 64. Ten cut a world of 1 km into cells of 1 m.
    pub max_depth: u8,
    /// No cell gets a longest side shorter than this; 0 if only the depth limits it.
    pub smallest_cell: f32,
    /// How much longer a cell's bounds are than its own side: 1 is study B's strict cell, 2 a loose one
    /// that reaches half a side over every edge. What is below 1 or no number counts as 1.
    pub loose: f32,
}

impl Default for OctreeRule {
    /// Ten levels, no smallest cell, loose by 2. Measured, all pairs of 100,000 boxes of about one size in
    /// 3D take strict cells more than twice as long; in 2D, or if sizes differ much, both take the same.
    fn default() -> Self {
        Self { max_depth: 10, smallest_cell: 0.0, loose: 2.0 }
    }
}

/// A box and its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item<const D: usize> {
    pub(super) id: u32,
    pub(super) bounds: Aabb<D>,
}

/// Where an item is: the cell, and its place in that cell's list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Home {
    pub(super) cell: u32,
    pub(super) place: u32,
}

#[derive(Clone, Debug)]
struct Cell<const D: usize> {
    /// Its own part of space.
    own: Aabb<D>,
    /// What may live in it. Only the root's own list holds boxes that leave it.
    loose: Aabb<D>,
    /// Around all that came to live in this cell or below since it was made; never more than `loose`.
    held: Aabb<D>,
    parent: u32,
    depth: u8,
    /// Bit `axis` of the place means "upper half". A quadtree uses the first four.
    children: [u32; 8],
    items: Vec<Item<D>>,
}

/// A tree of cells; the root always exists, the others only while something lives in or below them.
#[derive(Clone, Debug)]
pub(super) struct Cells<const D: usize> {
    rule: OctreeRule,
    all: Vec<Cell<D>>,
    /// Given back, to be used again.
    free: Vec<u32>,
}

impl<const D: usize> Cell<D> {
    fn new(own: Aabb<D>, loose: f32, parent: u32, depth: u8) -> Self {
        Self {
            own,
            loose: loosened(own, loose),
            held: Aabb { min: [f32::INFINITY; D], max: [f32::NEG_INFINITY; D] },
            parent,
            depth,
            children: [NONE; 8],
            items: Vec::new(),
        }
    }

    fn children(&self) -> impl Iterator<Item = u32> {
        self.children[..1 << D].iter().copied().filter(|&child| child != NONE)
    }

    fn pairs_within<O: PairObserver>(&self, pairs: &mut Vec<Pair>, observer: &mut O) {
        observer.enter(1);
        if observer.watches() {
            observer.cell(&self.own.min, &self.own.max, ids(&self.items));
        }
        for (place, item) in self.items.iter().enumerate() {
            let later = &self.items[place + 1..];
            observer.test(later.len() as u64);
            if observer.watches() {
                observer.tested(item.id, ids(later));
            }
            for other in later.iter().filter(|other| other.bounds.overlaps(&item.bounds)) {
                pairs.push([item.id.min(other.id), item.id.max(other.id)]);
            }
        }
    }
}

impl<const D: usize> Cells<D> {
    pub(super) fn new(root: Aabb<D>, rule: OctreeRule) -> Self {
        assert!(D == 2 || D == 3, "{D} dimensions");
        let loose = if rule.loose > 1.0 { rule.loose } else { 1.0 };
        let rule = OctreeRule { loose, max_depth: rule.max_depth.min(DEEPEST), ..rule };
        Self { rule, all: vec![Cell::new(root, loose, NONE, 0)], free: Vec::new() }
    }

    /// Empties the tree and gives it other bounds; keeps its memory.
    pub(super) fn restart(&mut self, root: Aabb<D>, rule: OctreeRule) {
        let fresh = Self::new(root, rule);
        self.rule = fresh.rule;
        for cell in &mut self.all {
            cell.items.clear();
        }
        let items = core::mem::take(&mut self.all[ROOT as usize].items);
        self.all[ROOT as usize] = Cell { items, ..fresh.all[ROOT as usize].clone() };
        // Taken from the end: cells are numbered as in a new tree.
        self.free.clear();
        self.free.extend((1..self.all.len() as u32).rev());
    }

    /// Puts an item into the smallest cell that holds it whole, or the root if none does.
    pub(super) fn put(&mut self, item: Item<D>) -> Home {
        let mut cell = ROOT;
        while let Some((child, own)) = self.child_holding(cell, &item.bounds) {
            cell = self.child_or_create(cell, child, own);
            let held = &mut self.all[cell as usize].held;
            *held = held.with(&item.bounds.min).with(&item.bounds.max);
        }
        let items = &mut self.all[cell as usize].items;
        items.push(item);
        Home { cell, place: items.len() as u32 - 1 }
    }

    /// Takes an item out and gives back cells that nothing lives in any more. The last item of the list
    /// moves into its place; it is returned too if there is one.
    pub(super) fn take(&mut self, home: Home) -> (Item<D>, Option<u32>) {
        let items = &mut self.all[home.cell as usize].items;
        let item = items.swap_remove(home.place as usize);
        let moved = items.get(home.place as usize).map(|item| item.id);
        let mut empty = home.cell;
        while empty != ROOT {
            let cell = &self.all[empty as usize];
            if !cell.items.is_empty() || cell.children().next().is_some() {
                break;
            }
            let parent = cell.parent;
            let children = &mut self.all[parent as usize].children;
            children.iter_mut().filter(|child| **child == empty).for_each(|child| *child = NONE);
            self.free.push(empty);
            empty = parent;
        }
        (item, moved)
    }

    /// The child, by its place and part of space, that holds these bounds whole.
    fn child_holding(&self, cell: u32, bounds: &Aabb<D>) -> Option<(usize, Aabb<D>)> {
        let parent = &self.all[cell as usize];
        if parent.depth >= self.rule.max_depth {
            return None;
        }
        let (mut child, mut own) = (0, parent.own);
        for axis in 0..D {
            let middle = own.min[axis].midpoint(own.max[axis]);
            if bounds.min[axis].midpoint(bounds.max[axis]) >= middle {
                child |= 1 << axis;
                own.min[axis] = middle;
            } else {
                own.max[axis] = middle;
            }
        }
        if own.longest_side() < self.rule.smallest_cell {
            return None;
        }
        let holds = |loose: &Aabb<D>| {
            (0..D).all(|axis| {
                loose.min[axis] <= bounds.min[axis] && bounds.max[axis] <= loose.max[axis]
            })
        };
        // The root's own bounds need not hold it; below the root every cell on the way must.
        (holds(&parent.loose) && holds(&loosened(own, self.rule.loose))).then_some((child, own))
    }

    fn child_or_create(&mut self, parent: u32, child: usize, own: Aabb<D>) -> u32 {
        let existing = self.all[parent as usize].children[child];
        if existing != NONE {
            return existing;
        }
        let depth = self.all[parent as usize].depth + 1;
        let mut new = Cell::new(own, self.rule.loose, parent, depth);
        let number = if let Some(number) = self.free.pop() {
            let old = &mut self.all[number as usize];
            new.items = core::mem::take(&mut old.items);
            *old = new;
            number
        } else {
            self.all.push(new);
            self.all.len() as u32 - 1
        };
        self.all[parent as usize].children[child] = number;
        number
    }

    /// Visits every item below and in `top` that overlaps `bounds`, which are those of the item `asker` if
    /// it lives here too. `stack` is only lent, for its memory.
    pub(super) fn search<O: PairObserver>(
        &self,
        top: u32,
        bounds: &Aabb<D>,
        asker: Option<u32>,
        stack: &mut Vec<u32>,
        observer: &mut O,
        mut visit: impl FnMut(&Item<D>),
    ) {
        stack.clear();
        stack.push(top);
        while let Some(number) = stack.pop() {
            let cell = &self.all[number as usize];
            observer.enter(1);
            observer.test(cell.items.len() as u64);
            if let Some(asker) = asker
                && observer.watches()
            {
                observer.tested(asker, ids(&cell.items));
            }
            cell.items.iter().filter(|item| item.bounds.overlaps(bounds)).for_each(&mut visit);
            let reached = |child: &u32| self.all[*child as usize].held.overlaps(bounds);
            stack.extend(cell.children().filter(reached));
        }
    }

    /// Appends every overlapping pair once. Two cells are looked into together only if their bounds
    /// meet; what does not fit below then looks for its own partners further down.
    pub(super) fn join<O: PairObserver>(&self, pairs: &mut Vec<Pair>, observer: &mut O) {
        let mut stack = Vec::new();
        let mut waiting = vec![(ROOT, ROOT)];
        while let Some((a, b)) = waiting.pop() {
            let (first, second) = (&self.all[a as usize], &self.all[b as usize]);
            let mut look_below = |item: &Item<D>, top: u32| {
                if self.all[top as usize].held.overlaps(&item.bounds) {
                    let asker = Some(item.id);
                    self.search(top, &item.bounds, asker, &mut stack, observer, |other| {
                        pairs.push([item.id.min(other.id), item.id.max(other.id)]);
                    });
                }
            };
            if a == b {
                for item in &first.items {
                    first.children().for_each(|child| look_below(item, child));
                }
                first.pairs_within(pairs, observer);
                for child in first.children() {
                    waiting.push((child, child));
                    let later = first.children().filter(|&other| other > child);
                    waiting
                        .extend(later.map(|other| (child, other)).filter(|pair| self.meet(*pair)));
                }
            } else {
                first.items.iter().for_each(|item| look_below(item, b));
                for item in &second.items {
                    first.children().for_each(|child| look_below(item, child));
                }
                for child in first.children() {
                    let others = second.children().map(|other| (child, other));
                    waiting.extend(others.filter(|pair| self.meet(*pair)));
                }
            }
        }
    }

    fn meet(&self, (a, b): (u32, u32)) -> bool {
        self.all[a as usize].held.overlaps(&self.all[b as usize].held)
    }

    /// Cells in use.
    pub(super) fn count(&self) -> usize {
        self.all.len() - self.free.len()
    }

    pub(super) fn bounds_of(&self, home: Home) -> Aabb<D> {
        self.all[home.cell as usize].items[home.place as usize].bounds
    }

    pub(super) fn bytes(&self) -> usize {
        let items = self.all.iter().map(|cell| cell.items.capacity() * size_of::<Item<D>>());
        self.all.capacity() * size_of::<Cell<D>>()
            + self.free.capacity() * size_of::<u32>()
            + items.sum::<usize>()
    }
}

fn ids<const D: usize>(items: &[Item<D>]) -> impl Iterator<Item = u32> {
    items.iter().map(|item| item.id)
}

fn loosened<const D: usize>(mut own: Aabb<D>, loose: f32) -> Aabb<D> {
    for axis in 0..D {
        let margin = (own.max[axis] - own.min[axis]) * (0.5 * (loose - 1.0));
        own.min[axis] -= margin;
        own.max[axis] += margin;
    }
    own
}
