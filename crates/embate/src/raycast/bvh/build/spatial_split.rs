//! Spatial splits (SBVH; Stich, Friedrich, Dietrich 2009): a plane that divides the triangles it
//! crosses.
//!
//! A large triangle inflates the box of its node. Split, each part has a small box, and two leaves
//! reference the triangle. The bin bounds used for the cost may be off by a rounding error; the
//! parts themselves come from [`split_at_plane`], whose boxes lose no hit.

use embate_geom::Triangle;
use embate_mesh::TriangleMesh;

use crate::raycast::bvh::build::prim_ref::PrimRef;
use crate::raycast::clip_triangle::split_at_plane;

/// Bins per axis. More bins found no better planes.
const SPATIAL_BIN_COUNT: usize = 16;

/// Split of a range by an axis-aligned plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpatialSplit {
    /// SAH cost: half area times count, summed over both sides.
    pub(crate) cost: f32,
    axis: usize,
    plane: f32,
    low: SplitSide,
    high: SplitSide,
}

/// Bounds and number of references on one side of a plane.
#[derive(Clone, Copy, Debug)]
struct SplitSide {
    bounds: PrimRef,
    count: u32,
}

impl SplitSide {
    const EMPTY: Self = Self { bounds: PrimRef::EMPTY, count: 0 };

    fn cost(&self) -> f32 {
        if self.count == 0 { 0.0 } else { self.bounds.half_area() * self.count as f32 }
    }

    fn merged(mut self, bounds: &PrimRef) -> Self {
        self.bounds = self.bounds.merged(bounds);
        self
    }
}

/// The split with the least cost that adds at most `spare` references.
pub(crate) fn best_spatial_split(
    mesh: &TriangleMesh,
    prims: &[PrimRef],
    bounds: &PrimRef,
    spare: usize,
) -> Option<SpatialSplit> {
    let mut best: Option<SpatialSplit> = None;
    for axis in 0..3 {
        let bins = SpatialBins::new(mesh, prims, bounds, axis);
        if let Some(split) = bins.and_then(|bins| bins.best_split(prims.len() + spare))
            && best.is_none_or(|best| split.cost < best.cost)
        {
            best = Some(split);
        }
    }
    best
}

/// Bins of clipped triangles along one axis.
struct SpatialBins {
    axis: usize,
    origin: f32,
    width: f32,
    bounds: [PrimRef; SPATIAL_BIN_COUNT],
    /// References that start and end in each bin.
    entry_counts: [u32; SPATIAL_BIN_COUNT],
    exit_counts: [u32; SPATIAL_BIN_COUNT],
}

impl SpatialBins {
    fn new(mesh: &TriangleMesh, prims: &[PrimRef], bounds: &PrimRef, axis: usize) -> Option<Self> {
        let (origin, length) = (-bounds.0[axis], bounds.0[axis + 4] + bounds.0[axis]);
        let width = length / SPATIAL_BIN_COUNT as f32;
        let bins_per_unit = 1.0 / width;
        if !(bins_per_unit.is_finite() && bins_per_unit > 0.0) {
            return None;
        }
        let mut bins = Self {
            axis,
            origin,
            width,
            bounds: [PrimRef::EMPTY; SPATIAL_BIN_COUNT],
            entry_counts: [0; SPATIAL_BIN_COUNT],
            exit_counts: [0; SPATIAL_BIN_COUNT],
        };
        let bin_of = |coordinate: f32| {
            (((coordinate - origin) * bins_per_unit) as usize).min(SPATIAL_BIN_COUNT - 1)
        };
        for prim in prims {
            let (first, last) = (bin_of(-prim.0[axis]), bin_of(prim.0[axis + 4]));
            bins.entry_counts[first] += 1;
            bins.exit_counts[last] += 1;
            if first == last {
                bins.bounds[first] = bins.bounds[first].merged(prim);
            } else {
                bins.add_clipped(&mesh.triangle(prim.prim_id()), prim, first, last);
            }
        }
        Some(bins)
    }

    /// Lower plane of a bin.
    fn lower_plane(&self, bin: usize) -> f32 {
        self.origin + self.width * bin as f32
    }

    /// Adds the part of a triangle in each of the bins `first..=last`.
    fn add_clipped(&mut self, triangle: &Triangle, prim: &PrimRef, first: usize, last: usize) {
        let vertex_bounds = triangle.0.map(point_bounds);
        let mut lower_section = PrimRef::EMPTY;
        for bin in first..=last {
            let (low, high) = (self.lower_plane(bin), self.lower_plane(bin + 1));
            let upper_section = if bin == last {
                PrimRef::EMPTY
            } else {
                section_bounds(triangle, self.axis, high)
            };
            let mut part = lower_section.merged(&upper_section);
            for (bounds, vertex) in vertex_bounds.iter().zip(&triangle.0) {
                let is_inside = (bin == first || vertex[self.axis] >= low)
                    && (bin == last || vertex[self.axis] <= high);
                if is_inside {
                    part = part.merged(bounds);
                }
            }
            let part = part.intersection(prim);
            if !part.is_empty() {
                self.bounds[bin] = self.bounds[bin].merged(&part);
            }
            lower_section = upper_section;
        }
    }

    fn best_split(&self, max_prims: usize) -> Option<SpatialSplit> {
        let mut above = [SplitSide::EMPTY; SPATIAL_BIN_COUNT];
        let mut side = SplitSide::EMPTY;
        for bin in (1..SPATIAL_BIN_COUNT).rev() {
            side = side.merged(&self.bounds[bin]);
            side.count += self.exit_counts[bin];
            above[bin] = side;
        }
        let mut best: Option<SpatialSplit> = None;
        let mut low = SplitSide::EMPTY;
        for bin in 1..SPATIAL_BIN_COUNT {
            low = low.merged(&self.bounds[bin - 1]);
            low.count += self.entry_counts[bin - 1];
            let high = above[bin];
            let cost = low.cost() + high.cost();
            let has_both_sides = low.count > 0 && high.count > 0;
            if has_both_sides
                && (low.count + high.count) as usize <= max_prims
                && best.is_none_or(|best| cost < best.cost)
            {
                best = Some(SpatialSplit {
                    cost,
                    axis: self.axis,
                    plane: self.lower_plane(bin),
                    low,
                    high,
                });
            }
        }
        best
    }
}

/// Box of a single point.
fn point_bounds([x, y, z]: [f32; 3]) -> PrimRef {
    PrimRef([-x, -y, -z, f32::NEG_INFINITY, x, y, z, f32::NEG_INFINITY])
}

/// Bounds of the intersection of a triangle with a plane.
fn section_bounds(triangle: &Triangle, axis: usize, plane: f32) -> PrimRef {
    let mut bounds = PrimRef::EMPTY;
    let [a, b, c] = &triangle.0;
    for (from, to) in [(a, b), (b, c), (c, a)] {
        if (from[axis] < plane) != (to[axis] < plane) {
            let fraction = (plane - from[axis]) / (to[axis] - from[axis]);
            let mut crossing =
                core::array::from_fn(|other| from[other] + (to[other] - from[other]) * fraction);
            crossing[axis] = plane;
            bounds = bounds.merged(&point_bounds(crossing));
        }
    }
    bounds
}

impl SpatialSplit {
    /// The references of either side. A triangle that crosses the plane is split, or assigned to
    /// one side if that costs less (reference unsplitting).
    pub(crate) fn partition(
        mut self,
        mesh: &TriangleMesh,
        prims: &[PrimRef],
    ) -> (Vec<PrimRef>, Vec<PrimRef>) {
        let mut low = Vec::with_capacity(self.low.count as usize);
        let mut high = Vec::with_capacity(self.high.count as usize);
        for prim in prims {
            if prim.0[self.axis + 4] <= self.plane {
                low.push(*prim);
            } else if -prim.0[self.axis] >= self.plane {
                high.push(*prim);
            } else {
                let [low_part, high_part] = self.split_or_unsplit(mesh, prim);
                low.extend(low_part);
                high.extend(high_part);
            }
        }
        (low, high)
    }

    fn split_or_unsplit(&mut self, mesh: &TriangleMesh, prim: &PrimRef) -> [Option<PrimRef>; 2] {
        let Self { low, high, .. } = *self;
        let cost_low = low.merged(prim).cost() + without_one(high).cost();
        let cost_high = without_one(low).cost() + high.merged(prim).cost();
        let cost_split = low.cost() + high.cost();
        if cost_low <= cost_split && cost_low <= cost_high {
            (self.low, self.high) = (low.merged(prim), without_one(high));
            return [Some(*prim), None];
        }
        if cost_high <= cost_split {
            (self.low, self.high) = (without_one(low), high.merged(prim));
            return [None, Some(*prim)];
        }
        let id = prim.prim_id();
        let parts = split_at_plane(&mesh.triangle(id), &prim.bounds(), self.axis, self.plane);
        if parts.iter().all(Option::is_none) {
            return [Some(*prim), None];
        }
        parts.map(|part| part.map(|part| PrimRef::new(&part.bounds, id)))
    }
}

fn without_one(mut side: SplitSide) -> SplitSide {
    side.count = side.count.saturating_sub(1);
    side
}
