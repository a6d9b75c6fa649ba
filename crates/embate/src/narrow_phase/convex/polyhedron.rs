//! Convex polyhedra: the trait over boxes, hulls and triangles that SAT, GJK and clipping share.

use embate_geom::{
    RigidTransform, Vec3, scalar,
    shapes::{ConvexHull, Cuboid},
};

use crate::narrow_phase::convex::cuboid;
use crate::narrow_phase::convex::sat_culling::{AxisBound, CandidateFaces};
use crate::narrow_phase::convex::support::Support;

/// A convex polyhedron in its own frame.
pub(crate) trait PolyhedralShape: Support {
    /// An interior point, and the radius of a sphere around it that is contained in the shape.
    fn inscribed_sphere(&self) -> (Vec3, f32);

    /// Radius of a sphere around the interior point that contains the shape.
    fn bounding_radius(&self) -> f32;

    /// Largest absolute coordinate of a vertex: the scale of rounding errors.
    fn max_abs_coordinate(&self) -> f32;

    /// Size of the shape, independent of its offset from its own origin: the scale of tolerances.
    #[inline]
    fn size(&self) -> f32 {
        scalar::min(self.max_abs_coordinate(), self.bounding_radius())
    }

    fn vertex(&self, index: u32) -> Vec3;

    fn face_count(&self) -> u32;

    /// Outward unit normal and offset.
    fn plane(&self, face: u32) -> (Vec3, f32);

    /// Vertices of a face, counter-clockwise seen from outside.
    fn face_vertices(&self, face: u32) -> &[u32];

    fn edge_count(&self) -> u32;

    /// The two vertices and the two adjacent faces of an edge. From its first vertex to its second
    /// it runs counter-clockwise around the first face.
    fn edge(&self, edge: u32) -> ([u32; 2], [u32; 2]);

    /// Of the faces around a vertex, the one whose normal is most aligned with `direction`.
    fn most_aligned_face(&self, vertex: u32, direction: Vec3) -> u32;

    /// The face with the largest signed plane distance to `point`, and that distance; the first of
    /// equal ones.
    fn max_separation_face(&self, point: Vec3) -> (u32, f32);

    /// Adds the faces whose separation may reach `threshold` according to `bound`: neither its
    /// sphere nor its vertex is more than `-threshold` behind the plane.
    fn collect_candidate_faces(
        &self,
        bound: &AxisBound,
        threshold: f32,
        candidates: &mut CandidateFaces,
    );

    /// Edges of a face; edge `i` starts at vertex `i` of the face.
    fn edges_of_face(&self, face: u32) -> &[u32];

    /// The edge between two vertices, if there is one.
    fn edge_between(&self, first: u32, second: u32) -> Option<u32>;

    /// Whether the projection of a point onto the plane of a face lies in the face.
    fn is_over_face(&self, face: u32, point: Vec3) -> bool {
        let (normal, _) = self.plane(face);
        let vertices = self.face_vertices(face);
        let mut from = self.vertex(vertices[vertices.len() - 1]);
        vertices.iter().all(|&vertex| {
            let to = self.vertex(vertex);
            let inside = normal.dot((to - from).cross(point - from)) >= 0.0;
            from = to;
            inside
        })
    }
}

/// A polyhedron and its pose in world space.
#[derive(Clone, Copy)]
pub(crate) struct PosedPolyhedron<'a, P> {
    pub(crate) shape: &'a P,
    pub(crate) frame: RigidTransform,
}

impl PolyhedralShape for Cuboid {
    #[inline]
    fn inscribed_sphere(&self) -> (Vec3, f32) {
        let half = self.half_extents();
        (Vec3::ZERO, half[cuboid::min_axis(half)])
    }

    #[inline]
    fn bounding_radius(&self) -> f32 {
        // Rounded up.
        self.half_extents().length() * (1.0 + 4.0 * f32::EPSILON)
    }

    #[inline]
    fn max_abs_coordinate(&self) -> f32 {
        self.half_extents().max_element()
    }

    #[inline]
    fn vertex(&self, index: u32) -> Vec3 {
        cuboid::vertex(self.half_extents(), index)
    }

    #[inline]
    fn face_count(&self) -> u32 {
        6
    }

    #[inline]
    fn plane(&self, face: u32) -> (Vec3, f32) {
        let axis = (face / 2) as usize;
        let normal = if face.is_multiple_of(2) { -Vec3::AXES[axis] } else { Vec3::AXES[axis] };
        (normal, self.half_extents()[axis])
    }

    #[inline]
    fn face_vertices(&self, face: u32) -> &[u32] {
        cuboid::face_vertices(face)
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
    fn max_separation_face(&self, point: Vec3) -> (u32, f32) {
        let distances = point.abs() - self.half_extents();
        let axis = cuboid::max_axis(distances);
        (cuboid::face_index(axis, point[axis] < 0.0), distances[axis])
    }

    #[inline]
    fn collect_candidate_faces(
        &self,
        bound: &AxisBound,
        threshold: f32,
        candidates: &mut CandidateFaces,
    ) {
        let half = self.half_extents().to_array();
        let (center, vertex) = (bound.center.to_array(), bound.vertex.to_array());
        for axis in 0..3 {
            let [sphere_threshold, vertex_threshold] =
                [threshold + bound.radius + half[axis], threshold + half[axis]];
            if -center[axis] >= sphere_threshold && -vertex[axis] >= vertex_threshold {
                candidates.push(2 * axis as u32);
            }
            if center[axis] >= sphere_threshold && vertex[axis] >= vertex_threshold {
                candidates.push(2 * axis as u32 + 1);
            }
        }
    }

    #[inline]
    fn edges_of_face(&self, face: u32) -> &[u32] {
        cuboid::face_edges(face)
    }

    #[inline]
    fn edge_between(&self, first: u32, second: u32) -> Option<u32> {
        cuboid::edge_between(first, second)
    }

    #[inline]
    fn most_aligned_face(&self, vertex: u32, direction: Vec3) -> u32 {
        let signs = cuboid::vertex(Vec3::splat(1.0), vertex);
        let axis = cuboid::max_axis(signs.mul_elements(direction));
        cuboid::face_index(axis, vertex >> axis & 1 == 0)
    }
}

impl PolyhedralShape for ConvexHull {
    #[inline]
    fn inscribed_sphere(&self) -> (Vec3, f32) {
        self.inscribed_sphere()
    }

    #[inline]
    fn bounding_radius(&self) -> f32 {
        self.bounding_radius()
    }

    #[inline]
    fn max_abs_coordinate(&self) -> f32 {
        self.max_abs_coordinate()
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
    fn face_vertices(&self, face: u32) -> &[u32] {
        self.face_vertices(&self.faces()[face as usize])
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
    fn max_separation_face(&self, point: Vec3) -> (u32, f32) {
        self.max_separation_face(point)
    }

    fn collect_candidate_faces(
        &self,
        bound: &AxisBound,
        threshold: f32,
        candidates: &mut CandidateFaces,
    ) {
        for (index, block) in self.planes_soa().iter().enumerate() {
            let (of_center, of_vertex) =
                (block.distances(bound.center), block.distances(bound.vertex));
            let mut upper_bounds = [0.0; 8];
            for lane in 0..8 {
                let of_sphere = of_center[lane] - bound.radius;
                upper_bounds[lane] =
                    if of_sphere < of_vertex[lane] { of_sphere } else { of_vertex[lane] };
            }
            // Mostly none of the eight planes qualifies.
            if upper_bounds.iter().fold(f32::NEG_INFINITY, |a, &b| if b > a { b } else { a })
                < threshold
            {
                continue;
            }
            for lane in 0..8 {
                let face = (8 * index + lane) as u32;
                if upper_bounds[lane] >= threshold && face < self.face_count() {
                    candidates.push(face);
                }
            }
        }
    }

    #[inline]
    fn edges_of_face(&self, face: u32) -> &[u32] {
        self.edges_of_face(&self.faces()[face as usize])
    }

    fn edge_between(&self, first: u32, second: u32) -> Option<u32> {
        self.faces_of_vertex(first).iter().find_map(|&face| {
            let vertices = PolyhedralShape::face_vertices(self, face);
            let position = vertices.iter().position(|&vertex| vertex == first)?;
            let next = vertices[(position + 1) % vertices.len()];
            (next == second).then(|| PolyhedralShape::edges_of_face(self, face)[position])
        })
    }

    fn most_aligned_face(&self, vertex: u32, direction: Vec3) -> u32 {
        let mut best = (f32::NEG_INFINITY, 0);
        for &face in self.faces_of_vertex(vertex) {
            let alignment = self.faces()[face as usize].normal.dot(direction);
            if alignment > best.0 {
                best = (alignment, face);
            }
        }
        best.1
    }
}
