//! Affine transform of a glTF node.

/// Affine transform in f64, so that a chain of nodes is rounded to f32 once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NodeTransform {
    /// Images of the three axes, then the translation.
    columns: [[f64; 3]; 4],
}

/// Allowed deviation of a matrix's last row from 0 0 0 1: exporters write it through f32.
const LAST_ROW_TOLERANCE: f64 = 1e-6;

impl NodeTransform {
    pub(crate) const IDENTITY: Self =
        Self { columns: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0; 3]] };

    /// From a 4×4 matrix in column-major order.
    pub(crate) fn from_columns(m: &[f64; 16]) -> Result<Self, &'static str> {
        let last_row = [m[3], m[7], m[11], m[15] - 1.0];
        if last_row.iter().any(|&number| number.abs() > LAST_ROW_TOLERANCE) {
            return Err("the last row of a node's matrix must be 0 0 0 1");
        }
        Ok(Self { columns: [0, 4, 8, 12].map(|first| [m[first], m[first + 1], m[first + 2]]) })
    }

    /// From translation, rotation (quaternion x y z w) and scale (TRS); the scale is applied first.
    pub(crate) fn from_trs(translation: [f64; 3], [x, y, z, w]: [f64; 4], scale: [f64; 3]) -> Self {
        let rotation = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
            [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
            [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
        ];
        let axis = |axis: usize| rotation[axis].map(|number| number * scale[axis]);
        Self { columns: [axis(0), axis(1), axis(2), translation] }
    }

    /// Composition: `inner` is applied first.
    pub(crate) fn compose(&self, inner: &Self) -> Self {
        let [x, y, z, translation] = inner.columns;
        Self {
            columns: [
                self.transform_vector(x),
                self.transform_vector(y),
                self.transform_vector(z),
                self.transform_point(translation),
            ],
        }
    }

    pub(crate) fn transform_point(&self, point: [f64; 3]) -> [f64; 3] {
        let rotated = self.transform_vector(point);
        let translation = self.columns[3];
        [rotated[0] + translation[0], rotated[1] + translation[1], rotated[2] + translation[2]]
    }

    /// Without the translation.
    fn transform_vector(&self, [px, py, pz]: [f64; 3]) -> [f64; 3] {
        let [x, y, z, _] = self.columns;
        [0, 1, 2].map(|axis| x[axis] * px + y[axis] * py + z[axis] * pz)
    }

    /// Whether the determinant is negative: the transform then reverses the winding of triangles.
    pub(crate) fn is_mirrored(&self) -> bool {
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
    fn quarter_turn_about_z_maps_x_to_y() {
        let half = 0.5_f64.sqrt();
        let rotation =
            NodeTransform::from_trs([0.0, 0.0, 5.0], [0.0, 0.0, half, half], [2.0, 1.0, 1.0]);
        let [x, y, z] = rotation.transform_point([1.0, 0.0, 0.0]);
        assert!(x.abs() < 1e-15 && (y - 2.0).abs() < 1e-15 && z == 5.0, "{x} {y} {z}");
        assert!(!rotation.is_mirrored());
    }

    #[test]
    fn composition_applies_the_inner_transform_first() {
        let translation = NodeTransform::from_trs([1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [1.0; 3]);
        let scale = NodeTransform::from_trs([0.0; 3], [0.0, 0.0, 0.0, 1.0], [-2.0, 2.0, 2.0]);
        assert_eq!(translation.compose(&scale).transform_point([1.0; 3]), [-1.0, 2.0, 2.0]);
        assert_eq!(scale.compose(&translation).transform_point([1.0; 3]), [-4.0, 2.0, 2.0]);
        assert!(scale.compose(&translation).is_mirrored());
    }
}
