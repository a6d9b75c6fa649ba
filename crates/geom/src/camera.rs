//! Pinhole camera: view frustum and primary rays.

use core::f32::consts::PI;

use crate::{ConvexVolume, Plane, Ray, scalar};

/// Pinhole camera.
#[doc(alias = "View")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Position.
    pub eye: [f32; 3],
    /// Point in the center of the image.
    #[doc(alias = "at")]
    pub target: [f32; 3],
    /// Approximate up direction; any length.
    pub up: [f32; 3],
    /// Vertical field of view in radians.
    pub vertical_fov: f32,
    /// Aspect ratio: width / height.
    pub aspect: f32,
    /// Distance of the near plane.
    pub near: f32,
    /// Distance of the far plane.
    pub far: f32,
}

impl Camera {
    /// View frustum as six planes: near, far, left, right, bottom, top.
    ///
    /// `None` if the camera is degenerate: `target` equals `eye` or lies along `up`, the field of
    /// view is not between 0 and π, the aspect ratio is not positive, `near` is not less than
    /// `far`, or a value is not finite.
    #[must_use]
    pub fn frustum(&self) -> Option<ConvexVolume<3>> {
        let [right, up, ahead] = self.axes()?;
        if !(self.near < self.far && self.near.is_finite() && self.far.is_finite()) {
            return None;
        }
        let (sin, cos) = scalar::sin_cos(self.vertical_fov * 0.5);
        let along = |distance: f32| -> [f32; 3] {
            core::array::from_fn(|axis| self.eye[axis] + ahead[axis] * distance)
        };
        // The side planes contain the eye; each leans outward by half the field of view.
        let side = |outward: [f32; 3], sign: f32, sin: f32| {
            let normal =
                core::array::from_fn(|axis| sign * outward[axis] * cos - ahead[axis] * sin);
            Plane::from_point_normal(&self.eye, normal)
        };
        Some(ConvexVolume::new(vec![
            Plane::from_point_normal(&along(self.near), ahead.map(|c| -c)),
            Plane::from_point_normal(&along(self.far), ahead),
            side(right, -1.0, sin * self.aspect),
            side(right, 1.0, sin * self.aspect),
            side(up, -1.0, sin),
            side(up, 1.0, sin),
        ]))
    }

    /// Primary rays of an image of `width` × `height` pixels; `None` for a degenerate camera.
    /// `near`, `far` and `aspect` are ignored: the image has its own aspect ratio.
    #[must_use]
    #[doc(alias = "pixel_rays")]
    pub fn primary_rays(&self, width: u32, height: u32) -> Option<PrimaryRays> {
        let camera = Self { aspect: width as f32 / height as f32, ..*self };
        let [right, up, ahead] = camera.axes()?;
        let (sin, cos) = scalar::sin_cos(self.vertical_fov * 0.5);
        let tan = sin / cos;
        Some(PrimaryRays {
            eye: self.eye,
            across: right.map(|c| c * tan * camera.aspect),
            down: up.map(|c| -c * tan),
            ahead,
            size: [width as f32, height as f32],
        })
    }

    /// Unit vectors right, up and ahead.
    fn axes(&self) -> Option<[[f32; 3]; 3]> {
        let ahead = unit(core::array::from_fn(|axis| self.target[axis] - self.eye[axis]))?;
        let right = unit(cross(ahead, unit(self.up)?))?;
        let is_valid = self.vertical_fov > 0.0
            && self.vertical_fov < PI
            && self.aspect > 0.0
            && self.aspect.is_finite();
        is_valid.then(|| [right, cross(right, ahead), ahead])
    }
}

/// Primary rays of an image, one per pixel.
#[doc(alias = "PixelRays")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrimaryRays {
    eye: [f32; 3],
    /// From the center of the image to its right border, at distance 1.
    across: [f32; 3],
    /// From the center to its lower border, at distance 1.
    down: [f32; 3],
    ahead: [f32; 3],
    size: [f32; 2],
}

impl PrimaryRays {
    /// Ray through the center of a pixel; row 0 is the top.
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

/// Unit vector; `None` for zero or non-finite vectors.
fn unit(v: [f32; 3]) -> Option<[f32; 3]> {
    // Scaled first: squares of lengths above 1e19 or below 1e-19 would leave the range of f32.
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

    const CAMERA: Camera = Camera {
        eye: [0.0, 0.0, 10.0],
        target: [0.0; 3],
        up: [0.0, 2.0, 0.0],
        vertical_fov: PI / 2.0,
        aspect: 2.0,
        near: 1.0,
        far: 20.0,
    };

    #[test]
    fn frustum_contains_points_within_its_six_planes() {
        let frustum = CAMERA.frustum().unwrap();
        let contains = |x: f32, y: f32, z: f32| {
            frustum.intersects_aabb(&Aabb { min: [x, y, z], max: [x, y, z] })
        };
        assert!(contains(0.0, 0.0, 0.0));
        assert!(contains(0.0, 9.9, 0.0) && !contains(0.0, 10.1, 0.0), "45° up");
        assert!(contains(-19.9, 0.0, 0.0) && !contains(-20.1, 0.0, 0.0), "aspect ratio 2");
        assert!(contains(0.0, 0.0, 8.9) && !contains(0.0, 0.0, 9.1), "near");
        assert!(contains(0.0, 0.0, -9.9) && !contains(0.0, 0.0, -10.1), "far");
        assert!(!contains(0.0, 0.0, 11.0), "behind");
    }

    #[test]
    fn primary_rays_pass_through_pixel_centers_from_the_top_left() {
        let rays = CAMERA.primary_rays(4, 2).unwrap();
        let near = |a: [f32; 3], b: [f32; 3]| (0..3).all(|axis| (a[axis] - b[axis]).abs() < 1e-6);
        assert_eq!(rays.ray(0, 0).origin, CAMERA.eye);
        // 45° up at the border, twice as far sideways.
        assert!(near(rays.ray(0, 0).direction, [-1.5, 0.5, -1.0]));
        assert!(near(rays.ray(3, 1).direction, [1.5, -0.5, -1.0]));
        assert!(Camera { target: CAMERA.eye, ..CAMERA }.primary_rays(4, 2).is_none());
        assert!(CAMERA.primary_rays(4, 0).is_none());
    }

    #[test]
    fn degenerate_cameras_have_no_frustum() {
        let degenerate = [
            Camera { target: CAMERA.eye, ..CAMERA },
            Camera { up: [0.0, 0.0, 1.0], ..CAMERA },
            Camera { vertical_fov: 0.0, ..CAMERA },
            Camera { vertical_fov: PI, ..CAMERA },
            Camera { aspect: f32::NAN, ..CAMERA },
            Camera { near: 20.0, ..CAMERA },
            Camera { far: f32::INFINITY, ..CAMERA },
            Camera { eye: [f32::NAN; 3], ..CAMERA },
        ];
        assert!(degenerate.iter().all(|camera| camera.frustum().is_none()));
    }
}
