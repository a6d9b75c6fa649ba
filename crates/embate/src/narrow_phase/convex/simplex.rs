//! Which point of a corner, edge, triangle or tetrahedron is nearest to the origin?
//!
//! Ericson, "Real-Time Collision Detection", 5.1: the regions nearest to each part, in f64. A corner may be a
//! thousand times as far away as the nearest point, and the corners of a thin triangle as far from each other:
//! so everything is measured from the corner that is nearest to the origin.

use embate_geom::Wide;

/// Up to four points `a − b` of the difference of two cores.
#[derive(Clone, Copy, Debug)]
pub(super) struct Simplex {
    pub(super) corners: [Corner; 4],
    pub(super) count: usize,
}

/// A corner of A less a corner of B, with its share of the nearest point.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Corner {
    pub(super) difference: Wide,
    pub(super) on_a: Wide,
    pub(super) indices: [u32; 2],
    pub(super) weight: f64,
}

impl Simplex {
    pub(super) fn of(corner: Corner) -> Self {
        let mut corners = [Corner::default(); 4];
        corners[0] = Corner { weight: 1.0, ..corner };
        Self { corners, count: 1 }
    }

    #[inline]
    pub(super) fn corners(&self) -> &[Corner] {
        &self.corners[..self.count]
    }

    /// The part of the simplex and one more corner that holds the point nearest to the origin, and that point;
    /// `None` if the origin is inside, which rounding may make of a flat simplex, unless it is known to be
    /// `outside`.
    #[inline]
    pub(super) fn part_with(&mut self, corner: Corner, outside: bool) -> Option<Found> {
        self.corners[self.count] = corner;
        let at = |index: usize| self.corners[index].difference;
        Some(match self.count {
            1 => edge([at(0), at(1)], [0, 1]),
            2 => triangle([at(0), at(1), at(2)], [0, 1, 2]),
            _ => tetrahedron([at(0), at(1), at(2), at(3)], outside)?,
        })
    }

    /// Leaves what was found of it.
    #[inline]
    pub(super) fn reduce(&mut self, found: &Found) {
        let corners = found.indices.map(|index| self.corners[index]);
        for part in 0..found.count {
            self.corners[part] = Corner { weight: found.weights[part], ..corners[part] };
        }
        self.count = found.count;
    }

    /// Adds a corner, leaves the part that holds the nearest point, and says where that is; `None` as above.
    pub(super) fn nearest_with(&mut self, corner: Corner, outside: bool) -> Option<Wide> {
        let found = self.part_with(corner, outside)?;
        self.reduce(&found);
        Some(found.point)
    }

    /// The nearest point on A.
    pub(super) fn point_on_a(&self) -> Wide {
        self.corners().iter().fold(Wide::ZERO, |sum, corner| sum + corner.on_a * corner.weight)
    }
}

/// The part of a simplex that holds its nearest point, and that point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) point: Wide,
    indices: [usize; 3],
    weights: [f64; 3],
    count: usize,
}

fn corner(point: Wide, index: usize) -> Found {
    Found { point, indices: [index, 0, 0], weights: [1.0, 0.0, 0.0], count: 1 }
}

fn edge([a, b]: [Wide; 2], [i, j]: [usize; 2]) -> Found {
    let ab = b - a;
    let (along, length) = (-ab.dot(a), ab.length_squared());
    if along <= 0.0 {
        return corner(a, i);
    }
    if along >= length {
        return corner(b, j);
    }
    let share = along / length;
    Found {
        point: a + ab * share,
        indices: [i, j, 0],
        weights: [1.0 - share, share, 0.0],
        count: 2,
    }
}

fn triangle(corners: [Wide; 3], indices: [usize; 3]) -> Found {
    let first = first_nearest(corners.map(Wide::length_squared));
    let [a, b, c] = turned(corners, first);
    let [i, j, k] = turned(indices, first);
    let (ab, ac) = (b - a, c - a);
    let (ab_a, ac_a) = (-ab.dot(a), -ac.dot(a));
    if ab_a <= 0.0 && ac_a <= 0.0 {
        return corner(a, i);
    }
    let (ab_b, ac_b) = (-ab.dot(b), -ac.dot(b));
    if ab_b >= 0.0 && ac_b <= ab_b {
        return corner(b, j);
    }
    let (ab_c, ac_c) = (-ab.dot(c), -ac.dot(c));
    if ac_c >= 0.0 && ab_c <= ac_c {
        return corner(c, k);
    }
    let share_c = ab_a * ac_b - ab_b * ac_a;
    if share_c <= 0.0 && ab_a >= 0.0 && ab_b <= 0.0 {
        return edge([a, b], [i, j]);
    }
    let share_b = ab_c * ac_a - ab_a * ac_c;
    if share_b <= 0.0 && ac_a >= 0.0 && ac_c <= 0.0 {
        return edge([a, c], [i, k]);
    }
    let share_a = ab_b * ac_c - ab_c * ac_b;
    if share_a <= 0.0 && ac_b >= ab_b && ab_c >= ac_c {
        return edge([b, c], [j, k]);
    }
    let normal = ab.cross(ac);
    let square = normal.length_squared();
    if square <= 0.0 {
        // So thin that rounding put the origin beside all three edges: the nearest edge will do.
        return nearer(edge([a, b], [i, j]), nearer(edge([a, c], [i, k]), edge([b, c], [j, k])));
    }
    // From products with the normal: the shares above lose twice as many digits where it is thin.
    let weight_b = normal.dot(ac.cross(a)) / square;
    let weight_c = normal.dot(a.cross(ab)) / square;
    Found {
        // Along the normal, not as a sum of the corners: nothing cancels.
        point: normal * (normal.dot(a) / square),
        indices: [i, j, k],
        weights: [1.0 - weight_b - weight_c, weight_b, weight_c],
        count: 3,
    }
}

/// Which of three is the least.
#[inline]
fn first_nearest([a, b, c]: [f64; 3]) -> usize {
    if a <= b && a <= c {
        0
    } else if b <= c {
        1
    } else {
        2
    }
}

/// The same three in the same round, but this one first.
#[inline]
fn turned<T: Copy>([a, b, c]: [T; 3], first: usize) -> [T; 3] {
    match first {
        0 => [a, b, c],
        1 => [b, c, a],
        _ => [c, a, b],
    }
}

/// `None` if the origin is inside.
fn tetrahedron(corners: [Wide; 4], outside: bool) -> Option<Found> {
    const FACES: [([usize; 3], usize); 4] =
        [([0, 1, 3], 2), ([1, 2, 3], 0), ([2, 0, 3], 1), ([0, 2, 1], 3)];
    let mut nearest: Option<Found> = None;
    let mut ask = |[i, j, k]: [usize; 3]| {
        let found = triangle([corners[i], corners[j], corners[k]], [i, j, k]);
        nearest = Some(match nearest.take() {
            Some(before) => nearer(before, found),
            None => found,
        });
    };
    let squares = corners.map(Wide::length_squared);
    let mut inside = true;
    for (face, opposite) in FACES {
        let face = turned(face, first_nearest(face.map(|index| squares[index])));
        let [a, b, c] = face.map(|index| corners[index]);
        let normal = (b - a).cross(c - a);
        let (of_origin, of_opposite) = (-normal.dot(a), normal.dot(corners[opposite] - a));
        // On the same side as the fourth corner, the origin is behind this face. A flat tetrahedron has
        // no sides: `<=` then asks all four faces.
        if of_origin * of_opposite <= 0.0 {
            inside = false;
            ask(face);
        }
    }
    if inside && outside {
        for (face, _) in FACES {
            ask(face);
        }
    }
    nearest
}

fn nearer(one: Found, other: Found) -> Found {
    if other.point.length_squared() < one.point.length_squared() { other } else { one }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simplex(points: &[[f64; 3]]) -> (Simplex, Option<Wide>) {
        let corner =
            |&[x, y, z]: &[f64; 3]| Corner { difference: Wide::new(x, y, z), ..Corner::default() };
        let mut simplex = Simplex::of(corner(&points[0]));
        simplex.count = points.len() - 1;
        for (kept, point) in simplex.corners.iter_mut().zip(points) {
            *kept = corner(point);
        }
        let nearest = simplex.nearest_with(corner(&points[points.len() - 1]), false);
        (simplex, nearest)
    }

    #[test]
    fn the_nearest_part_is_kept() {
        let (edge, point) = simplex(&[[-1.0, 1.0, 0.0], [1.0, 1.0, 0.0]]);
        assert_eq!((edge.count, point.unwrap()), (2, Wide::new(0.0, 1.0, 0.0)));
        let (corner, point) = simplex(&[[2.0, 1.0, 0.0], [1.0, 1.0, 0.0]]);
        assert_eq!((corner.count, point.unwrap()), (1, Wide::new(1.0, 1.0, 0.0)));
        let above = [[-1.0, -1.0, 2.0], [1.0, -1.0, 2.0], [0.0, 1.0, 2.0]];
        let (face, point) = simplex(&above);
        assert_eq!((face.count, point.unwrap()), (3, Wide::new(0.0, 0.0, 2.0)));
        let (face, point) = simplex(&[above[0], above[1], above[2], [0.0, 0.0, 3.0]]);
        assert_eq!((face.count, point.unwrap()), (3, Wide::new(0.0, 0.0, 2.0)));
        let (_, inside) = simplex(&[above[0], above[1], above[2], [0.0, 0.0, -3.0]]);
        assert_eq!(inside, None);
    }

    /// A rod of 4e-3 over the end of an edge of 755: from its far end, the way lost seven of its sixteen digits. The
    /// next corner then seemed to bring nothing nearer, and the normal was off by 3e-4.
    #[test]
    fn a_long_thin_triangle_is_as_near_as_it_is() {
        let thin = [
            [-611.038_655_885_262_4, -94.091_891_200_660_03, -433.576_652_430_434_5],
            [0.004_048_951_668_664_813, -0.007_107_822_777_470_574, -0.000_877_476_792_084_053_2],
            [-0.000_142_701_668_664_813, -0.008_028_895_972_529_426, -0.000_404_261_489_165_946_8],
        ];
        // From rational numbers.
        let truly = 0.007_834_641_749_468_211;
        for [a, b, c] in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]] {
            let (_, point) = simplex(&[thin[a], thin[b], thin[c]]);
            let off = point.unwrap().length() - truly;
            assert!(off.abs() < 1e-13 * truly, "{a}, {b}, {c}: off by {off:e}");
        }
        let next = [-535.280_313_841_300_1, -61.928_128_330_589_97, -635.236_702_061_753];
        let (_, point) = simplex(&[thin[0], thin[1], thin[2], next]);
        assert!(point.unwrap().length() < truly - 9e-10);
    }

    #[test]
    fn triangles_without_area_and_tetrahedra_without_volume_have_a_nearest_point() {
        let line = [[-1.0, 1.0, 1.0], [0.5, 1.0, 1.0], [2.0, 1.0, 1.0]];
        let (_, point) = simplex(&line);
        assert_eq!(point.unwrap(), Wide::new(0.0, 1.0, 1.0));
        let (_, point) =
            simplex(&[[-1.0, -1.0, 1.0], [1.0, -1.0, 1.0], [1.0, 1.0, 1.0], [-1.0, 1.0, 1.0]]);
        assert_eq!(point.unwrap(), Wide::new(0.0, 0.0, 1.0));
        let (_, point) = simplex(&[[1.0, 1.0, 1.0]; 4]);
        assert_eq!(point.unwrap(), Wide::new(1.0, 1.0, 1.0));
    }
}
