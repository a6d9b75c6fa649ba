//! Quickhull (Barber, Dobkin, Huhdanpaa 1996) with exact orientation predicates.
//!
//! Guarantee: the triangles are the exact convex hull of the points. Every visibility test (does
//! this point lie above that face?) is the sign of a determinant, evaluated in f64 where its error
//! bound allows and by Shewchuk's exact arithmetic otherwise. The surface is therefore closed and
//! convex for any input, without a tolerance. Coplanar faces and duplicate points cannot break it:
//!
//! - A face is visible only from strictly above, so all triangles of one plane are visible
//!   together, and the visible faces form one patch with one simple horizon.
//! - A point on the line of a horizon edge would lie in the plane of the visible face at that edge,
//!   and so not see it: no new face is degenerate.
//!
//! ```text
//!            eye                          eye
//!             ●                            ●          visible faces are deleted; each horizon
//!        ╱▔▔▔▔▔▔▔╲   visible     ─►       ╱│╲         edge gets a new face to the eye; the points
//!       ●─────────●  horizon             ●─┴─●        of the deleted outside sets go to the new
//!        ╲_______╱                        ╲_╱         faces (conflict lists) or are inside
//! ```

use crate::shapes::convex_hull::{DVec3, tolerance::Tolerance};
use crate::shapes::{MIN_SIZE, ShapeError, ShapeLength};

/// Closed triangle surface, counter-clockwise seen from outside.
#[derive(Clone, Debug)]
pub(super) struct TriangleSurface {
    /// Vertex indices of each triangle.
    pub(super) triangles: Vec<[u32; 3]>,
    /// Triangle across edge `i`, which runs from vertex `i` to the next.
    pub(super) neighbors: Vec<[u32; 3]>,
}

/// Four points of nonzero volume to start from.
#[derive(Clone, Copy, Debug)]
pub(super) struct InitialTetrahedron {
    vertices: [u32; 4],
    /// Distance of the fourth vertex from the plane of the others: the thickness of the point set.
    pub(super) thickness: f64,
}

/// Face of the growing surface.
#[derive(Clone, Debug, Default)]
struct Face {
    vertices: [u32; 3],
    neighbors: [u32; 3],
    /// Not normalized: heights are compared within one face only.
    normal: DVec3,
    anchor: DVec3,
    /// The sign of a smaller height is uncertain in f64.
    height_error: f64,
    /// Points above this face that are assigned to it and to no other.
    outside_set: Vec<u32>,
    farthest: u32,
    farthest_height: f64,
    alive: bool,
    /// Last eye point from which this face was visible.
    visible_from: u32,
}

const NO_INDEX: u32 = u32::MAX;

/// Error of `(b − a) × (c − a) · (p − a)` in f64, relative to the product of the three lengths:
/// each of its six terms rounds at most eight times, by half an ε.
const HEIGHT_ERROR_RATIO: f64 = 32.0 * f64::EPSILON;

/// Minimum thickness relative to the length: a thinner point set is below the resolution of f32.
const MIN_THICKNESS_RATIO: f64 = 1e-7;

/// Four points far apart in every direction; an error if all coincide, are collinear or coplanar.
pub(super) fn initial_tetrahedron(
    points: &[DVec3],
    tolerance: &Tolerance,
) -> Result<InitialTetrahedron, ShapeError> {
    let count = points.len();
    // The first maximum: the result depends only on the order of the points.
    let farthest = |measure: &dyn Fn(DVec3) -> f64| {
        let mut best = (0, f64::NEG_INFINITY);
        for (index, &point) in points.iter().enumerate() {
            let value = measure(point);
            if value > best.1 {
                best = (index, value);
            }
        }
        best
    };
    let extremes = [
        farthest(&|p| -p.x).0,
        farthest(&|p| p.x).0,
        farthest(&|p| -p.y).0,
        farthest(&|p| p.y).0,
        farthest(&|p| -p.z).0,
        farthest(&|p| p.z).0,
    ];
    let (mut a, mut b) = (extremes[0], extremes[1]);
    for &first in &extremes {
        for &second in &extremes {
            if (points[first] - points[second]).length() > (points[a] - points[b]).length() {
                (a, b) = (first, second);
            }
        }
    }
    let along = points[b] - points[a];
    if tolerance.is_negligible(along) {
        return Err(ShapeError::CoincidentPoints { count });
    }
    if along.length() < f64::from(MIN_SIZE) {
        return Err(ShapeError::Size { length: ShapeLength::Extent, value: along.length() as f32 });
    }
    let axis = along.normalize();
    let from_line = |p: DVec3| (p - points[a]) - axis * (p - points[a]).dot(axis);
    let c = farthest(&|p| from_line(p).length()).0;
    if tolerance.is_negligible(from_line(points[c])) {
        return Err(ShapeError::CollinearPoints { count });
    }
    let normal = axis.cross(from_line(points[c]).normalize()).normalize();
    let (d, thickness) = farthest(&|p| (p - points[a]).dot(normal).abs());
    if thickness <= tolerance.along(normal) || thickness < along.length() * MIN_THICKNESS_RATIO {
        return Err(ShapeError::CoplanarPoints { count, thickness: thickness as f32 });
    }
    Ok(InitialTetrahedron { vertices: [a, b, c, d].map(|index| index as u32), thickness })
}

/// Exact convex hull of `points`.
pub(super) fn quickhull(points: &[DVec3], tetrahedron: &InitialTetrahedron) -> TriangleSurface {
    let mut hull = GrowingHull {
        points,
        max_distance: max_distance_bound(points),
        faces: Vec::new(),
        free: Vec::new(),
        pending: Vec::new(),
        new_face_from: vec![NO_INDEX; points.len()],
        visible: Vec::new(),
        horizon: Vec::new(),
    };
    hull.start(tetrahedron);
    while let Some(slot) = hull.pending.pop() {
        // The slot may have been freed and reused since it was pushed.
        let face = &hull.faces[slot as usize];
        if face.alive && !face.outside_set.is_empty() {
            hull.add_point(face.farthest, slot);
        }
    }
    hull.finish()
}

/// Upper bound on the distance of two points.
fn max_distance_bound(points: &[DVec3]) -> f64 {
    let first = points.first().copied().unwrap_or(DVec3::ZERO);
    // Twice the largest distance from any one point, by the triangle inequality.
    2.0 * points.iter().map(|&p| (p - first).l1_norm()).fold(0.0, |a, b| if b > a { b } else { a })
}

struct GrowingHull<'a> {
    points: &'a [DVec3],
    /// No two points are farther apart.
    max_distance: f64,
    faces: Vec<Face>,
    free: Vec<u32>,
    /// Faces that may have points in their outside sets.
    pending: Vec<u32>,
    /// New face on the horizon edge that starts at this point.
    new_face_from: Vec<u32>,
    visible: Vec<u32>,
    horizon: Vec<HorizonEdge>,
}

/// Edge between a visible and a hidden face.
#[derive(Clone, Copy, Debug)]
struct HorizonEdge {
    from: u32,
    to: u32,
    hidden_face: u32,
}

impl GrowingHull<'_> {
    /// Creates the faces of the tetrahedron and assigns all other points to their outside sets.
    fn start(&mut self, tetrahedron: &InitialTetrahedron) {
        let [a, b, c, d] = tetrahedron.vertices;
        // Orientation: the fourth vertex lies below the first three.
        let (b, c) = if self.exact_height([a, b, c], d) > 0.0 { (c, b) } else { (b, c) };
        for vertices in [[a, b, c], [a, d, b], [b, d, c], [c, d, a]] {
            let slot = self.create_face(vertices);
            self.pending.push(slot);
        }
        // Across each edge, in the order of the list above.
        for (slot, neighbors) in
            [[1, 2, 3], [3, 2, 0], [1, 3, 0], [2, 1, 0]].into_iter().enumerate()
        {
            self.faces[slot].neighbors = neighbors;
        }
        for point in 0..self.points.len() as u32 {
            if !tetrahedron.vertices.contains(&point) {
                self.assign_to_outside_set(point, 0);
            }
        }
    }

    /// Extends the hull by the point `eye`, which lies strictly above the face `start`.
    fn add_point(&mut self, eye: u32, start: u32) {
        self.find_visible_faces(eye, start);
        let first_new = self.pending.len();
        for index in 0..self.horizon.len() {
            let HorizonEdge { from, to, hidden_face } = self.horizon[index];
            let new = self.create_face([from, to, eye]);
            self.faces[new as usize].neighbors[0] = hidden_face;
            let hidden = &mut self.faces[hidden_face as usize];
            // The horizon edge is reversed there.
            let edge = if hidden.vertices[0] == to {
                0
            } else if hidden.vertices[1] == to {
                1
            } else {
                2
            };
            hidden.neighbors[edge] = new;
            self.new_face_from[from as usize] = new;
            self.pending.push(new);
        }
        for index in 0..self.horizon.len() {
            let HorizonEdge { from, to, .. } = self.horizon[index];
            let (here, next) = (self.new_face_from[from as usize], self.new_face_from[to as usize]);
            self.faces[here as usize].neighbors[1] = next;
            self.faces[next as usize].neighbors[2] = here;
        }
        // The outside sets of the visible faces are redistributed to the new faces; a point above
        // none of them is inside for good.
        for index in 0..self.visible.len() {
            let slot = self.visible[index];
            let mut orphans = core::mem::take(&mut self.faces[slot as usize].outside_set);
            for &orphan in &orphans {
                if orphan != eye {
                    self.assign_to_outside_set(orphan, first_new);
                }
            }
            // The allocation is kept for the face that reuses the slot.
            orphans.clear();
            let deleted = &mut self.faces[slot as usize];
            deleted.outside_set = orphans;
            deleted.alive = false;
            self.free.push(slot);
        }
    }

    /// Fills `visible` with all faces strictly below `eye`, and `horizon` with the edges around
    /// them.
    fn find_visible_faces(&mut self, eye: u32, start: u32) {
        self.visible.clear();
        self.horizon.clear();
        self.visible.push(start);
        self.faces[start as usize].visible_from = eye;
        let mut next = 0;
        while next < self.visible.len() {
            let face = &self.faces[self.visible[next] as usize];
            let (vertices, neighbors) = (face.vertices, face.neighbors);
            for edge in 0..3 {
                let neighbor = neighbors[edge];
                if self.faces[neighbor as usize].visible_from == eye {
                    continue;
                }
                if self.height(neighbor, eye) > 0.0 {
                    self.faces[neighbor as usize].visible_from = eye;
                    self.visible.push(neighbor);
                } else {
                    self.horizon.push(HorizonEdge {
                        from: vertices[edge],
                        to: vertices[(edge + 1) % 3],
                        hidden_face: neighbor,
                    });
                }
            }
            next += 1;
        }
    }

    /// Assigns a point to the first face of `pending[first..]` that it lies strictly above, if any.
    fn assign_to_outside_set(&mut self, point: u32, first: usize) {
        for index in first..self.pending.len() {
            let slot = self.pending[index];
            let height = self.height(slot, point);
            if height > 0.0 {
                let face = &mut self.faces[slot as usize];
                if height > face.farthest_height {
                    (face.farthest, face.farthest_height) = (point, height);
                }
                face.outside_set.push(point);
                return;
            }
        }
    }

    /// Height of a point above a face; positive exactly if the point lies strictly above.
    fn height(&self, slot: u32, point: u32) -> f64 {
        let face = &self.faces[slot as usize];
        let height = face.normal.dot(self.points[point as usize] - face.anchor);
        if height.abs() > face.height_error {
            height
        } else {
            self.exact_height(face.vertices, point)
        }
    }

    /// Height with an exact sign; its magnitude is approximate.
    fn exact_height(&self, vertices: [u32; 3], point: u32) -> f64 {
        let [a, b, c] = vertices.map(|vertex| self.points[vertex as usize].coord());
        // `robust` returns a positive sign below the plane.
        -robust::orient3d(a, b, c, self.points[point as usize].coord())
    }

    fn create_face(&mut self, vertices: [u32; 3]) -> u32 {
        let [a, b, c] = vertices.map(|vertex| self.points[vertex as usize]);
        let (ab, ac) = (b - a, c - a);
        let slot = self.free.pop().unwrap_or_else(|| {
            self.faces.push(Face::default());
            self.faces.len() as u32 - 1
        });
        let face = &mut self.faces[slot as usize];
        face.vertices = vertices;
        face.normal = ab.cross(ac);
        face.anchor = a;
        face.height_error = HEIGHT_ERROR_RATIO * ab.l1_norm() * ac.l1_norm() * self.max_distance;
        face.farthest_height = 0.0;
        face.visible_from = NO_INDEX;
        face.alive = true;
        slot
    }

    /// Compacts the faces in the order of their slots.
    fn finish(self) -> TriangleSurface {
        let mut new_index = vec![NO_INDEX; self.faces.len()];
        let mut count = 0;
        for (slot, face) in self.faces.iter().enumerate() {
            if face.alive {
                new_index[slot] = count;
                count += 1;
            }
        }
        let alive = || self.faces.iter().filter(|face| face.alive);
        TriangleSurface {
            triangles: alive().map(|face| face.vertices).collect(),
            neighbors: alive()
                .map(|face| face.neighbors.map(|slot| new_index[slot as usize]))
                .collect(),
        }
    }
}
