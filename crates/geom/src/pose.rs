//! Where is a body, and how is it turned?

use crate::{Mat3, Rotation, Vec3};

/// Takes points of a body's own frame into the world: turns, then moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// How the body is turned.
    pub rotation: Rotation,
    /// Where its origin is.
    pub position: Vec3,
}

impl Pose {
    /// At the origin, not turned.
    pub const IDENTITY: Self = Self { rotation: Rotation::IDENTITY, position: Vec3::ZERO };

    /// Moved, not turned.
    #[must_use]
    pub const fn at(position: Vec3) -> Self {
        Self { rotation: Rotation::IDENTITY, position }
    }

    /// Whether all numbers are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.position.is_finite() && self.rotation.to_array().iter().all(|c| c.is_finite())
    }

    /// A point of the body, in the world.
    #[inline]
    #[must_use]
    pub fn point(&self, local: Vec3) -> Vec3 {
        self.rotation.turn(local) + self.position
    }

    /// A point of the world, in the body's frame.
    #[inline]
    #[must_use]
    pub fn local_point(&self, world: Vec3) -> Vec3 {
        self.rotation.turn_back(world - self.position)
    }

    /// The same as matrix and offset, faster for many points.
    #[inline]
    #[must_use]
    pub fn frame(&self) -> Frame {
        Frame { axes: self.rotation.matrix(), origin: self.position }
    }

    /// The frame of `other` as seen from this one.
    ///
    /// Positions are subtracted before anything is turned: two bodies far from the origin and close to
    /// each other keep the precision of their distance.
    #[inline]
    #[must_use]
    pub fn seen(&self, other: &Self) -> Frame {
        let to_local = self.rotation.matrix().transposed();
        Frame {
            axes: to_local * other.rotation.matrix(),
            origin: to_local * (other.position - self.position),
        }
    }
}

/// A pose made ready for many points: the columns of `axes` are the axes of the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Turns.
    pub axes: Mat3,
    /// Then moves.
    pub origin: Vec3,
}

impl Frame {
    /// A point of this frame, outside of it.
    #[inline]
    #[must_use]
    pub fn point(&self, local: Vec3) -> Vec3 {
        self.axes * local + self.origin
    }

    /// A point outside, in this frame.
    #[inline]
    #[must_use]
    pub fn local_point(&self, outer: Vec3) -> Vec3 {
        self.axes.transposed_times(outer - self.origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_goes_out_and_comes_back() {
        let rotation = Rotation::about(Vec3::new(1.0, 2.0, 3.0), 0.7).unwrap();
        let pose = Pose { rotation, position: Vec3::new(5.0, -2.0, 1.0) };
        let point = Vec3::new(0.3, -0.4, 2.0);
        assert!((pose.local_point(pose.point(point)) - point).length() < 1e-6);
        let frame = pose.frame();
        assert!((frame.point(point) - pose.point(point)).length() < 1e-6);
        assert!((frame.local_point(frame.point(point)) - point).length() < 1e-6);
    }

    #[test]
    fn seen_from_one_another_far_from_the_origin_nothing_is_lost() {
        let turn = Rotation::about(Vec3::Z, 0.5).unwrap();
        let a = Pose { rotation: turn, position: Vec3::new(10_000.0, 0.0, 0.0) };
        let b = Pose { rotation: turn, position: Vec3::new(10_000.0, 0.125, 0.0) };
        let seen = a.seen(&b);
        assert!((seen.origin.length() - 0.125).abs() < 1e-7);
        assert!((seen.axes * Vec3::X - Vec3::X).length() < 1e-6);
    }
}
