//! Geometric stiffness: damping of the transverse oscillation of light links under tension.
//!
//! A link of mass m and length l under the tension T oscillates transversely with ω² = 4·T / m·l,
//! like a string. A sub-step is stable only while h·ω < 2; beyond that, a chain of light links that
//! carries a car would shake itself to pieces. Therefore the stiffness that the tension adds
//! against bending is damped as an implicit step would, and only where it is too fast for the
//! sub-step (Andrews et al. 2017, "Geometric Stiffness for Real-time Constrained Multibody
//! Dynamics").

use embate_geom::Vec3;

use crate::dynamics::joint::jacobian_row::JacobianRow;

/// A row whose oscillation is damped, and its stiffness.
#[derive(Clone, Copy, Debug)]
pub(super) struct DampingRow {
    pub(super) row: JacobianRow,
    /// h² times the stiffness in N/m or N·m/rad.
    pub(super) stiffness: f32,
}

/// Anchors of a distance joint as seen from A to B.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rod {
    pub(super) direction: Vec3,
    pub(super) length: f32,
}

/// Tension of a joint, and where it acts.
#[derive(Clone, Copy, Debug)]
pub(super) struct GeometricStiffness {
    /// Impulse on B in the last sub-step.
    pub(super) impulse_on_b: Vec3,
    pub(super) anchors: [Vec3; 2],
    /// Only for distance joints.
    pub(super) rod: Option<Rod>,
}

impl GeometricStiffness {
    /// Directions that the tension makes stiff.
    pub(super) fn damping_rows(&self, h: f32) -> [Option<DampingRow>; 3] {
        if let Some(Rod { direction, length }) = self.rod {
            let tension = -self.impulse_on_b.dot(direction);
            let across = direction.any_orthonormal_vector();
            let stiffness = h * tension / length;
            let row = |direction: Vec3| {
                (stiffness > 0.0).then(|| DampingRow {
                    row: JacobianRow::linear(direction, self.anchors[0], self.anchors[1]),
                    stiffness,
                })
            };
            return [row(across), row(direction.cross(across)), None];
        }
        // A force F at the end of an arm r has an angular stiffness of at most ½(r·F + |r||F|).
        let force = self.impulse_on_b.length();
        let angular =
            |anchor: Vec3, impulse: Vec3| 0.5 * (anchor.dot(impulse) + anchor.length() * force);
        let stiffness = h
            * (angular(self.anchors[0], -self.impulse_on_b)
                + angular(self.anchors[1], self.impulse_on_b));
        Vec3::AXES.map(|axis| {
            (stiffness > 0.0).then(|| DampingRow { row: JacobianRow::angular(axis), stiffness })
        })
    }
}
