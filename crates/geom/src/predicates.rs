//! Exact orientation predicates (Shewchuk 1997; computed by the crate `robust`).
//!
//! Coordinates are `f32` and convert to `f64` without loss. Every result is the sign of the exact
//! determinant: `Equal` means exactly on the line or plane.

use core::cmp::Ordering;

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

    /// In f32 arithmetic the determinants are 0: the products round to the same value.
    #[test]
    fn point_one_ulp_off_the_line_is_not_collinear() {
        let (a, b) = ([0.0, 0.0], [16_777_215.0, 16_777_213.0]);
        assert_eq!(orient2d(a, b, [8_388_607.5, 8_388_606.5]), Ordering::Equal);
        assert_eq!(orient2d(a, b, [8_388_607.0, 8_388_606.5]), Ordering::Greater);
        assert_eq!(orient2d(a, b, [8_388_607.5, 8_388_606.0]), Ordering::Less);
    }
}
