//! What does a camera see?

use core::f32::consts::PI;

use crate::{ConvexRegion, HalfSpace, Ray, scalar};

/// A pinhole camera. What it sees is a frustum: a pyramid cut near its tip and at its far end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Where it is.
    pub eye: [f32; 3],
    /// A point it looks at.
    pub at: [f32; 3],
    /// Roughly upwards; any length.
    pub up: [f32; 3],
    /// The angle between the upper and the lower border, in radians.
    pub vertical_fov: f32,
    /// Width over height.
    pub aspect: f32,
    /// Nothing nearer than this along the line of sight is seen.
    pub near: f32,
    /// Nor anything further than this.
    pub far: f32,
}

impl View {
    /// What is seen, as six half-spaces: near, far, left, right, below, above.
    ///
    /// `None` if nothing can be: the camera looks nowhere or straight along `up`, the angle is not
    /// between 0 and π, the aspect is not positive, `near` is not less than `far`, or one is not finite.
    #[must_use]
    pub fn frustum(&self) -> Option<ConvexRegion<3>> {
        let [right, up, ahead] = self.axes()?;
        if !(self.near < self.far && self.near.is_finite() && self.far.is_finite()) {
            return None;
        }
        let (sin, cos) = scalar::sin_cos(self.vertical_fov * 0.5);
        let along = |distance: f32| -> [f32; 3] {
            core::array::from_fn(|axis| self.eye[axis] + ahead[axis] * distance)
        };
        // The side borders hold the eye; each leans outwards by half the angle.
        let side = |outwards: [f32; 3], sign: f32, sin: f32| {
            let normal =
                core::array::from_fn(|axis| sign * outwards[axis] * cos - ahead[axis] * sin);
            HalfSpace::through(&self.eye, normal)
        };
        Some(ConvexRegion::new(vec![
            HalfSpace::through(&along(self.near), ahead.map(|c| -c)),
            HalfSpace::through(&along(self.far), ahead),
            side(right, -1.0, sin * self.aspect),
            side(right, 1.0, sin * self.aspect),
            side(up, -1.0, sin),
            side(up, 1.0, sin),
        ]))
    }

    /// The rays of a picture of so many pixels, if anything can be seen: `near`, `far` and `aspect` do not count,
    /// the picture has an aspect of its own.
    #[must_use]
    pub fn pixel_rays(&self, width: u32, height: u32) -> Option<PixelRays> {
        let view = Self { aspect: width as f32 / height as f32, ..*self };
        let [right, up, ahead] = view.axes()?;
        let (sin, cos) = scalar::sin_cos(self.vertical_fov * 0.5);
        let tan = sin / cos;
        Some(PixelRays {
            eye: self.eye,
            across: right.map(|c| c * tan * view.aspect),
            down: up.map(|c| -c * tan),
            ahead,
            size: [width as f32, height as f32],
        })
    }

    /// To the right, upwards and ahead, each of length 1.
    fn axes(&self) -> Option<[[f32; 3]; 3]> {
        let ahead = unit(core::array::from_fn(|axis| self.at[axis] - self.eye[axis]))?;
        let right = unit(cross(ahead, unit(self.up)?))?;
        let sane = self.vertical_fov > 0.0
            && self.vertical_fov < PI
            && self.aspect > 0.0
            && self.aspect.is_finite();
        sane.then(|| [right, cross(right, ahead), ahead])
    }
}

/// One ray for each pixel of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PixelRays {
    eye: [f32; 3],
    /// From the middle of the picture to its right border, at distance 1.
    across: [f32; 3],
    /// From the middle to its lower border.
    down: [f32; 3],
    ahead: [f32; 3],
    size: [f32; 2],
}

impl PixelRays {
    /// Through the middle of a pixel; rows count from the top.
    #[must_use]
    pub fn ray(&self, column: u32, row: u32) -> Ray<3> {
        let across = (column as f32 + 0.5) / self.size[0] * 2.0 - 1.0;
        let down = (row as f32 + 0.5) / self.size[1] * 2.0 - 1.0;
        let direction = core::array::from_fn(|axis| {
            self.ahead[axis] + self.across[axis] * across + self.down[axis] * down
        });
        Ray::new(self.eye, direction)
    }
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The same direction with length 1; `None` for no direction.
fn unit(v: [f32; 3]) -> Option<[f32; 3]> {
    // Scaled first: squares of lengths beyond 1e19 or below 1e-19 would leave the range of f32.
    let largest = v.into_iter().map(f32::abs).fold(0.0, scalar::max);
    if !(largest > 0.0 && v.iter().all(|c| c.is_finite())) {
        return None;
    }
    let v = v.map(|c| c / largest);
    let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    Some(v.map(|c| c / length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Aabb;

    const VIEW: View = View {
        eye: [0.0, 0.0, 10.0],
        at: [0.0; 3],
        up: [0.0, 2.0, 0.0],
        vertical_fov: PI / 2.0,
        aspect: 2.0,
        near: 1.0,
        far: 20.0,
    };

    #[test]
    fn a_camera_sees_what_is_before_it_and_within_its_angles() {
        let frustum = VIEW.frustum().unwrap();
        let sees =
            |x: f32, y: f32, z: f32| frustum.may_reach(&Aabb { min: [x, y, z], max: [x, y, z] });
        assert!(sees(0.0, 0.0, 0.0));
        assert!(sees(0.0, 9.9, 0.0) && !sees(0.0, 10.1, 0.0), "45° upwards");
        assert!(sees(-19.9, 0.0, 0.0) && !sees(-20.1, 0.0, 0.0), "twice as far sideways");
        assert!(sees(0.0, 0.0, 8.9) && !sees(0.0, 0.0, 9.1), "near");
        assert!(sees(0.0, 0.0, -9.9) && !sees(0.0, 0.0, -10.1), "far");
        assert!(!sees(0.0, 0.0, 11.0), "behind");
    }

    #[test]
    fn pixels_are_counted_from_the_upper_left_and_seen_through_their_middles() {
        let rays = VIEW.pixel_rays(4, 2).unwrap();
        let near = |a: [f32; 3], b: [f32; 3]| (0..3).all(|axis| (a[axis] - b[axis]).abs() < 1e-6);
        assert_eq!(rays.ray(0, 0).origin, VIEW.eye);
        // 45° upwards at the border, twice as far sideways.
        assert!(near(rays.ray(0, 0).direction, [-1.5, 0.5, -1.0]));
        assert!(near(rays.ray(3, 1).direction, [1.5, -0.5, -1.0]));
        assert!(View { at: VIEW.eye, ..VIEW }.pixel_rays(4, 2).is_none());
        assert!(VIEW.pixel_rays(4, 0).is_none());
    }

    #[test]
    fn a_camera_that_can_see_nothing_has_no_frustum() {
        let blind = [
            View { at: VIEW.eye, ..VIEW },
            View { up: [0.0, 0.0, 1.0], ..VIEW },
            View { vertical_fov: 0.0, ..VIEW },
            View { vertical_fov: PI, ..VIEW },
            View { aspect: f32::NAN, ..VIEW },
            View { near: 20.0, ..VIEW },
            View { far: f32::INFINITY, ..VIEW },
            View { eye: [f32::NAN; 3], ..VIEW },
        ];
        assert!(blind.iter().all(|view| view.frustum().is_none()));
    }
}
