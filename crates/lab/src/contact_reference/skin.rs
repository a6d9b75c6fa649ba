//! What are the faces and edges of the convex hull of a few points? By trying every three of them.
//!
//! Promise: a face is a plane through three points that leaves no point outside; nothing is assumed of
//! how the points came to be, and nothing is taken over from the engine's own hull. Slow (the fourth
//! power of the number of points), so it is done once a hull and kept.

use super::space::Point;

/// How far a point may lie outside a plane, by the size of the whole, and still count as in it: some
/// thousand times the rounding of f64, a ten-thousandth of that of f32.
const FLAT: f64 = 1e-12;

/// The faces of a hull cut into triangles, its edges and the directions of both.
#[derive(Clone, Debug, Default)]
pub struct Skin {
    /// The unit normal of each face, outwards.
    pub normals: Vec<Point>,
    /// Corners of triangles that cover all faces.
    pub triangles: Vec<[u32; 3]>,
    /// The ends of each edge.
    pub edges: Vec<[u32; 2]>,
}

impl Skin {
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

    /// Of a triangle, which is flat: to both of its sides come the three directions out of its edges, along
    /// which it parts from what lies in its own plane.
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
        let centre =
            points.iter().fold(Point::ZERO, |sum, p| sum + *p) * (1.0 / points.len() as f64);
        let size = points.iter().fold(0.0, |size: f64, p| size.max((*p - centre).length()));
        let mut faces: Vec<(Point, Vec<u32>)> = Vec::new();
        for a in 0..points.len() {
            for b in a + 1..points.len() {
                for c in b + 1..points.len() {
                    let (ab, ac) = (points[b] - points[a], points[c] - points[a]);
                    let normal = ab.cross(ac);
                    // Three points in a line have no plane of their own.
                    if normal.length() <= 1e-10 * ab.length() * ac.length() {
                        continue;
                    }
                    let Some(normal) = normal.unit() else { continue };
                    for outward in [normal, -normal] {
                        if let Some(corners) = supported(points, outward, points[a], FLAT * size)
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
        let mut skin = Self::default();
        for (normal, corners) in faces {
            let ring = ring(points, *normal, corners);
            skin.normals.push(*normal);
            skin.triangles.extend(ring.windows(2).skip(1).map(|pair| [ring[0], pair[0], pair[1]]));
            for (place, &from) in ring.iter().enumerate() {
                let to = ring[(place + 1) % ring.len()];
                let edge = [from.min(to), from.max(to)];
                if !skin.edges.contains(&edge) {
                    skin.edges.push(edge);
                }
            }
        }
        skin
    }
}

/// The points in the plane, if none is outside of it.
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

/// The corners of a face in order round it. Points inside an edge or inside the face stay in the ring
/// as corners where they are extreme, and are dropped where they are not.
fn ring(points: &[Point], normal: Point, corners: &[u32]) -> Vec<u32> {
    let place = |corner: u32| points[corner as usize];
    let u = normal.any_square();
    let v = normal.cross(u);
    // Andrew's chain: the lower hull from left to right, then the upper one back.
    let mut sorted = corners.to_vec();
    let key = |corner: u32| (place(corner).dot(u), place(corner).dot(v));
    sorted.sort_by(|&a, &b| {
        let ((ax, ay), (bx, by)) = (key(a), key(b));
        ax.total_cmp(&bx).then(ay.total_cmp(&by))
    });
    let turns_left = |a: u32, b: u32, c: u32| {
        let (ab, bc) = (place(b) - place(a), place(c) - place(b));
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
        let skin = Skin::of_box();
        assert_eq!((skin.normals.len(), skin.triangles.len(), skin.edges.len()), (6, 12, 12));
    }

    #[test]
    fn points_inside_a_face_or_an_edge_make_no_edges() {
        let mut points: Vec<Point> = Vec::new();
        for x in [-1.0, 0.0, 1.0] {
            for y in [-1.0, 0.0, 1.0] {
                points.extend([-1.0, 0.0, 1.0].map(|z| Point::new(x, y, z)));
            }
        }
        let skin = Skin::of_hull(&points);
        assert_eq!((skin.normals.len(), skin.triangles.len(), skin.edges.len()), (6, 12, 12));
    }

    #[test]
    fn a_tetrahedron_has_four_faces_and_six_edges() {
        let points =
            [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1e-4]].map(Point);
        let skin = Skin::of_hull(&points);
        assert_eq!((skin.normals.len(), skin.triangles.len(), skin.edges.len()), (4, 4, 6));
    }
}
