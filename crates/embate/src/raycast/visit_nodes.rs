//! Inspection of a ray structure: visits the AABBs of its nodes, for drawing and statistics.

use embate_geom::Aabb;

/// One node of a ray structure.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "TreeBox")]
pub struct NodeBounds {
    /// AABB in mesh units.
    pub bounds: Aabb<3>,
    /// Depth below the root, which has depth 0.
    pub depth: u32,
    /// Number of triangles tested at this node; `None` for an inner node.
    pub triangles: Option<u32>,
}

#[cfg(test)]
mod tests {
    use embate_mesh::TriangleMesh;

    use super::*;
    use crate::raycast::RayIndexKind;

    /// Small disjoint triangles on a `side`³ lattice.
    fn triangle_lattice(side: u32) -> TriangleMesh {
        let at = |i: u32| [i % side, i / side % side, i / side / side].map(|c| c as f32);
        let vertices = (0..side * side * side).flat_map(|i| {
            let [x, y, z] = at(i);
            [[x, y, z], [x + 0.3, y, z], [x, y + 0.2, z + 0.1]]
        });
        let triangles = (0..side * side * side).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
        TriangleMesh::new(vertices.collect(), triangles.collect()).unwrap()
    }

    fn nodes_to_depth(kind: RayIndexKind, mesh: &TriangleMesh, depth: u32) -> Vec<NodeBounds> {
        let mut nodes = Vec::new();
        kind.build(mesh).visit_nodes(depth, |node| {
            nodes.push(node);
            true
        });
        nodes
    }

    /// Every structure but brute force.
    fn trees() -> impl Iterator<Item = RayIndexKind> {
        RayIndexKind::STRUCTURES.into_iter().filter(|&kind| kind != RayIndexKind::BruteForce)
    }

    #[test]
    fn leaves_hold_all_triangles_and_the_root_contains_all_nodes() {
        let mesh = triangle_lattice(9);
        for kind in trees() {
            let nodes = nodes_to_depth(kind, &mesh, u32::MAX);
            let references: u32 = nodes.iter().filter_map(|node| node.triangles).sum();
            assert!(references as usize >= mesh.triangles().len(), "{kind:?}: {references}");
            assert_eq!(nodes[0].depth, 0);
            let root = nodes[0].bounds;
            for node in &nodes {
                assert_eq!(root.merged(&node.bounds), root, "{kind:?}: {node:?}");
            }
        }
    }

    #[test]
    fn depth_limit_selects_the_nodes_down_to_it() {
        let mesh = triangle_lattice(9);
        for kind in trees() {
            let all = nodes_to_depth(kind, &mesh, u32::MAX);
            for depth in 0..3 {
                let expected: Vec<NodeBounds> =
                    all.iter().filter(|node| node.depth <= depth).copied().collect();
                let found = nodes_to_depth(kind, &mesh, depth);
                assert_eq!(found, expected, "{kind:?} to depth {depth}");
            }
        }
    }

    #[test]
    fn brute_force_and_an_empty_mesh_have_no_nodes() {
        assert_eq!(nodes_to_depth(RayIndexKind::BruteForce, &triangle_lattice(2), 9), []);
        for kind in RayIndexKind::ALL {
            assert_eq!(nodes_to_depth(kind, &TriangleMesh::default(), 9), [], "{kind:?}");
        }
    }
}
