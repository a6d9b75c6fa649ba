//! Effective mass in the tangent plane: symmetric 2 × 2 matrices and their (pseudo-)inverses.
//!
//! The inverse effective mass K maps impulses to velocity changes along two directions; it is
//! stored as xx, xy, yy. Along a direction in which neither body can move, as in planar worlds, K
//! is singular and the Moore–Penrose pseudo-inverse is used, which is 0 there. Whether a body is
//! locked along a direction is decided relative to its own largest inverse mass: a load of a
//! thousand tonnes still moves on a light plate that is locked along that direction, although its
//! inverse mass is far below that of the plate along its free axes.

use embate_geom::{DVec3, Mat3, Vec3};

/// A body counts as locked along a direction whose inverse mass is below this share of its largest
/// one: there only rounding is left of it.
pub(crate) const LOCKED_RATIO: f32 = 1e-6;

/// Inverse of a well-conditioned matrix; `None` if it is singular, or so nearly that f32 rounding
/// dominates the determinant.
pub(crate) fn inverse_2x2([xx, xy, yy]: [f32; 3]) -> Option<[f32; 3]> {
    // Scaled to a trace of 1: the product of two inverse inertias may exceed the range of f32.
    let scale = 1.0 / (xx + yy);
    let [x, across, y] = [xx * scale, xy * scale, yy * scale];
    let determinant = x * y - across * across;
    // False for NaN, which 0 · ∞ yields.
    (determinant > LOCKED_RATIO).then(|| {
        let inverse = scale / determinant;
        [y * inverse, -(across * inverse), x * inverse]
    })
}

/// Pseudo-inverse of the sum of the matrices of two bodies.
pub(crate) fn pseudo_inverse_2x2([a, b]: [[f64; 3]; 2]) -> [f32; 3] {
    let [xx, xy, yy] = [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
    let trace = xx + yy;
    if trace <= 0.0 {
        return [0.0; 3];
    }
    // The smaller eigenvalue is the determinant over the larger one, which is close to the trace
    // where it matters.
    let determinant = xx * yy - xy * xy;
    let traces = [a[0] + a[2], b[0] + b[2]];
    let smaller_trace = if traces[1] > 0.0 && (traces[1] < traces[0] || traces[0] <= 0.0) {
        traces[1]
    } else {
        traces[0]
    };
    let inverse = if determinant > f64::from(LOCKED_RATIO) * smaller_trace * trace {
        [yy, -xy, xx].map(|value| value / determinant)
    } else {
        [xx, xy, yy].map(|value| value / (trace * trace))
    };
    inverse.map(|value| value as f32)
}

/// Inverse effective mass of one body at `anchor`, along two directions.
pub(crate) fn tangent_inverse_mass(
    directions: [Vec3; 2],
    inverse_mass: Vec3,
    anchor: Vec3,
    inverse_inertia: &Mat3,
) -> [f64; 3] {
    let directions = directions.map(DVec3::from);
    let (inverse_mass, anchor) = (DVec3::from(inverse_mass), DVec3::from(anchor));
    let inverse_inertia = inverse_inertia.columns.map(DVec3::from);
    let r_cross = directions.map(|direction| anchor.cross(direction));
    let element = |row: usize, column: usize| {
        let along = directions[column];
        let linear = DVec3::new(
            inverse_mass.x * along.x,
            inverse_mass.y * along.y,
            inverse_mass.z * along.z,
        );
        directions[row].dot(linear)
            + r_cross[row].dot(mul_columns(&inverse_inertia, r_cross[column]))
    };
    [element(0, 0), element(0, 1), element(1, 1)]
}

/// Inverse effective angular mass of one body about two axes.
pub(crate) fn angular_inverse_mass(axes: [Vec3; 2], inverse_inertia: &Mat3) -> [f64; 3] {
    let axes = axes.map(DVec3::from);
    let inverse_inertia = inverse_inertia.columns.map(DVec3::from);
    let element =
        |row: usize, column: usize| axes[row].dot(mul_columns(&inverse_inertia, axes[column]));
    [element(0, 0), element(0, 1), element(1, 1)]
}

/// Matrix, given by its columns, times vector.
fn mul_columns([a, b, c]: &[DVec3; 3], vector: DVec3) -> DVec3 {
    *a * vector.x + *b * vector.y + *c * vector.z
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_is_accurate_at_every_scale() {
        for scale in [1e-30_f32, 1.0, 1e30] {
            let [xx, xy, yy] = inverse_2x2([2.0 * scale, scale, 3.0 * scale]).unwrap();
            let expected = [0.6 / scale, -0.2 / scale, 0.4 / scale];
            for (value, expected) in [xx, xy, yy].into_iter().zip(expected) {
                assert!((value / expected - 1.0).abs() < 1e-5, "{value}, expected {expected}");
            }
        }
    }

    #[test]
    fn singular_matrix_has_no_inverse_but_a_pseudo_inverse() {
        assert_eq!(inverse_2x2([0.0; 3]), None);
        assert_eq!(pseudo_inverse_2x2([[0.0; 3]; 2]), [0.0; 3]);
        assert_eq!(inverse_2x2([4.0, 0.0, 0.0]), None);
        assert_eq!(pseudo_inverse_2x2([[4.0, 0.0, 0.0], [0.0; 3]]), [0.25, 0.0, 0.0]);
    }

    #[test]
    fn heavy_body_moves_where_a_light_one_is_locked() {
        // The light body has an inverse mass of 1e6 along (0.6, 0.8) and is locked across it; the
        // heavy one has 1e-6 along every direction.
        let light = [0.36e6, 0.48e6, 0.64e6];
        let [xx, xy, yy] = pseudo_inverse_2x2([light, [1e-6, 0.0, 1e-6]]);
        // Effective mass along (-0.8, 0.6).
        let across = 0.64 * xx - 2.0 * 0.48 * xy + 0.36 * yy;
        assert!((across / 1e6 - 1.0).abs() < 1e-2, "{across}");
    }
}
