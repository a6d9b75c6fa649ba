//! Dynamic bodies on triangle meshes.

use embate_geom::Vec3;
use embate_mesh::TriangleMesh;

use crate::dynamics::tests::*;
use crate::shapes::TriMesh;

/// A cube from −1 to 1 with two triangles for each face.
pub(super) fn cube_mesh() -> TriMesh {
    let coordinate = |bit: u32| if bit & 1 == 1 { 1.0 } else { -1.0 };
    let vertices =
        (0..8_u32).map(|bits| [coordinate(bits), coordinate(bits >> 1), coordinate(bits >> 2)]);
    let quads =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    TriMesh::new(TriangleMesh::new(vertices.collect(), triangles).unwrap()).unwrap()
}

/// Regression: a false penetration of 0.9 m into a side face dragged the box to the center, from
/// [0.1, 2, 0.9] to [0.005, 2, 0.022].
#[test]
fn box_overhanging_the_edge_of_a_mesh_cube_stays_in_place() {
    let offsets = [
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
    for [x, z] in offsets {
        let mut world = world();
        world.insert_body(BodyDef::fixed(cube_mesh())).unwrap();
        let at = Vec3::new(x, 2.0, z);
        let body =
            world.insert_body(BodyDef::dynamic(cuboid(1.0, 1.0, 1.0), 1.0).position(at)).unwrap();
        for _ in 0..300 {
            world.step();
            let drift = (position(&world, body) - at).length();
            assert!(drift < 0.01, "started at {at:?}, drifted by {drift} m");
        }
    }
}
