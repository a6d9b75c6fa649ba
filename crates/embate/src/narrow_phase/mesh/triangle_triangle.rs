//! Triangle–triangle intersection: an exact test, and the segment of intersection.
//!
//! The test uses exact orientation predicates, as in Guigue and Devillers 2003, "Fast and Robust
//! Triangle-Triangle Overlap Test Using Orientation Predicates": two triangles intersect if an edge
//! of one passes through the other. The segment is that of Möller 1997, "A Fast Triangle-Triangle
//! Intersection Test": each triangle covers an interval of the line in which the two planes
//! intersect, and the intersection of both intervals is the segment.
//!
//! Guarantee: the test is exact for all finite vertices, including coplanar and degenerate
//! triangles. The segment is accurate to rounding.

use core::cmp::Ordering;

use embate_geom::{
    DVec3, Vec3,
    predicates::{are_collinear, orient2d, orient3d},
};

/// Intersection of two triangles.
#[doc(alias = "TriangleOverlap")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TriangleTriangleIntersection {
    /// A segment; of length 0 if the triangles intersect in one point.
    #[doc(alias = "Along")]
    Segment([Vec3; 2]),
    /// The triangles are coplanar and overlap or touch.
    #[doc(alias = "InPlane")]
    Coplanar,
}

/// Intersection of two triangles; `None` if they are disjoint, or if a vertex is not finite.
///
/// A degenerate triangle counts as the segment or point that it covers.
///
/// ```
/// use embate::Vec3;
/// use embate::narrow_phase::{TriangleTriangleIntersection, triangle_triangle_intersection};
///
/// let floor = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 0.0, 4.0]].map(Vec3::from);
/// let wall = [[1.0, -1.0, 1.0], [2.0, -1.0, 1.0], [1.0, 1.0, 1.0]].map(Vec3::from);
/// let Some(TriangleTriangleIntersection::Segment(ends)) =
///     triangle_triangle_intersection(&floor, &wall)
/// else {
///     panic!()
/// };
/// assert!(ends.contains(&Vec3::new(1.0, 0.0, 1.0)) && ends.contains(&Vec3::new(1.5, 0.0, 1.0)));
/// let above = wall.map(|vertex| vertex + Vec3::new(0.0, 1.5, 0.0));
/// assert_eq!(triangle_triangle_intersection(&floor, &above), None);
/// ```
#[doc(alias("triangle_overlap", "tri_tri"))]
#[must_use]
pub fn triangle_triangle_intersection(
    a: &[Vec3; 3],
    b: &[Vec3; 3],
) -> Option<TriangleTriangleIntersection> {
    if !a.iter().chain(b).all(|vertex| vertex.is_finite()) {
        return None;
    }
    let (array_a, array_b) = (a.map(Vec3::to_array), b.map(Vec3::to_array));
    let is_degenerate = [array_a, array_b].map(|[p, q, r]| are_collinear(p, q, r));
    match is_degenerate {
        [false, false] => {
            let (sides_of_b, sides_of_a) =
                (plane_sides(&array_a, &array_b)?, plane_sides(&array_b, &array_a)?);
            if sides_of_b == [Ordering::Equal; 3] {
                return coplanar_triangles_intersect(&array_a, &array_b)
                    .then_some(TriangleTriangleIntersection::Coplanar);
            }
            let intersects = any_edge_crosses(&array_a, &array_b, sides_of_b)
                || any_edge_crosses(&array_b, &array_a, sides_of_a);
            if intersects { intersection_segment(a, b) } else { None }
        }
        [true, false] => degenerate_intersection(&array_a, &array_b),
        [false, true] => degenerate_intersection(&array_b, &array_a),
        [true, true] => {
            let (segment_a, segment_b) = (covered_segment(&array_a), covered_segment(&array_b));
            segments_intersect(&segment_a, &segment_b).then(|| {
                TriangleTriangleIntersection::Segment(common_segment(&segment_a, &segment_b))
            })
        }
    }
}

type TriangleArray = [[f32; 3]; 3];
type SegmentArray = [[f32; 3]; 2];

/// Side of the triangle's plane on which each vertex lies; `None` if all are strictly on one side.
fn plane_sides([a, b, c]: &TriangleArray, vertices: &TriangleArray) -> Option<[Ordering; 3]> {
    let sides = vertices.map(|vertex| orient3d(*a, *b, *c, vertex));
    let one_side = sides[0] != Ordering::Equal && sides.iter().all(|side| *side == sides[0]);
    (!one_side).then_some(sides)
}

/// Whether an edge of the triangle `edges` intersects another triangle; `sides` are the sides of
/// the plane on which its vertices lie.
fn any_edge_crosses(triangle: &TriangleArray, edges: &TriangleArray, sides: [Ordering; 3]) -> bool {
    (0..3).any(|edge| {
        let next = (edge + 1) % 3;
        segment_crosses(triangle, &[edges[edge], edges[next]], [sides[edge], sides[next]])
    })
}

/// Whether a segment intersects a triangle; `sides` are the sides of the plane on which its ends
/// lie.
fn segment_crosses(triangle: &TriangleArray, ends: &SegmentArray, sides: [Ordering; 2]) -> bool {
    match sides {
        [Ordering::Equal, Ordering::Equal] => coplanar_segment_intersects(triangle, ends),
        [one, other] if one == other => false,
        _ => {
            // The line passes all edges on the same side. An end in the plane belongs to the
            // segment.
            let [p, q] = *ends;
            let (mut left, mut right) = (false, false);
            for edge in 0..3 {
                let side = orient3d(p, q, triangle[edge], triangle[(edge + 1) % 3]);
                left |= side == Ordering::Greater;
                right |= side == Ordering::Less;
            }
            !(left && right)
        }
    }
}

/// Coordinate planes. Coplanar shapes intersect if their projections on all three planes do: at
/// least one projection is injective.
const COORDINATE_PLANES: [[usize; 2]; 3] = [[0, 1], [1, 2], [2, 0]];

fn project<const N: usize>(points: &[[f32; 3]; N], [x, y]: [usize; 2]) -> [[f32; 2]; N] {
    points.map(|point| [point[x], point[y]])
}

/// Whether two coplanar triangles overlap or touch.
fn coplanar_triangles_intersect(a: &TriangleArray, b: &TriangleArray) -> bool {
    COORDINATE_PLANES.iter().all(|&axes| {
        let (a, b) = (project(a, axes), project(b, axes));
        contains_point_2d(&a, b[0]) || contains_point_2d(&b, a[0]) || edges_intersect_2d(&a, &b)
    })
}

/// Whether a segment in the plane of a triangle intersects it.
fn coplanar_segment_intersects(triangle: &TriangleArray, ends: &SegmentArray) -> bool {
    COORDINATE_PLANES.iter().all(|&axes| {
        let (triangle, ends) = (project(triangle, axes), project(ends, axes));
        contains_point_2d(&triangle, ends[0]) || edges_intersect_2d(&triangle, &ends)
    })
}

fn edges_intersect_2d<const N: usize>(triangle: &[[f32; 2]; 3], other: &[[f32; 2]; N]) -> bool {
    (0..3).any(|edge| {
        let own = [triangle[edge], triangle[(edge + 1) % 3]];
        (0..N).any(|next| segments_intersect_2d(&own, &[other[next], other[(next + 1) % N]]))
    })
}

/// Whether a 2D triangle contains a point; `false` if it is degenerate.
fn contains_point_2d(triangle: &[[f32; 2]; 3], point: [f32; 2]) -> bool {
    let (mut left, mut right, mut area) = (false, false, false);
    for edge in 0..3 {
        let (from, to) = (triangle[edge], triangle[(edge + 1) % 3]);
        let side = orient2d(from, to, point);
        left |= side == Ordering::Greater;
        right |= side == Ordering::Less;
        area |= orient2d(from, to, triangle[(edge + 2) % 3]) != Ordering::Equal;
    }
    // The edges of a degenerate projection cover it; `edges_intersect_2d` tests them.
    area && !(left && right)
}

fn segments_intersect_2d(s: &[[f32; 2]; 2], t: &[[f32; 2]; 2]) -> bool {
    let sides_of_t = [orient2d(s[0], s[1], t[0]), orient2d(s[0], s[1], t[1])];
    let sides_of_s = [orient2d(t[0], t[1], s[0]), orient2d(t[0], t[1], s[1])];
    let same_side = |sides: [Ordering; 2]| sides[0] == sides[1] && sides[0] != Ordering::Equal;
    if same_side(sides_of_t) || same_side(sides_of_s) {
        return false;
    }
    // Collinear segments, or a degenerate one: they intersect if their AABBs do.
    (0..2).all(|axis| {
        let low = |[p, q]: &[[f32; 2]; 2]| if p[axis] < q[axis] { p[axis] } else { q[axis] };
        let high = |[p, q]: &[[f32; 2]; 2]| if p[axis] > q[axis] { p[axis] } else { q[axis] };
        low(s) <= high(t) && low(t) <= high(s)
    })
}

/// Whether two segments in 3D intersect.
fn segments_intersect(s: &SegmentArray, t: &SegmentArray) -> bool {
    orient3d(s[0], s[1], t[0], t[1]) == Ordering::Equal
        && COORDINATE_PLANES
            .iter()
            .all(|&axes| segments_intersect_2d(&project(s, axes), &project(t, axes)))
}

/// The segment that a degenerate triangle covers: between its two farthest vertices.
fn covered_segment(vertices: &TriangleArray) -> SegmentArray {
    // Along a line each coordinate is monotone, so the lexicographically smallest vertex is an end.
    let is_less = |p: &[f32; 3], q: &[f32; 3]| {
        p.iter().zip(q).find(|(p, q)| p != q).is_some_and(|(p, q)| p < q)
    };
    let (mut first, mut last) = (vertices[0], vertices[0]);
    for vertex in &vertices[1..] {
        if is_less(vertex, &first) {
            first = *vertex;
        }
        if is_less(&last, vertex) {
            last = *vertex;
        }
    }
    [first, last]
}

/// Intersection of a degenerate triangle and one that is not.
fn degenerate_intersection(
    degenerate: &TriangleArray,
    triangle: &TriangleArray,
) -> Option<TriangleTriangleIntersection> {
    let ends = covered_segment(degenerate);
    let [a, b, c] = *triangle;
    let sides = ends.map(|end| orient3d(a, b, c, end));
    if !segment_crosses(triangle, &ends, sides) {
        return None;
    }
    if sides == [Ordering::Equal; 2] {
        return Some(TriangleTriangleIntersection::Coplanar);
    }
    let point = plane_crossing(triangle.map(Vec3::from), ends.map(Vec3::from)).as_vec3();
    Some(TriangleTriangleIntersection::Segment([point; 2]))
}

/// Intersection of two segments that intersect: a segment if they are collinear, else a point.
fn common_segment(s: &SegmentArray, t: &SegmentArray) -> [Vec3; 2] {
    let [p, q] = s.map(|end| DVec3::from(Vec3::from(end)));
    let [u, v] = t.map(|end| DVec3::from(Vec3::from(end)));
    let direction = q - p;
    let square = direction.length_squared();
    if square == 0.0 {
        return [Vec3::from(s[0]); 2];
    }
    let parameter = |point: DVec3| ((point - p).dot(direction) / square).clamp(0.0, 1.0);
    let collinear = are_collinear(s[0], s[1], t[0]) && are_collinear(s[0], s[1], t[1]);
    let [first, last] = if collinear {
        [parameter(u), parameter(v)]
    } else {
        // The point of S closest to the line of T.
        let direction_t = v - u;
        let (dot, other_square) = (direction.dot(direction_t), direction_t.length_squared());
        let determinant = square * other_square - dot * dot;
        let crossing = if determinant > 0.0 && other_square > 0.0 {
            ((u - p).dot(direction) * other_square - (u - p).dot(direction_t) * dot) / determinant
        } else {
            parameter(u)
        };
        [crossing.clamp(0.0, 1.0); 2]
    };
    [first, last].map(|parameter| (p + direction * parameter).as_vec3())
}

/// The point in which a segment crosses the plane of a triangle.
fn plane_crossing(triangle: [Vec3; 3], ends: [Vec3; 2]) -> DVec3 {
    let [a, b, c] = triangle.map(DVec3::from);
    let [p, q] = ends.map(DVec3::from);
    let normal = (b - a).cross(c - a);
    let (height_p, height_q) = (normal.dot(p - a), normal.dot(q - a));
    let fraction =
        if height_p == height_q { 0.5 } else { (height_p / (height_p - height_q)).clamp(0.0, 1.0) };
    p + (q - p) * fraction
}

/// Intersection of two triangles that intersect, by Möller's intervals.
fn intersection_segment(a: &[Vec3; 3], b: &[Vec3; 3]) -> Option<TriangleTriangleIntersection> {
    let normal = |[p, q, r]: [DVec3; 3]| (q - p).cross(r - p);
    let (f64_a, f64_b) = (a.map(DVec3::from), b.map(DVec3::from));
    let line = normal(f64_a).cross(normal(f64_b));
    let interval_a = plane_interval(b, a, line)?;
    let interval_b = plane_interval(a, b, line)?;
    let low = if interval_a[0].0 > interval_b[0].0 { interval_a[0] } else { interval_b[0] };
    let high = if interval_a[1].0 < interval_b[1].0 { interval_a[1] } else { interval_b[1] };
    // Intervals that are disjoint only by rounding share one point.
    let ends = if low.0 > high.0 { [(low.1 + high.1) * 0.5; 2] } else { [low.1, high.1] };
    Some(TriangleTriangleIntersection::Segment(ends.map(DVec3::as_vec3)))
}

/// Interval in which a triangle cuts the plane of another: the ends, as projection on the line and
/// point, the lower one first.
fn plane_interval(
    plane: &[Vec3; 3],
    cutting: &[Vec3; 3],
    line: DVec3,
) -> Option<[(f64, DVec3); 2]> {
    let [a, b, c] = plane.map(Vec3::to_array);
    let sides = cutting.map(|vertex| orient3d(a, b, c, vertex.to_array()));
    let mut ends: Option<[(f64, DVec3); 2]> = None;
    let mut extend = |point: DVec3| {
        let end = (point.dot(line), point);
        let [low, high] = ends.unwrap_or([end, end]);
        ends =
            Some([if end.0 < low.0 { end } else { low }, if end.0 > high.0 { end } else { high }]);
    };
    for index in 0..3 {
        let next = (index + 1) % 3;
        if sides[index] == Ordering::Equal {
            extend(DVec3::from(cutting[index]));
        } else if sides[next] != Ordering::Equal && sides[index] != sides[next] {
            extend(plane_crossing(*plane, [cutting[index], cutting[next]]));
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use embate_test_util::Rng;

    use super::*;

    type IntegerTriangle = [[i128; 3]; 3];

    fn subtract(a: [i128; 3], b: [i128; 3]) -> [i128; 3] {
        core::array::from_fn(|axis| a[axis] - b[axis])
    }

    /// Whether the Minkowski difference of two triangles contains the origin, by all separating
    /// planes through three of its vertices, in integers. Shares no code with the function under
    /// test.
    fn intersects_exact(a: &IntegerTriangle, b: &IntegerTriangle) -> bool {
        let mut differences = Vec::new();
        for p in a {
            for q in b {
                differences.push(subtract(*p, *q));
            }
        }
        let sign_of = |normal: [i128; 3], point: [i128; 3]| {
            (normal[0] * point[0] + normal[1] * point[1] + normal[2] * point[2]).signum()
        };
        // Axes: cross products of two edges, and of an edge and a coordinate axis (for flat
        // differences), and the coordinate axes themselves.
        let axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
        let mut edges: Vec<[i128; 3]> = axes.to_vec();
        for triangle in [a, b] {
            for edge in 0..3 {
                edges.push(subtract(triangle[(edge + 1) % 3], triangle[edge]));
            }
        }
        let cross = |a: [i128; 3], b: [i128; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let mut normals = axes.to_vec();
        for (index, one) in edges.iter().enumerate() {
            for other in &edges[..index] {
                let normal = cross(*one, *other);
                normals.push(normal);
                // In the plane of a flat difference: perpendicular to an edge and to the normal of
                // the plane.
                for edge in &edges {
                    normals.push(cross(normal, *edge));
                }
            }
        }
        !normals.iter().any(|&normal| {
            let all = |sign: i128| {
                differences.iter().all(|&difference| sign_of(normal, difference) == sign)
            };
            normal != [0; 3] && (all(1) || all(-1))
        })
    }

    fn to_vectors(triangle: &IntegerTriangle, scale: f32) -> [Vec3; 3] {
        triangle.map(|vertex| Vec3::from(vertex.map(|c| c as f32 * scale)))
    }

    /// On a small lattice nearly all cases are degenerate: shared vertices and edges, coplanar
    /// triangles, triangles without area.
    #[test]
    fn intersection_test_is_exact_on_a_lattice() {
        let mut rng = Rng::new(0x9E37_79B9_7F4A_7C15);
        let (mut intersecting, mut coplanar) = (0, 0);
        for case in 0..60_000 {
            let size = [2, 3, 4, 9, 1000][case % 5];
            let mut triangle = || -> IntegerTriangle {
                core::array::from_fn(|_| core::array::from_fn(|_| rng.below(size) as i128))
            };
            let (a, mut b) = (triangle(), triangle());
            if case % 3 == 0 {
                // Coplanar.
                (0..3).for_each(|vertex| b[vertex][2] = a[0][2]);
            }
            let scale = [1.0, 1e-3, 1024.0][case % 3];
            let (vectors_a, vectors_b) = (to_vectors(&a, 1.0), to_vectors(&b, 1.0));
            let expected = intersects_exact(&a, &b);
            let found = triangle_triangle_intersection(&vectors_a, &vectors_b);
            assert_eq!(found.is_some(), expected, "{a:?} {b:?}: {found:?}");
            let swapped = triangle_triangle_intersection(&vectors_b, &vectors_a);
            assert_eq!(swapped.is_some(), expected, "{a:?} {b:?}: {swapped:?}");
            intersecting += u32::from(expected);
            coplanar += u32::from(found == Some(TriangleTriangleIntersection::Coplanar));
            if let Some(TriangleTriangleIntersection::Segment(ends)) = found {
                for end in ends {
                    for triangle in [&vectors_a, &vectors_b] {
                        let error = distance(triangle, end);
                        assert!(error <= 1e-5 * size as f32, "{a:?} {b:?}: {end:?} off by {error}");
                    }
                }
            }
            // Scaling by a power of two is exact.
            if scale == 1024.0 {
                let (scaled_a, scaled_b) = (to_vectors(&a, scale), to_vectors(&b, scale));
                assert_eq!(
                    triangle_triangle_intersection(&scaled_a, &scaled_b).is_some(),
                    expected
                );
            }
        }
        assert!(intersecting > 10_000 && coplanar > 1_000, "{intersecting} {coplanar}");
    }

    /// Distance of a point to a triangle by definition: the minimum over plane, edges and vertices.
    fn distance(triangle: &[Vec3; 3], point: Vec3) -> f32 {
        let [a, b, c] = triangle.map(DVec3::from);
        let point = DVec3::from(point);
        let mut min_distance = f64::INFINITY;
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let edge = to - from;
            let square = edge.length_squared();
            let fraction = if square > 0.0 { (point - from).dot(edge) / square } else { 0.0 };
            min_distance =
                min_distance.min((from + edge * fraction.clamp(0.0, 1.0) - point).length());
        }
        let normal = (b - a).cross(c - a);
        let inside = [(a, b), (b, c), (c, a)]
            .iter()
            .all(|&(from, to)| normal.dot((to - from).cross(point - from)) >= 0.0);
        if normal.length() > 0.0 && inside {
            min_distance = min_distance.min(normal.dot(point - a).abs() / normal.length());
        }
        min_distance as f32
    }

    #[test]
    fn intersection_handles_extreme_scales_and_non_finite_vertices() {
        let triangle =
            |vertices: [[f32; 3]; 3], scale: f32| vertices.map(|v| Vec3::from(v) * scale);
        let floor = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 0.0, 4.0]];
        let wall = [[1.0, -1.0, 1.0], [2.0, -1.0, 1.0], [1.0, 1.0, 1.0]];
        for scale in [1e-6, 1e-3, 1.0, 1e3, 1e6] {
            assert!(
                triangle_triangle_intersection(&triangle(floor, scale), &triangle(wall, scale))
                    .is_some(),
                "scale {scale}"
            );
        }
        let mut invalid = triangle(floor, 1.0);
        for value in [f32::NAN, f32::INFINITY] {
            invalid[1].y = value;
            assert_eq!(triangle_triangle_intersection(&invalid, &triangle(wall, 1.0)), None);
        }
        // A small triangle in the plane of a huge one, and one ulp above it.
        let huge = triangle([[-1e6, 0.0, -1e6], [1e6, 0.0, -1e6], [0.0, 0.0, 1e6]], 1.0);
        let small = |y: f32| triangle([[0.0, y, 0.0], [1e-3, y, 0.0], [0.0, y, 1e-3]], 1.0);
        assert_eq!(
            triangle_triangle_intersection(&huge, &small(0.0)),
            Some(TriangleTriangleIntersection::Coplanar)
        );
        assert_eq!(triangle_triangle_intersection(&huge, &small(f32::MIN_POSITIVE)), None);
    }
}
