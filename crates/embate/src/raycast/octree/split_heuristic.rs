//! Split heuristic of the octree: whether to split the triangles that cross the middle of a cell.
//!
//! SAH with one addition: a ray that hits something in the first half never visits the second, if
//! the halves do not overlap. This makes spatial splits pay on a soup, although they duplicate
//! references.

use embate_geom::{Aabb, Triangle};

use crate::raycast::bvh::PrimRef;
use crate::raycast::clip_triangle::split_at_plane;
use crate::raycast::octree::build::LEAF_CAPACITY;

/// Splitting must cost less than this fraction: every reference it duplicates takes memory.
const MAX_SPLIT_COST_RATIO: f32 = 0.88;
/// Mean number of boxes over a point from which a cell is always split: every ray would otherwise
/// test at least that many triangles.
const MIN_CROWDED_OVERLAP: f32 = 4.0;

/// Treatment of the references that cross the middle of a cell.
pub(super) enum SplitChoice {
    /// Each goes to the half that contains its center.
    Unsplit,
    /// Each is split; the references of either half.
    Split(Vec<PrimRef>, Vec<PrimRef>),
}

/// Decides between splitting and not splitting at `plane`, adding at most `spare` references.
pub(super) fn choose_split(
    triangles: &[Triangle],
    prims: &[PrimRef],
    axis: usize,
    plane: f32,
    spare: usize,
) -> SplitChoice {
    if prims.len() <= LEAF_CAPACITY {
        return SplitChoice::Unsplit;
    }
    let mut unsplit = [HalfCell::EMPTY; 2];
    let mut crossing = 0;
    for prim in prims {
        let bounds = prim.bounds();
        crossing += usize::from(bounds.min[axis] < plane && plane < bounds.max[axis]);
        unsplit[usize::from(prim.doubled_center(axis) >= 2.0 * plane)].add(prim);
    }
    if crossing == 0 || crossing > spare {
        return SplitChoice::Unsplit;
    }
    let all = PrimRef::merge_all(prims);
    let volumes: f32 = prims.iter().map(volume).sum();
    let is_crowded = volumes > MIN_CROWDED_OVERLAP * volume(&all);
    let mut split = [HalfCell::EMPTY; 2];
    let mut halves = [Vec::with_capacity(prims.len()), Vec::with_capacity(prims.len())];
    for prim in prims {
        let center_half = usize::from(prim.doubled_center(axis) >= 2.0 * plane);
        let bounds = prim.bounds();
        let mut parts = [None; 2];
        if bounds.min[axis] < plane && plane < bounds.max[axis] {
            let id = prim.prim_id();
            let clipped = split_at_plane(&triangles[id as usize], &bounds, axis, plane);
            parts = clipped
                .map(|part| part.map(|part| PrimRef::new(&part.bounds, id).with_area(part.area)));
        }
        if parts.iter().all(Option::is_none) {
            parts[center_half] = Some(*prim);
        }
        for (half, part) in parts.into_iter().enumerate() {
            if let Some(part) = part {
                split[half].add(&part);
                halves[half].push(part);
            }
        }
    }
    if is_crowded || cost(&split, &all, axis) < MAX_SPLIT_COST_RATIO * cost(&unsplit, &all, axis) {
        let [low, high] = halves;
        SplitChoice::Split(low, high)
    } else {
        SplitChoice::Unsplit
    }
}

fn volume(bounds: &PrimRef) -> f32 {
    let Aabb { min, max } = bounds.bounds();
    (0..3).map(|axis| max[axis] - min[axis]).product()
}

/// One half of a cell.
#[derive(Clone, Copy)]
struct HalfCell {
    bounds: PrimRef,
    count: f32,
    /// Total area of its triangles.
    triangle_area: f32,
}

impl HalfCell {
    const EMPTY: Self = Self { bounds: PrimRef::EMPTY, count: 0.0, triangle_area: 0.0 };

    fn add(&mut self, prim: &PrimRef) {
        self.bounds = self.bounds.merged(prim);
        self.count += 1.0;
        self.triangle_area += prim.triangle_area();
    }

    /// Probability that a ray through the box hits a triangle in it. On average a ray through a box
    /// of half surface area `s` crosses surfaces of area `a` inside it `a / s` times.
    fn hit_probability(&self) -> f32 {
        let crossings = self.triangle_area / self.bounds.half_area();
        if crossings.is_finite() { crossings / (1.0 + crossings) } else { 1.0 }
    }
}

/// Expected number of triangle tests, times half surface area.
fn cost([low, high]: &[HalfCell; 2], all: &PrimRef, axis: usize) -> f32 {
    let area = |side: &HalfCell| if side.count > 0.0 { side.bounds.half_area() } else { 0.0 };
    let tests = area(low) * low.count + area(high) * high.count;
    if low.count == 0.0 || high.count == 0.0 {
        return tests;
    }
    let (all_bounds, low_bounds, high_bounds) =
        (all.bounds(), low.bounds.bounds(), high.bounds.bounds());
    let length = all_bounds.max[axis] - all_bounds.min[axis];
    let overlap = low_bounds.max[axis] - high_bounds.min[axis];
    let separation = if length > 0.0 { 1.0 - overlap / length } else { 0.0 };
    let separation = if separation > 1.0 {
        1.0
    } else if separation > 0.0 {
        separation
    } else {
        0.0
    };
    // Rays that cross both halves.
    let both = area(low) + area(high) - all.half_area();
    let both = if both > 0.0 { both } else { 0.0 };
    tests
        - both
            * separation
            * 0.5
            * (low.hit_probability() * high.count + high.hit_probability() * low.count)
}
