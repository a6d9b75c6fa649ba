//! What does a structure look like? The boxes of its tree, for whoever draws or counts them.

use embate_geom::Aabb;

use super::AnyRayIndex;

/// A box of a structure's tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeBox {
    /// In the mesh's units.
    pub bounds: Aabb<3>,
    /// How many boxes are above it: 0 for the root.
    pub depth: u32,
    /// Triangles that are tested where a ray comes here; `None` for one that only holds other boxes.
    pub triangles: Option<u32>,
}

impl AnyRayIndex {
    /// Tells `visit` of the structure's boxes down to `depth`, the root's being 0, parents before children; those below
    /// one for which it answers false are left out. A structure without a tree has none.
    ///
    /// ```
    /// use embate::{TriangleMesh, rays::RayTechnique};
    ///
    /// let corners = vec![[0.0, 0.0, 2.0], [4.0, 0.0, 2.0], [0.0, 4.0, 2.0]];
    /// let mesh = TriangleMesh::new(corners, vec![[0, 1, 2]])?;
    /// let mut boxes = Vec::new();
    /// RayTechnique::Bvh.build(&mesh).visit_boxes(u32::MAX, |told| {
    ///     boxes.push(told);
    ///     true
    /// });
    /// assert_eq!(boxes.len(), 1);
    /// assert_eq!(boxes[0].triangles, Some(1));
    /// # Ok::<(), embate::InvalidMesh>(())
    /// ```
    pub fn visit_boxes(&self, depth: u32, visit: impl FnMut(TreeBox) -> bool) {
        match self {
            Self::StudyBrute(_) | Self::Brute(_) => {}
            Self::StudyOctree(index) => index.visit_boxes(depth, visit),
            Self::Octree(index) => index.visit_boxes(depth, visit),
            Self::Bvh(index) => index.visit_boxes(depth, visit),
        }
    }
}

#[cfg(test)]
mod tests {
    use embate_mesh::TriangleMesh;

    use super::*;
    use crate::rays::RayTechnique;

    /// Small triangles on a lattice.
    fn crumbs(side: u32) -> TriangleMesh {
        let at = |i: u32| [i % side, i / side % side, i / side / side].map(|c| c as f32);
        let corners = (0..side * side * side).flat_map(|i| {
            let [x, y, z] = at(i);
            [[x, y, z], [x + 0.3, y, z], [x, y + 0.2, z + 0.1]]
        });
        let triangles = (0..side * side * side).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
        TriangleMesh::new(corners.collect(), triangles.collect()).unwrap()
    }

    fn boxes(technique: RayTechnique, mesh: &TriangleMesh, depth: u32) -> Vec<TreeBox> {
        let mut boxes = Vec::new();
        technique.build(mesh).visit_boxes(depth, |told| {
            boxes.push(told);
            true
        });
        boxes
    }

    #[test]
    fn every_triangle_is_in_some_box_and_every_box_in_the_root() {
        let mesh = crumbs(9);
        for technique in [RayTechnique::StudyOctree, RayTechnique::Octree, RayTechnique::Bvh] {
            let all = boxes(technique, &mesh, u32::MAX);
            let held: u32 = all.iter().filter_map(|told| told.triangles).sum();
            assert!(held as usize >= mesh.triangles().len(), "{technique:?}: {held}");
            assert_eq!(all[0].depth, 0);
            let root = all[0].bounds;
            for told in &all {
                let joined = root.joined(&told.bounds);
                assert_eq!(joined, root, "{technique:?}: {told:?}");
            }
        }
    }

    #[test]
    fn a_depth_shows_its_boxes_and_those_above() {
        let mesh = crumbs(9);
        for technique in [RayTechnique::StudyOctree, RayTechnique::Octree, RayTechnique::Bvh] {
            let all = boxes(technique, &mesh, u32::MAX);
            for depth in 0..3 {
                let some = boxes(technique, &mesh, depth);
                let expected: Vec<TreeBox> =
                    all.iter().filter(|told| told.depth <= depth).copied().collect();
                assert_eq!(some, expected, "{technique:?} to {depth}");
            }
        }
    }

    #[test]
    fn brute_force_and_an_empty_mesh_have_no_boxes() {
        assert_eq!(boxes(RayTechnique::Brute, &crumbs(2), 9), []);
        for technique in RayTechnique::ALL {
            assert_eq!(boxes(technique, &TriangleMesh::default(), 9), [], "{technique:?}");
        }
    }
}
