//! Do two triangles meet, and along which segment?
//!
//! Möller 1997: each triangle cuts the line in which the planes meet in an interval, and the triangles meet
//! where the intervals do. Whether they meet at all is decided by exact signs instead (on which side of a
//! plane, on which side of a line), as Guigue and Devillers 2003 do: an edge of one goes through the other.
//!
//! Promise: yes and no are exact for all finite corners, of triangles in one plane and of those without an
//! area too. The segment is right within rounding.

use core::cmp::Ordering;

use embate_geom::{
    Vec3, Wide,
    predicates::{are_collinear, side_of_line, side_of_plane},
};

/// What two triangles have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TriangleOverlap {
    /// A segment, or a point where both ends are one.
    Along([Vec3; 2]),
    /// They lie in one plane, and overlap or touch there.
    InPlane,
}

/// What two triangles have in common; `None` if they do not even touch, or a corner is not finite.
///
/// A triangle without an area is the segment or point that it covers.
///
/// ```
/// use embate::{Vec3, contacts::{TriangleOverlap, triangle_overlap}};
///
/// let floor = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 0.0, 4.0]].map(Vec3::from);
/// let wall = [[1.0, -1.0, 1.0], [2.0, -1.0, 1.0], [1.0, 1.0, 1.0]].map(Vec3::from);
/// let Some(TriangleOverlap::Along(segment)) = triangle_overlap(&floor, &wall) else { panic!() };
/// assert!(segment.contains(&Vec3::new(1.0, 0.0, 1.0)) && segment.contains(&Vec3::new(1.5, 0.0, 1.0)));
/// let above = wall.map(|corner| corner + Vec3::new(0.0, 1.5, 0.0));
/// assert_eq!(triangle_overlap(&floor, &above), None);
/// ```
#[must_use]
pub fn triangle_overlap(a: &[Vec3; 3], b: &[Vec3; 3]) -> Option<TriangleOverlap> {
    if !a.iter().chain(b).all(|corner| corner.is_finite()) {
        return None;
    }
    let (own_a, own_b) = (a.map(Vec3::to_array), b.map(Vec3::to_array));
    let flat = [own_a, own_b].map(|[p, q, r]| are_collinear(p, q, r));
    match flat {
        [false, false] => {
            let (of_b, of_a) = (sides(&own_a, &own_b)?, sides(&own_b, &own_a)?);
            if of_b == [Ordering::Equal; 3] {
                return in_plane(&own_a, &own_b).then_some(TriangleOverlap::InPlane);
            }
            let meet = goes_through(&own_a, &own_b, of_b) || goes_through(&own_b, &own_a, of_a);
            if meet { overlap(a, b) } else { None }
        }
        [true, false] => segment_overlap(&own_a, &own_b),
        [false, true] => segment_overlap(&own_b, &own_a),
        [true, true] => {
            let (s, t) = (extent(&own_a), extent(&own_b));
            segments_meet(&s, &t).then(|| TriangleOverlap::Along(shared(&s, &t)))
        }
    }
}

type Corners = [[f32; 3]; 3];
type Ends = [[f32; 3]; 2];

/// On which side of the triangle's plane each corner lies; `None` if all are strictly on one.
fn sides([a, b, c]: &Corners, of: &Corners) -> Option<[Ordering; 3]> {
    let sides = of.map(|corner| side_of_plane(*a, *b, *c, corner));
    let apart = sides[0] != Ordering::Equal && sides.iter().all(|side| *side == sides[0]);
    (!apart).then_some(sides)
}

/// Whether an edge of one triangle meets another, its corners being on these sides of that.
fn goes_through(triangle: &Corners, edges: &Corners, sides: [Ordering; 3]) -> bool {
    (0..3).any(|edge| {
        let next = (edge + 1) % 3;
        crosses(triangle, &[edges[edge], edges[next]], [sides[edge], sides[next]])
    })
}

/// Whether a segment meets a triangle, its ends being on these sides of its plane.
fn crosses(triangle: &Corners, ends: &Ends, sides: [Ordering; 2]) -> bool {
    match sides {
        [Ordering::Equal, Ordering::Equal] => segment_in_plane(triangle, ends),
        [one, other] if one == other => false,
        _ => {
            // The line passes all edges on the same side. An end in the plane belongs to it.
            let [p, q] = *ends;
            let (mut left, mut right) = (false, false);
            for edge in 0..3 {
                let side = side_of_plane(p, q, triangle[edge], triangle[(edge + 1) % 3]);
                left |= side == Ordering::Greater;
                right |= side == Ordering::Less;
            }
            !(left && right)
        }
    }
}

/// The planes of two coordinates each. What lies in one plane overlaps if its shadows on all three do: on
/// one of them at least nothing is lost.
const SHADOWS: [[usize; 2]; 3] = [[0, 1], [1, 2], [2, 0]];

fn shadow<const N: usize>(points: &[[f32; 3]; N], [x, y]: [usize; 2]) -> [[f32; 2]; N] {
    points.map(|point| [point[x], point[y]])
}

/// Whether two triangles in one plane overlap or touch.
fn in_plane(a: &Corners, b: &Corners) -> bool {
    SHADOWS.iter().all(|&axes| {
        let (a, b) = (shadow(a, axes), shadow(b, axes));
        covers(&a, b[0]) || covers(&b, a[0]) || edges_cross(&a, &b)
    })
}

/// Whether a segment in a triangle's plane meets it.
fn segment_in_plane(triangle: &Corners, ends: &Ends) -> bool {
    SHADOWS.iter().all(|&axes| {
        let (triangle, ends) = (shadow(triangle, axes), shadow(ends, axes));
        covers(&triangle, ends[0]) || edges_cross(&triangle, &ends)
    })
}

fn edges_cross<const N: usize>(triangle: &[[f32; 2]; 3], other: &[[f32; 2]; N]) -> bool {
    (0..3).any(|edge| {
        let own = [triangle[edge], triangle[(edge + 1) % 3]];
        (0..N).any(|next| flat_segments_meet(&own, &[other[next], other[(next + 1) % N]]))
    })
}

/// Whether a flat triangle covers a point.
fn covers(triangle: &[[f32; 2]; 3], point: [f32; 2]) -> bool {
    let (mut left, mut right, mut area) = (false, false, false);
    for edge in 0..3 {
        let (from, to) = (triangle[edge], triangle[(edge + 1) % 3]);
        let side = side_of_line(from, to, point);
        left |= side == Ordering::Greater;
        right |= side == Ordering::Less;
        area |= side_of_line(from, to, triangle[(edge + 2) % 3]) != Ordering::Equal;
    }
    // A shadow without an area is covered by its edges, which are asked by themselves.
    area && !(left && right)
}

fn flat_segments_meet(s: &[[f32; 2]; 2], t: &[[f32; 2]; 2]) -> bool {
    let of_t = [side_of_line(s[0], s[1], t[0]), side_of_line(s[0], s[1], t[1])];
    let of_s = [side_of_line(t[0], t[1], s[0]), side_of_line(t[0], t[1], s[1])];
    let apart = |sides: [Ordering; 2]| sides[0] == sides[1] && sides[0] != Ordering::Equal;
    if apart(of_t) || apart(of_s) {
        return false;
    }
    // On one line, or a point among them: their boxes tell.
    (0..2).all(|axis| {
        let low = |[p, q]: &[[f32; 2]; 2]| if p[axis] < q[axis] { p[axis] } else { q[axis] };
        let high = |[p, q]: &[[f32; 2]; 2]| if p[axis] > q[axis] { p[axis] } else { q[axis] };
        low(s) <= high(t) && low(t) <= high(s)
    })
}

/// Whether two segments in space meet.
fn segments_meet(s: &Ends, t: &Ends) -> bool {
    side_of_plane(s[0], s[1], t[0], t[1]) == Ordering::Equal
        && SHADOWS.iter().all(|&axes| flat_segments_meet(&shadow(s, axes), &shadow(t, axes)))
}

/// The segment that a triangle without an area covers: between the two corners farthest apart.
fn extent(corners: &Corners) -> Ends {
    // On a line, all coordinates rise or fall together: the least corner by one after the other is an end.
    let less = |p: &[f32; 3], q: &[f32; 3]| {
        p.iter().zip(q).find(|(p, q)| p != q).is_some_and(|(p, q)| p < q)
    };
    let (mut first, mut last) = (corners[0], corners[0]);
    for corner in &corners[1..] {
        if less(corner, &first) {
            first = *corner;
        }
        if less(&last, corner) {
            last = *corner;
        }
    }
    [first, last]
}

/// A triangle without an area, and one with.
fn segment_overlap(flat: &Corners, triangle: &Corners) -> Option<TriangleOverlap> {
    let ends = extent(flat);
    let [a, b, c] = *triangle;
    let sides = ends.map(|end| side_of_plane(a, b, c, end));
    if !crosses(triangle, &ends, sides) {
        return None;
    }
    if sides == [Ordering::Equal; 2] {
        return Some(TriangleOverlap::InPlane);
    }
    let point = cut(triangle.map(Vec3::from), ends.map(Vec3::from)).narrow();
    Some(TriangleOverlap::Along([point; 2]))
}

/// What two segments that meet share: on one line a segment, otherwise a point.
fn shared(s: &Ends, t: &Ends) -> [Vec3; 2] {
    let [p, q] = s.map(|end| Wide::from(Vec3::from(end)));
    let [u, v] = t.map(|end| Wide::from(Vec3::from(end)));
    let along = q - p;
    let square = along.length_squared();
    if square == 0.0 {
        return [Vec3::from(s[0]); 2];
    }
    let place = |point: Wide| ((point - p).dot(along) / square).clamp(0.0, 1.0);
    let on_one_line = are_collinear(s[0], s[1], t[0]) && are_collinear(s[0], s[1], t[1]);
    let [first, last] = if on_one_line {
        [place(u), place(v)]
    } else {
        // The point of S nearest to the line of T.
        let other = v - u;
        let (across, other_square) = (along.dot(other), other.length_squared());
        let spread = square * other_square - across * across;
        let meeting = if spread > 0.0 && other_square > 0.0 {
            ((u - p).dot(along) * other_square - (u - p).dot(other) * across) / spread
        } else {
            place(u)
        };
        [meeting.clamp(0.0, 1.0); 2]
    };
    [first, last].map(|place| (p + along * place).narrow())
}

/// Where a segment goes through the plane of a triangle.
fn cut(triangle: [Vec3; 3], ends: [Vec3; 2]) -> Wide {
    let [a, b, c] = triangle.map(Wide::from);
    let [p, q] = ends.map(Wide::from);
    let normal = (b - a).cross(c - a);
    let (over, under) = (normal.dot(p - a), normal.dot(q - a));
    let share = if over == under { 0.5 } else { (over / (over - under)).clamp(0.0, 1.0) };
    p + (q - p) * share
}

/// Möller's intervals: what two triangles that meet have in common.
fn overlap(a: &[Vec3; 3], b: &[Vec3; 3]) -> Option<TriangleOverlap> {
    let normal = |[p, q, r]: [Wide; 3]| (q - p).cross(r - p);
    let (wide_a, wide_b) = (a.map(Wide::from), b.map(Wide::from));
    let line = normal(wide_a).cross(normal(wide_b));
    let of_a = interval(b, a, line)?;
    let of_b = interval(a, b, line)?;
    let low = if of_a[0].0 > of_b[0].0 { of_a[0] } else { of_b[0] };
    let high = if of_a[1].0 < of_b[1].0 { of_a[1] } else { of_b[1] };
    // Intervals that only rounding parts have one point.
    let ends = if low.0 > high.0 { [(low.1 + high.1) * 0.5; 2] } else { [low.1, high.1] };
    Some(TriangleOverlap::Along(ends.map(Wide::narrow)))
}

/// Where a triangle cuts the plane of another: the ends along a line, the lower first.
fn interval(plane: &[Vec3; 3], cutting: &[Vec3; 3], line: Wide) -> Option<[(f64, Wide); 2]> {
    let [a, b, c] = plane.map(Vec3::to_array);
    let sides = cutting.map(|corner| side_of_plane(a, b, c, corner.to_array()));
    let mut ends: Option<[(f64, Wide); 2]> = None;
    let mut offer = |point: Wide| {
        let end = (point.dot(line), point);
        let [low, high] = ends.unwrap_or([end, end]);
        ends =
            Some([if end.0 < low.0 { end } else { low }, if end.0 > high.0 { end } else { high }]);
    };
    for corner in 0..3 {
        let next = (corner + 1) % 3;
        if sides[corner] == Ordering::Equal {
            offer(Wide::from(cutting[corner]));
        } else if sides[next] != Ordering::Equal && sides[corner] != sides[next] {
            offer(cut(*plane, [cutting[corner], cutting[next]]));
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Random(u64);

    impl Random {
        fn below(&mut self, count: u64) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 20) % count
        }
    }

    type Integers = [[i128; 3]; 3];

    fn minus(a: [i128; 3], b: [i128; 3]) -> [i128; 3] {
        core::array::from_fn(|axis| a[axis] - b[axis])
    }

    /// Whether the difference of two triangles holds the origin, by all separating planes through three
    /// of its corners, in integers: nothing is shared with the code under test.
    fn meet(a: &Integers, b: &Integers) -> bool {
        let mut corners = Vec::new();
        for p in a {
            for q in b {
                corners.push(minus(*p, *q));
            }
        }
        let sign_of = |normal: [i128; 3], point: [i128; 3]| {
            (normal[0] * point[0] + normal[1] * point[1] + normal[2] * point[2]).signum()
        };
        // Directions: cross products of edges of the difference, of an edge with a coordinate axis (for flat
        // differences) and the axes themselves.
        let axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
        let mut edges: Vec<[i128; 3]> = axes.to_vec();
        for triangle in [a, b] {
            for edge in 0..3 {
                edges.push(minus(triangle[(edge + 1) % 3], triangle[edge]));
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
                // In the plane of a flat difference: square to an edge and to the plane's normal.
                for edge in &edges {
                    normals.push(cross(normal, *edge));
                }
            }
        }
        !normals.iter().any(|&normal| {
            let all = |sign: i128| corners.iter().all(|&corner| sign_of(normal, corner) == sign);
            normal != [0; 3] && (all(1) || all(-1))
        })
    }

    fn vectors(triangle: &Integers, by: f32) -> [Vec3; 3] {
        triangle.map(|corner| Vec3::from(corner.map(|c| c as f32 * by)))
    }

    /// On a small lattice nearly everything is degenerate: shared corners and edges, one plane, no area.
    #[test]
    fn on_a_lattice_yes_and_no_are_exact() {
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        let (mut yes, mut flat) = (0, 0);
        for case in 0..60_000 {
            let size = [2, 3, 4, 9, 1000][case % 5];
            let mut triangle = || -> Integers {
                core::array::from_fn(|_| core::array::from_fn(|_| i128::from(random.below(size))))
            };
            let (a, mut b) = (triangle(), triangle());
            if case % 3 == 0 {
                // In one plane.
                (0..3).for_each(|corner| b[corner][2] = a[0][2]);
            }
            let by = [1.0, 1e-3, 1024.0][case % 3];
            let (own_a, own_b) = (vectors(&a, 1.0), vectors(&b, 1.0));
            let expected = meet(&a, &b);
            let found = triangle_overlap(&own_a, &own_b);
            assert_eq!(found.is_some(), expected, "{a:?} {b:?}: {found:?}");
            let round = triangle_overlap(&own_b, &own_a);
            assert_eq!(round.is_some(), expected, "{a:?} {b:?}: {round:?}");
            yes += u32::from(expected);
            flat += u32::from(found == Some(TriangleOverlap::InPlane));
            if let Some(TriangleOverlap::Along(ends)) = found {
                for end in ends {
                    for triangle in [&own_a, &own_b] {
                        let off = distance(triangle, end);
                        assert!(off <= 1e-5 * size as f32, "{a:?} {b:?}: {end:?} off by {off}");
                    }
                }
            }
            // A power of two moves no bit.
            if by == 1024.0 {
                let (far_a, far_b) = (vectors(&a, by), vectors(&b, by));
                assert_eq!(triangle_overlap(&far_a, &far_b).is_some(), expected);
            }
        }
        assert!(yes > 10_000 && flat > 1_000, "{yes} {flat}");
    }

    /// From a point to a triangle, by its definition: the nearest of plane, edges and corners.
    fn distance(triangle: &[Vec3; 3], point: Vec3) -> f32 {
        let [a, b, c] = triangle.map(Wide::from);
        let point = Wide::from(point);
        let mut least = f64::INFINITY;
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let along = to - from;
            let square = along.length_squared();
            let share = if square > 0.0 { (point - from).dot(along) / square } else { 0.0 };
            least = least.min((from + along * share.clamp(0.0, 1.0) - point).length());
        }
        let normal = (b - a).cross(c - a);
        let inside = [(a, b), (b, c), (c, a)]
            .iter()
            .all(|&(from, to)| normal.dot((to - from).cross(point - from)) >= 0.0);
        if normal.length() > 0.0 && inside {
            least = least.min(normal.dot(point - a).abs() / normal.length());
        }
        least as f32
    }

    #[test]
    fn huge_tiny_and_endless_triangles_are_told_as_well() {
        let triangle = |corners: [[f32; 3]; 3], by: f32| corners.map(|c| Vec3::from(c) * by);
        let floor = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 0.0, 4.0]];
        let wall = [[1.0, -1.0, 1.0], [2.0, -1.0, 1.0], [1.0, 1.0, 1.0]];
        for by in [1e-6, 1e-3, 1.0, 1e3, 1e6] {
            assert!(triangle_overlap(&triangle(floor, by), &triangle(wall, by)).is_some(), "{by}");
        }
        let mut bad = triangle(floor, 1.0);
        for value in [f32::NAN, f32::INFINITY] {
            bad[1].y = value;
            assert_eq!(triangle_overlap(&bad, &triangle(wall, 1.0)), None);
        }
        // A small triangle within a huge one, an ulp over it and in it.
        let huge = triangle([[-1e6, 0.0, -1e6], [1e6, 0.0, -1e6], [0.0, 0.0, 1e6]], 1.0);
        let small = |y: f32| triangle([[0.0, y, 0.0], [1e-3, y, 0.0], [0.0, y, 1e-3]], 1.0);
        assert_eq!(triangle_overlap(&huge, &small(0.0)), Some(TriangleOverlap::InPlane));
        assert_eq!(triangle_overlap(&huge, &small(f32::MIN_POSITIVE)), None);
    }
}
