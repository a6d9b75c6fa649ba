//! Merging of coplanar faces, on a half-edge mesh.
//!
//! Two faces are merged if all their vertices lie within the tolerance of one plane and the result
//! is still a polyhedron: no reflex vertex, three faces at every vertex, and no two faces that
//! share two edges. A vertex left with two faces lies on their common edge and is removed.

use crate::shapes::convex_hull::{
    Adjacency, ConvexHull, DVec3, HullEdge, HullFace, quickhull::TriangleSurface, simd,
    tolerance::Tolerance, validate,
};
use crate::{Mat3, Vec3, shapes::MassProperties};

const NO_INDEX: u32 = u32::MAX;

/// A rejected pair may be accepted after its neighbors have merged. Few inputs need more than two
/// passes.
const MAX_MERGE_PASSES: usize = 8;

/// Half-edge mesh of the polyhedron. A half-edge runs from its `origin` around its `face`,
/// counter-clockwise.
struct HalfEdgeMesh<'a> {
    points: &'a [DVec3],
    tolerance: &'a Tolerance,
    origin: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
    twin: Vec<u32>,
    face: Vec<u32>,
    /// One half-edge of each face; `NO_INDEX` if the face has been merged into another.
    face_half_edge: Vec<u32>,
    /// Number of faces around each point.
    valence: Vec<u32>,
    /// Test number at which each face was last found as a neighbor.
    neighbor_mark: Vec<u32>,
    current_mark: u32,
}

/// Vertex where the outlines of two faces meet, at an end of the edge that a merge removes.
#[derive(Clone, Copy)]
struct MergeVertex {
    /// Half-edge of the merged outline that ends at the vertex.
    incoming: u32,
    /// Half-edge of the merged outline that starts at the vertex.
    outgoing: u32,
    /// Whether the merge leaves the vertex with two faces, so that it is removed.
    is_removed: bool,
}

/// Hull of this surface with its coplanar triangles merged.
///
/// A merge bends faces within the tolerance, and where slivers meet, small bends can add up to a
/// face that is not flat. The result is therefore validated; if it is not convex, the merge is
/// repeated with a smaller tolerance, and finally omitted: the surface itself is exact.
pub(super) fn merge_coplanar_faces(
    points: &[DVec3],
    surface: &TriangleSurface,
    tolerance: &Tolerance,
) -> ConvexHull {
    for factor in [1.0, 1.0 / 16.0, 1.0 / 256.0] {
        let smaller = tolerance.scaled(factor);
        let mut mesh = HalfEdgeMesh::new(points, surface, &smaller);
        let edges = mesh.flat_edges();
        for _ in 0..MAX_MERGE_PASSES {
            let merged = edges.iter().filter(|&&edge| mesh.try_merge(edge)).count();
            if merged == 0 {
                break;
            }
        }
        let hull = mesh.to_hull();
        if validate::is_convex(&hull, tolerance) {
            return hull;
        }
    }
    HalfEdgeMesh::new(points, surface, tolerance).to_hull()
}

impl<'a> HalfEdgeMesh<'a> {
    fn new(points: &'a [DVec3], surface: &TriangleSurface, tolerance: &'a Tolerance) -> Self {
        let half_edges = 3 * surface.triangles.len() as u32;
        let mut valence = vec![0; points.len()];
        for &vertex in surface.triangles.iter().flatten() {
            valence[vertex as usize] += 1;
        }
        let twin = |half_edge: u32| {
            let (triangle, edge) = (half_edge / 3, half_edge % 3);
            let neighbor = surface.neighbors[triangle as usize][edge as usize];
            // The twin starts where this half-edge ends.
            let end = surface.triangles[triangle as usize][(edge as usize + 1) % 3];
            let slot =
                surface.triangles[neighbor as usize].iter().position(|&vertex| vertex == end);
            3 * neighbor + slot.unwrap_or(0) as u32
        };
        Self {
            points,
            tolerance,
            origin: surface.triangles.iter().flatten().copied().collect(),
            next: (0..half_edges).map(|h| h / 3 * 3 + (h + 1) % 3).collect(),
            previous: (0..half_edges).map(|h| h / 3 * 3 + (h + 2) % 3).collect(),
            twin: (0..half_edges).map(twin).collect(),
            face: (0..half_edges).map(|h| h / 3).collect(),
            face_half_edge: (0..surface.triangles.len() as u32).map(|face| 3 * face).collect(),
            valence,
            neighbor_mark: vec![0; surface.triangles.len()],
            current_mark: 0,
        }
    }

    fn origin_point(&self, half_edge: u32) -> DVec3 {
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

    /// Half-edges around a face, starting with `start`.
    fn face_loop(&self, start: u32) -> impl Iterator<Item = u32> {
        let step = move |&half_edge: &u32| Some(self.next(half_edge)).filter(|&next| next != start);
        core::iter::successors(Some(start), step)
    }

    /// Edges between triangles that may be coplanar, flattest first.
    fn flat_edges(&self) -> Vec<u32> {
        let mut edges = Vec::new();
        for half_edge in 0..self.origin.len() as u32 {
            let twin = self.twin(half_edge);
            if half_edge > twin {
                continue;
            }
            // Height of the neighbor's opposite vertex above this triangle, and the tolerance.
            let bend = |half_edge: u32, twin: u32| {
                let (a, b) =
                    (self.origin_point(half_edge), self.origin_point(self.next(half_edge)));
                let normal =
                    (b - a).cross(self.origin_point(self.previous(half_edge)) - a).normalize();
                let height = (self.origin_point(self.previous(twin)) - a).dot(normal).abs();
                (height, self.tolerance.along(normal))
            };
            let (bend, limit) = {
                let (one, other) = (bend(half_edge, twin), bend(twin, half_edge));
                if one.0 < other.0 { one } else { other }
            };
            // Each triangle may deviate from the common plane by the tolerance, to opposite sides,
            // and the plane of a sliver tilts by more than that.
            if bend <= 4.0 * limit {
                edges.push((bend, half_edge));
            }
        }
        edges.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        edges.into_iter().map(|(_, half_edge)| half_edge).collect()
    }

    /// Merges the faces on both sides of an edge if the rules allow it.
    fn try_merge(&mut self, edge: u32) -> bool {
        let twin = self.twin(edge);
        if self.next(edge) == NO_INDEX || self.face(edge) == self.face(twin) {
            return false;
        }
        let outline: Vec<u32> = self
            .face_loop(self.next(edge))
            .filter(|&h| h != edge)
            .chain(self.face_loop(self.next(twin)).filter(|&h| h != twin))
            .collect();
        let normal = self.newell_normal(&outline);
        let heights = outline.iter().map(|&h| self.origin_point(h).dot(normal));
        let (min, max) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), height| {
            (if height < min { height } else { min }, if height > max { height } else { max })
        });
        if max - min > 2.0 * self.tolerance.along(normal) {
            return false;
        }
        // The outlines meet at the start of the edge and at the start of its twin.
        let ends = [(self.previous(edge), self.next(twin)), (self.previous(twin), self.next(edge))]
            .map(|(incoming, outgoing)| MergeVertex {
                incoming,
                outgoing,
                is_removed: self.valence[self.origin[outgoing as usize] as usize] == 3,
            });
        if !ends.iter().all(|end| self.vertex_allows_merge(end, normal)) {
            return false;
        }
        let remaining = outline.len() - ends.iter().filter(|end| end.is_removed).count();
        if remaining < 3 || !self.shares_single_edges(&outline, &ends) {
            return false;
        }
        self.merge(edge, twin);
        for end in ends {
            self.valence[self.origin[end.outgoing as usize] as usize] -= 1;
            if end.is_removed {
                self.remove_vertex(end.incoming, end.outgoing);
            }
        }
        true
    }

    /// Unit normal of a polygon (Newell's method).
    fn newell_normal(&self, outline: &[u32]) -> DVec3 {
        let anchor = self.origin_point(outline[0]);
        let mut sum = DVec3::ZERO;
        for pair in outline[1..].windows(2) {
            sum = sum
                + (self.origin_point(pair[0]) - anchor).cross(self.origin_point(pair[1]) - anchor);
        }
        sum.normalize()
    }

    /// Whether the merged outline is convex at this vertex, or straight if the vertex is removed.
    fn vertex_allows_merge(&self, end: &MergeVertex, normal: DVec3) -> bool {
        let (before, here, after) = (
            self.origin_point(end.incoming),
            self.origin_point(end.outgoing),
            self.origin_point(self.next(end.outgoing)),
        );
        let along = (after - before).normalize();
        let from_line = (here - before) - along * (here - before).dot(along);
        let is_reflex = normal.dot((here - before).cross(after - here)) <= 0.0;
        if end.is_removed {
            // The face on the other side must keep at least three vertices.
            let other_has_four = self.face_loop(self.twin(end.incoming)).nth(3).is_some();
            return other_has_four && self.tolerance.is_negligible(from_line);
        }
        !is_reflex || self.tolerance.is_negligible(from_line)
    }

    /// Whether the merged face would share at most one edge with each neighbor.
    fn shares_single_edges(&mut self, outline: &[u32], ends: &[MergeVertex; 2]) -> bool {
        self.current_mark += 1;
        outline
            .iter()
            .filter(|&&h| !ends.iter().any(|end| end.is_removed && h == end.outgoing))
            .all(|&h| {
                let neighbor = self.face[self.twin[h as usize] as usize] as usize;
                let mark = core::mem::replace(&mut self.neighbor_mark[neighbor], self.current_mark);
                mark != self.current_mark
            })
    }

    fn link(&mut self, first: u32, second: u32) {
        self.next[first as usize] = second;
        self.previous[second as usize] = first;
    }

    fn merge(&mut self, edge: u32, twin: u32) {
        let (kept, deleted) = (self.face(edge), self.face(twin));
        let moved: Vec<u32> = self.face_loop(twin).collect();
        for half_edge in moved {
            self.face[half_edge as usize] = kept;
        }
        let (before, after) = (self.previous(edge), self.next(edge));
        let (before_twin, after_twin) = (self.previous(twin), self.next(twin));
        self.link(before, after_twin);
        self.link(before_twin, after);
        self.face_half_edge[kept as usize] = after;
        self.face_half_edge[deleted as usize] = NO_INDEX;
        self.next[edge as usize] = NO_INDEX;
        self.next[twin as usize] = NO_INDEX;
    }

    /// Removes the vertex `u` between `incoming` and `outgoing`, where only two faces meet:
    ///
    /// ```text
    ///        ─ incoming ──►u── outgoing ──►
    ///        ◄─ leaving ───u◄─ arriving ───     around the other face
    /// ```
    fn remove_vertex(&mut self, incoming: u32, outgoing: u32) {
        let (leaving, arriving) = (self.twin(incoming), self.twin(outgoing));
        self.link(incoming, self.next(outgoing));
        self.link(arriving, self.next(leaving));
        self.twin[incoming as usize] = arriving;
        self.twin[arriving as usize] = incoming;
        for kept in [incoming, arriving] {
            self.face_half_edge[self.face[kept as usize] as usize] = kept;
        }
        self.next[outgoing as usize] = NO_INDEX;
        self.next[leaving as usize] = NO_INDEX;
        self.valence[self.origin[outgoing as usize] as usize] = 0;
    }

    fn to_hull(&self) -> ConvexHull {
        let mut new_vertex = vec![NO_INDEX; self.points.len()];
        let mut vertices = Vec::new();
        for (point, &valence) in self.valence.iter().enumerate() {
            if valence > 0 {
                new_vertex[point] = vertices.len() as u32;
                vertices.push(self.points[point].as_vec3());
            }
        }
        // Canonical order: each face starts at its lowest vertex, faces are sorted by their first
        // edge. Equal polyhedra have equal representations, however they were found.
        let origin = |half_edge: u32| self.origin[half_edge as usize];
        let mut starts: Vec<u32> = self
            .face_half_edge
            .iter()
            .filter(|&&half_edge| half_edge != NO_INDEX)
            .map(|&start| self.face_loop(start).min_by_key(|&h| origin(h)).unwrap_or(start))
            .collect();
        starts.sort_unstable_by_key(|&start| (origin(start), origin(self.next(start))));
        let mut new_face = vec![NO_INDEX; self.face_half_edge.len()];
        for (index, &start) in starts.iter().enumerate() {
            new_face[self.face(start) as usize] = index as u32;
        }
        let (mut faces, mut face_vertices, mut edges) = (Vec::new(), Vec::new(), Vec::new());
        for start in starts {
            let first = face_vertices.len() as u32;
            let outline: Vec<u32> = self.face_loop(start).collect();
            for &half_edge in &outline {
                let vertex = new_vertex[self.origin[half_edge as usize] as usize];
                face_vertices.push(vertex);
                let twin = self.twin(half_edge);
                let face = [half_edge, twin].map(|h| new_face[self.face(h) as usize]);
                if face[0] < face[1] {
                    let end = new_vertex[self.origin[twin as usize] as usize];
                    edges.push(HullEdge { vertices: [vertex, end], faces: face });
                }
            }
            let normal = self.newell_normal(&outline).as_vec3();
            let offset = self.max_offset(normal, &outline);
            faces.push(HullFace { normal, offset, first, count: outline.len() as u32 });
        }
        let mass_properties = mass_properties(&vertices, &faces, &face_vertices);
        let centroid = mass_properties.center_of_mass;
        let adjacency = Adjacency::new(&vertices, &faces, &face_vertices, &edges, centroid);
        let vertices_soa = simd::vertices_to_soa(&vertices);
        ConvexHull {
            vertices,
            vertices_soa,
            faces,
            face_vertices,
            edges,
            mass_properties,
            adjacency,
        }
    }

    /// Plane offset of the farthest vertex, rounded up.
    fn max_offset(&self, normal: Vec3, outline: &[u32]) -> f32 {
        let normal = DVec3::from(normal);
        let heights = outline.iter().map(|&h| self.origin_point(h).dot(normal));
        let max =
            heights.fold(f64::NEG_INFINITY, |max, height| if height > max { height } else { max });
        let rounded = max as f32;
        if f64::from(rounded) < max { rounded.next_up() } else { rounded }
    }
}

fn mass_properties(vertices: &[Vec3], faces: &[HullFace], face_vertices: &[u32]) -> MassProperties {
    let triangles = faces.iter().flat_map(|face| {
        let indices = &face_vertices[face.first as usize..][..face.count as usize];
        let at = move |index: usize| vertices[indices[index] as usize];
        (1..indices.len() - 1).map(move |index| [at(0), at(index), at(index + 1)])
    });
    // A hull is thicker than its tolerance, so its volume is positive.
    MassProperties::from_triangles(triangles).unwrap_or(MassProperties {
        volume: 0.0,
        center_of_mass: vertices[0],
        unit_inertia: Mat3::ZERO,
    })
}
