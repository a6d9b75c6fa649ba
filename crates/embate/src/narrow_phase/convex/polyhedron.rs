//! What do a box and a hull have in common? Corners, edges and flat faces.

use embate_geom::{
    Frame, Vec3, scalar,
    shapes::{Cuboid, Hull},
};

use super::bound::{Bound, OpenFaces};
use super::cuboid;
use super::support::Support;

/// A solid with flat faces, in its own frame.
pub(super) trait Polytope: Support {
    /// A point inside, and the radius of a ball around it that fits.
    fn inner_ball(&self) -> (Vec3, f32);

    /// The radius of a ball around that point that holds it all.
    fn outer_radius(&self) -> f32;

    /// The largest coordinate of a corner without its sign: what rounding goes by.
    fn reach(&self) -> f32;

    /// How large it is, wherever in its own frame it lies: what tolerances are parts of.
    #[inline]
    fn size(&self) -> f32 {
        scalar::min(self.reach(), self.outer_radius())
    }

    fn vertex(&self, index: u32) -> Vec3;

    fn face_count(&self) -> u32;

    /// Outwards normal and offset.
    fn plane(&self, face: u32) -> (Vec3, f32);

    /// The corners of a face, counter-clockwise seen from outside.
    fn corners(&self, face: u32) -> &[u32];

    fn edge_count(&self) -> u32;

    /// Its two ends, running counter-clockwise about the first of the faces on both sides.
    fn edge(&self, edge: u32) -> ([u32; 2], [u32; 2]);

    /// Of the faces that meet in a corner, that which looks most along `direction`.
    fn face_at(&self, vertex: u32, direction: Vec3) -> u32;

    /// The face whose plane a point is farthest out of, or least deep behind, and how far; of equal ones, the
    /// first.
    fn farthest_plane(&self, point: Vec3) -> (u32, f32);

    /// Adds the faces whose planes neither the ball nor the corner of `bound` is more than `-least` behind.
    fn faces_within(&self, bound: &Bound, least: f32, open: &mut OpenFaces);

    /// The edges about a face, each after the corner it begins in.
    fn edges_around(&self, face: u32) -> &[u32];

    /// The edge between two corners, if there is one.
    fn edge_between(&self, one: u32, other: u32) -> Option<u32>;

    /// Whether a point lies over a face, or under it.
    fn is_over(&self, face: u32, point: Vec3) -> bool {
        let (normal, _) = self.plane(face);
        let corners = self.corners(face);
        let mut from = self.vertex(corners[corners.len() - 1]);
        corners.iter().all(|&corner| {
            let to = self.vertex(corner);
            let inside = normal.dot((to - from).cross(point - from)) >= 0.0;
            from = to;
            inside
        })
    }
}

/// A body and where it is in the world.
#[derive(Clone, Copy)]
pub(super) struct Placed<'a, P> {
    pub(super) body: &'a P,
    pub(super) frame: Frame,
}

impl Polytope for Cuboid {
    #[inline]
    fn inner_ball(&self) -> (Vec3, f32) {
        let half = self.half();
        (Vec3::ZERO, half[cuboid::least(half)])
    }

    #[inline]
    fn outer_radius(&self) -> f32 {
        // Rounded up.
        self.half().length() * (1.0 + 4.0 * f32::EPSILON)
    }

    #[inline]
    fn reach(&self) -> f32 {
        self.half().largest()
    }

    #[inline]
    fn vertex(&self, index: u32) -> Vec3 {
        cuboid::corner(self.half(), index)
    }

    #[inline]
    fn face_count(&self) -> u32 {
        6
    }

    #[inline]
    fn plane(&self, face: u32) -> (Vec3, f32) {
        let axis = (face / 2) as usize;
        let normal = if face.is_multiple_of(2) { -Vec3::AXES[axis] } else { Vec3::AXES[axis] };
        (normal, self.half()[axis])
    }

    #[inline]
    fn corners(&self, face: u32) -> &[u32] {
        cuboid::face_corners(face)
    }

    #[inline]
    fn edge_count(&self) -> u32 {
        12
    }

    #[inline]
    fn edge(&self, edge: u32) -> ([u32; 2], [u32; 2]) {
        cuboid::edge(edge)
    }

    #[inline]
    fn farthest_plane(&self, point: Vec3) -> (u32, f32) {
        let out = point.abs() - self.half();
        let axis = cuboid::greatest(out);
        (cuboid::face_index(axis, point[axis] < 0.0), out[axis])
    }

    #[inline]
    fn faces_within(&self, bound: &Bound, least: f32, open: &mut OpenFaces) {
        let half = self.half().to_array();
        let (middle, corner) = (bound.middle.to_array(), bound.corner.to_array());
        for axis in 0..3 {
            let [by_ball, by_corner] = [least + bound.radius + half[axis], least + half[axis]];
            if -middle[axis] >= by_ball && -corner[axis] >= by_corner {
                open.add(2 * axis as u32);
            }
            if middle[axis] >= by_ball && corner[axis] >= by_corner {
                open.add(2 * axis as u32 + 1);
            }
        }
    }

    #[inline]
    fn edges_around(&self, face: u32) -> &[u32] {
        cuboid::face_edges(face)
    }

    #[inline]
    fn edge_between(&self, one: u32, other: u32) -> Option<u32> {
        cuboid::edge_between(one, other)
    }

    #[inline]
    fn face_at(&self, vertex: u32, direction: Vec3) -> u32 {
        let outwards = cuboid::corner(Vec3::splat(1.0), vertex);
        let axis = cuboid::greatest(outwards.scaled_by(direction));
        cuboid::face_index(axis, vertex >> axis & 1 == 0)
    }
}

impl Polytope for Hull {
    #[inline]
    fn inner_ball(&self) -> (Vec3, f32) {
        self.inner_ball()
    }

    #[inline]
    fn outer_radius(&self) -> f32 {
        self.outer_radius()
    }

    #[inline]
    fn reach(&self) -> f32 {
        self.reach()
    }

    #[inline]
    fn vertex(&self, index: u32) -> Vec3 {
        self.vertices()[index as usize]
    }

    #[inline]
    fn face_count(&self) -> u32 {
        self.faces().len() as u32
    }

    #[inline]
    fn plane(&self, face: u32) -> (Vec3, f32) {
        let face = &self.faces()[face as usize];
        (face.normal, face.offset)
    }

    #[inline]
    fn corners(&self, face: u32) -> &[u32] {
        self.corners(&self.faces()[face as usize])
    }

    #[inline]
    fn edge_count(&self) -> u32 {
        self.edges().len() as u32
    }

    #[inline]
    fn edge(&self, edge: u32) -> ([u32; 2], [u32; 2]) {
        let edge = &self.edges()[edge as usize];
        (edge.vertices, edge.faces)
    }

    #[inline]
    fn farthest_plane(&self, point: Vec3) -> (u32, f32) {
        self.farthest_plane(point)
    }

    fn faces_within(&self, bound: &Bound, least: f32, open: &mut OpenFaces) {
        for (index, block) in self.plane_blocks().iter().enumerate() {
            let (of_middle, of_corner) =
                (block.distances(bound.middle), block.distances(bound.corner));
            let mut within = [0.0; 8];
            for lane in 0..8 {
                let by_ball = of_middle[lane] - bound.radius;
                within[lane] = if by_ball < of_corner[lane] { by_ball } else { of_corner[lane] };
            }
            // Mostly none of eight is.
            if within.iter().fold(f32::NEG_INFINITY, |a, &b| if b > a { b } else { a }) < least {
                continue;
            }
            for lane in 0..8 {
                let face = (8 * index + lane) as u32;
                if within[lane] >= least && face < self.face_count() {
                    open.add(face);
                }
            }
        }
    }

    #[inline]
    fn edges_around(&self, face: u32) -> &[u32] {
        self.edges_around(&self.faces()[face as usize])
    }

    fn edge_between(&self, one: u32, other: u32) -> Option<u32> {
        self.faces_around(one).iter().find_map(|&face| {
            let corners = Polytope::corners(self, face);
            let place = corners.iter().position(|&corner| corner == one)?;
            let next = corners[(place + 1) % corners.len()];
            (next == other).then(|| Polytope::edges_around(self, face)[place])
        })
    }

    fn face_at(&self, vertex: u32, direction: Vec3) -> u32 {
        let mut best = (f32::NEG_INFINITY, 0);
        for &face in self.faces_around(vertex) {
            let along = self.faces()[face as usize].normal.dot(direction);
            if along > best.0 {
                best = (along, face);
            }
        }
        best.1
    }
}
