//! A rounded rod along its own y axis.

use super::{
    InvalidShape, MAX_SIZE, MassProperties, Obb, ShapeHit, guarded_aabb,
    hit::{Stretch, WideRay},
    invalid::{checked_scale, checked_size},
    with_sign_of,
};
use crate::{Aabb, Ball, Mat3, Pose, Ray, Vec3, Wide};

/// All points up to a radius from the segment between `(0, −half_height, 0)` and `(0, half_height, 0)`.
///
/// ```
/// use embate_geom::{Vec3, shapes::Capsule};
///
/// let rod = Capsule::new(1.0, 0.25)?;
/// assert_eq!(rod.support(Vec3::Y), Vec3::new(0.0, 1.25, 0.0));
/// # Ok::<(), embate_geom::shapes::InvalidShape>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    half_height: f32,
    radius: f32,
}

impl Capsule {
    /// By half the length of its segment, which may be 0, and its radius.
    ///
    /// # Errors
    /// [`InvalidShape`] if one of them is NaN or out of range.
    pub fn new(half_height: f32, radius: f32) -> Result<Self, InvalidShape> {
        if !(0.0..=MAX_SIZE).contains(&half_height) {
            return Err(InvalidShape::HalfHeight { value: half_height });
        }
        // Adding 0 makes of −0 a 0.
        Ok(Self { half_height: half_height + 0.0, radius: checked_size("radius", radius)? })
    }

    /// Half the length of the segment, without the round ends.
    #[inline]
    #[must_use]
    pub const fn half_height(&self) -> f32 {
        self.half_height
    }

    /// From the segment to the surface.
    #[inline]
    #[must_use]
    pub const fn radius(&self) -> f32 {
        self.radius
    }

    /// The upper end of its segment; the lower is its opposite.
    #[inline]
    #[must_use]
    pub const fn tip(&self) -> Vec3 {
        Vec3::new(0.0, self.half_height, 0.0)
    }

    /// The point farthest along `direction`, which may have any length; without a direction, the one
    /// beside the upper end on the side of x.
    #[inline]
    #[must_use]
    pub fn support(&self, direction: Vec3) -> Vec3 {
        let end = Vec3::new(0.0, with_sign_of(self.half_height, direction.y), 0.0);
        end + direction.normalised().unwrap_or(Vec3::X) * self.radius
    }

    /// A box around it in the world.
    #[inline]
    #[must_use]
    pub fn aabb(&self, pose: &Pose) -> Aabb<3> {
        // By the axes, which have length 1 even where a rotation has drifted.
        let tip = (pose.rotation.matrix().columns[1] * self.half_height).abs();
        guarded_aabb(pose, pose.position, tip + Vec3::splat(self.radius))
    }
    /// What it weighs: a cylinder and two half-balls.
    #[must_use]
    pub fn mass_properties(&self) -> MassProperties {
        let (h, r) = (f64::from(self.half_height), f64::from(self.radius));
        let rod = 2.0 * core::f64::consts::PI * r * r * h;
        let ends = 4.0 / 3.0 * core::f64::consts::PI * r * r * r;
        let volume = rod + ends;
        // A half-ball's own centroid lies 3/8 r from its flat side.
        let about_axis = (rod * r * r / 2.0 + ends * 0.4 * r * r) / volume;
        let across = (rod * (h * h / 3.0 + r * r / 4.0)
            + ends * (0.4 * r * r + h * h + 0.75 * h * r))
            / volume;
        let (about_axis, across) = (about_axis as f32, across as f32);
        MassProperties {
            volume: volume as f32,
            centroid: Vec3::ZERO,
            inertia_per_mass: Mat3::diagonal(Vec3::new(across, about_axis, across)),
        }
    }

    /// The tightest box around it.
    #[must_use]
    pub fn obb(&self) -> Obb {
        let half = Vec3::new(self.radius, self.half_height + self.radius, self.radius);
        Obb { pose: Pose::IDENTITY, half }
    }

    /// The smallest sphere around it.
    #[must_use]
    pub fn bounding_sphere(&self) -> Ball<3> {
        let radius = (self.half_height + self.radius) * (1.0 + f32::EPSILON);
        Ball { center: [0.0; 3], radius }
    }

    /// Whether a point lies inside or on the surface; a NaN does not.
    #[must_use]
    pub fn contains(&self, point: Vec3) -> bool {
        let beyond = point.y.abs() - self.half_height;
        let off = Vec3::new(point.x, if beyond <= 0.0 { 0.0 } else { beyond }, point.z);
        Wide::from(off).length() <= f64::from(self.radius)
    }

    /// Where a ray enters it; where the ray begins, if that is inside.
    #[must_use]
    pub fn ray_hit(&self, ray: &Ray<3>) -> Option<ShapeHit> {
        let wide = WideRay::of(ray)?;
        let radius = f64::from(self.radius);
        let tip = Wide::from(self.tip());
        // It is convex: the stretch inside it runs from the first entry into a part to the last exit.
        let parts = [
            self.stretch_in_rod(&wide),
            Stretch::in_ball(&wide, tip, radius),
            Stretch::in_ball(&wide, tip * -1.0, radius),
        ];
        let stretch = parts.into_iter().flatten().reduce(|a, b| Stretch {
            leave: if a.leave > b.leave { a.leave } else { b.leave },
            ..if a.enter <= b.enter { a } else { b }
        })?;
        wide.hit(ray, stretch)
    }

    /// Inside the part without its round ends.
    fn stretch_in_rod(self, ray: &WideRay) -> Option<Stretch> {
        let up = Wide::from(Vec3::Y);
        let flat = |vector: Wide| Wide { y: 0.0, ..vector };
        let (from, along) = (flat(ray.origin), flat(ray.direction));
        let level = WideRay { origin: from, direction: along };
        let stretch = if along == Wide::ZERO {
            // Along the axis: the ends say where it enters.
            (from.length() <= f64::from(self.radius)).then_some(Stretch::WHOLE)
        } else {
            Stretch::in_ball(&level, Wide::ZERO, f64::from(self.radius))
        };
        let (height, rise) = (ray.origin.y, ray.direction.y);
        let half = f64::from(self.half_height);
        stretch?.cut(height - half, rise, up)?.cut(-height - half, -rise, up * -1.0)
    }

    /// Larger or smaller.
    ///
    /// # Errors
    /// [`InvalidShape`] if the factor is not a finite number above 0, or the result out of range.
    pub fn scaled(&self, factor: f32) -> Result<Self, InvalidShape> {
        let factor = checked_scale(factor)?;
        Self::new(self.half_height * factor, self.radius * factor)
    }
}
