//! Deterministic meshes and query points for tests.

use embate_mesh::TriangleMesh;
use embate_test_util::Rng;

/// Triangle soup: large, mutually intersecting triangles in the unit cube.
pub(super) fn triangle_soup(count: u32) -> TriangleMesh {
    let mut rng = Rng::new(1);
    let vertices = (0..3 * count).map(|_| rng.point(0.0, 1.0)).collect();
    let triangles = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    TriangleMesh::new(vertices, triangles).unwrap()
}

/// Height field of `side` × `side` unit squares with the minimum corner at `(min, min)` and random
/// heights in `0.0..max_height`.
pub(super) fn height_field(side: u32, min: f32, max_height: f32) -> TriangleMesh {
    let mut rng = Rng::new(2);
    let vertices = (0..(side + 1) * (side + 1)).map(|i| {
        let (x, y) = ((i % (side + 1)) as f32, (i / (side + 1)) as f32);
        [min + x, min + y, rng.between(0.0, max_height)]
    });
    let triangles = (0..side * side).flat_map(|i| {
        let a = i / side * (side + 1) + i % side;
        [[a, a + 1, a + side + 2], [a, a + side + 2, a + side + 1]]
    });
    TriangleMesh::new(vertices.collect(), triangles.collect()).unwrap()
}

/// Height field of 40 × 40 squares, centered at the origin, heights in `0.0..2.0`.
pub(super) fn bumpy_terrain() -> TriangleMesh {
    height_field(40, -20.0, 2.0)
}

/// Points above, in and below the [`bumpy_terrain`], up to 5 beside it.
pub(super) fn sample_points(count: u32) -> Vec<[f32; 3]> {
    let mut rng = Rng::new(3);
    (0..count)
        .map(|_| [rng.between(-25.0, 25.0), rng.between(-25.0, 25.0), rng.between(-5.0, 5.0)])
        .collect()
}
