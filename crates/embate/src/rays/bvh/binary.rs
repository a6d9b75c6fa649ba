//! Which triangles belong together? A binary tree, split where the surface-area heuristic says (binned,
//! Wald 2007).
//!
//! The same tree whatever the number of threads: where a range is cut depends on its triangles alone.
#![allow(clippy::inline_always)]

use embate_geom::Aabb;
use fearless_simd::{Level, dispatch, f32x4, f32x8, i32x4, prelude::*};

/// Ranges from this size on are split by two threads.
const WORTH_A_THREAD: usize = 4_096;
/// Bins an axis can be cut into.
const MOST_BINS: usize = 64;

/// A box as eight lanes, so that one vector maximum joins two:
/// −least x, −least y, −least z, 0, greatest x, greatest y, greatest z, 0.
///
/// Lane 3 of a triangle's box holds its number's bits: small numbers are ordinary (tiny) floats, and
/// travel with the box when ranges are partitioned.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(in crate::rays) struct WideBox(pub(super) [f32; 8]);

impl WideBox {
    pub(in crate::rays) const NOTHING: Self = Self([f32::NEG_INFINITY; 8]);

    pub(in crate::rays) fn new(bounds: &Aabb<3>, number: u32) -> Self {
        let ([a, b, c], [x, y, z]) = (bounds.min, bounds.max);
        Self([-a, -b, -c, f32::from_bits(number), x, y, z, 0.0])
    }

    pub(in crate::rays) fn number(&self) -> u32 {
        self.0[3].to_bits()
    }

    pub(in crate::rays) fn bounds(&self) -> Aabb<3> {
        let [a, b, c, _, x, y, z, _] = self.0;
        Aabb { min: [-a, -b, -c], max: [x, y, z] }
    }

    /// The box with the area of its triangle, which travels with it as well.
    pub(in crate::rays) fn with_area(mut self, area: f32) -> Self {
        self.0[7] = area;
        self
    }

    /// What [`with_area`](Self::with_area) was given.
    pub(in crate::rays) fn triangle_area(&self) -> f32 {
        self.0[7]
    }

    pub(in crate::rays) fn joined(&self, other: &Self) -> Self {
        let mut both = *self;
        for (value, &other) in both.0.iter_mut().zip(&other.0) {
            *value = if other > *value { other } else { *value };
        }
        both
    }

    /// The box around all.
    pub(in crate::rays) fn around(boxes: &[Self]) -> Self {
        boxes.iter().fold(Self::NOTHING, |all, each| all.joined(each))
    }

    /// Half the surface.
    #[inline(always)]
    pub(in crate::rays) fn area(&self) -> f32 {
        let [a, b, c, _, x, y, z, _] = self.0;
        let (x, y, z) = (a + x, b + y, c + z);
        x * (y + z) + y * z
    }

    /// Twice the middle.
    #[inline(always)]
    pub(in crate::rays) fn middle(&self, axis: usize) -> f32 {
        self.0[(axis + 4) & 7] - self.0[axis & 7]
    }
}

/// A node of the binary tree: over `count` triangles from `first` on.
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

/// The tree over `triangles`, which are put in its order. Parents come before their children.
/// Ranges of up to `bundle` triangles are not split further; larger ones are put into up to `bins` bins.
pub(super) fn build(
    level: Level,
    triangles: &mut [WideBox],
    bundle: usize,
    bins: usize,
) -> Vec<BinaryNode> {
    let mut nodes = Vec::with_capacity(triangles.len());
    Builder { level, bundle, bins }.grow(triangles, 0).into_list(&mut nodes);
    nodes
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
                nodes.extend(list.into_iter().map(|mut node| {
                    node.second += if node.is_bundle() { 0 } else { before };
                    node
                }));
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

#[derive(Clone, Copy)]
struct Builder {
    level: Level,
    bundle: usize,
    bins: usize,
}

impl Builder {
    fn grow(self, triangles: &mut [WideBox], first: u32) -> Part {
        if triangles.len() < WORTH_A_THREAD {
            let mut nodes = Vec::with_capacity(triangles.len());
            self.grow_list(triangles, first, &mut nodes);
            return Part::List(nodes);
        }
        let (bounds, cut) = self.cut(triangles);
        let node = BinaryNode { bounds, first, count: triangles.len() as u32, second: 0 };
        let (low, high) = triangles.split_at_mut(cut);
        let (low, high) =
            rayon::join(|| self.grow(low, first), || self.grow(high, first + cut as u32));
        Part::Pair(node, Box::new([low, high]))
    }

    fn grow_list(self, triangles: &mut [WideBox], first: u32, nodes: &mut Vec<BinaryNode>) {
        let count = triangles.len();
        if count <= self.bundle {
            let bounds = around(triangles);
            nodes.push(BinaryNode { bounds, first, count: count as u32, second: 0 });
            return;
        }
        let (bounds, cut) = self.cut(triangles);
        let place = nodes.len();
        nodes.push(BinaryNode { bounds, first, count: count as u32, second: 0 });
        let (low, high) = triangles.split_at_mut(cut);
        self.grow_list(low, first, nodes);
        nodes[place].second = nodes.len() as u32;
        self.grow_list(high, first + cut as u32, nodes);
    }

    /// Puts the triangles of the first child before those of the second; returns the box of all and
    /// how many the first has.
    fn cut(self, triangles: &mut [WideBox]) -> (WideBox, usize) {
        let Self { level, bins, .. } = self;
        let (bounds, split) = dispatch!(level, simd => best_split(simd, triangles, bins));
        let cut = split.map_or(0, |split| partition(triangles, split));
        // Middles all in one place, or too near each other for the bins: any cut is as good.
        let cut = if cut == 0 || cut == triangles.len() { triangles.len() / 2 } else { cut };
        (bounds, cut)
    }
}

fn around(triangles: &[WideBox]) -> WideBox {
    let mut all = WideBox::NOTHING;
    for triangle in triangles {
        for (lane, &value) in triangle.0.iter().enumerate() {
            all.0[lane] = if value > all.0[lane] { value } else { all.0[lane] };
        }
    }
    all
}

/// Where to cut: triangles of bins below `bin` on `axis` go to the first child.
#[derive(Clone, Copy)]
struct Split {
    axis: usize,
    bin: u32,
    origin: f32,
    scale: f32,
}

fn partition(triangles: &mut [WideBox], split: Split) -> usize {
    let is_low = |triangle: &WideBox| {
        (((triangle.middle(split.axis) - split.origin) * split.scale) as u32) < split.bin
    };
    let (mut low, mut high) = (0, triangles.len());
    loop {
        while low < high && is_low(&triangles[low]) {
            low += 1;
        }
        while low < high && !is_low(&triangles[high - 1]) {
            high -= 1;
        }
        if low >= high {
            return low;
        }
        triangles.swap(low, high - 1);
        low += 1;
        high -= 1;
    }
}

#[derive(Clone, Copy)]
struct Bin {
    bounds: WideBox,
    count: u32,
}

/// The box of all, and the cut with the least sum of area times triangles; `None` if all middles
/// coincide.
#[inline(always)]
fn best_split<S: Simd>(simd: S, triangles: &[WideBox], most_bins: usize) -> (WideBox, Option<Split>) {
    let nothing = f32x8::splat(simd, f32::NEG_INFINITY);
    let mut all = nothing;
    let mut least = f32x4::splat(simd, f32::INFINITY);
    let mut most = f32x4::splat(simd, f32::NEG_INFINITY);
    for triangle in triangles {
        all = all.max(f32x8::simd_from(simd, triangle.0));
        let middle = middles(simd, triangle);
        least = least.min(middle);
        most = most.max(middle);
    }
    let bounds = WideBox(all.into());

    let bins = (4 + triangles.len() / 16).min(most_bins);
    let least: [f32; 4] = least.into();
    let most: [f32; 4] = most.into();
    let mut scale = [0.0; 4];
    for axis in 0..3 {
        let extent = most[axis] - least[axis];
        // Slightly less than the number of bins: the last middle must fall into the last bin.
        let per_bin = bins as f32 * 0.999_999 / extent;
        scale[axis] = if extent > 0.0 && per_bin.is_finite() { per_bin } else { 0.0 };
    }
    let mut table = [[Bin { bounds: WideBox::NOTHING, count: 0 }; MOST_BINS]; 3];
    let (origins, scales) = (f32x4::simd_from(simd, least), f32x4::simd_from(simd, scale));
    for triangle in triangles {
        let place: i32x4<S> = ((middles(simd, triangle) - origins) * scales).to_int();
        let place: [i32; 4] = place.into();
        let wide = f32x8::simd_from(simd, triangle.0);
        for axis in 0..3 {
            let bin = &mut table[axis][place[axis] as usize & (MOST_BINS - 1)];
            bin.bounds = WideBox(f32x8::simd_from(simd, bin.bounds.0).max(wide).into());
            bin.count += 1;
        }
    }

    let mut best: Option<(f32, Split)> = None;
    for axis in 0..3 {
        if scale[axis] == 0.0 {
            continue;
        }
        let row = &table[axis];
        let mut costs_above = [0.0; MOST_BINS];
        let (mut above, mut count) = (nothing, 0);
        for bin in (1..bins).rev() {
            above = above.max(f32x8::simd_from(simd, row[bin].bounds.0));
            count += row[bin].count;
            costs_above[bin] = if count == 0 {
                f32::INFINITY
            } else {
                WideBox(above.into()).area() * count as f32
            };
        }
        let (mut below, mut count) = (nothing, 0);
        for bin in 1..bins {
            below = below.max(f32x8::simd_from(simd, row[bin - 1].bounds.0));
            count += row[bin - 1].count;
            if count == 0 {
                continue;
            }
            let cost = WideBox(below.into()).area() * count as f32 + costs_above[bin];
            if best.is_none_or(|(least_cost, _)| cost < least_cost) {
                let (origin, scale) = (least[axis], scale[axis]);
                best = Some((cost, Split { axis, bin: bin as u32, origin, scale }));
            }
        }
    }
    (bounds, best.map(|(_, split)| split))
}

/// Twice the middle of a box, on the first three lanes.
#[inline(always)]
fn middles<S: Simd>(simd: S, triangle: &WideBox) -> f32x4<S> {
    let [a, b, c, _, x, y, z, _] = triangle.0;
    f32x4::simd_from(simd, [x, y, z, 0.0]) - f32x4::simd_from(simd, [a, b, c, 0.0])
}
