//! On which side? Answered exactly (Shewchuk 1997, by crate `robust`).
//!
//! Coordinates are `f32` and convert to `f64` without loss; the sign of every answer is the sign of
//! the true determinant. A zero means exactly on the line or plane.

use core::cmp::Ordering;

/// Where `p` lies from the directed line `a → b`: `Greater` is left, `Less` right, `Equal` on it.
#[must_use]
pub fn side_of_line(a: [f32; 2], b: [f32; 2], p: [f32; 2]) -> Ordering {
    let coord = |[x, y]: [f32; 2]| robust::Coord { x: f64::from(x), y: f64::from(y) };
    sign(robust::orient2d(coord(a), coord(b), coord(p)))
}

/// Where `p` lies from the plane through `a, b, c`: `Greater` on the side their normal
/// `(b − a) × (c − a)` points to, `Less` behind it, `Equal` in the plane.
#[must_use]
pub fn side_of_plane(a: [f32; 3], b: [f32; 3], c: [f32; 3], p: [f32; 3]) -> Ordering {
    let coord =
        |[x, y, z]: [f32; 3]| robust::Coord3D { x: f64::from(x), y: f64::from(y), z: f64::from(z) };
    // `robust` counts the side below the plane as positive.
    sign(robust::orient3d(coord(a), coord(b), coord(c), coord(p))).reverse()
}

/// Whether three points lie on one line, or two of them in one place.
#[must_use]
pub fn are_collinear(a: [f32; 3], b: [f32; 3], c: [f32; 3]) -> bool {
    // A triangle has no area exactly when its shadows on all three coordinate planes have none.
    [[0, 1], [1, 2], [2, 0]]
        .into_iter()
        .all(|[x, y]| side_of_line([a[x], a[y]], [b[x], b[y]], [c[x], c[y]]) == Ordering::Equal)
}

fn sign(determinant: f64) -> Ordering {
    determinant.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_follow_the_right_hand_rule() {
        assert_eq!(side_of_line([0.0, 0.0], [1.0, 0.0], [0.0, 1.0]), Ordering::Greater);
        let (a, b, c) = ([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
        assert_eq!(side_of_plane(a, b, c, [0.0, 0.0, 1.0]), Ordering::Greater);
        assert_eq!(side_of_plane(a, b, c, [0.0, 0.0, -1.0]), Ordering::Less);
    }

    /// In plain f32 the determinant of these three is 0: the products round to the same value.
    #[test]
    fn a_point_one_bit_off_the_line_is_not_on_it() {
        let (a, b) = ([0.0, 0.0], [16_777_215.0, 16_777_213.0]);
        assert_eq!(side_of_line(a, b, [8_388_607.5, 8_388_606.5]), Ordering::Equal);
        assert_eq!(side_of_line(a, b, [8_388_607.0, 8_388_606.5]), Ordering::Greater);
        assert_eq!(side_of_line(a, b, [8_388_607.5, 8_388_606.0]), Ordering::Less);
    }
}
