//! Which triangles of a hull are one flat face?
//!
//! Two faces become one if all corners lie within the tolerance of one plane, and what is left is still a
//! polyhedron: no corner reflex, three faces at every corner, and no two faces sharing two edges. A corner
//! left with two faces lies on their common edge, and goes too.

use super::{
    Around, Hull, HullEdge, HullFace, Wide, convex, lanes, quickhull::Surface, tolerance::Tolerance,
};
use crate::{Mat3, Vec3, shapes::MassProperties};

const NONE: u32 = u32::MAX;

/// A refused pair may fit after its neighbours have joined. Few inputs need more than two passes.
const MAX_PASSES: usize = 8;

/// The polyhedron as half-edges: each runs from `origin` about its `face`, counter-clockwise.
struct Loops<'a> {
    points: &'a [Wide],
    tolerance: &'a Tolerance,
    origin: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
    twin: Vec<u32>,
    face: Vec<u32>,
    /// A half-edge of each face; none if the face has joined another.
    entry: Vec<u32>,
    /// How many faces meet at each point.
    valence: Vec<u32>,
    /// The question at which each face was last met.
    met: Vec<u32>,
    asked: u32,
}

/// The hull with this surface, its flat triangles joined.
///
/// Joining bends faces within the tolerance, and where slivers meet, small bends can add up to a face
/// whose plane is none. So the outcome is checked, and if it is not convex, joining is done again more
/// strictly; at last not at all: the surface itself is exact.
pub(super) fn assemble(points: &[Wide], surface: &Surface, tolerance: &Tolerance) -> Hull {
    for strictness in [1.0, 1.0 / 16.0, 1.0 / 256.0] {
        let tighter = tolerance.times(strictness);
        let mut loops = Loops::new(points, surface, &tighter);
        let edges = loops.flat_edges();
        for _ in 0..MAX_PASSES {
            let joined = edges.iter().filter(|&&edge| loops.try_join(edge)).count();
            if joined == 0 {
                break;
            }
        }
        let hull = loops.finished();
        if convex::is_convex(&hull, tolerance) {
            return hull;
        }
    }
    Loops::new(points, surface, tolerance).finished()
}

impl<'a> Loops<'a> {
    fn new(points: &'a [Wide], surface: &Surface, tolerance: &'a Tolerance) -> Self {
        let half_edges = 3 * surface.corners.len() as u32;
        let mut valence = vec![0; points.len()];
        for &corner in surface.corners.iter().flatten() {
            valence[corner as usize] += 1;
        }
        let twin = |half_edge: u32| {
            let (triangle, edge) = (half_edge / 3, half_edge % 3);
            let across = surface.neighbours[triangle as usize][edge as usize];
            // There it starts where it ends here.
            let end = surface.corners[triangle as usize][(edge as usize + 1) % 3];
            let back = surface.corners[across as usize].iter().position(|&corner| corner == end);
            3 * across + back.unwrap_or(0) as u32
        };
        Self {
            points,
            tolerance,
            origin: surface.corners.iter().flatten().copied().collect(),
            next: (0..half_edges).map(|h| h / 3 * 3 + (h + 1) % 3).collect(),
            previous: (0..half_edges).map(|h| h / 3 * 3 + (h + 2) % 3).collect(),
            twin: (0..half_edges).map(twin).collect(),
            face: (0..half_edges).map(|h| h / 3).collect(),
            entry: (0..surface.corners.len() as u32).map(|triangle| 3 * triangle).collect(),
            valence,
            met: vec![0; surface.corners.len()],
            asked: 0,
        }
    }

    fn point(&self, half_edge: u32) -> Wide {
        self.points[self.origin[half_edge as usize] as usize]
    }

    fn next(&self, half_edge: u32) -> u32 {
        self.next[half_edge as usize]
    }

    fn previous(&self, half_edge: u32) -> u32 {
        self.previous[half_edge as usize]
    }

    fn twin(&self, half_edge: u32) -> u32 {
        self.twin[half_edge as usize]
    }

    fn face(&self, half_edge: u32) -> u32 {
        self.face[half_edge as usize]
    }

    /// The half-edges about a face, from `start` on.
    fn about(&self, start: u32) -> impl Iterator<Item = u32> {
        let step = move |&half_edge: &u32| Some(self.next(half_edge)).filter(|&next| next != start);
        core::iter::successors(Some(start), step)
    }

    /// Edges between triangles that may be flat, the flattest first.
    fn flat_edges(&self) -> Vec<u32> {
        let mut edges = Vec::new();
        for half_edge in 0..self.origin.len() as u32 {
            let twin = self.twin(half_edge);
            if half_edge > twin {
                continue;
            }
            let bend = |half_edge: u32, twin: u32| {
                let (a, b) = (self.point(half_edge), self.point(self.next(half_edge)));
                let normal = (b - a).cross(self.point(self.previous(half_edge)) - a).unit();
                let height = (self.point(self.previous(twin)) - a).dot(normal).abs();
                (height, self.tolerance.along(normal))
            };
            let (bend, limit) = {
                let (one, other) = (bend(half_edge, twin), bend(twin, half_edge));
                if one.0 < other.0 { one } else { other }
            };
            // Each may stand off the plane between them by the tolerance, one up and one down, and a
            // sliver's plane leans more than that.
            if bend <= 4.0 * limit {
                edges.push((bend, half_edge));
            }
        }
        edges.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        edges.into_iter().map(|(_, half_edge)| half_edge).collect()
    }

    /// Joins the faces on both sides of an edge, if the rules allow it.
    fn try_join(&mut self, edge: u32) -> bool {
        let twin = self.twin(edge);
        if self.next(edge) == NONE || self.face(edge) == self.face(twin) {
            return false;
        }
        let around: Vec<u32> = self
            .about(self.next(edge))
            .filter(|&h| h != edge)
            .chain(self.about(self.next(twin)).filter(|&h| h != twin))
            .collect();
        let normal = self.normal_of(&around);
        let heights = around.iter().map(|&h| self.point(h).dot(normal));
        let (least, most) =
            heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), height| {
                (
                    if height < least { height } else { least },
                    if height > most { height } else { most },
                )
            });
        if most - least > 2.0 * self.tolerance.along(normal) {
            return false;
        }
        // Where the outlines meet: at the start of the edge, and at the start of its twin.
        let joints =
            [(self.previous(edge), self.next(twin)), (self.previous(twin), self.next(edge))];
        let mut goes = [false; 2];
        for (goes, &(coming, going)) in goes.iter_mut().zip(&joints) {
            *goes = self.valence[self.origin[going as usize] as usize] == 3;
            if !self.joint_allowed(coming, going, normal, *goes) {
                return false;
            }
        }
        let corners_left = around.len() - goes.iter().filter(|&&goes| goes).count();
        if corners_left < 3 || !self.shares_single_edges(&around, joints, goes) {
            return false;
        }
        self.join(edge, twin);
        for ((coming, going), goes) in joints.into_iter().zip(goes) {
            self.valence[self.origin[going as usize] as usize] -= 1;
            if goes {
                self.remove_corner(coming, going);
            }
        }
        true
    }

    /// Twice the area of a loop, as its normal (Newell), made of length 1.
    fn normal_of(&self, around: &[u32]) -> Wide {
        let anchor = self.point(around[0]);
        let mut sum = Wide::ZERO;
        for pair in around[1..].windows(2) {
            sum = sum + (self.point(pair[0]) - anchor).cross(self.point(pair[1]) - anchor);
        }
        sum.unit()
    }

    fn joint_allowed(&self, coming: u32, going: u32, normal: Wide, goes: bool) -> bool {
        let (before, here, after) =
            (self.point(coming), self.point(going), self.point(self.next(going)));
        let along = (after - before).unit();
        let off = (here - before) - along * (here - before).dot(along);
        let reflex = normal.dot((here - before).cross(after - here)) <= 0.0;
        if goes {
            // Its other face must stay a polygon.
            let other_has_four = self.about(self.twin(coming)).nth(3).is_some();
            return other_has_four && self.tolerance.forgives(off);
        }
        !reflex || self.tolerance.forgives(off)
    }

    /// Whether the joined face would meet each neighbour along one edge.
    fn shares_single_edges(
        &mut self,
        around: &[u32],
        joints: [(u32, u32); 2],
        goes: [bool; 2],
    ) -> bool {
        self.asked += 1;
        around
            .iter()
            .filter(|&&h| !(goes[0] && h == joints[0].1 || goes[1] && h == joints[1].1))
            .all(|&h| {
                let neighbour = self.face[self.twin[h as usize] as usize] as usize;
                core::mem::replace(&mut self.met[neighbour], self.asked) != self.asked
            })
    }

    fn link(&mut self, first: u32, second: u32) {
        self.next[first as usize] = second;
        self.previous[second as usize] = first;
    }

    fn join(&mut self, edge: u32, twin: u32) {
        let (kept, gone) = (self.face(edge), self.face(twin));
        let joined: Vec<u32> = self.about(twin).collect();
        for half_edge in joined {
            self.face[half_edge as usize] = kept;
        }
        let (before, after) = (self.previous(edge), self.next(edge));
        let (before_twin, after_twin) = (self.previous(twin), self.next(twin));
        self.link(before, after_twin);
        self.link(before_twin, after);
        self.entry[kept as usize] = after;
        self.entry[gone as usize] = NONE;
        self.next[edge as usize] = NONE;
        self.next[twin as usize] = NONE;
    }

    /// Takes out the corner between `coming` and `going`, where only two faces meet:
    ///
    /// ```text
    ///        ── coming ──►u── going ──►
    ///        ◄─ leaving ──u◄─ arriving ─     about the other face
    /// ```
    fn remove_corner(&mut self, coming: u32, going: u32) {
        let (leaving, arriving) = (self.twin(coming), self.twin(going));
        self.link(coming, self.next(going));
        self.link(arriving, self.next(leaving));
        self.twin[coming as usize] = arriving;
        self.twin[arriving as usize] = coming;
        for stays in [coming, arriving] {
            self.entry[self.face[stays as usize] as usize] = stays;
        }
        self.next[going as usize] = NONE;
        self.next[leaving as usize] = NONE;
        self.valence[self.origin[going as usize] as usize] = 0;
    }

    fn finished(&self) -> Hull {
        let mut new_vertex = vec![NONE; self.points.len()];
        let mut vertices = Vec::new();
        for (point, &valence) in self.valence.iter().enumerate() {
            if valence > 0 {
                new_vertex[point] = vertices.len() as u32;
                vertices.push(self.points[point].narrow());
            }
        }
        // Each face from its first corner on, and the faces by their first edge: whatever way the hull
        // was found, the same polyhedron is told in the same words.
        let origin = |half_edge: u32| self.origin[half_edge as usize];
        let mut starts: Vec<u32> = self
            .entry
            .iter()
            .filter(|&&entry| entry != NONE)
            .map(|&entry| self.about(entry).min_by_key(|&h| origin(h)).unwrap_or(entry))
            .collect();
        starts.sort_unstable_by_key(|&start| (origin(start), origin(self.next(start))));
        let mut new_face = vec![NONE; self.entry.len()];
        for (index, &start) in starts.iter().enumerate() {
            new_face[self.face(start) as usize] = index as u32;
        }
        let (mut faces, mut corners, mut edges) = (Vec::new(), Vec::new(), Vec::new());
        for start in starts {
            let first = corners.len() as u32;
            let around: Vec<u32> = self.about(start).collect();
            for &half_edge in &around {
                let vertex = new_vertex[self.origin[half_edge as usize] as usize];
                corners.push(vertex);
                let twin = self.twin(half_edge);
                let face = [half_edge, twin].map(|h| new_face[self.face(h) as usize]);
                if face[0] < face[1] {
                    let end = new_vertex[self.origin[twin as usize] as usize];
                    edges.push(HullEdge { vertices: [vertex, end], faces: face });
                }
            }
            let normal = self.normal_of(&around).narrow();
            let offset = self.offset_along(normal, &around);
            faces.push(HullFace { normal, offset, first, count: around.len() as u32 });
        }
        let mass = mass_of(&vertices, &faces, &corners);
        let around = Around::new(&vertices, &faces, &corners, &edges, mass.centroid);
        let blocks = lanes::in_blocks(&vertices);
        Hull { vertices, blocks, faces, corners, edges, mass, around }
    }

    /// Of the farthest corner, rounded up.
    fn offset_along(&self, normal: Vec3, around: &[u32]) -> f32 {
        let normal = Wide::from(normal);
        let heights = around.iter().map(|&h| self.point(h).dot(normal));
        let farthest = heights
            .fold(f64::NEG_INFINITY, |most, height| if height > most { height } else { most });
        let rounded = farthest as f32;
        if f64::from(rounded) < farthest { rounded.next_up() } else { rounded }
    }
}

fn mass_of(vertices: &[Vec3], faces: &[HullFace], corners: &[u32]) -> MassProperties {
    let fans = faces.iter().flat_map(|face| {
        let corners = &corners[face.first as usize..][..face.count as usize];
        let at = move |corner: usize| vertices[corners[corner] as usize];
        (1..corners.len() - 1).map(move |corner| [at(0), at(corner), at(corner + 1)])
    });
    // A hull is thicker than its tolerance, so it encloses something.
    MassProperties::of_triangles(fans).unwrap_or(MassProperties {
        volume: 0.0,
        centroid: vertices[0],
        inertia_per_mass: Mat3::ZERO,
    })
}
