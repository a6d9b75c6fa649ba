//! What is where in a world: on the way of a ray, within a shape, nearest to a point?
//!
//! Every question is answered by the bodies' own shapes, as they are now; a tree of boxes says which of them to
//! ask. The answers are those of a plain loop over all bodies, to the bit.

use core::cmp::Ordering;

use embate_geom::shapes::{MIN_SIZE, Sphere};
use embate_geom::{Aabb, Pose, Ray, Vec3, scalar};

use super::body::{BodyId, Groups};
use super::world::World;
use crate::contacts::{self, Impact, Motion, Separation};
use crate::shapes::{Cuboid, Shape};

/// Distances, and boxes, are right within this share of the sizes involved: what may be nearer is asked, too.
const GUARD: f32 = 1e-3;

/// Which bodies a question is about.
///
/// ```
/// use embate::motion::{Filter, Groups};
///
/// let all = Filter::default();
/// let not_the_player = Filter { groups: Groups { of: 1, with: !0b100 }, ..all };
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Those that a body of these groups would touch; all.
    pub groups: Groups,
    /// But not this one: whoever asks.
    pub without: Option<BodyId>,
    /// Whether sensors count; no.
    pub sensors: bool,
}

impl Default for Filter {
    fn default() -> Self {
        Self { groups: Groups { of: u32::MAX, with: u32::MAX }, without: None, sensors: false }
    }
}

/// A body on the way of a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Which.
    pub body: BodyId,
    /// Where the ray enters it, in lengths of the ray's direction.
    pub t: f32,
    /// The same in the world.
    pub point: Vec3,
    /// Out of the body there, of length 1; against the ray if it began inside.
    pub normal: Vec3,
}

/// A body near a shape or a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// Which.
    pub body: BodyId,
    /// Between the surfaces; below 0, how deep they are in each other.
    pub distance: f32,
    /// The nearest point of the body, in the world.
    pub point: Vec3,
    /// From what was asked about to the body, of length 1.
    pub normal: Vec3,
}

/// A body on the way of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastHit {
    /// Which.
    pub body: BodyId,
    /// When, from 0 to 1, and where; A is the shape that moves, B the body.
    pub impact: Impact,
}

impl World {
    /// The first body that a ray meets.
    ///
    /// ```
    /// use embate::{Ray, Vec3, motion::{BodyPlan, Filter, Settings, World}, shapes::Sphere};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// let near = world.add(BodyPlan::still(Sphere::new(1.0)?).at(Vec3::X * 5.0))?;
    /// let far = world.add(BodyPlan::still(Sphere::new(1.0)?).at(Vec3::X * 9.0))?;
    /// let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0]);
    /// let hit = world.ray(&ray, &Filter::default()).unwrap();
    /// assert_eq!((hit.body, hit.t, hit.normal), (near, 4.0, -Vec3::X));
    ///
    /// let behind = Filter { without: Some(near), ..Filter::default() };
    /// assert_eq!(world.ray(&ray, &behind).unwrap().body, far);
    /// assert_eq!(world.ray_all(&ray, &Filter::default()).len(), 2);
    /// assert!(world.ray_meets_any(&ray.within(0.0, 4.5), &Filter::default()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ray(&self, ray: &Ray<3>, filter: &Filter) -> Option<RayHit> {
        let mut crossed = Vec::new();
        self.asked.tree(&self.bodies).along_ray(ray, &mut crossed);
        let mut first: Option<RayHit> = None;
        for crossing in crossed {
            // A box is entered before the body in it, but for rounding.
            if first.is_some_and(|first| crossing.t > first.t + first.t.abs() * GUARD) {
                break;
            }
            if let Some(hit) = self.hit(crossing.id, ray, filter)
                && first.is_none_or(|first| order(&hit, &first) == Ordering::Less)
            {
                first = Some(hit);
            }
        }
        first
    }

    /// Whether a ray meets a body at all: is something in sight, or in the way?
    #[must_use]
    pub fn ray_meets_any(&self, ray: &Ray<3>, filter: &Filter) -> bool {
        let mut crossed = Vec::new();
        self.asked.tree(&self.bodies).along_ray(ray, &mut crossed);
        crossed.iter().any(|crossing| self.hit(crossing.id, ray, filter).is_some())
    }

    /// Every body that a ray meets, each once, where it enters; the first first.
    #[must_use]
    pub fn ray_all(&self, ray: &Ray<3>, filter: &Filter) -> Vec<RayHit> {
        let mut crossed = Vec::new();
        self.asked.tree(&self.bodies).along_ray(ray, &mut crossed);
        let hits = crossed.iter().filter_map(|crossing| self.hit(crossing.id, ray, filter));
        let mut hits: Vec<RayHit> = hits.collect();
        hits.sort_unstable_by(order);
        hits
    }

    /// Every body that a box of the world touches, in the order of their places.
    ///
    /// A box without thickness, upside down or not finite touches nobody.
    #[must_use]
    pub fn overlapping_box(&self, bounds: &Aabb<3>, filter: &Filter) -> Vec<BodyId> {
        let (min, max) = (Vec3::from(bounds.min), Vec3::from(bounds.max));
        Cuboid::from_corners(min, max).map_or_else(
            |_| Vec::new(),
            |(pose, cuboid)| self.overlapping(&Shape::from(cuboid), &pose, filter),
        )
    }

    /// Every body that a shape would touch there, in the order of their places.
    ///
    /// ```
    /// use embate::{Pose, Vec3, motion::{BodyPlan, Filter, Settings, World}, shapes::{Shape, Sphere}};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// let ball = world.add(BodyPlan::still(Sphere::new(1.0)?).at(Vec3::X * 5.0))?;
    /// let blast = Shape::from(Sphere::new(3.0)?);
    /// let hurt = world.overlapping(&blast, &Pose::at(Vec3::X * 2.0), &Filter::default());
    /// assert_eq!(hurt, [ball]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn overlapping(&self, shape: &Shape, pose: &Pose, filter: &Filter) -> Vec<BodyId> {
        let mut near = Vec::new();
        self.asked.tree(&self.bodies).overlapping_box(&shape.aabb(pose), &mut near);
        near.sort_unstable();
        near.retain(|&place| {
            self.passes(place, filter) && {
                let (other, at) = self.shape_of(place);
                contacts::touching(shape, pose, other, at)
            }
        });
        near.into_iter().map(|place| self.bodies.id(place as usize)).collect()
    }

    /// The body nearest to a point, and where it is nearest; of equal ones, that of the least place. A point
    /// inside a body is nearest to the one that it is deepest in.
    ///
    /// ```
    /// use embate::{Vec3, motion::{BodyPlan, Filter, Settings, World}, shapes::Sphere};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// let ball = world.add(BodyPlan::still(Sphere::new(1.0)?).at(Vec3::X * 5.0))?;
    /// let near = world.nearest(Vec3::ZERO, &Filter::default()).unwrap();
    /// assert_eq!(near.body, ball);
    /// assert!((near.distance - 4.0).abs() < 1e-4 && (near.point - Vec3::X * 4.0).length() < 1e-4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn nearest(&self, point: Vec3, filter: &Filter) -> Option<Near> {
        let grain = Sphere::new(MIN_SIZE).ok()?;
        let near = self.nearest_to(&Shape::from(grain), &Pose::at(point), filter)?;
        Some(Near { distance: near.distance + MIN_SIZE, ..near })
    }

    /// The body nearest to a shape there; of equal ones, that of the least place.
    #[must_use]
    pub fn nearest_to(&self, shape: &Shape, pose: &Pose, filter: &Filter) -> Option<Near> {
        if !pose.is_finite() {
            return None;
        }
        let tree = self.asked.tree(&self.bodies);
        // Somebody near, then all that may be nearer.
        let bounds = shape.aabb(pose);
        let middle = core::array::from_fn(|axis| 0.5 * bounds.min[axis] + 0.5 * bounds.max[axis]);
        let (mut count, mut found) = (1, Vec::new());
        let somebody = loop {
            found.clear();
            tree.nearest(&middle, count, &mut found);
            let passes = found.iter().find(|neighbour| self.passes(neighbour.id, filter));
            if passes.is_some() || found.len() < count {
                break passes?.id;
            }
            count *= 4;
        };
        let reach = scalar::max(self.apart(shape, pose, somebody).distance, 0.0);
        let [x, y, z] = bounds.size();
        let size = scalar::max(scalar::max(x, y), z) + reach;
        let mut near = Vec::new();
        tree.overlapping_box(&bounds.grown(reach + size * GUARD), &mut near);
        near.sort_unstable();
        let mut nearest: Option<(u32, Separation)> = None;
        for place in near.into_iter().filter(|&place| self.passes(place, filter)) {
            let apart = self.apart(shape, pose, place);
            if nearest.is_none_or(|(_, nearest)| apart.distance < nearest.distance) {
                nearest = Some((place, apart));
            }
        }
        let (place, Separation { distance, normal_ab: normal, points }) = nearest?;
        let body = self.bodies.id(place as usize);
        Some(Near { body, distance, point: points[1], normal })
    }

    /// The first body that a moving shape meets; of equal times, that of the least place. The bodies stand
    /// still meanwhile.
    ///
    /// ```
    /// use embate::contacts::Motion;
    /// use embate::{Pose, Vec3, motion::{BodyPlan, Filter, Settings, World}, shapes::{Shape, Sphere}};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// let wall = world.add(BodyPlan::still(Sphere::new(1.0)?).at(Vec3::X * 5.0))?;
    /// let ball = Shape::from(Sphere::new(1.0)?);
    /// let flies = Motion::sliding(Pose::IDENTITY, Vec3::X * 10.0);
    /// let hit = world.cast(&ball, &flies, &Filter::default()).unwrap();
    /// assert_eq!(hit.body, wall);
    /// assert!((hit.impact.time - 0.3).abs() < 1e-4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cast(&self, shape: &Shape, motion: &Motion, filter: &Filter) -> Option<CastHit> {
        let mut near = Vec::new();
        self.asked.tree(&self.bodies).overlapping_box(&swept(shape, motion)?, &mut near);
        near.sort_unstable();
        let mut first: Option<(u32, Impact)> = None;
        for place in near.into_iter().filter(|&place| self.passes(place, filter)) {
            let (other, at) = self.shape_of(place);
            let rests = Motion::resting(*at);
            if let Some(impact) = contacts::time_of_impact(shape, motion, other, &rests, 0.0)
                && first.is_none_or(|(_, first)| impact.time < first.time)
            {
                first = Some((place, impact));
            }
        }
        first.map(|(place, impact)| CastHit { body: self.bodies.id(place as usize), impact })
    }

    fn passes(&self, place: u32, filter: &Filter) -> bool {
        let nature = self.bodies.nature(place as usize);
        nature.groups.touch(filter.groups)
            && (filter.sensors || !nature.sensor)
            && filter.without != Some(self.bodies.id(place as usize))
    }

    fn shape_of(&self, place: u32) -> (&Shape, &Pose) {
        (&self.bodies.nature(place as usize).shape, &self.bodies.poses[place as usize])
    }

    fn apart(&self, shape: &Shape, pose: &Pose, place: u32) -> Separation {
        let (other, at) = self.shape_of(place);
        contacts::separation(shape, pose, other, at)
    }

    fn hit(&self, place: u32, ray: &Ray<3>, filter: &Filter) -> Option<RayHit> {
        if !self.passes(place, filter) {
            return None;
        }
        let (shape, pose) = self.shape_of(place);
        let hit = shape.ray_hit(pose, ray)?;
        let point = Vec3::from(ray.origin) + Vec3::from(ray.direction) * hit.t;
        Some(RayHit { body: self.bodies.id(place as usize), t: hit.t, point, normal: hit.normal })
    }
}

/// The earlier first; of equal ones, that of the least place.
fn order(one: &RayHit, other: &RayHit) -> Ordering {
    one.t.total_cmp(&other.t).then(one.body.cmp(&other.body))
}

/// A box around a shape on all of its way; `None` for a motion that is not finite.
fn swept(shape: &Shape, motion: &Motion) -> Option<Aabb<3>> {
    let end = motion.start.position + motion.velocity;
    if !(motion.start.is_finite() && end.is_finite() && motion.spin.is_finite()) {
        return None;
    }
    let around = match shape.bounding_sphere() {
        Some(ball) if motion.spin != Vec3::ZERO => {
            let reach = (Vec3::from(ball.center) - motion.centre).length() + ball.radius;
            let center = motion.start.point(motion.centre).to_array();
            Aabb { min: center, max: center }.grown(reach * (1.0 + GUARD))
        }
        _ => shape.aabb(&motion.start),
    };
    let mut there = around;
    for axis in 0..3 {
        there.min[axis] += motion.velocity[axis];
        there.max[axis] += motion.velocity[axis];
    }
    let way = motion.velocity.abs().largest();
    Some(around.joined(&there).grown(way * f32::EPSILON * 4.0))
}
