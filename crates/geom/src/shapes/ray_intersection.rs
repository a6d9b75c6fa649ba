//! Ray casts against convex solids: the interval of the ray inside the solid, clipped part by part.
//!
//! Computed in f64: at 1,000 radii from a small shape, squares in f32 would lose it.

use crate::{DVec3, Ray, Vec3};

/// Entry of a ray into a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "ShapeHit")]
pub struct RayIntersection {
    /// Ray parameter of the entry, in units of the direction's length.
    #[doc(alias = "time_of_impact")]
    pub t: f32,
    /// Outward unit normal at the entry; opposite to the ray if it starts inside.
    pub normal: Vec3,
}

/// Ray in f64.
#[derive(Clone, Copy, Debug)]
pub(super) struct RayF64 {
    pub(super) origin: DVec3,
    pub(super) direction: DVec3,
}

/// Interval of ray parameters inside a convex solid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    pub(super) enter: f64,
    pub(super) exit: f64,
    /// Outward normal at `enter`; undefined if `enter` is infinite.
    pub(super) normal: DVec3,
}

impl RayF64 {
    /// `None` if the ray is not [valid](Ray::is_valid).
    pub(super) fn new(ray: &Ray<3>) -> Option<Self> {
        ray.is_valid().then(|| Self {
            origin: DVec3::from(Vec3::from(ray.origin)),
            direction: DVec3::from(Vec3::from(ray.direction)),
        })
    }

    /// First parameter of `inside` within the range of `ray`.
    pub(super) fn first_hit(&self, ray: &Ray<3>, inside: Interval) -> Option<RayIntersection> {
        let (t_min, t_max) = (f64::from(ray.t_min), f64::from(ray.t_max));
        let starts_inside = inside.enter < t_min;
        let t = if starts_inside { t_min } else { inside.enter };
        let normal = if starts_inside { self.direction.normalize() * -1.0 } else { inside.normal };
        // A short direction can put the hit beyond the range of f32: then there is none.
        let rounded_t = t as f32;
        (t <= t_max && t <= inside.exit && rounded_t.is_finite())
            .then(|| RayIntersection { t: rounded_t, normal: normal.as_vec3() })
    }
}

impl Interval {
    /// The whole line.
    pub(super) const WHOLE_LINE: Self =
        Self { enter: f64::NEG_INFINITY, exit: f64::INFINITY, normal: DVec3::ZERO };

    /// Intersection with the half-space of outward `normal` whose signed distance along the ray is
    /// `distance + t · slope`; `None` if it is empty.
    pub(super) fn clip(mut self, distance: f64, slope: f64, normal: DVec3) -> Option<Self> {
        if slope == 0.0 {
            return (distance <= 0.0).then_some(self);
        }
        let t = -distance / slope;
        if slope < 0.0 {
            if t > self.enter {
                (self.enter, self.normal) = (t, normal);
            }
        } else if t < self.exit {
            self.exit = t;
        }
        (self.enter <= self.exit).then_some(self)
    }

    /// Interval of the line within `radius` of `center`.
    pub(super) fn in_sphere(ray: &RayF64, center: DVec3, radius: f64) -> Option<Self> {
        let (from, along) = (ray.origin - center, ray.direction);
        let length_squared = along.dot(along);
        let midpoint = -from.dot(along) / length_squared;
        let nearest = from + along * midpoint;
        // A miss is the square root of a negative number: NaN.
        let half = ((radius * radius - nearest.dot(nearest)) / length_squared).sqrt();
        let normal = (from + along * (midpoint - half)).normalize();
        (half >= 0.0).then_some(Self { enter: midpoint - half, exit: midpoint + half, normal })
    }
}
