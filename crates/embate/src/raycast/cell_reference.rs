//! Triangle references of space partitions: which cells a triangle is listed in.
//!
//! The cells of a k-d tree or BSP tree are divided exactly at a plane, while the triangle test
//! reports hits beside the triangle, by up to [`Triangle::aabb_padding`] = δ on each axis.
//! Therefore a cell lists every triangle that reaches into the cell grown by δ.
//!
//! Guarantee: let P be the point of the triangle with the barycentric weights of a hit, and Q a
//! point within δ of P on each axis. Every cell that contains Q lists the triangle
//! (`docs/robustness.md`).

use embate_geom::{Aabb, Triangle};
use embate_mesh::TriangleMesh;

use crate::raycast::clip_triangle::split_with_overlap;

/// Reference to a triangle from a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellReference {
    pub(super) triangle: u32,
    /// AABB of the part of the triangle in the cell grown by δ, padded by δ: it contains every Q.
    pub(super) bounds: Aabb<3>,
}

impl CellReference {
    /// References to all triangles, from a cell around the mesh.
    pub(super) fn all(mesh: &TriangleMesh) -> Vec<Self> {
        let triangles = mesh.iter_triangles().zip(0..);
        triangles.map(|(t, triangle)| Self { triangle, bounds: t.padded_aabb() }).collect()
    }

    /// The references from the two halves of the cell, below and above `plane` on `axis`.
    pub(super) fn split(
        &self,
        triangles: &[Triangle],
        axis: usize,
        plane: f32,
    ) -> [Option<Self>; 2] {
        let Self { triangle, bounds } = *self;
        if bounds.max[axis] <= plane {
            return [Some(*self), None];
        }
        if bounds.min[axis] >= plane {
            return [None, Some(*self)];
        }
        let whole = &triangles[triangle as usize];
        let padding = whole.aabb_padding() + plane.abs() * f32::EPSILON;
        let parts = split_with_overlap(whole, &bounds, axis, plane, padding);
        match parts.map(|part| part.map(|part| Self { triangle, bounds: part.bounds })) {
            // Only rounding in the clipping can lose both.
            [None, None] => [Some(*self); 2],
            parts => parts,
        }
    }

    /// AABB of all references; `None` without any.
    pub(super) fn merged_bounds(references: &[Self]) -> Option<Aabb<3>> {
        references.iter().map(|reference| reference.bounds).reduce(|a, b| a.merged(&b))
    }
}

/// Upper bound of the references of a tree over `triangles` triangles with `per_triangle` each, and
/// of what `u32` block indices address.
pub(super) fn max_references(triangles: usize, per_triangle: usize) -> usize {
    const MAX_REFERENCES: usize = 1 << 27;
    triangles.saturating_mul(per_triangle).min(MAX_REFERENCES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangle_that_ends_just_before_the_plane_is_listed_on_both_sides() {
        let wall = Triangle([[0.0, 0.0, 0.0], [0.0, 4.0, 0.0], [1.0, 0.0, 4.0]]);
        let whole = CellReference { triangle: 0, bounds: wall.padded_aabb() };
        let delta = wall.aabb_padding();
        let sides = |plane: f32| whole.split(&[wall], 0, plane).map(|part| part.is_some());
        assert_eq!(sides(1.0 + 0.5 * delta), [true, true]);
        assert_eq!(sides(1.0 + 2.0 * delta), [true, false]);
        assert_eq!(sides(-2.0 * delta), [false, true]);
        assert_eq!(sides(-0.5 * delta), [true, true]);
    }

    #[test]
    fn parts_of_repeated_splits_contain_the_padded_triangle_near_the_cell() {
        let slanted = Triangle([[0.0, 0.0, 0.0], [8.0, 8.0, 1.0], [0.0, 8.0, 3.0]]);
        let whole = CellReference { triangle: 0, bounds: slanted.padded_aabb() };
        let [Some(low), _] = whole.split(&[slanted], 0, 2.0) else { panic!("it has a low part") };
        let [_, Some(part)] = low.split(&[slanted], 0, 1.0) else { panic!("it has a middle part") };
        let delta = slanted.aabb_padding();
        assert!(part.bounds.min[0] <= 1.0 - delta && part.bounds.min[0] > 1.0 - 3.0 * delta);
        assert!(part.bounds.max[0] >= 2.0 + delta && part.bounds.max[0] < 2.0 + 3.0 * delta);
        assert!(part.bounds.min[1] > 0.9, "the part between x = 1 and x = 2 begins near y = 1");
    }
}
