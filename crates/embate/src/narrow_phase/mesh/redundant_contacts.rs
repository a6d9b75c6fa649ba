//! Redundant contacts: removal of manifolds of a mesh whose penetration another manifold resolves.
//!
//! ```text
//!         ┌────────┐            On its own, the side face of the step reports a penetration as
//!         │  body  │            deep as the overhang and would push the body back by that much.
//!   ──────┴────┬───┘ ◄── no     But the top pushes the body up by much less, and then the body no
//!     mesh     │                longer touches the side.
//! ```
//!
//! Triangles of one normal form a group. A group is redundant if the resolution (normal times
//! depth) of another group clears all of its triangles, unless its own resolution also clears the
//! other group and is the shorter one: then the other group is redundant. Of all resolutions over a
//! convex edge the shortest remains, as for one solid body.
//!
//! A group that is cleared only because the other resolution moves the body along the group's own
//! normal is not redundant: its depth is small, and in a concave valley the other side supports the
//! body. If only the deeper side kept its contacts, the body would sink into the other side and
//! rock between the two.
//!
//! Guarantee: only manifolds that another manifold resolves are removed, and that other one is
//! kept.

use std::cell::Cell;

use embate_geom::{Vec3, scalar};

use crate::narrow_phase::convex::gjk;
use crate::narrow_phase::manifold::Manifold;

/// Cosine of the angle (45°) below which two normals do not contradict each other: a body on a
/// slightly curved surface keeps all points that support it.
const COMPATIBLE_COSINE: f32 = 0.7;

/// Cosine of the angle (22°) such that no two normals contradict each other if all are this close
/// to one of them.
const ALL_COMPATIBLE_COSINE: f32 = 0.93;

/// Cosine of the angle below which two normals count as equal.
pub(crate) const SAME_NORMAL_COSINE: f32 = 1.0 - 1e-6;

/// Most recent groups that a new manifold is compared with. Only a surface that is curved
/// everywhere has more.
const MAX_COMPARED_GROUPS: usize = 64;

/// Maximum number of tests of a displaced body against a triangle. A body in contact with a few
/// triangles needs some dozens. For a body deep in thousands of triangles the limit is reached, and
/// undecided groups are kept.
const MAX_REDUNDANCY_TESTS: u32 = 8_192;

/// A body is clear of a triangle if it is separated after a displacement longer than the depth by
/// this fraction of its size: a bound of the rounding error of the displacement.
const CLEARANCE_RATIO: f32 = 1e-4;

/// Displacement that resolves the penetration of one manifold.
#[derive(Clone, Copy)]
struct Resolution {
    /// Unit vector out of the mesh.
    direction: Vec3,
    depth: f32,
    triangle: u32,
}

impl Resolution {
    fn from_manifold(manifold: &Manifold) -> Self {
        Self {
            direction: -manifold.normal,
            depth: manifold.max_penetration(),
            triangle: manifold.sub_shapes[1],
        }
    }

    /// The displacement of A, extended by `tolerance`.
    fn displacement(&self, tolerance: f32) -> Vec3 {
        self.direction * (scalar::max(self.depth, 0.0) + tolerance)
    }
}

/// Distance beyond the depth at which a body of this size must be clear; `max_coordinate` bounds
/// its coordinates.
pub(crate) fn clearance(size: f32, max_coordinate: f32) -> f32 {
    gjk::tolerance(CLEARANCE_RATIO, size, size + max_coordinate)
}

/// Triangles of one normal.
struct NormalGroup {
    /// Resolution of the deepest triangle, for the whole group.
    resolution: Resolution,
    triangles: Vec<u32>,
}

/// Tests of the displaced body against triangles, up to a maximum number.
struct RedundancyTest<F> {
    tolerance: f32,
    is_clear: F,
    tests_left: Cell<u32>,
}

impl<F: Fn(Vec3, u32) -> bool> RedundancyTest<F> {
    /// Whether a resolution separates the body from all triangles of a group; `false` if no test is
    /// left.
    fn clears_all(&self, resolution: &Resolution, group: &NormalGroup) -> bool {
        let displacement = resolution.displacement(self.tolerance);
        group.triangles.iter().all(|&triangle| {
            let left = self.tests_left.get();
            self.tests_left.set(left.saturating_sub(1));
            left > 0 && (self.is_clear)(displacement, triangle)
        })
    }

    /// Whether the resolution of `keeper` makes the group `candidate` redundant.
    fn is_redundant(&self, candidate: &NormalGroup, keeper: &NormalGroup) -> bool {
        candidate.resolution.depth > self.tolerance
            && keeper.resolution.depth >= -self.tolerance
            && candidate.resolution.direction.dot(keeper.resolution.direction) < COMPATIBLE_COSINE
            && candidate.resolution.depth
                > keeper.resolution.displacement(self.tolerance).dot(candidate.resolution.direction)
            && self.clears_all(&keeper.resolution, candidate)
            && (keeper.resolution.depth < candidate.resolution.depth
                || (!self.clears_all(&candidate.resolution, keeper) && self.tests_left.get() > 0))
    }
}

/// Whether no two manifolds contradict each other, the common case: all normals are close to the
/// first.
pub(crate) fn are_compatible(manifolds: &[Manifold]) -> bool {
    let [reference, others @ ..] = manifolds else { return true };
    others.iter().all(|manifold| manifold.normal.dot(reference.normal) > ALL_COMPATIBLE_COSINE)
}

/// Removes the redundant manifolds of a body and a mesh from index `first` on. `is_clear` returns
/// whether the body, displaced by a vector, is separated from a triangle.
pub(crate) fn remove_redundant(
    manifolds: &mut Vec<Manifold>,
    first: usize,
    tolerance: f32,
    is_clear: impl Fn(Vec3, u32) -> bool,
) {
    let test = RedundancyTest { tolerance, is_clear, tests_left: Cell::new(MAX_REDUNDANCY_TESTS) };
    let mut groups: Vec<NormalGroup> = Vec::new();
    let mut group_index = Vec::with_capacity(manifolds.len() - first);
    for resolution in manifolds[first..].iter().map(Resolution::from_manifold) {
        let from = groups.len().saturating_sub(MAX_COMPARED_GROUPS);
        let existing = groups[from..].iter().position(|group| {
            group.resolution.direction.dot(resolution.direction) > SAME_NORMAL_COSINE
        });
        let index = from + existing.unwrap_or(groups.len() - from);
        if let Some(group) = groups.get_mut(index) {
            group.triangles.push(resolution.triangle);
            if resolution.depth > group.resolution.depth {
                group.resolution = resolution;
            }
        } else {
            groups.push(NormalGroup { resolution, triangles: vec![resolution.triangle] });
        }
        group_index.push(index);
    }
    // Ascending depth: the shortest resolution makes others redundant.
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by(|&a, &b| groups[a].resolution.depth.total_cmp(&groups[b].resolution.depth));
    let is_redundant = |candidate: usize, keepers: &[usize]| {
        let testable = test.tests_left.get() > 0 && groups[candidate].resolution.depth > tolerance;
        testable
            && keepers.iter().any(|&keeper| test.is_redundant(&groups[candidate], &groups[keeper]))
    };
    let (redundant, kept): (Vec<usize>, Vec<usize>) =
        order.iter().partition(|&&candidate| is_redundant(candidate, &order));
    test.tests_left.set(MAX_REDUNDANCY_TESTS);
    // Only with respect to groups that are kept, so that no contact is removed in favor of a
    // removed one.
    let mut removed = vec![false; groups.len()];
    for candidate in redundant {
        removed[candidate] = is_redundant(candidate, &kept);
    }
    let mut index = 0;
    manifolds.retain(|_| {
        index += 1;
        index <= first || !removed[group_index[index - first - 1]]
    });
}
