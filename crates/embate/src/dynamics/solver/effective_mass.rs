//! In which directions of a plane do two bodies give way, and how easily?
//!
//! As symmetric 2 × 2 matrices xx, xy, yy from impulses to velocities, and their inverses. Along a direction in which
//! nothing moves, as in planar worlds, the inverse is 0: the pseudo-inverse. What nothing moves is judged body
//! by body: where a light plate is locked, a load of a thousand tonnes on it gives way, however little that is
//! beside what the plate does elsewhere.

use embate_geom::{Mat3, Vec3};

use super::wide::{cross, dot, times, wide, wide_columns};

/// Directions along which a body gives way less than this share of what it does along others: it is locked there
/// but for rounding, and cannot be pushed that way.
pub(super) const LOCKED: f32 = 1e-6;

/// The inverse where it is plain; `None` where rounding may hide it, or there is none.
pub(super) fn inverse([xx, xy, yy]: [f32; 3]) -> Option<[f32; 3]> {
    // For a sum of 1: the product of two inverse inertias could leave the range of f32.
    let scale = 1.0 / (xx + yy);
    let [x, across, y] = [xx * scale, xy * scale, yy * scale];
    let determinant = x * y - across * across;
    // A NaN, of 0 · ∞, is not above.
    (determinant > LOCKED).then(|| {
        let inverse = scale / determinant;
        [y * inverse, -(across * inverse), x * inverse]
    })
}

/// The inverse of the sum of what each of two bodies does.
pub(super) fn inverse_of_two([a, b]: [[f64; 3]; 2]) -> [f32; 3] {
    let [xx, xy, yy] = [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
    let sum = xx + yy;
    if sum <= 0.0 {
        return [0.0; 3];
    }
    // The lesser eigenvalue is the determinant over the greater one, which is near the sum if it matters.
    let determinant = xx * yy - xy * xy;
    let own = [a[0] + a[2], b[0] + b[2]];
    let weaker = if own[1] > 0.0 && (own[1] < own[0] || own[0] <= 0.0) { own[1] } else { own[0] };
    let inverse = if determinant > f64::from(LOCKED) * weaker * sum {
        [yy, -xy, xx].map(|value| value / determinant)
    } else {
        [xx, xy, yy].map(|value| value / (sum * sum))
    };
    inverse.map(|value| value as f32)
}

/// How a body gives way at the end of an arm, along two directions.
pub(super) fn sliding(along: [Vec3; 2], mass: Vec3, arm: Vec3, inertia: &Mat3) -> [f64; 3] {
    let (along, mass, arm) = (along.map(wide), wide(mass), wide(arm));
    let inertia = wide_columns(inertia);
    let turns = along.map(|direction| cross(arm, direction));
    let way = |one: usize, other: usize| {
        let moved = core::array::from_fn(|axis| mass[axis] * along[other][axis]);
        dot(along[one], moved) + dot(turns[one], times(&inertia, turns[other]))
    };
    [way(0, 0), way(0, 1), way(1, 1)]
}

/// How a body turns about two directions.
pub(super) fn turning(about: [Vec3; 2], inertia: &Mat3) -> [f64; 3] {
    let (about, inertia) = (about.map(wide), wide_columns(inertia));
    let way = |one: usize, other: usize| dot(about[one], times(&inertia, about[other]));
    [way(0, 0), way(0, 1), way(1, 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_is_that_of_the_matrix_whatever_its_size() {
        for scale in [1e-30_f32, 1.0, 1e30] {
            let [xx, xy, yy] = inverse([2.0 * scale, scale, 3.0 * scale]).unwrap();
            let expected = [0.6 / scale, -0.2 / scale, 0.4 / scale];
            for (value, expected) in [xx, xy, yy].into_iter().zip(expected) {
                assert!((value / expected - 1.0).abs() < 1e-5, "{value}, not {expected}");
            }
        }
    }

    #[test]
    fn what_gives_way_nowhere_or_along_one_direction_has_a_pseudo_inverse() {
        assert_eq!(inverse([0.0; 3]), None);
        assert_eq!(inverse_of_two([[0.0; 3]; 2]), [0.0; 3]);
        assert_eq!(inverse([4.0, 0.0, 0.0]), None);
        assert_eq!(inverse_of_two([[4.0, 0.0, 0.0], [0.0; 3]]), [0.25, 0.0, 0.0]);
    }

    #[test]
    fn a_heavy_body_gives_way_where_a_light_one_is_locked() {
        // Along (0.6, 0.8) the light one by 1e6; the heavy one by 1e-6 everywhere.
        let light = [0.36e6, 0.48e6, 0.64e6];
        let [xx, xy, yy] = inverse_of_two([light, [1e-6, 0.0, 1e-6]]);
        // Across it: (-0.8, 0.6).
        let across = 0.64 * xx - 2.0 * 0.48 * xy + 0.36 * yy;
        assert!((across / 1e6 - 1.0).abs() < 1e-2, "{across}");
    }
}
