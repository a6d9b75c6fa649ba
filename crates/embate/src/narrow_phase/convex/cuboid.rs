//! Box topology: numbering of vertices, edges and faces.
//!
//! ```text
//!       6───────7        vertex: bit 0 is x, bit 1 is y, bit 2 is z; set on the positive side
//!      /│      /│        face:   2 · axis, + 1 on the positive side
//!     4───────5 │        edge:   4 · axis, + the signs of the two other axes (the next one first)
//!     │ 2─────│─3
//!     │/      │/
//!     0───────1
//! ```

use embate_geom::Vec3;

use crate::narrow_phase::feature_id::FeatureId;

/// The axis of the smallest component; the first of equal ones.
#[inline]
pub(crate) fn min_axis(vector: Vec3) -> usize {
    if vector.x <= vector.y && vector.x <= vector.z {
        0
    } else if vector.y <= vector.z {
        1
    } else {
        2
    }
}

/// The axis of the largest component; the first of equal ones.
#[inline]
pub(crate) fn max_axis(vector: Vec3) -> usize {
    if vector.x >= vector.y && vector.x >= vector.z {
        0
    } else if vector.y >= vector.z {
        1
    } else {
        2
    }
}

/// The two other axes, such that all three are right-handed.
#[inline]
pub(crate) const fn other_axes(axis: usize) -> [usize; 2] {
    [[1, 2], [2, 0], [0, 1]][axis]
}

/// The face of `axis` on its negative or positive side.
#[inline]
pub(crate) fn face_index(axis: usize, negative: bool) -> u32 {
    2 * axis as u32 + u32::from(!negative)
}

/// Vertices of a face, counter-clockwise seen from outside.
#[inline]
pub(crate) fn face_vertices(face: u32) -> &'static [u32; 4] {
    const VERTICES: [[u32; 4]; 6] =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    &VERTICES[(face % 6) as usize]
}

/// Edges of a face; edge `i` starts at vertex `i` of the face.
#[inline]
pub(crate) fn face_edges(face: u32) -> &'static [u32; 4] {
    const EDGES: [[u32; 4]; 6] =
        [[8, 5, 10, 4], [6, 11, 7, 9], [0, 9, 2, 8], [10, 3, 11, 1], [4, 1, 6, 0], [2, 7, 3, 5]];
    &EDGES[(face % 6) as usize]
}

/// The two vertices and the two adjacent faces of an edge. From its first vertex to its second it
/// runs counter-clockwise around the first face.
#[inline]
pub(crate) fn edge(edge: u32) -> ([u32; 2], [u32; 2]) {
    let (axis, signs) = ((edge / 4 % 3) as usize, edge % 4);
    let [next, last] = other_axes(axis);
    let (up_next, up_last) = (signs & 1, signs >> 1 & 1);
    let low = up_next << next | up_last << last;
    let high = low | 1 << axis;
    let (face_next, face_last) = (2 * next as u32 + up_next, 2 * last as u32 + up_last);
    // Around the positive face of `next` a rising edge has `next × axis`, the negative side of
    // `last`, to its left: inward if the edge lies on the positive side of `last`.
    if up_next == up_last {
        ([low, high], [face_next, face_last])
    } else {
        ([low, high], [face_last, face_next])
    }
}

/// The edge along an axis that contains a vertex.
#[inline]
pub(crate) fn edge_at(axis: usize, vertex: u32) -> u32 {
    let [next, last] = other_axes(axis);
    4 * axis as u32 + (vertex >> next & 1) + 2 * (vertex >> last & 1)
}

/// The edge between two vertices, if there is one.
#[inline]
pub(crate) fn edge_between(first: u32, second: u32) -> Option<u32> {
    match first ^ second {
        1 => Some(edge_at(0, first)),
        2 => Some(edge_at(1, first)),
        4 => Some(edge_at(2, first)),
        _ => None,
    }
}

/// Position of a vertex.
#[inline]
pub(crate) fn vertex(half_extents: Vec3, index: u32) -> Vec3 {
    Vec3::new(
        if index & 1 == 0 { -half_extents.x } else { half_extents.x },
        if index & 2 == 0 { -half_extents.y } else { half_extents.y },
        if index & 4 == 0 { -half_extents.z } else { half_extents.z },
    )
}

/// The feature of a box extremal along `normal`: a face if one component is nonzero, an edge if two
/// are, otherwise a vertex.
#[inline]
pub(crate) fn feature_along(normal: Vec3) -> FeatureId {
    let [x, y, z] = normal.to_array();
    let positive = |axis: usize| u32::from(normal[axis] > 0.0);
    match (x != 0.0, y != 0.0, z != 0.0) {
        (true, false, false) => FeatureId::face(positive(0)),
        (false, true, false) => FeatureId::face(2 + positive(1)),
        (false, false, true) => FeatureId::face(4 + positive(2)),
        (false, true, true) => FeatureId::edge(positive(1) | positive(2) << 1),
        (true, false, true) => FeatureId::edge(4 | positive(2) | positive(0) << 1),
        (true, true, false) => FeatureId::edge(8 | positive(0) | positive(1) << 1),
        _ => FeatureId::vertex(positive(0) | positive(1) << 1 | positive(2) << 2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF_EXTENTS: Vec3 = Vec3::new(1.0, 2.0, 3.0);

    fn normal(face: u32) -> Vec3 {
        Vec3::AXES[(face / 2) as usize] * if face % 2 == 1 { 1.0 } else { -1.0 }
    }

    #[test]
    fn faces_run_counter_clockwise_seen_from_outside() {
        for face in 0..6 {
            let [a, b, c, d] = face_vertices(face).map(|index| vertex(HALF_EXTENTS, index));
            let turn = (b - a).cross(c - b);
            assert!(turn.dot(normal(face)) > 0.0, "face {face}");
            assert_eq!(a + c, b + d);
            assert_eq!((a + c).dot(normal(face)) / 2.0, HALF_EXTENTS[(face / 2) as usize]);
        }
    }

    #[test]
    fn edges_run_counter_clockwise_around_their_first_face() {
        for index in 0..12 {
            let (ends, faces) = edge(index);
            let [from, to] = ends.map(|end| vertex(HALF_EXTENTS, end));
            let inward = normal(faces[0]).cross(to - from);
            assert!(inward.dot(from) < 0.0, "edge {index}");
            for face in faces {
                assert!(ends.iter().all(|end| face_vertices(face).contains(end)), "edge {index}");
            }
            assert_eq!(edge_between(ends[1], ends[0]), Some(index));
        }
    }

    #[test]
    fn edges_of_a_face_are_adjacent_to_it() {
        for face in 0..6 {
            let vertices = face_vertices(face);
            for position in 0..4 {
                let between = edge_between(vertices[position], vertices[(position + 1) % 4]);
                assert_eq!(Some(face_edges(face)[position]), between);
                assert!(edge(face_edges(face)[position]).1.contains(&face));
            }
        }
    }

    #[test]
    fn feature_along_a_direction_matches_the_topology() {
        for index in 0..12 {
            let (ends, _) = edge(index);
            let midpoint = (vertex(HALF_EXTENTS, ends[0]) + vertex(HALF_EXTENTS, ends[1])) * 0.5;
            assert_eq!(feature_along(midpoint), FeatureId::edge(index));
        }
        for index in 0..8 {
            assert_eq!(feature_along(vertex(HALF_EXTENTS, index)), FeatureId::vertex(index));
        }
        for index in 0..6 {
            assert_eq!(feature_along(normal(index)), FeatureId::face(index));
        }
    }
}
