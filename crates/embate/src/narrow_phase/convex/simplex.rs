//! GJK sub-simplex: the point of a vertex, edge, triangle or tetrahedron closest to the origin.
//!
//! Voronoi regions after Ericson, "Real-Time Collision Detection", 5.1, in f64. A vertex may be
//! 1,000 times as far away as the closest point, and the vertices of a thin triangle as far from
//! each other. Therefore all products are relative to the vertex closest to the origin.

use embate_geom::DVec3;

/// Up to four points `a − b` of the Minkowski difference of two cores.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simplex {
    pub(crate) vertices: [SimplexVertex; 4],
    pub(crate) count: usize,
}

/// A vertex of A minus a vertex of B, with its barycentric weight in the closest point.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SimplexVertex {
    pub(crate) difference: DVec3,
    pub(crate) on_a: DVec3,
    pub(crate) indices: [u32; 2],
    pub(crate) weight: f64,
}

impl Simplex {
    pub(crate) fn new(vertex: SimplexVertex) -> Self {
        let mut corners = [SimplexVertex::default(); 4];
        corners[0] = SimplexVertex { weight: 1.0, ..vertex };
        Self { vertices: corners, count: 1 }
    }

    #[inline]
    pub(crate) fn vertices(&self) -> &[SimplexVertex] {
        &self.vertices[..self.count]
    }

    /// The sub-simplex of this simplex plus `vertex` that contains the point closest to the origin.
    /// `None` if the simplex contains the origin. Rounding can produce that result for a flat
    /// simplex; `outside` states that the origin is known to be outside.
    #[inline]
    pub(crate) fn closest_sub_simplex(
        &mut self,
        vertex: SimplexVertex,
        outside: bool,
    ) -> Option<SubSimplex> {
        self.vertices[self.count] = vertex;
        let point = |index: usize| self.vertices[index].difference;
        Some(match self.count {
            1 => closest_on_edge([point(0), point(1)], [0, 1]),
            2 => closest_on_triangle([point(0), point(1), point(2)], [0, 1, 2]),
            _ => closest_on_tetrahedron([point(0), point(1), point(2), point(3)], outside)?,
        })
    }

    /// Reduces the simplex to the given sub-simplex.
    #[inline]
    pub(crate) fn reduce(&mut self, sub_simplex: &SubSimplex) {
        let vertices = sub_simplex.indices.map(|index| self.vertices[index]);
        for slot in 0..sub_simplex.count {
            self.vertices[slot] =
                SimplexVertex { weight: sub_simplex.weights[slot], ..vertices[slot] };
        }
        self.count = sub_simplex.count;
    }

    /// Adds a vertex, reduces to the closest sub-simplex and returns the closest point; `None` as
    /// in [`closest_sub_simplex`](Self::closest_sub_simplex).
    pub(crate) fn add_and_reduce(&mut self, vertex: SimplexVertex, outside: bool) -> Option<DVec3> {
        let sub_simplex = self.closest_sub_simplex(vertex, outside)?;
        self.reduce(&sub_simplex);
        Some(sub_simplex.point)
    }

    /// The closest point on A.
    pub(crate) fn point_on_a(&self) -> DVec3 {
        self.vertices().iter().fold(DVec3::ZERO, |sum, vertex| sum + vertex.on_a * vertex.weight)
    }
}

/// The sub-simplex that contains the closest point, and that point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SubSimplex {
    pub(crate) point: DVec3,
    indices: [usize; 3],
    weights: [f64; 3],
    count: usize,
}

fn vertex_region(point: DVec3, index: usize) -> SubSimplex {
    SubSimplex { point, indices: [index, 0, 0], weights: [1.0, 0.0, 0.0], count: 1 }
}

fn closest_on_edge([a, b]: [DVec3; 2], [i, j]: [usize; 2]) -> SubSimplex {
    let ab = b - a;
    let (projection, length_squared) = (-ab.dot(a), ab.length_squared());
    if projection <= 0.0 {
        return vertex_region(a, i);
    }
    if projection >= length_squared {
        return vertex_region(b, j);
    }
    let t = projection / length_squared;
    SubSimplex { point: a + ab * t, indices: [i, j, 0], weights: [1.0 - t, t, 0.0], count: 2 }
}

fn closest_on_triangle(vertices: [DVec3; 3], indices: [usize; 3]) -> SubSimplex {
    let first = argmin(vertices.map(DVec3::length_squared));
    let [a, b, c] = rotated_to_front(vertices, first);
    let [i, j, k] = rotated_to_front(indices, first);
    let (ab, ac) = (b - a, c - a);
    let (ab_a, ac_a) = (-ab.dot(a), -ac.dot(a));
    if ab_a <= 0.0 && ac_a <= 0.0 {
        return vertex_region(a, i);
    }
    let (ab_b, ac_b) = (-ab.dot(b), -ac.dot(b));
    if ab_b >= 0.0 && ac_b <= ab_b {
        return vertex_region(b, j);
    }
    let (ab_c, ac_c) = (-ab.dot(c), -ac.dot(c));
    if ac_c >= 0.0 && ab_c <= ac_c {
        return vertex_region(c, k);
    }
    let area_c = ab_a * ac_b - ab_b * ac_a;
    if area_c <= 0.0 && ab_a >= 0.0 && ab_b <= 0.0 {
        return closest_on_edge([a, b], [i, j]);
    }
    let area_b = ab_c * ac_a - ab_a * ac_c;
    if area_b <= 0.0 && ac_a >= 0.0 && ac_c <= 0.0 {
        return closest_on_edge([a, c], [i, k]);
    }
    let area_a = ab_b * ac_c - ab_c * ac_b;
    if area_a <= 0.0 && ac_b >= ab_b && ab_c >= ac_c {
        return closest_on_edge([b, c], [j, k]);
    }
    let normal = ab.cross(ac);
    let normal_squared = normal.length_squared();
    if normal_squared <= 0.0 {
        // A degenerate triangle: rounding put the origin outside all three edges. The closest edge
        // suffices.
        return closer(
            closest_on_edge([a, b], [i, j]),
            closer(closest_on_edge([a, c], [i, k]), closest_on_edge([b, c], [j, k])),
        );
    }
    // Computed with the normal: the barycentric products above lose twice as many digits for thin
    // triangles.
    let weight_b = normal.dot(ac.cross(a)) / normal_squared;
    let weight_c = normal.dot(a.cross(ab)) / normal_squared;
    SubSimplex {
        // Along the normal, not as a weighted sum of the vertices: no cancellation.
        point: normal * (normal.dot(a) / normal_squared),
        indices: [i, j, k],
        weights: [1.0 - weight_b - weight_c, weight_b, weight_c],
        count: 3,
    }
}

/// Index of the smallest value; the first of equal ones.
#[inline]
fn argmin([a, b, c]: [f64; 3]) -> usize {
    if a <= b && a <= c {
        0
    } else if b <= c {
        1
    } else {
        2
    }
}

/// Cyclic rotation that moves element `first` to the front.
#[inline]
fn rotated_to_front<T: Copy>([a, b, c]: [T; 3], first: usize) -> [T; 3] {
    match first {
        0 => [a, b, c],
        1 => [b, c, a],
        _ => [c, a, b],
    }
}

/// `None` if the tetrahedron contains the origin.
fn closest_on_tetrahedron(vertices: [DVec3; 4], outside: bool) -> Option<SubSimplex> {
    const FACES: [([usize; 3], usize); 4] =
        [([0, 1, 3], 2), ([1, 2, 3], 0), ([2, 0, 3], 1), ([0, 2, 1], 3)];
    let mut closest: Option<SubSimplex> = None;
    let mut test_face = |[i, j, k]: [usize; 3]| {
        let sub_simplex = closest_on_triangle([vertices[i], vertices[j], vertices[k]], [i, j, k]);
        closest = Some(match closest.take() {
            Some(best) => closer(best, sub_simplex),
            None => sub_simplex,
        });
    };
    let lengths_squared = vertices.map(DVec3::length_squared);
    let mut inside = true;
    for (face, opposite) in FACES {
        let face = rotated_to_front(face, argmin(face.map(|index| lengths_squared[index])));
        let [a, b, c] = face.map(|index| vertices[index]);
        let normal = (b - a).cross(c - a);
        let (side_of_origin, side_of_opposite) =
            (-normal.dot(a), normal.dot(vertices[opposite] - a));
        // If the origin is on the same side as the opposite vertex, it is behind this face. A flat
        // tetrahedron has no sides: with `<=` all four of its faces are tested.
        if side_of_origin * side_of_opposite <= 0.0 {
            inside = false;
            test_face(face);
        }
    }
    if inside && outside {
        for (face, _) in FACES {
            test_face(face);
        }
    }
    closest
}

fn closer(first: SubSimplex, second: SubSimplex) -> SubSimplex {
    if second.point.length_squared() < first.point.length_squared() { second } else { first }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The simplex of `points`, reduced, and the point closest to the origin.
    fn reduced(points: &[[f64; 3]]) -> (Simplex, Option<DVec3>) {
        let vertex = |&[x, y, z]: &[f64; 3]| SimplexVertex {
            difference: DVec3::new(x, y, z),
            ..SimplexVertex::default()
        };
        let mut simplex = Simplex::new(vertex(&points[0]));
        simplex.count = points.len() - 1;
        for (slot, point) in simplex.vertices.iter_mut().zip(points) {
            *slot = vertex(point);
        }
        let closest = simplex.add_and_reduce(vertex(&points[points.len() - 1]), false);
        (simplex, closest)
    }

    #[test]
    fn simplex_reduces_to_the_closest_sub_simplex() {
        let (edge, point) = reduced(&[[-1.0, 1.0, 0.0], [1.0, 1.0, 0.0]]);
        assert_eq!((edge.count, point.unwrap()), (2, DVec3::new(0.0, 1.0, 0.0)));
        let (vertex, point) = reduced(&[[2.0, 1.0, 0.0], [1.0, 1.0, 0.0]]);
        assert_eq!((vertex.count, point.unwrap()), (1, DVec3::new(1.0, 1.0, 0.0)));
        let above = [[-1.0, -1.0, 2.0], [1.0, -1.0, 2.0], [0.0, 1.0, 2.0]];
        let (face, point) = reduced(&above);
        assert_eq!((face.count, point.unwrap()), (3, DVec3::new(0.0, 0.0, 2.0)));
        let (face, point) = reduced(&[above[0], above[1], above[2], [0.0, 0.0, 3.0]]);
        assert_eq!((face.count, point.unwrap()), (3, DVec3::new(0.0, 0.0, 2.0)));
        let (_, inside) = reduced(&[above[0], above[1], above[2], [0.0, 0.0, -3.0]]);
        assert_eq!(inside, None);
    }

    /// Regression: a segment of 4e-3 over the end of an edge of length 755. Relative to the far
    /// vertex, the separation vector lost 7 of its 16 digits. The next vertex then brought no
    /// improvement, and the normal was off by 3e-4.
    #[test]
    fn closest_point_of_a_needle_triangle_keeps_all_digits() {
        let thin = [
            [-611.038_655_885_262_4, -94.091_891_200_660_03, -433.576_652_430_434_5],
            [0.004_048_951_668_664_813, -0.007_107_822_777_470_574, -0.000_877_476_792_084_053_2],
            [-0.000_142_701_668_664_813, -0.008_028_895_972_529_426, -0.000_404_261_489_165_946_8],
        ];
        // Computed with rational numbers.
        let exact = 0.007_834_641_749_468_211;
        for [a, b, c] in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]] {
            let (_, point) = reduced(&[thin[a], thin[b], thin[c]]);
            let error = point.unwrap().length() - exact;
            assert!(error.abs() < 1e-13 * exact, "vertex order {a}, {b}, {c}: error {error:e}");
        }
        let next = [-535.280_313_841_300_1, -61.928_128_330_589_97, -635.236_702_061_753];
        let (_, point) = reduced(&[thin[0], thin[1], thin[2], next]);
        assert!(point.unwrap().length() < exact - 9e-10);
    }

    #[test]
    fn degenerate_triangles_and_tetrahedra_have_a_closest_point() {
        let line = [[-1.0, 1.0, 1.0], [0.5, 1.0, 1.0], [2.0, 1.0, 1.0]];
        let (_, point) = reduced(&line);
        assert_eq!(point.unwrap(), DVec3::new(0.0, 1.0, 1.0));
        let (_, point) =
            reduced(&[[-1.0, -1.0, 1.0], [1.0, -1.0, 1.0], [1.0, 1.0, 1.0], [-1.0, 1.0, 1.0]]);
        assert_eq!(point.unwrap(), DVec3::new(0.0, 0.0, 1.0));
        let (_, point) = reduced(&[[1.0, 1.0, 1.0]; 4]);
        assert_eq!(point.unwrap(), DVec3::new(1.0, 1.0, 1.0));
    }
}
