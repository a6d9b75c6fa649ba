//! How does a body move from time 0 to time 1, and where is it in between?

use embate_geom::{Mat3, Pose, Rotation, Vec3, Wide, scalar};

/// An even motion: a point of the body moves along a line, and the body turns about that point.
///
/// ```
/// use embate::{Pose, Vec3, contacts::Motion};
///
/// let thrown = Motion::new(Pose::IDENTITY, Vec3::new(3.0, 0.0, 0.0), Vec3::Z);
/// assert_eq!(thrown.at(0.5).position, Vec3::new(1.5, 0.0, 0.0));
/// assert_eq!(Motion::resting(Pose::IDENTITY).at(1.0), Pose::IDENTITY);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Where the body is at time 0.
    pub start: Pose,
    /// How far the point at [`centre`](Self::centre) moves until time 1, in the world.
    pub velocity: Vec3,
    /// The axis about which the body turns, in the world, as long as the angle in radians by which it has
    /// turned at time 1.
    pub spin: Vec3,
    /// The point about which it turns, in the body's own frame: its centre of mass, if it flies freely.
    pub centre: Vec3,
}

impl Motion {
    /// Moves, and turns about its origin.
    #[must_use]
    pub const fn new(start: Pose, velocity: Vec3, spin: Vec3) -> Self {
        Self { start, velocity, spin, centre: Vec3::ZERO }
    }

    /// Stays where it is.
    #[must_use]
    pub const fn resting(start: Pose) -> Self {
        Self::new(start, Vec3::ZERO, Vec3::ZERO)
    }

    /// Moves without turning.
    #[must_use]
    pub const fn sliding(start: Pose, velocity: Vec3) -> Self {
        Self::new(start, velocity, Vec3::ZERO)
    }

    /// From one pose to another, turning the shorter way about its origin.
    ///
    /// ```
    /// use embate::{Pose, Rotation, Vec3, contacts::Motion};
    ///
    /// let end = Pose { rotation: Rotation::about(Vec3::Y, 1.0).unwrap(), position: Vec3::X };
    /// let motion = Motion::between(Pose::IDENTITY, &end);
    /// assert!((motion.spin - Vec3::Y).length() < 1e-6);
    /// assert_eq!(motion.velocity, Vec3::X);
    /// ```
    #[must_use]
    pub fn between(start: Pose, end: &Pose) -> Self {
        let [x, y, z, w] = (end.rotation * start.rotation.inverse()).to_array().map(f64::from);
        // Of both quaternions that mean this turn, the one of the shorter way.
        let sign = if w < 0.0 { -1.0 } else { 1.0 };
        let axis = Wide::new(x, y, z) * sign;
        let sine = axis.length();
        let spin = if sine > 0.0 {
            axis * (2.0 * scalar::atan2_wide(sine, w * sign) / sine)
        } else {
            Wide::ZERO
        };
        Self::new(start, end.position - start.position, spin.narrow())
    }

    /// How it moves, wherever it starts, as bits: to put two of them in order.
    pub(super) fn bits(&self) -> [[u32; 3]; 3] {
        [self.velocity, self.spin, self.centre].map(|vector| vector.to_array().map(f32::to_bits))
    }

    /// Where the body is at a time.
    #[must_use]
    pub fn at(&self, time: f32) -> Pose {
        if self.spin == Vec3::ZERO {
            return Pose { position: self.start.position + self.velocity * time, ..self.start };
        }
        let path = Path::new(self);
        let axes = path.axes_at(f64::from(time));
        let centre = path.centre + path.velocity * f64::from(time);
        let position = centre - axes.times(Wide::from(self.centre));
        let columns = axes.columns.map(Wide::narrow);
        Pose { rotation: Rotation::from_axes(&Mat3 { columns }), position: position.narrow() }
    }

    /// Whether all numbers are usable.
    pub(super) fn in_range(&self) -> bool {
        let small = |vector: Vec3| vector.abs().largest() <= 1e18 && vector.is_finite();
        super::in_range(&self.start)
            && small(self.velocity)
            && small(self.spin)
            && small(self.centre)
    }
}

/// Three axes in f64, square to each other and of length 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axes {
    pub(super) columns: [Wide; 3],
}

impl Axes {
    pub(super) const IDENTITY: Self = Self {
        columns: [Wide::new(1.0, 0.0, 0.0), Wide::new(0.0, 1.0, 0.0), Wide::new(0.0, 0.0, 1.0)],
    };

    /// The turn that an f32 quaternion means: brought to length 1 in f64.
    pub(super) fn of(rotation: Rotation) -> Self {
        let [x, y, z, w] = rotation.to_array().map(f64::from);
        let twice = 2.0 / (x * x + y * y + z * z + w * w);
        let (xx, yy, zz) = (twice * x * x, twice * y * y, twice * z * z);
        let (xy, xz, yz) = (twice * x * y, twice * x * z, twice * y * z);
        let (wx, wy, wz) = (twice * w * x, twice * w * y, twice * w * z);
        Self {
            columns: [
                Wide::new(1.0 - yy - zz, xy + wz, xz - wy),
                Wide::new(xy - wz, 1.0 - xx - zz, yz + wx),
                Wide::new(xz + wy, yz - wx, 1.0 - xx - yy),
            ],
        }
    }

    #[inline]
    pub(super) fn times(&self, vector: Wide) -> Wide {
        let [x, y, z] = self.columns;
        x * vector.x + y * vector.y + z * vector.z
    }

    #[inline]
    pub(super) fn transposed_times(&self, vector: Wide) -> Wide {
        let [x, y, z] = self.columns;
        Wide::new(x.dot(vector), y.dot(vector), z.dot(vector))
    }

    pub(super) fn times_axes(&self, other: &Self) -> Self {
        Self { columns: other.columns.map(|column| self.times(column)) }
    }
}

/// A motion in f64.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    /// Where the point is at time 0 about which it turns.
    pub(super) centre: Wide,
    pub(super) velocity: Wide,
    pub(super) spin: Spin,
    axes: Axes,
}

impl Path {
    pub(super) fn new(motion: &Motion) -> Self {
        let axes = Axes::of(motion.start.rotation);
        Self {
            centre: Wide::from(motion.start.position) + axes.times(Wide::from(motion.centre)),
            velocity: Wide::from(motion.velocity),
            spin: Spin::new(Wide::from(motion.spin)),
            axes,
        }
    }

    /// Takes directions of the body into the world.
    pub(super) fn axes_at(&self, time: f64) -> Axes {
        if self.spin.rate == 0.0 {
            return self.axes;
        }
        let turn = self.spin.over(time);
        Axes { columns: self.axes.columns.map(|column| turn.turned(column)) }
    }

    /// A direction of the world, in the body's frame.
    #[inline]
    pub(super) fn turned_back(&self, time: f64, direction: Wide) -> Wide {
        let direction =
            if self.spin.rate == 0.0 { direction } else { self.spin.over(-time).turned(direction) };
        self.axes.transposed_times(direction)
    }
}

/// An even turning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spin {
    /// Axis times rate.
    pub(super) vector: Wide,
    /// Of length 1, or zero.
    axis: Wide,
    /// Radians in a unit of time.
    pub(super) rate: f64,
}

impl Spin {
    pub(super) const NONE: Self = Self { vector: Wide::ZERO, axis: Wide::ZERO, rate: 0.0 };

    pub(super) fn new(vector: Wide) -> Self {
        let rate = vector.length();
        if rate > 0.0 { Self { vector, axis: vector * (1.0 / rate), rate } } else { Self::NONE }
    }

    /// The turn of some time.
    #[inline]
    pub(super) fn over(&self, time: f64) -> Turn {
        let (sine, cosine) = scalar::sin_cos_wide(self.rate * time);
        Turn { axis: self.axis, sine, cosine }
    }
}

/// A turn about an axis of length 1 (Rodrigues).
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    axis: Wide,
    sine: f64,
    cosine: f64,
}

impl Turn {
    #[inline]
    pub(super) fn turned(&self, vector: Wide) -> Wide {
        let along = self.axis * (self.axis.dot(vector) * (1.0 - self.cosine));
        vector * self.cosine + self.axis.cross(vector) * self.sine + along
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_turns_about_its_centre() {
        let quarter = core::f32::consts::FRAC_PI_2;
        let motion = Motion {
            centre: Vec3::X,
            ..Motion::new(Pose::IDENTITY, Vec3::new(0.0, 0.0, 2.0), Vec3::Z * quarter)
        };
        let end = motion.at(1.0);
        assert!((end.point(Vec3::X) - Vec3::new(1.0, 0.0, 2.0)).length() < 1e-6);
        assert!((end.point(Vec3::ZERO) - Vec3::new(1.0, -1.0, 2.0)).length() < 1e-6);
    }

    #[test]
    fn a_motion_between_two_poses_ends_at_the_second() {
        let pose = |angle: f32, x: f32| Pose {
            rotation: Rotation::about(Vec3::new(1.0, -2.0, 0.5), angle).unwrap(),
            position: Vec3::new(x, 1.0, -x),
        };
        for (from, to) in [(0.0, 3.0), (0.3, 0.3), (-1.0, 2.0), (3.0, -3.0), (6.0, 0.1)] {
            let (start, end) = (pose(from, 1.0), pose(to, 4.0));
            let reached = Motion::between(start, &end).at(1.0);
            for point in Vec3::AXES {
                assert!((reached.point(point) - end.point(point)).length() < 3e-6, "{from} {to}");
            }
        }
    }
}
