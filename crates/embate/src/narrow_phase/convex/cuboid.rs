//! How are the corners, edges and faces of a box numbered?
//!
//! ```text
//!       6───────7        corner: bit 0 is x, bit 1 is y, bit 2 is z; set on the positive side
//!      /│      /│        face:   2 · axis, + 1 on the positive side
//!     4───────5 │        edge:   4 · axis, + the signs of the two other axes (the next one first)
//!     │ 2─────│─3
//!     │/      │/
//!     0───────1
//! ```

use embate_geom::Vec3;

use super::feature::Part;

/// The axis of the smallest component; of equal ones, the first.
#[inline]
pub(super) fn least(vector: Vec3) -> usize {
    if vector.x <= vector.y && vector.x <= vector.z {
        0
    } else if vector.y <= vector.z {
        1
    } else {
        2
    }
}

/// The axis of the largest component; of equal ones, the first.
#[inline]
pub(super) fn greatest(vector: Vec3) -> usize {
    if vector.x >= vector.y && vector.x >= vector.z {
        0
    } else if vector.y >= vector.z {
        1
    } else {
        2
    }
}

/// The two other axes, such that all three turn right-handed.
#[inline]
pub(super) const fn others(axis: usize) -> [usize; 2] {
    [[1, 2], [2, 0], [0, 1]][axis]
}

/// The face on the side of `axis` that `sign` says.
#[inline]
pub(super) fn face_index(axis: usize, negative: bool) -> u32 {
    2 * axis as u32 + u32::from(!negative)
}

/// The corners of a face, counter-clockwise seen from outside.
#[inline]
pub(super) fn face_corners(face: u32) -> &'static [u32; 4] {
    const CORNERS: [[u32; 4]; 6] =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    &CORNERS[(face % 6) as usize]
}

/// The edges of a face, each after the corner it begins in.
#[inline]
pub(super) fn face_edges(face: u32) -> &'static [u32; 4] {
    const EDGES: [[u32; 4]; 6] =
        [[8, 5, 10, 4], [6, 11, 7, 9], [0, 9, 2, 8], [10, 3, 11, 1], [4, 1, 6, 0], [2, 7, 3, 5]];
    &EDGES[(face % 6) as usize]
}

/// The ends of an edge and the faces on both sides: from the first end to the second it runs
/// counter-clockwise about the first face.
#[inline]
pub(super) fn edge(edge: u32) -> ([u32; 2], [u32; 2]) {
    let (axis, signs) = ((edge / 4 % 3) as usize, edge % 4);
    let [next, last] = others(axis);
    let (up_next, up_last) = (signs & 1, signs >> 1 & 1);
    let low = up_next << next | up_last << last;
    let high = low | 1 << axis;
    let (face_next, face_last) = (2 * next as u32 + up_next, 2 * last as u32 + up_last);
    // About the positive face of `next` a rising edge runs with `next × axis`, the negative side of
    // `last`, to its left: inwards if the edge lies on the positive side of `last`.
    if up_next == up_last {
        ([low, high], [face_next, face_last])
    } else {
        ([low, high], [face_last, face_next])
    }
}

/// The edge along an axis that meets a corner.
#[inline]
pub(super) fn edge_at(axis: usize, corner: u32) -> u32 {
    let [next, last] = others(axis);
    4 * axis as u32 + (corner >> next & 1) + 2 * (corner >> last & 1)
}

/// The edge between two corners, if there is one.
#[inline]
pub(super) fn edge_between(one: u32, other: u32) -> Option<u32> {
    match one ^ other {
        1 => Some(edge_at(0, one)),
        2 => Some(edge_at(1, one)),
        4 => Some(edge_at(2, one)),
        _ => None,
    }
}

/// Where a corner is.
#[inline]
pub(super) fn corner(half: Vec3, index: u32) -> Vec3 {
    Vec3::new(
        if index & 1 == 0 { -half.x } else { half.x },
        if index & 2 == 0 { -half.y } else { half.y },
        if index & 4 == 0 { -half.z } else { half.z },
    )
}

/// The part of a box that lies out along `normal`: a face if it points along one axis alone, an edge if
/// along two, else a corner.
#[inline]
pub(super) fn part_along(normal: Vec3) -> Part {
    let [x, y, z] = normal.to_array();
    let positive = |axis: usize| u32::from(normal[axis] > 0.0);
    match (x != 0.0, y != 0.0, z != 0.0) {
        (true, false, false) => Part::face(positive(0)),
        (false, true, false) => Part::face(2 + positive(1)),
        (false, false, true) => Part::face(4 + positive(2)),
        (false, true, true) => Part::edge(positive(1) | positive(2) << 1),
        (true, false, true) => Part::edge(4 | positive(2) | positive(0) << 1),
        (true, true, false) => Part::edge(8 | positive(0) | positive(1) << 1),
        _ => Part::corner(positive(0) | positive(1) << 1 | positive(2) << 2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: Vec3 = Vec3::new(1.0, 2.0, 3.0);

    fn normal(face: u32) -> Vec3 {
        Vec3::AXES[(face / 2) as usize] * if face % 2 == 1 { 1.0 } else { -1.0 }
    }

    #[test]
    fn faces_run_counter_clockwise_seen_from_outside() {
        for face in 0..6 {
            let [a, b, c, d] = face_corners(face).map(|index| corner(HALF, index));
            let turn = (b - a).cross(c - b);
            assert!(turn.dot(normal(face)) > 0.0, "{face}");
            assert_eq!(a + c, b + d);
            assert_eq!((a + c).dot(normal(face)) / 2.0, HALF[(face / 2) as usize]);
        }
    }

    #[test]
    fn every_edge_runs_counter_clockwise_about_its_first_face() {
        for index in 0..12 {
            let (ends, faces) = edge(index);
            let [from, to] = ends.map(|end| corner(HALF, end));
            let inwards = normal(faces[0]).cross(to - from);
            assert!(inwards.dot(from) < 0.0, "{index}");
            for face in faces {
                assert!(ends.iter().all(|end| face_corners(face).contains(end)), "{index}");
            }
            assert_eq!(edge_between(ends[1], ends[0]), Some(index));
        }
    }

    #[test]
    fn a_face_has_the_edges_that_have_it() {
        for face in 0..6 {
            let corners = face_corners(face);
            for place in 0..4 {
                let between = edge_between(corners[place], corners[(place + 1) % 4]);
                assert_eq!(Some(face_edges(face)[place]), between);
                assert!(edge(face_edges(face)[place]).1.contains(&face));
            }
        }
    }

    #[test]
    fn a_part_is_named_like_the_edge_or_corner_it_is() {
        for index in 0..12 {
            let (ends, _) = edge(index);
            let middle = (corner(HALF, ends[0]) + corner(HALF, ends[1])) * 0.5;
            assert_eq!(part_along(middle), Part::edge(index));
        }
        for index in 0..8 {
            assert_eq!(part_along(corner(HALF, index)), Part::corner(index));
        }
        for index in 0..6 {
            assert_eq!(part_along(normal(index)), Part::face(index));
        }
    }
}
