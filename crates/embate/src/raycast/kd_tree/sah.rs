//! Surface area heuristic (SAH) of the k-d tree: the plane of least expected cost.
//!
//! A ray through a cell passes a part of it with the probability of their surface areas' ratio.
//! Candidates are the sides of the references' boxes, all of them in a small cell (a sweep), evenly
//! spaced planes in a large one (bins).
//!
//! The heuristic assumes rays that hit nothing. In a soup of triangles as large as the cell no
//! plane lowers its cost, and the cell stays a leaf, although rays would end in the first part of a
//! divided one: the octree's heuristic counts that.

use embate_geom::Aabb;

use crate::raycast::cell_reference::CellReference;
use crate::raycast::triangle_blocks::BLOCK_SIZE;

/// Cost of visiting a node, relative to testing a block of up to eight triangles.
const NODE_COST: f64 = 0.3;
/// Factor for a plane that cuts off empty space: a ray that passes only there ends sooner.
const EMPTY_SPACE_FACTOR: f64 = 0.8;
/// References from which candidates are bins: a sweep sorts them, and the best of many planes is
/// hardly better than the best bin.
const MIN_BINNED: usize = 512;
const BIN_COUNT: usize = 64;

/// A plane that divides a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct SplitPlane {
    pub(super) axis: usize,
    pub(super) plane: f32,
    cost: f64,
}

/// The plane of least cost; `None` if it is cheaper to test all triangles of the cell. It adds at
/// most `spare` references.
pub(super) fn find_split(
    references: &[CellReference],
    cell: &Aabb<3>,
    spare: usize,
) -> Option<SplitPlane> {
    let mut best = None;
    for axis in 0..3 {
        if cell.min[axis] >= cell.max[axis] {
            continue;
        }
        let mut search = AxisSearch {
            axis,
            cost: CellCost::new(cell, axis),
            count: references.len(),
            spare,
            best,
        };
        if references.len() < MIN_BINNED {
            search.sweep(references);
        } else {
            search.bins(references);
        }
        best = search.best;
    }
    best.filter(|split| split.cost < block_cost(references.len()))
}

/// Cost of a leaf.
fn block_cost(count: usize) -> f64 {
    count.div_ceil(BLOCK_SIZE) as f64
}

/// Extents of a cell, in f64: products of f32 could underflow.
#[derive(Clone, Copy)]
struct CellCost {
    min: f32,
    max: f32,
    /// Half the area of a side across the axis, and half its perimeter.
    side_area: f64,
    side_perimeter: f64,
}

impl CellCost {
    fn new(cell: &Aabb<3>, axis: usize) -> Self {
        let extent = |axis: usize| f64::from(cell.max[axis % 3]) - f64::from(cell.min[axis % 3]);
        let (width, height) = (extent(axis + 1), extent(axis + 2));
        Self {
            min: cell.min[axis],
            max: cell.max[axis],
            side_area: width * height,
            side_perimeter: width + height,
        }
    }

    fn half_area(&self, length: f64) -> f64 {
        length * self.side_perimeter + self.side_area
    }

    /// Expected cost with `low` and `high` references on the two sides.
    fn of(&self, plane: f32, low: usize, high: usize) -> f64 {
        let (min, max, plane) = (f64::from(self.min), f64::from(self.max), f64::from(plane));
        let visits = self.half_area(plane - min) * block_cost(low)
            + self.half_area(max - plane) * block_cost(high);
        let factor = if low == 0 || high == 0 { EMPTY_SPACE_FACTOR } else { 1.0 };
        factor * (NODE_COST + visits / self.half_area(max - min))
    }
}

/// Search of the best plane on one axis.
struct AxisSearch {
    axis: usize,
    cost: CellCost,
    count: usize,
    spare: usize,
    best: Option<SplitPlane>,
}

impl AxisSearch {
    /// Considers a plane below which `low` references begin, and above which `high` end.
    fn consider(&mut self, plane: f32, low: usize, high: usize) {
        let is_inside = self.cost.min < plane && plane < self.cost.max;
        if !is_inside || low + high > self.count + self.spare {
            return;
        }
        let cost = self.cost.of(plane, low, high);
        if self.best.is_none_or(|best| cost < best.cost) {
            self.best = Some(SplitPlane { axis: self.axis, plane, cost });
        }
    }

    /// Every side of a box.
    fn sweep(&mut self, references: &[CellReference]) {
        let sorted = |side: fn(&Aabb<3>) -> &[f32; 3]| {
            let mut sides: Vec<f32> =
                references.iter().map(|reference| side(&reference.bounds)[self.axis]).collect();
            sides.sort_unstable_by(f32::total_cmp);
            sides
        };
        let (begins, ends) = (sorted(|bounds| &bounds.min), sorted(|bounds| &bounds.max));
        let (mut begun, mut ended) = (0, 0);
        while ended < ends.len() {
            let plane = match begins.get(begun) {
                Some(&begin) if begin < ends[ended] => begin,
                _ => ends[ended],
            };
            // A box that begins at the plane is above it, one that ends there is below.
            while ended < ends.len() && ends[ended] <= plane {
                ended += 1;
            }
            self.consider(plane, begun, references.len() - ended);
            while begun < begins.len() && begins[begun] <= plane {
                begun += 1;
            }
        }
    }

    /// Evenly spaced planes. Counts near a plane may be off by rounding, which affects the cost
    /// only.
    fn bins(&mut self, references: &[CellReference]) {
        let (min, max) = (f64::from(self.cost.min), f64::from(self.cost.max));
        let bins_per_length = BIN_COUNT as f64 / (max - min);
        let bin = |side: f32| {
            let bin = (f64::from(side) - min) * bins_per_length;
            // Saturates below 0.
            (bin as usize).min(BIN_COUNT - 1)
        };
        let (mut begins, mut ends) = ([0; BIN_COUNT], [0; BIN_COUNT]);
        for CellReference { bounds, .. } in references {
            begins[bin(bounds.min[self.axis])] += 1;
            ends[bin(bounds.max[self.axis])] += 1;
        }
        let (mut begun, mut ended) = (0, 0);
        for number in 1..BIN_COUNT {
            begun += begins[number - 1];
            ended += ends[number - 1];
            let plane = (min + number as f64 / bins_per_length) as f32;
            self.consider(plane, begun, references.len() - ended);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(min: f32, max: f32) -> CellReference {
        CellReference { triangle: 0, bounds: Aabb { min: [min, 0.0, 0.0], max: [max, 1.0, 1.0] } }
    }

    const CELL: Aabb<3> = Aabb { min: [0.0; 3], max: [10.0, 1.0, 1.0] };

    #[test]
    fn empty_space_is_cut_off() {
        let references = vec![reference(8.0, 9.0); 20];
        let split = find_split(&references, &CELL, 0).unwrap();
        assert_eq!((split.axis, split.plane), (0, 8.0));
    }

    #[test]
    fn groups_are_separated_between_them_by_sweep_and_bins() {
        for count in [40, MIN_BINNED] {
            let group = |min: f32| vec![reference(min, min + 2.0); count];
            let references = [group(0.5), group(7.0)].concat();
            let split = find_split(&references, &CELL, 0).unwrap();
            assert_eq!(split.axis, 0);
            assert!((2.5..=7.0).contains(&split.plane), "{split:?}");
        }
    }

    #[test]
    fn planes_that_add_more_references_than_the_spare_are_excluded() {
        let references: Vec<_> = (0..40).map(|i| reference(0.0, 1.0 + i as f32 * 0.2)).collect();
        let added = |split: SplitPlane| {
            let crosses =
                |r: &&CellReference| r.bounds.min[0] < split.plane && split.plane < r.bounds.max[0];
            references.iter().filter(crosses).count()
        };
        let [free, limited] =
            [1_000, 3].map(|spare| added(find_split(&references, &CELL, spare).unwrap()));
        assert!(limited <= 3 && free >= limited, "{free} and {limited}");
    }

    #[test]
    fn cell_without_a_separating_plane_stays_a_leaf() {
        assert!(find_split(&vec![reference(0.0, 10.0); 100], &CELL, 1_000).is_none());
        let point = Aabb { min: [1.0; 3], max: [1.0; 3] };
        assert!(find_split(&[reference(1.0, 1.0); 9], &point, 9).is_none());
    }
}
