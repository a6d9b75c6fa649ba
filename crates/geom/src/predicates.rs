//! Exact orientation predicates (Shewchuk 1997; computed by the crate `robust`).
//!
//! Coordinates are `f32` and convert to `f64` without loss. Every result is the sign of the exact
//! determinant: `Equal` means exactly on the line or plane.

use core::cmp::Ordering;

use crate::expansion::{Expansion, two_sum};

/// Side of the directed line `a → b` on which `p` lies: `Greater` left, `Less` right, `Equal` on
/// it.
#[must_use]
#[doc(alias = "side_of_line")]
pub fn orient2d(a: [f32; 2], b: [f32; 2], p: [f32; 2]) -> Ordering {
    let coord = |[x, y]: [f32; 2]| robust::Coord { x: f64::from(x), y: f64::from(y) };
    sign(robust::orient2d(coord(a), coord(b), coord(p)))
}

/// Side of the plane through `a, b, c` on which `p` lies: `Greater` on the side of the normal
/// `(b − a) × (c − a)`, `Less` behind it, `Equal` in the plane.
#[must_use]
#[doc(alias = "side_of_plane")]
pub fn orient3d(a: [f32; 3], b: [f32; 3], c: [f32; 3], p: [f32; 3]) -> Ordering {
    let coord =
        |[x, y, z]: [f32; 3]| robust::Coord3D { x: f64::from(x), y: f64::from(y), z: f64::from(z) };
    // `robust` returns a positive sign below the plane.
    sign(robust::orient3d(coord(a), coord(b), coord(c), coord(p))).reverse()
}

/// Whether three points are collinear or two of them coincide.
#[must_use]
pub fn are_collinear(a: [f32; 3], b: [f32; 3], c: [f32; 3]) -> bool {
    // A triangle is degenerate if and only if its projections onto all three coordinate planes are.
    [[0, 1], [1, 2], [2, 0]]
        .into_iter()
        .all(|[x, y]| orient2d([a[x], a[y]], [b[x], b[y]], [c[x], c[y]]) == Ordering::Equal)
}

/// Scalar triple product `direction · ((a − origin) × (b − origin))`: the side on which the line
/// `origin + t · direction` passes the edge `a → b`. The sign is exact, 0 exactly if line and edge
/// are in a plane; the value is accurate to 1e-9 of itself.
#[must_use]
pub fn line_edge_volume(origin: [f32; 3], direction: [f32; 3], a: [f32; 3], b: [f32; 3]) -> f64 {
    let direction = direction.map(|c| (f64::from(c), 0.0));
    triple_product(direction, difference(a, origin), difference(b, origin))
}

/// Scalar triple product `(a − p) · ((b − p) × (c − p))`: six times the signed volume of a
/// tetrahedron. The sign is exact, 0 exactly if `p` is in the plane through `a, b, c`; the value is
/// accurate to 1e-9 of itself.
#[must_use]
pub fn tetrahedron_volume(p: [f32; 3], a: [f32; 3], b: [f32; 3], c: [f32; 3]) -> f64 {
    triple_product(difference(a, p), difference(b, p), difference(c, p))
}

/// A component as the exact sum of two f64.
type Exact3 = [(f64, f64); 3];

/// `a − b`, exactly.
fn difference(a: [f32; 3], b: [f32; 3]) -> Exact3 {
    core::array::from_fn(|axis| two_sum(f64::from(a[axis]), -f64::from(b[axis])))
}

/// In f64 where that is accurate to 1e-9, and exactly elsewhere.
fn triple_product(x: Exact3, y: Exact3, z: Exact3) -> f64 {
    /// Share of the sum of magnitudes above which the f64 value is accurate: its error is below
    /// 16 ε of that sum.
    const ACCURATE: f64 = 1e-5;
    const PERMUTATIONS: [([usize; 3], f64); 6] = [
        ([0, 1, 2], 1.0),
        ([1, 2, 0], 1.0),
        ([2, 0, 1], 1.0),
        ([0, 2, 1], -1.0),
        ([1, 0, 2], -1.0),
        ([2, 1, 0], -1.0),
    ];
    let (mut sum, mut magnitude) = (0.0, 0.0);
    for ([i, j, k], sign) in PERMUTATIONS {
        let product = sign * x[i].0 * y[j].0 * z[k].0;
        sum += product;
        magnitude += product.abs();
    }
    if sum.abs() > ACCURATE * magnitude {
        return sum;
    }
    let parts = |(high, low): (f64, f64)| [high, low];
    let mut exact = Expansion::default();
    for ([i, j, k], sign) in PERMUTATIONS {
        for x in parts(x[i]) {
            for y in parts(y[j]) {
                for z in parts(z[k]) {
                    exact.add_product([sign * x, y, z]);
                }
            }
        }
    }
    exact.value()
}

fn sign(determinant: f64) -> Ordering {
    determinant.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orientation_follows_the_right_hand_rule() {
        assert_eq!(orient2d([0.0, 0.0], [1.0, 0.0], [0.0, 1.0]), Ordering::Greater);
        let (a, b, c) = ([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
        assert_eq!(orient3d(a, b, c, [0.0, 0.0, 1.0]), Ordering::Greater);
        assert_eq!(orient3d(a, b, c, [0.0, 0.0, -1.0]), Ordering::Less);
    }

    #[test]
    fn volumes_have_the_signs_of_the_orientation() {
        let mut random = embate_test_util::Rng::new(5);
        // Small integers, so that many determinants are 0 and `origin + direction` is exact.
        let mut point = || [(); 3].map(|()| (random.below(7) as f32) - 3.0);
        let (mut zeros, mut others) = (0, 0);
        for _ in 0..2_000 {
            let (origin, direction, a, b) = (point(), point(), point(), point());
            let end = core::array::from_fn(|axis| origin[axis] + direction[axis]);
            let expected = orient3d(a, b, end, origin).reverse();
            assert_eq!(sign(line_edge_volume(origin, direction, a, b)), expected);
            assert_eq!(sign(tetrahedron_volume(origin, a, b, end)), expected);
            zeros += u32::from(expected == Ordering::Equal);
            others += u32::from(expected != Ordering::Equal);
        }
        assert!(zeros > 50 && others > 1_000, "{zeros}, {others}");
    }

    /// Integers of 40 bits, whose exact determinants fit i128. The edge starts where the line is,
    /// rounded to f32: the determinants are tiny, and most of them are lost in f64.
    #[test]
    fn volumes_of_nearly_coplanar_points_equal_integer_arithmetic() {
        let mut random = embate_test_util::Rng::new(6);
        let mut lost = 0;
        for _ in 0..2_000 {
            let mut coordinate = || (random.signed_unit() * 16e6) * (1 << random.below(16)) as f32;
            let mut point = || [(); 3].map(|()| coordinate().round());
            let (origin, direction, b) = (point(), point(), point());
            let a = core::array::from_fn(|axis| {
                (f64::from(origin[axis]) + f64::from(direction[axis])) as f32
            });
            let whole = |p: [f32; 3]| p.map(|c| c as i128);
            let minus = |p: [i128; 3]| core::array::from_fn(|axis| p[axis] - whole(origin)[axis]);
            let (d, x): ([i128; 3], [i128; 3]) = (whole(direction), minus(whole(a)));
            let y: [i128; 3] = minus(whole(b));
            let expected = d[0] * (x[1] * y[2] - x[2] * y[1])
                + d[1] * (x[2] * y[0] - x[0] * y[2])
                + d[2] * (x[0] * y[1] - x[1] * y[0]);
            let volume = line_edge_volume(origin, direction, a, b);
            assert!((volume - expected as f64).abs() <= 1e-9 * (expected as f64).abs());
            assert_eq!(sign(volume), expected.cmp(&0));
            let [d, x, y] = [d, x, y].map(|v| crate::DVec3::from(v.map(|c| c as f64)));
            lost += u32::from(d.dot(x.cross(y)) != expected as f64);
        }
        assert!(lost > 500, "{lost}");
    }

    /// In f32 arithmetic the determinants are 0: the products round to the same value.
    #[test]
    fn point_one_ulp_off_the_line_is_not_collinear() {
        let (a, b) = ([0.0, 0.0], [16_777_215.0, 16_777_213.0]);
        assert_eq!(orient2d(a, b, [8_388_607.5, 8_388_606.5]), Ordering::Equal);
        assert_eq!(orient2d(a, b, [8_388_607.0, 8_388_606.5]), Ordering::Greater);
        assert_eq!(orient2d(a, b, [8_388_607.5, 8_388_606.0]), Ordering::Less);
    }
}
