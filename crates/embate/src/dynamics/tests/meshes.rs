//! Bodies on meshes.

use embate_geom::Vec3;
use embate_mesh::TriangleMesh;

use super::*;
use crate::shapes::MeshShape;

/// A cube from −1 to 1, each face two triangles.
fn cube_of_triangles() -> MeshShape {
    let side = |bit: u32| if bit & 1 == 1 { 1.0 } else { -1.0 };
    let corners = (0..8_u32).map(|bits| [side(bits), side(bits >> 1), side(bits >> 2)]);
    let quads =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    MeshShape::new(TriangleMesh::new(corners.collect(), triangles).unwrap()).unwrap()
}

/// It was dragged to the middle, from [0.1, 2, 0.9] to [0.005, 2, 0.022], as if 0.9 m deep in the side.
#[test]
fn a_box_that_overhangs_the_edge_of_a_cube_of_triangles_stays() {
    let aside = [
        [0.1, 0.9],
        [0.1, 0.2],
        [0.9, 0.1],
        [-0.9, 0.3],
        [0.2, -0.8],
        [0.6, 0.6],
        [-0.5, 0.5],
        [-0.7, -0.7],
        [0.01, 0.0],
        [0.8, -0.4],
    ];
    for [x, z] in aside {
        let mut world = world();
        world.add(BodyPlan::still(cube_of_triangles())).unwrap();
        let at = Vec3::new(x, 2.0, z);
        let body = world.add(BodyPlan::moving(cuboid(1.0, 1.0, 1.0), 1.0).at(at)).unwrap();
        for _ in 0..300 {
            world.step();
            let off = (position(&world, body) - at).length();
            assert!(off < 0.01, "{at:?}: off by {off}");
        }
    }
}
