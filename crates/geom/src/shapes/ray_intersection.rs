//! Where does a ray enter a solid?
//!
//! Computed in f64: far from a small shape, the squares of f32 would lose it.

use crate::{Ray, Vec3, Wide};

/// Where a ray enters a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeHit {
    /// Distance along the ray, in lengths of its direction.
    pub t: f32,
    /// Out of the shape where the ray enters it, of length 1; against the ray if it began inside.
    pub normal: Vec3,
}

/// A ray in f64.
#[derive(Clone, Copy, Debug)]
pub(super) struct WideRay {
    pub(super) origin: Wide,
    pub(super) direction: Wide,
}

/// The stretch of a line inside a convex solid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub(super) enter: f64,
    pub(super) leave: f64,
    /// Out of the solid at `enter`; of no meaning if that is infinite.
    pub(super) normal: Wide,
}

impl WideRay {
    /// `None` if the ray leads nowhere.
    pub(super) fn of(ray: &Ray<3>) -> Option<Self> {
        ray.leads_somewhere().then(|| Self {
            origin: Wide::from(Vec3::from(ray.origin)),
            direction: Wide::from(Vec3::from(ray.direction)),
        })
    }

    /// What of the stretch lies within the range of `ray`.
    pub(super) fn hit(&self, ray: &Ray<3>, stretch: Stretch) -> Option<ShapeHit> {
        let (t_min, t_max) = (f64::from(ray.t_min), f64::from(ray.t_max));
        let began_inside = stretch.enter < t_min;
        let t = if began_inside { t_min } else { stretch.enter };
        let normal = if began_inside { self.direction.unit() * -1.0 } else { stretch.normal };
        // So far along a direction so short that f32 has no number for it, there is no hit.
        let told = t as f32;
        (t <= t_max && t <= stretch.leave && told.is_finite())
            .then(|| ShapeHit { t: told, normal: normal.narrow() })
    }
}

impl Stretch {
    /// All of the line.
    pub(super) const WHOLE: Self =
        Self { enter: f64::NEG_INFINITY, leave: f64::INFINITY, normal: Wide::ZERO };

    /// What of it lies where `normal · p <= offset`, given both sides at the ray's origin and along its
    /// direction; `None` if nothing is left.
    pub(super) fn cut(mut self, above: f64, along: f64, normal: Wide) -> Option<Self> {
        // `above + t · along <= 0`.
        if along == 0.0 {
            return (above <= 0.0).then_some(self);
        }
        let t = -above / along;
        if along < 0.0 {
            if t > self.enter {
                (self.enter, self.normal) = (t, normal);
            }
        } else if t < self.leave {
            self.leave = t;
        }
        (self.enter <= self.leave).then_some(self)
    }

    /// What of a line lies within `radius` of the point `center`.
    pub(super) fn in_ball(ray: &WideRay, center: Wide, radius: f64) -> Option<Self> {
        let (from, along) = (ray.origin - center, ray.direction);
        let squared = along.dot(along);
        let middle = -from.dot(along) / squared;
        let nearest = from + along * middle;
        // A miss is the root of a negative number: NaN.
        let half = ((radius * radius - nearest.dot(nearest)) / squared).sqrt();
        let normal = (from + along * (middle - half)).unit();
        (half >= 0.0).then_some(Self { enter: middle - half, leave: middle + half, normal })
    }
}
