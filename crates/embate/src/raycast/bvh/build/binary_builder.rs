//! Which triangles belong together? A binary tree, split where the surface-area heuristic says.
//!
//! The same tree whatever the number of threads: where a range is split depends on its members alone.

use embate_mesh::TriangleMesh;
use fearless_simd::{Level, dispatch};

use super::bins::{Bins, Sides};
use super::spatial;
use super::wide_box::{Extent, WideBox};

/// Ranges from this size on are split by two threads.
const WORTH_A_THREAD: usize = 4_096;
/// So few are not cut by planes: one leaf tests them all at once.
const ONE_LEAF: usize = 8;
/// Sides that overlap by less than this, against the surface of the whole tree, are not worth a look for planes
/// (Stich, Friedrich, Dietrich 2009, who take 1e-5): less finds nothing more, and takes twice the time.
const WORTH_A_PLANE: f32 = 1e-3;
/// Nor are those that overlap by less than this against the surface of both: planes save nothing there.
const OVERLAPPING: f32 = 0.25;
/// A plane must save so much: every member it makes takes memory.
const WORTH_CUTTING: f32 = 0.95;

/// A node of the binary tree: over `count` members from `first` on.
#[derive(Clone, Copy, Debug)]
pub(in crate::rays) struct BinaryNode {
    pub(in crate::rays) bounds: WideBox,
    pub(in crate::rays) first: u32,
    pub(in crate::rays) count: u32,
    /// The number of the second child; the first follows its parent. 0 for a bundle.
    pub(in crate::rays) second: u32,
}

impl BinaryNode {
    /// The same, `members` and `nodes` farther on in their lists.
    pub(in crate::rays) fn moved(mut self, members: u32, nodes: u32) -> Self {
        self.first += members;
        self.second += if self.is_bundle() { 0 } else { nodes };
        self
    }

    pub(super) fn is_bundle(&self) -> bool {
        self.second == 0
    }
}

/// How a tree is built.
#[derive(Clone, Copy, Debug)]
pub(super) struct Builder<'a> {
    pub(super) mesh: &'a TriangleMesh,
    pub(super) level: Level,
    /// Bins an axis is cut into at most.
    pub(super) most_bins: usize,
    /// Ranges of so few members are not split: they end up in one leaf.
    pub(super) bundle: usize,
}

impl Builder<'_> {
    /// The tree over the first `count` of `members`, which are put in its order; those behind are room for
    /// what cutting makes. Parents come before their children.
    pub(super) fn build(self, members: &mut Vec<WideBox>, count: usize) -> Vec<BinaryNode> {
        if count == 0 {
            return Vec::new();
        }
        let level = self.level;
        let extent = dispatch!(level, simd => Extent::of(simd, &members[..count]));
        let root_area = extent.bounds.area();
        let mut nodes = Vec::with_capacity(members.len());
        let range = Range { members: members.as_mut_slice(), count, first: 0, extent };
        Growth { how: self, root_area }.grow(range).into_list(&mut nodes);
        if members.len() > count {
            close_up(members, &mut nodes);
        }
        nodes
    }
}

/// Removes the room that cutting did not use, so that members of a node follow each other again, and counts them.
fn close_up(members: &mut Vec<WideBox>, nodes: &mut [BinaryNode]) {
    let mut len = 0;
    for node in nodes.iter_mut() {
        let (first, count) = (node.first as usize, node.count as usize);
        node.first = len as u32;
        if node.is_bundle() {
            members.copy_within(first..first + count, len);
            len += count;
        }
    }
    members.truncate(len);
    // Children come after their parents.
    for place in (0..nodes.len()).rev() {
        if !nodes[place].is_bundle() {
            let second = nodes[place].second as usize;
            nodes[place].count = nodes[place + 1].count + nodes[second].count;
        }
    }
}

/// A part of the tree as one thread made it, or two such parts under a node.
enum Part {
    List(Vec<BinaryNode>),
    Pair(BinaryNode, Box<[Part; 2]>),
}

impl Part {
    fn into_list(self, nodes: &mut Vec<BinaryNode>) {
        match self {
            Self::List(list) => {
                let before = nodes.len() as u32;
                nodes.extend(list.into_iter().map(|node| node.moved(0, before)));
            }
            Self::Pair(node, parts) => {
                let place = nodes.len();
                nodes.push(node);
                let [first, second] = *parts;
                first.into_list(nodes);
                nodes[place].second = nodes.len() as u32;
                second.into_list(nodes);
            }
        }
    }
}

/// Members that are to be under one node.
struct Range<'a> {
    /// The members, and room for what cutting makes of them.
    members: &'a mut [WideBox],
    count: usize,
    /// Where they are in the list of all.
    first: u32,
    extent: Extent,
}

impl Range<'_> {
    fn node(&self) -> BinaryNode {
        let (bounds, first, count) = (self.extent.bounds, self.first, self.count as u32);
        BinaryNode { bounds, first, count, second: 0 }
    }

    fn spare(&self) -> usize {
        self.members.len() - self.count
    }

    /// In the middle of its list: where all boxes have their middles in one place, any split is as good.
    fn halved(self, level: Level) -> [Self; 2] {
        let (low, high) = self.members[..self.count].split_at(self.count / 2);
        let sides = dispatch!(level, simd => Sides::of(simd, low, high));
        self.parted(&sides)
    }

    /// The two sides, members of the first before those of the second, each with its share of the room.
    fn parted(self, sides: &Sides) -> [Self; 2] {
        let Sides { low, high, .. } = *sides;
        let room = (self.spare() as u64 * low as u64 / (low + high) as u64) as usize;
        // The second side moves back by the room of the first: as many of it as are in the way.
        let moved = room.min(high);
        self.members.copy_within(low..low + moved, low + room + high - moved);
        let (low_members, high_members) = self.members.split_at_mut(low + room);
        let high_first = self.first + low_members.len() as u32;
        [
            Self { members: low_members, count: low, first: self.first, extent: sides.low_extent },
            Self {
                members: high_members,
                count: high,
                first: high_first,
                extent: sides.high_extent,
            },
        ]
    }
}

#[derive(Clone, Copy)]
struct Growth<'a> {
    how: Builder<'a>,
    root_area: f32,
}

impl Growth<'_> {
    fn grow(self, range: Range<'_>) -> Part {
        let mut bins = Bins::new();
        if range.count < WORTH_A_THREAD {
            let mut nodes = Vec::with_capacity(range.members.len());
            self.grow_list(range, &mut bins, &mut nodes);
            return Part::List(nodes);
        }
        let node = range.node();
        let [low, high] = self.split(range, &mut bins);
        let (low, high) = rayon::join(|| self.grow(low), || self.grow(high));
        Part::Pair(node, Box::new([low, high]))
    }

    fn grow_list(self, range: Range<'_>, bins: &mut Bins, nodes: &mut Vec<BinaryNode>) {
        let place = nodes.len();
        nodes.push(range.node());
        if range.count <= self.how.bundle {
            return;
        }
        let [low, high] = self.split(range, bins);
        self.grow_list(low, bins, nodes);
        nodes[place].second = nodes.len() as u32;
        self.grow_list(high, bins, nodes);
    }

    /// The two sides of a range, each with its share of the room.
    fn split<'a>(self, mut range: Range<'a>, bins: &mut Bins) -> [Range<'a>; 2] {
        let Builder { level, most_bins, .. } = self.how;
        let (members, middles) = (&range.members[..range.count], &range.extent.middles);
        let split = dispatch!(level, simd => bins.best_split(simd, members, middles, most_bins));
        let Some(split) = split else { return range.halved(level) };
        let is_worth_a_plane = range.spare() > 0 && range.count > ONE_LEAF && {
            let overlap = bins.overlap(&split, range.count, most_bins);
            overlap > WORTH_A_PLANE * self.root_area
                && overlap > OVERLAPPING * range.extent.bounds.area()
        };
        if is_worth_a_plane && let Some(sides) = self.cut(&mut range, split.cost * WORTH_CUTTING) {
            return range.parted(&sides);
        }
        let members = &mut range.members[..range.count];
        let sides = dispatch!(level, simd => split.partition(simd, members));
        if sides.low == 0 || sides.high == 0 { range.halved(level) } else { range.parted(&sides) }
    }

    /// Cuts the range by a plane, if that costs less than `worth`.
    fn cut(self, range: &mut Range<'_>, worth: f32) -> Option<Sides> {
        let Builder { mesh, level, .. } = self.how;
        let (members, spare) = (&range.members[..range.count], range.spare());
        let plane = spatial::best_plane(mesh, members, &range.extent.bounds, spare)?;
        if plane.cost >= worth {
            return None;
        }
        let (low, high) = plane.cut(mesh, members);
        if low.is_empty() || high.is_empty() || low.len() + high.len() > range.members.len() {
            return None;
        }
        range.count = low.len() + high.len();
        range.members[..low.len()].copy_from_slice(&low);
        range.members[low.len()..range.count].copy_from_slice(&high);
        Some(dispatch!(level, simd => Sides::of(simd, &low, &high)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where cutting leaves room between two sides, a leaf over both once read what was in it.
    #[test]
    fn members_of_a_node_follow_each_other_though_some_were_cut() {
        // Needles side by side, each along the diagonal of all: none has a small box until it is cut.
        let needles = (0..200_u16).flat_map(|needle| {
            let x = f32::from(needle) * 0.02;
            [[x, 0.0, 0.0], [x + 20.0, 20.0, 20.0], [x + 20.1, 20.0, 20.0]]
        });
        let triangles =
            (0..200).map(|needle| [3 * needle, 3 * needle + 1, 3 * needle + 2]).collect();
        let mesh = TriangleMesh::new(needles.collect(), triangles).unwrap();
        let mut members: Vec<WideBox> = mesh
            .corners()
            .zip(0..)
            .map(|(triangle, number)| WideBox::new(&triangle.guarded_bounds(), number))
            .collect();
        members.resize(700, WideBox::NOTHING);
        let builder = Builder { mesh: &mesh, level: Level::new(), most_bins: 32, bundle: 2 };
        let nodes = builder.build(&mut members, 200);
        assert!(members.len() > 200, "nothing was cut");
        assert_eq!(nodes[0].count as usize, members.len());
        for node in &nodes {
            let own = &members[node.first as usize..][..node.count as usize];
            assert_eq!(WideBox::around(own).bounds(), node.bounds.bounds());
        }
        let mut numbers: Vec<u32> = members.iter().map(WideBox::number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert!(numbers.into_iter().eq(0..200));
    }
}
