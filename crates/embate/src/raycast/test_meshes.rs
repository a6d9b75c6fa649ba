//! Deterministic meshes, rays and query points for tests.

use embate_geom::Ray;
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

/// Random rays near a height field of 20 × 20 squares; every fifth is parallel to an axis, every
/// seventh has a negative `t_min`.
pub(super) fn mixed_rays(count: u32) -> Vec<Ray<3>> {
    let mut rng = Rng::new(7);
    let mut between = |low, high| rng.between(low, high);
    let ray = |index: u32| {
        let origin = [between(-1.0, 21.0), between(-1.0, 21.0), between(-3.0, 3.0)];
        let mut direction = core::array::from_fn(|_| between(-1.0, 1.0));
        if index.is_multiple_of(5) {
            direction = [0.0, -0.0, direction[2]];
        }
        let ray = Ray::new(origin, direction);
        if index.is_multiple_of(7) { ray.with_range(-2.0, 3.0) } else { ray }
    };
    (0..count).map(ray).collect()
}

/// Rays with infinities, NaNs, zeros of both signs, and the largest and smallest numbers.
pub(super) fn extreme_rays() -> Vec<Ray<3>> {
    let origins = [1e20, -1e20, 1e38, f32::NAN, f32::INFINITY, 0.0, -0.0, 0.5, 1e-45];
    let directions = [1e-19, -1e-19, 1e-38, f32::NAN, f32::NEG_INFINITY, 0.0, -0.0, 1.0, 3e38];
    let mut rays = Vec::new();
    for origin in origins {
        for direction in directions {
            for axis in 0..3 {
                let (mut from, mut to) = ([origin; 3], [direction; 3]);
                (from[axis], to[axis]) = (0.5, 1.0);
                let ray = Ray::new(from, to);
                rays.extend([
                    ray,
                    Ray::new([origin; 3], [direction; 3]),
                    ray.with_range(-9.0, 9.0),
                ]);
                rays.push(ray.with_range(0.0, f32::NAN));
            }
        }
    }
    rays
}
