//! How does a pull along a light link shake it?
//!
//! A link of mass m and length l under the tension T swings to and fro across it with ω² = 4·T / m·l, like a string.
//! A sub-step follows that only while h·ω < 2; beyond, a chain of light links that carries a car would shake itself to
//! pieces. So what the pull adds to the stiffness against bending is damped as an implicit step would, and only
//! where it is too fast (Andrews et al. 2017, "Geometric Stiffness for Real-time Constrained Multibody Dynamics").

use embate_geom::Vec3;

use super::row::Row;

/// The pull of a joint, and where it acts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strain {
    /// The impulse on B in the last sub-step.
    pub(super) on_b: Vec3,
    pub(super) arms: [Vec3; 2],
    /// Of a rod: from A to B, and how long it is.
    pub(super) rod: Option<(Vec3, f32)>,
}

impl Strain {
    /// Directions that the pull makes stiff, and how stiff: h² times newtons a metre, or newton metres a radian.
    pub(super) fn calms(&self, h: f32) -> [Option<(Row, f32)>; 3] {
        if let Some((along, length)) = self.rod {
            let tension = -self.on_b.dot(along);
            let across = along.any_perpendicular();
            let stiff = h * tension / length;
            let row = |way: Vec3| {
                (stiff > 0.0).then(|| (Row::moving(way, self.arms[0], self.arms[1]), stiff))
            };
            return [row(across), row(along.cross(across)), None];
        }
        // A force F at the end of an arm r turns a body back by at most ½(r·F + |r||F|) a radian.
        let pull = self.on_b.length();
        let back = |arm: Vec3, impulse: Vec3| 0.5 * (arm.dot(impulse) + arm.length() * pull);
        let stiff = h * (back(self.arms[0], -self.on_b) + back(self.arms[1], self.on_b));
        Vec3::AXES.map(|axis| (stiff > 0.0).then(|| (Row::turning(axis), stiff)))
    }
}
