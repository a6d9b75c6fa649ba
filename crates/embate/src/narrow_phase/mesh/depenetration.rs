//! By which way does a body leave a mesh that it is deep in at several places?
//!
//! Every triangle that it touches knows its own shortest way out. The longest of them is how far the body has to go at
//! least; but only a way that frees it of all the others as well is one by which it leaves:
//!
//! ```text
//!         ┌────────┐ ▲          The top of the step and its side are both touched: up, both are left at once, and
//!         │  body  │            that is shorter than to the right.
//!   ──────┴────┬───┘ ►
//!     mesh     │
//! ```
//!
//! So each direction that is offered, and that between them all, is gone along until nothing is touched any more, at
//! the worst past the whole of the mesh, and the shortest way is told. Of two solids whose surfaces cross that is the
//! one that their hulls would tell, if it is offered.
//!
//! Promise: moved along the normal by the depth that is told, the body is free of the mesh.

use embate_geom::{Vec3, scalar};

use super::manifold::{Manifold, Separation};
use super::mesh_settle::SAME;
use super::nearest::Nearest;
use super::pair::Body;

/// Directions that are tried, those with the shortest ways. One that leaves a solid is among the first few.
pub(super) const TRIED: usize = 32;

/// Triangles that are asked at most in all tries together, but for [`LEAST_TRIED`]: a body deep in thousands of them
/// has fewer tries.
const ASKED: usize = 16_384;

/// Directions that are tried whatever it takes.
const LEAST_TRIED: usize = 4;

/// How often a way may have to be made longer for a triangle that is still in it.
const ROUNDS: usize = 8;

/// The cosine of the steepest angle at which a triangle is left by going along it.
const ALONG: f32 = 0.1;

/// The ways that are offered out of a mesh B for a body A: those of the triangles that are touched, and of the contacts.
#[derive(Default)]
pub(super) struct WaysOut {
    ways: Vec<Separation>,
    /// Triangles, or pairs of them, that are touched.
    touched: usize,
    /// How far the triangles reach from their middles at most.
    reach: f32,
}

impl WaysOut {
    /// How two parts that are not apart leave each other soonest, the normals of the triangles, and how far these
    /// reach from their middles.
    pub(super) fn add(&mut self, way: &Nearest, normals: &[Vec3], reach: f32) {
        let way = way.separation();
        self.reach = scalar::max(self.reach, reach);
        self.touched += 1;
        self.ways.push(way);
        for &normal in normals {
            let normal_ab = if normal.dot(way.normal_ab) < 0.0 { -normal } else { normal };
            self.ways.push(Separation { normal_ab, ..way });
        }
    }

    /// How far the triangles that are touched reach from their middles at most.
    pub(super) fn reach(&self) -> f32 {
        self.reach
    }

    /// Whether one way out need not be another's.
    pub(super) fn are_several(&self) -> bool {
        self.touched > 1
    }

    /// A contact offers its way, too.
    pub(super) fn offer(&mut self, contact: &Manifold) {
        let points = contact.points().iter();
        if let Some(point) = points.reduce(|a, b| if b.depth > a.depth { b } else { a })
            && point.depth >= 0.0
        {
            let half = contact.normal * (0.5 * point.depth);
            self.ways.push(Separation {
                distance: -point.depth,
                normal_ab: contact.normal,
                points: [point.point + half, point.point - half],
            });
        }
    }

    /// The shortest way out of all, if it is shorter than `longest`. `left` tells how deep A is still in B when it has
    /// moved by some way, and `None` if it is free; `slack`, how much farther it goes to be surely so.
    pub(super) fn shortest(
        mut self,
        bodies: [Body<'_>; 2],
        longest: f32,
        slack: f32,
        left: impl Fn(Vec3) -> Option<Nearest>,
    ) -> Option<Separation> {
        let between =
            self.ways.iter().fold(Vec3::ZERO, |sum, way| sum - way.normal_ab * way.distance);
        // Of equally long ones the first: this keeps the order of equals.
        self.ways.sort_by(|a, b| b.distance.total_cmp(&a.distance));
        let mut tried: Vec<Separation> = Vec::new();
        let most = (ASKED / (ROUNDS * self.touched.max(1))).clamp(LEAST_TRIED, TRIED);
        for way in &self.ways {
            if tried.len() < most
                && !tried.iter().any(|kept| kept.normal_ab.dot(way.normal_ab) > SAME)
            {
                tried.push(*way);
            }
        }
        if let (Some(normal_ab), Some(first)) = (between.normalised(), tried.first()) {
            tried.push(Separation { normal_ab, ..*first });
        }
        let mut best: Option<Separation> = None;
        for way in tried {
            let longest = best.map_or(longest, |best| -best.distance);
            let out = along(way, longest, slack, &left).or_else(|| past(way, bodies));
            best = out.filter(|out| -out.distance < longest).or(best);
        }
        best
    }
}

/// A way made long enough to leave all; `None` if that is longer than `longest`.
pub(super) fn along(
    way: Separation,
    longest: f32,
    slack: f32,
    left: &impl Fn(Vec3) -> Option<Nearest>,
) -> Option<Separation> {
    let mut way = way;
    for _ in 0..ROUNDS {
        if way.distance <= -longest {
            return None;
        }
        let Some(still) = left(way.normal_ab * (way.distance - slack)) else { return Some(way) };
        let along = way.normal_ab.dot(still.normal);
        if along < ALONG {
            return None;
        }
        way.distance -= scalar::max(-still.distance, slack) / along;
        let on_b = still.points[1];
        way.points = [on_b - way.normal_ab * way.distance, on_b];
    }
    None
}

/// The same way past the whole of both bodies, which surely parts them.
fn past(way: Separation, [(a, pose_a), (b, pose_b)]: [Body<'_>; 2]) -> Option<Separation> {
    let normal = way.normal_ab;
    let on_a = pose_a.point(a.support(pose_a.rotation.turn_back(normal))?);
    let on_b = pose_b.point(b.support(pose_b.rotation.turn_back(-normal))?);
    // They touch, whatever the rounding of coordinates in the world makes of it.
    let distance = scalar::min(normal.dot(on_b - on_a), 0.0);
    // Where both are deepest need not be one place: midway.
    let middle = (on_a + on_b) * 0.5;
    let half = normal * (0.5 * distance);
    Some(Separation { distance, points: [middle - half, middle + half], ..way })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use embate_geom::{
        Pose, Rotation, Vec3,
        shapes::{Cuboid, Hull},
    };
    use embate_mesh::TriangleMesh;

    use crate::contacts::{contact, separation, touching};
    use crate::shapes::{MeshShape, Shape};

    /// A hull, and a mesh of its faces.
    fn twins(points: &[[f32; 3]]) -> [Shape; 2] {
        let corners: Vec<Vec3> = points.iter().copied().map(Vec3::from).collect();
        let hull = Hull::new(&corners).unwrap();
        let vertices = hull.vertices().iter().map(|vertex| vertex.to_array()).collect();
        let mut triangles = Vec::new();
        for face in hull.faces() {
            let corners = hull.corners(face);
            triangles.extend(corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]]));
        }
        let mesh = TriangleMesh::new(vertices, triangles).unwrap();
        [Shape::from(hull), Shape::Mesh(Arc::new(MeshShape::new(mesh).unwrap()))]
    }

    const PYRAMID: [[f32; 3]; 5] =
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 1.0]];
    const CUBE: [[f32; 3]; 8] = [
        [-1.0, -1.0, -1.0],
        [1.0, -1.0, -1.0],
        [-1.0, 1.0, -1.0],
        [1.0, 1.0, -1.0],
        [-1.0, -1.0, 1.0],
        [1.0, -1.0, 1.0],
        [-1.0, 1.0, 1.0],
        [1.0, 1.0, 1.0],
    ];

    /// `separation` told the depth of two triangles that left all others in each other, `contact` another normal.
    #[test]
    fn a_pyramid_of_triangles_in_another_leaves_it_as_a_solid_one_would() {
        let [solid, mesh] = twins(&PYRAMID);
        let aside = Pose::at(Vec3::new(0.5, 0.0, 0.0));
        let truly = separation(&solid, &Pose::IDENTITY, &solid, &aside);
        let told = separation(&mesh, &Pose::IDENTITY, &mesh, &aside);
        assert!((told.distance - truly.distance).abs() < 1e-4, "{told:?}, truly {truly:?}");
        let found = contact(&mesh, &Pose::IDENTITY, &mesh, &aside, 0.0).unwrap();
        assert!((found.depth() + told.distance).abs() < 1e-4, "{found:?}, {told:?}");
        assert!(found.normal.dot(told.normal_ab) > 0.999, "{found:?}, {told:?}");
    }

    #[test]
    fn moved_as_told_what_crosses_a_mesh_is_free_of_it_and_has_gone_no_farther_than_from_its_hull()
    {
        for points in [&PYRAMID[..], &CUBE[..]] {
            let [solid, mesh] = twins(points);
            let other = Shape::from(Cuboid::new(Vec3::new(0.6, 0.5, 0.4)).unwrap());
            for step in 0..12_u8 {
                let t = f32::from(step);
                let turn = Rotation::about(Vec3::new(1.0, 0.3 * t, -0.2), 0.37 * t).unwrap();
                let out = Rotation::about(Vec3::new(0.2, 1.0, 0.1 * t), 0.71 * t).unwrap();
                let position = Vec3::splat(0.25) + out.turn(Vec3::X) * 0.7;
                let pose = Pose { rotation: turn, position };
                for (a, of_solid) in [(&mesh, &solid), (&other, &other)] {
                    let truly = separation(of_solid, &pose, &solid, &Pose::IDENTITY);
                    let told = separation(a, &pose, &mesh, &Pose::IDENTITY);
                    let name = format!("{step}: {told:?}, truly {truly:?}");
                    let touches = touching(a, &pose, &mesh, &Pose::IDENTITY);
                    assert_eq!(touches, told.distance <= 0.0, "{name}");
                    if !touches || truly.distance > -0.02 {
                        continue;
                    }
                    let way = told.normal_ab * (told.distance - 1e-3);
                    let moved = Pose { position: pose.position + way, ..pose };
                    assert!(!touching(a, &moved, &mesh, &Pose::IDENTITY), "{name}");
                    // Deeper ones may be free inside of the hollow mesh, or by a way that no triangle offers.
                    if truly.distance > -0.4 {
                        assert!((told.distance - truly.distance).abs() < 1e-4, "{name}");
                    }
                }
            }
        }
    }
}
