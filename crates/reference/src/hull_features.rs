//! Faces and edges of the convex hull of a few points, by testing every three of them.
//!
//! Guarantee: a face is a plane through three points with no point outside. Independent of the
//! convex hull of the engine. O(n⁴), so the result is computed once per hull and stored.

use super::math::Point;

/// Distance from a plane, relative to the size, below which a point is coplanar: some thousand
/// times the rounding of f64, a ten-thousandth of that of f32.
const COPLANAR_TOLERANCE: f64 = 1e-12;

/// Face normals, triangulated faces and edges of a hull.
#[derive(Clone, Debug, Default)]
pub struct HullFeatures {
    /// The unit normal of each face, outwards.
    pub normals: Vec<Point>,
    /// Vertices of triangles that cover all faces.
    pub triangles: Vec<[u32; 3]>,
    /// The ends of each edge.
    pub edges: Vec<[u32; 2]>,
}

impl HullFeatures {
    /// Of a box whose corner `i` is on the upper side of axis `k` where bit `k` of `i` is set.
    #[must_use]
    pub fn of_box() -> Self {
        let corner =
            |i: u32| Point(core::array::from_fn(|axis| f64::from(2 * (i >> axis & 1)) - 1.0));
        Self::of_hull(&(0..8).map(corner).collect::<Vec<_>>())
    }

    /// Of a segment between the first two vertices.
    #[must_use]
    pub fn of_segment() -> Self {
        Self { edges: vec![[0, 1]], ..Self::default() }
    }

    /// Of a triangle, which is flat: both face normals, and the three outward normals of its edges
    /// in its plane, which separate it from coplanar shapes.
    #[must_use]
    pub fn of_triangle([a, b, c]: [Point; 3]) -> Self {
        let normal = (b - a).cross(c - a).unit();
        let out =
            |from: Point, to: Point| normal.and_then(|normal| (to - from).cross(normal).unit());
        let normals = [normal, normal.map(|normal| -normal), out(a, b), out(b, c), out(c, a)];
        Self {
            normals: normals.into_iter().flatten().collect(),
            triangles: vec![[0, 1, 2]],
            edges: vec![[0, 1], [1, 2], [0, 2]],
        }
    }

    /// Of the hull of these points, which must not all lie in one plane.
    #[must_use]
    pub fn of_hull(points: &[Point]) -> Self {
        let center =
            points.iter().fold(Point::ZERO, |sum, p| sum + *p) * (1.0 / points.len() as f64);
        let size = points.iter().fold(0.0, |size: f64, p| size.max((*p - center).length()));
        let mut faces: Vec<(Point, Vec<u32>)> = Vec::new();
        for a in 0..points.len() {
            for b in a + 1..points.len() {
                for c in b + 1..points.len() {
                    let (ab, ac) = (points[b] - points[a], points[c] - points[a]);
                    let normal = ab.cross(ac);
                    // Collinear points define no plane.
                    if normal.length() <= 1e-10 * ab.length() * ac.length() {
                        continue;
                    }
                    let Some(normal) = normal.unit() else { continue };
                    for outward in [normal, -normal] {
                        if let Some(corners) =
                            supported(points, outward, points[a], COPLANAR_TOLERANCE * size)
                            && !faces.iter().any(|(_, known)| contains(known, [a, b, c]))
                        {
                            faces.push((outward, corners));
                        }
                    }
                }
            }
        }
        Self::of_faces(points, &faces)
    }

    fn of_faces(points: &[Point], faces: &[(Point, Vec<u32>)]) -> Self {
        let mut features = Self::default();
        for (normal, corners) in faces {
            let ring = ring(points, *normal, corners);
            features.normals.push(*normal);
            features
                .triangles
                .extend(ring.windows(2).skip(1).map(|pair| [ring[0], pair[0], pair[1]]));
            for (index, &from) in ring.iter().enumerate() {
                let to = ring[(index + 1) % ring.len()];
                let edge = [from.min(to), from.max(to)];
                if !features.edges.contains(&edge) {
                    features.edges.push(edge);
                }
            }
        }
        features
    }
}

/// Points in the plane; `None` if a point is outside.
fn supported(points: &[Point], outward: Point, origin: Point, flat: f64) -> Option<Vec<u32>> {
    let mut corners = Vec::new();
    for (number, point) in (0..).zip(points) {
        let height = outward.dot(*point - origin);
        if height > flat {
            return None;
        }
        if height >= -flat {
            corners.push(number);
        }
    }
    Some(corners)
}

fn contains(known: &[u32], corners: [usize; 3]) -> bool {
    corners.iter().all(|&corner| known.contains(&(corner as u32)))
}

/// Vertices of a face in counterclockwise order, without points inside the face or an edge.
fn ring(points: &[Point], normal: Point, corners: &[u32]) -> Vec<u32> {
    let position = |corner: u32| points[corner as usize];
    let u = normal.any_perpendicular();
    let v = normal.cross(u);
    // Andrew's monotone chain: lower hull, then upper hull.
    let mut sorted = corners.to_vec();
    let key = |corner: u32| (position(corner).dot(u), position(corner).dot(v));
    sorted.sort_by(|&a, &b| {
        let ((ax, ay), (bx, by)) = (key(a), key(b));
        ax.total_cmp(&bx).then(ay.total_cmp(&by))
    });
    let turns_left = |a: u32, b: u32, c: u32| {
        let (ab, bc) = (position(b) - position(a), position(c) - position(b));
        normal.dot(ab.cross(bc)) > 1e-13 * ab.length() * bc.length()
    };
    let chain = |order: &mut dyn Iterator<Item = u32>| {
        let mut chain: Vec<u32> = Vec::new();
        for corner in order {
            while let [.., a, b] = chain[..]
                && !turns_left(a, b, corner)
            {
                chain.pop();
            }
            chain.push(corner);
        }
        chain.pop();
        chain
    };
    let mut ring = chain(&mut sorted.iter().copied());
    ring.extend(chain(&mut sorted.iter().rev().copied()));
    ring
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_has_six_faces_and_twelve_edges() {
        let features = HullFeatures::of_box();
        assert_eq!(
            (features.normals.len(), features.triangles.len(), features.edges.len()),
            (6, 12, 12)
        );
    }

    #[test]
    fn points_inside_a_face_or_an_edge_make_no_edges() {
        let mut points: Vec<Point> = Vec::new();
        for x in [-1.0, 0.0, 1.0] {
            for y in [-1.0, 0.0, 1.0] {
                points.extend([-1.0, 0.0, 1.0].map(|z| Point::new(x, y, z)));
            }
        }
        let features = HullFeatures::of_hull(&points);
        assert_eq!(
            (features.normals.len(), features.triangles.len(), features.edges.len()),
            (6, 12, 12)
        );
    }

    #[test]
    fn a_tetrahedron_has_four_faces_and_six_edges() {
        let points =
            [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1e-4]].map(Point);
        let features = HullFeatures::of_hull(&points);
        assert_eq!(
            (features.normals.len(), features.triangles.len(), features.edges.len()),
            (4, 4, 6)
        );
    }
}
