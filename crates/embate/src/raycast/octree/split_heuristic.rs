//! Does cutting what lies across the middle of a cell pay?
//!
//! What a ray that enters the cell has to test, by the surface-area heuristic with one thing added: a ray that
//! hits something in the first half never sees the second, where the halves do not overlap. That is what makes
//! cutting pay on a soup, though it makes more members of the same triangles.

use embate_geom::{Aabb, Triangle};

use super::build::ONE_LEAF;
use crate::rays::bvh::WideBox;
use crate::rays::clip::halves;

/// Cutting must save so much: every member it makes takes memory.
const WORTH_CUTTING: f32 = 0.88;
/// Where so many boxes lie over a point in the mean, no ray gets by with fewer tests until they are cut: as many as
/// a leaf tests at once.
const CROWDED: f32 = 4.0;

/// What happens to members across the middle.
pub(super) enum Way {
    /// Each goes to the side where its middle is.
    Whole,
    /// Each is cut; the members of either side.
    Cut(Vec<WideBox>, Vec<WideBox>),
}

pub(super) fn choose(
    triangles: &[Triangle],
    members: &[WideBox],
    axis: usize,
    middle: f32,
    spare: usize,
) -> Way {
    if members.len() <= ONE_LEAF {
        return Way::Whole;
    }
    let mut whole = [Side::NOTHING; 2];
    let mut crossing = 0;
    for member in members {
        let bounds = member.bounds();
        crossing += usize::from(bounds.min[axis] < middle && middle < bounds.max[axis]);
        whole[usize::from(member.middle(axis) >= 2.0 * middle)].add(member);
    }
    if crossing == 0 || crossing > spare {
        return Way::Whole;
    }
    let all = WideBox::around(members);
    let volumes: f32 = members.iter().map(volume).sum();
    let is_crowded = volumes > CROWDED * volume(&all);
    let mut cut = [Side::NOTHING; 2];
    let mut sides = [Vec::with_capacity(members.len()), Vec::with_capacity(members.len())];
    for member in members {
        let side_of_middle = usize::from(member.middle(axis) >= 2.0 * middle);
        let bounds = member.bounds();
        let mut parts = [None; 2];
        if bounds.min[axis] < middle && middle < bounds.max[axis] {
            let number = member.number();
            let pieces = halves(&triangles[number as usize], &bounds, axis, middle);
            parts = pieces.map(|piece| {
                piece.map(|piece| WideBox::new(&piece.bounds, number).with_area(piece.area))
            });
        }
        if parts.iter().all(Option::is_none) {
            parts[side_of_middle] = Some(*member);
        }
        for (side, part) in parts.into_iter().enumerate() {
            if let Some(part) = part {
                cut[side].add(&part);
                sides[side].push(part);
            }
        }
    }
    if is_crowded || cost(&cut, &all, axis) < WORTH_CUTTING * cost(&whole, &all, axis) {
        let [low, high] = sides;
        Way::Cut(low, high)
    } else {
        Way::Whole
    }
}

fn volume(bounds: &WideBox) -> f32 {
    let Aabb { min, max } = bounds.bounds();
    (0..3).map(|axis| max[axis] - min[axis]).product()
}

/// One half of a cell.
#[derive(Clone, Copy)]
struct Side {
    bounds: WideBox,
    count: f32,
    /// Of all its triangles.
    area: f32,
}

impl Side {
    const NOTHING: Self = Self { bounds: WideBox::NOTHING, count: 0.0, area: 0.0 };

    fn add(&mut self, member: &WideBox) {
        self.bounds = self.bounds.joined(member);
        self.count += 1.0;
        self.area += member.triangle_area();
    }

    /// How likely a ray through its box hits something in it. (Through a box of half surface `s` a ray crosses
    /// surfaces of area `a` inside of it `a/s` times in the mean.)
    fn stops(&self) -> f32 {
        let crossings = self.area / self.bounds.area();
        if crossings.is_finite() { crossings / (1.0 + crossings) } else { 1.0 }
    }
}

fn cost([low, high]: &[Side; 2], all: &WideBox, axis: usize) -> f32 {
    let area = |side: &Side| if side.count > 0.0 { side.bounds.area() } else { 0.0 };
    let tests = area(low) * low.count + area(high) * high.count;
    if low.count == 0.0 || high.count == 0.0 {
        return tests;
    }
    let (all_bounds, low_bounds, high_bounds) =
        (all.bounds(), low.bounds.bounds(), high.bounds.bounds());
    let length = all_bounds.max[axis] - all_bounds.min[axis];
    let overlap = low_bounds.max[axis] - high_bounds.min[axis];
    let apart = if length > 0.0 { 1.0 - overlap / length } else { 0.0 };
    let apart = if apart > 1.0 {
        1.0
    } else if apart > 0.0 {
        apart
    } else {
        0.0
    };
    // Rays that cross both.
    let both = area(low) + area(high) - all.area();
    let both = if both > 0.0 { both } else { 0.0 };
    tests - both * apart * 0.5 * (low.stops() * high.count + high.stops() * low.count)
}
