//! Closed meshes: generated surfaces with known interior points.
//!
//! Each edge is shared by exactly two triangles.

use embate::TriangleMesh;
use embate::math::scalar;

use crate::random::Random;

/// A closed surface, and interior points from which every ray must hit it.
#[derive(Debug)]
pub struct ClosedMesh {
    /// Name in failure messages.
    pub name: String,
    /// The surface.
    pub mesh: TriangleMesh,
    /// Interior points, at least 1/10 of the size away from the surface.
    pub inside: Vec<[f32; 3]>,
}

/// Positions of a mesh: at the origin, and where one ulp of f32 is 1/64.
pub const SHIFTS: [[f32; 3]; 2] = [[0.0; 3], [148_376.0, 1_234.0, -223_423.0]];

/// All closed meshes, translated by `shift`: cube, two spheres and a torus.
///
/// # Panics
/// If a coordinate of `shift` exceeds the range of a mesh, 1e18.
#[must_use]
pub fn all(shift: [f32; 3]) -> Vec<ClosedMesh> {
    let mut meshes = vec![cube(), sphere(2, 0.0), sphere(3, 0.25), torus(24, 12)];
    for closed in &mut meshes {
        closed.name = format!("{} at {shift:?}", closed.name);
        closed.mesh = translated(&closed.mesh, shift);
        closed.inside.iter_mut().for_each(|point| *point = plus(*point, shift));
    }
    meshes
}

/// Cube of twelve triangles, edge length 20.
fn cube() -> ClosedMesh {
    let positions = (0..8_u32)
        .map(|vertex| [0, 1, 2].map(|axis| if vertex >> axis & 1 == 1 { 10.0 } else { -10.0 }))
        .collect();
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    ClosedMesh {
        name: "cube".into(),
        mesh: to_mesh(positions, triangles),
        inside: vec![[0.0; 3], [3.0, -5.0, 1.0], [7.0, 7.0, -7.0]],
    }
}

/// Sphere of radius 10: an octahedron subdivided `subdivisions` times, each vertex displaced
/// radially by up to `roughness` of its radius. The surface stays star-shaped about the center.
fn sphere(subdivisions: u32, roughness: f32) -> ClosedMesh {
    let mut positions: Vec<[f32; 3]> = vec![
        [1.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, -1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, -1.0],
    ];
    let mut triangles: Vec<[u32; 3]> = vec![
        [0, 2, 4],
        [2, 1, 4],
        [1, 3, 4],
        [3, 0, 4],
        [2, 0, 5],
        [1, 2, 5],
        [3, 1, 5],
        [0, 3, 5],
    ];
    for _ in 0..subdivisions {
        let mut midpoints: Vec<([u32; 2], u32)> = Vec::new();
        let mut midpoint = |a: u32, b: u32| {
            let edge = [a.min(b), a.max(b)];
            if let Some(&(_, known)) = midpoints.iter().find(|(other, _)| *other == edge) {
                return known;
            }
            let new = positions.len() as u32;
            positions.push(unit(plus(positions[a as usize], positions[b as usize])));
            midpoints.push((edge, new));
            new
        };
        triangles = triangles
            .iter()
            .flat_map(|&[a, b, c]| {
                let (ab, bc, ca) = (midpoint(a, b), midpoint(b, c), midpoint(c, a));
                [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
            })
            .collect();
    }
    let mut random = Random::new(u64::from(subdivisions));
    for position in &mut positions {
        let radius = 10.0 * (1.0 + random.between(-roughness, roughness));
        *position = position.map(|c| c * radius);
    }
    let inside = if roughness > 0.0 { vec![[0.0; 3]] } else { vec![[0.0; 3], [4.0, -3.0, 2.0]] };
    ClosedMesh {
        name: format!("sphere of {} triangles", triangles.len()),
        mesh: to_mesh(positions, triangles),
        inside,
    }
}

/// Torus of radii 10 and 4; the interior is that of the tube.
fn torus(around: u32, across: u32) -> ClosedMesh {
    let sin_cos = |step: u32, steps: u32| {
        scalar::sin_cos(core::f32::consts::TAU * step as f32 / steps as f32)
    };
    let mut positions = Vec::new();
    for i in 0..around {
        let (sin, cos) = sin_cos(i, around);
        for j in 0..across {
            let (up, out) = sin_cos(j, across);
            let radius = 10.0 + 4.0 * out;
            positions.push([radius * cos, radius * sin, 4.0 * up]);
        }
    }
    let index = |i: u32, j: u32| (i % around) * across + j % across;
    let triangles = (0..around)
        .flat_map(|i| (0..across).map(move |j| (i, j)))
        .flat_map(|(i, j)| {
            let [a, b, c, d] = [index(i, j), index(i + 1, j), index(i + 1, j + 1), index(i, j + 1)];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    let inside = (0..around).map(|i| sin_cos(i, around)).map(|(s, c)| [10.0 * c, 10.0 * s, 0.0]);
    ClosedMesh {
        name: "torus".into(),
        inside: inside.collect(),
        mesh: to_mesh(positions, triangles),
    }
}

fn translated(mesh: &TriangleMesh, shift: [f32; 3]) -> TriangleMesh {
    let positions = mesh.positions().iter().map(|&position| plus(position, shift)).collect();
    to_mesh(positions, mesh.triangles().to_vec())
}

fn to_mesh(positions: Vec<[f32; 3]>, triangles: Vec<[u32; 3]>) -> TriangleMesh {
    TriangleMesh::new(positions, triangles).expect("coordinates of a few hundred thousand at most")
}

fn plus(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn unit(v: [f32; 3]) -> [f32; 3] {
    let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    v.map(|c| c / length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_edge_is_shared_by_two_triangles_of_opposite_direction() {
        for closed in all([0.0; 3]) {
            let mut edges: Vec<[u32; 2]> = closed
                .mesh
                .triangles()
                .iter()
                .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
                .collect();
            edges.sort_unstable();
            for &[a, b] in &edges {
                assert!(edges.binary_search(&[b, a]).is_ok(), "{}: {a}–{b}", closed.name);
            }
            let directed = edges.len();
            edges.dedup();
            assert_eq!(edges.len(), directed, "{}", closed.name);
        }
    }
}
