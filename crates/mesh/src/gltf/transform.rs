//! Where does a node put its points?

/// A linear map and a shift, in f64 so that a chain of nodes is rounded to f32 once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Affine {
    /// The images of the three axes, then of the origin.
    columns: [[f64; 3]; 4],
}

/// How far the last row of a matrix may be from 0 0 0 1: exporters write it through f32.
const LAST_ROW_TOLERANCE: f64 = 1e-6;

impl Affine {
    pub(crate) const IDENTITY: Self =
        Self { columns: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0; 3]] };

    /// From sixteen numbers, column by column, as glTF writes a matrix.
    pub(crate) fn from_columns(m: &[f64; 16]) -> Result<Self, &'static str> {
        let last_row = [m[3], m[7], m[11], m[15] - 1.0];
        if last_row.iter().any(|&number| number.abs() > LAST_ROW_TOLERANCE) {
            return Err("the last row of a node's matrix must be 0 0 0 1");
        }
        Ok(Self { columns: [0, 4, 8, 12].map(|first| [m[first], m[first + 1], m[first + 2]]) })
    }

    /// Scales, then turns by the quaternion x y z w, then shifts.
    pub(crate) fn from_parts(shift: [f64; 3], [x, y, z, w]: [f64; 4], scale: [f64; 3]) -> Self {
        let turned = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
            [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
            [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
        ];
        let axis = |axis: usize| turned[axis].map(|number| number * scale[axis]);
        Self { columns: [axis(0), axis(1), axis(2), shift] }
    }

    /// The map that applies `inner` first.
    pub(crate) fn after(&self, inner: &Self) -> Self {
        let [x, y, z, origin] = inner.columns;
        Self { columns: [self.linear(x), self.linear(y), self.linear(z), self.point(origin)] }
    }

    pub(crate) fn point(&self, point: [f64; 3]) -> [f64; 3] {
        let moved = self.linear(point);
        let shift = self.columns[3];
        [moved[0] + shift[0], moved[1] + shift[1], moved[2] + shift[2]]
    }

    fn linear(&self, [px, py, pz]: [f64; 3]) -> [f64; 3] {
        let [x, y, z, _] = self.columns;
        [0, 1, 2].map(|axis| x[axis] * px + y[axis] * py + z[axis] * pz)
    }

    /// A map that mirrors turns triangles inside out.
    pub(crate) fn mirrors(&self) -> bool {
        let [a, b, c, _] = self.columns;
        let determinant = a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1])
            + c[0] * (a[1] * b[2] - a[2] * b[1]);
        determinant < 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_about_z_takes_x_to_y() {
        let half = 0.5_f64.sqrt();
        let turn = Affine::from_parts([0.0, 0.0, 5.0], [0.0, 0.0, half, half], [2.0, 1.0, 1.0]);
        let [x, y, z] = turn.point([1.0, 0.0, 0.0]);
        assert!(x.abs() < 1e-15 && (y - 2.0).abs() < 1e-15 && z == 5.0, "{x} {y} {z}");
        assert!(!turn.mirrors());
    }

    #[test]
    fn the_inner_map_comes_first() {
        let shift = Affine::from_parts([1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [1.0; 3]);
        let scale = Affine::from_parts([0.0; 3], [0.0, 0.0, 0.0, 1.0], [-2.0, 2.0, 2.0]);
        assert_eq!(shift.after(&scale).point([1.0; 3]), [-1.0, 2.0, 2.0]);
        assert_eq!(scale.after(&shift).point([1.0; 3]), [-4.0, 2.0, 2.0]);
        assert!(scale.after(&shift).mirrors());
    }
}
