//! Closed surfaces with a known inside, made in code, whose every edge has exactly two triangles.

use embate::{TriangleMesh, scalar};
use embate_lab::random::Random;

/// A closed surface, and points from which every ray must hit it.
#[derive(Debug)]
pub struct ClosedMesh {
    /// What to call it in a failure.
    pub name: String,
    /// The surface.
    pub mesh: TriangleMesh,
    /// Points well inside: at least a tenth of the size away from the surface.
    pub inside: Vec<[f32; 3]>,
}

/// All of them, centred on `shift`.
#[must_use]
pub fn all(shift: [f32; 3]) -> Vec<ClosedMesh> {
    let mut meshes = vec![cube(), ball(2, 0.0), ball(3, 0.25), torus(24, 12)];
    for closed in &mut meshes {
        closed.name = format!("{} at {shift:?}", closed.name);
        closed.mesh = moved(&closed.mesh, shift);
        closed.inside.iter_mut().for_each(|point| *point = plus(*point, shift));
    }
    meshes
}

/// Twelve triangles, edge 20.
fn cube() -> ClosedMesh {
    let positions = (0..8_u32)
        .map(|corner| [0, 1, 2].map(|axis| if corner >> axis & 1 == 1 { 10.0 } else { -10.0 }))
        .collect();
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    ClosedMesh {
        name: "cube".into(),
        mesh: valid(positions, triangles),
        inside: vec![[0.0; 3], [3.0, -5.0, 1.0], [7.0, 7.0, -7.0]],
    }
}

/// A sphere of radius 10 from an octahedron cut `cuts` times; each vertex then moved in or out by up
/// to `bumps` of its radius, which keeps the centre's view of it whole.
fn ball(cuts: u32, bumps: f32) -> ClosedMesh {
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
    for _ in 0..cuts {
        let mut middles: Vec<([u32; 2], u32)> = Vec::new();
        let mut middle = |a: u32, b: u32| {
            let edge = [a.min(b), a.max(b)];
            if let Some(&(_, known)) = middles.iter().find(|(other, _)| *other == edge) {
                return known;
            }
            let new = positions.len() as u32;
            positions.push(unit(plus(positions[a as usize], positions[b as usize])));
            middles.push((edge, new));
            new
        };
        triangles = triangles
            .iter()
            .flat_map(|&[a, b, c]| {
                let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
                [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
            })
            .collect();
    }
    let mut random = Random::new(u64::from(cuts));
    for position in &mut positions {
        let radius = 10.0 * (1.0 + random.between(-bumps, bumps));
        *position = position.map(|c| c * radius);
    }
    let inside = if bumps > 0.0 { vec![[0.0; 3]] } else { vec![[0.0; 3], [4.0, -3.0, 2.0]] };
    ClosedMesh {
        name: format!("ball of {} triangles", triangles.len()),
        mesh: valid(positions, triangles),
        inside,
    }
}

/// A ring of radius 10 and tube 4; inside means inside the tube.
fn torus(around: u32, across: u32) -> ClosedMesh {
    let turn = |step: u32, steps: u32| {
        scalar::sin_cos(core::f32::consts::TAU * step as f32 / steps as f32)
    };
    let mut positions = Vec::new();
    for i in 0..around {
        let (sin, cos) = turn(i, around);
        for j in 0..across {
            let (up, out) = turn(j, across);
            let radius = 10.0 + 4.0 * out;
            positions.push([radius * cos, radius * sin, 4.0 * up]);
        }
    }
    let at = |i: u32, j: u32| (i % around) * across + j % across;
    let triangles = (0..around)
        .flat_map(|i| (0..across).map(move |j| (i, j)))
        .flat_map(|(i, j)| {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    let inside = (0..around).map(|i| turn(i, around)).map(|(s, c)| [10.0 * c, 10.0 * s, 0.0]);
    ClosedMesh { name: "torus".into(), inside: inside.collect(), mesh: valid(positions, triangles) }
}

fn moved(mesh: &TriangleMesh, shift: [f32; 3]) -> TriangleMesh {
    let positions = mesh.positions().iter().map(|&position| plus(position, shift)).collect();
    valid(positions, mesh.triangles().to_vec())
}

fn valid(positions: Vec<[f32; 3]>, triangles: Vec<[u32; 3]>) -> TriangleMesh {
    TriangleMesh::new(positions, triangles).expect("made within range")
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
    fn every_edge_has_exactly_two_triangles_in_opposite_directions() {
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
