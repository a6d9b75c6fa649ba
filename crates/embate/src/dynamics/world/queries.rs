//! World queries: ray cast, shape cast, overlap and closest body.
//!
//! Guarantee: every result equals, bit for bit, that of a loop over all bodies with their shapes at
//! their present poses. The [query tree](crate::dynamics::query_tree) only selects the candidates.
//! Queries never change the simulation.

use core::cmp::Ordering;

use embate_geom::shapes::SurfacePoint;
use embate_geom::{Aabb, Pose, Ray, Vec3, scalar};

use crate::dynamics::body::body_def::{BodyId, CollisionFilter};
use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::broad_phase::AABB_ROUNDING;
use crate::dynamics::world::World;
use crate::narrow_phase::{self, ClosestPoints, Sweep, TimeOfImpact};
use crate::shapes::{Cuboid, Shape};

/// Bound on the relative rounding error of distances and AABBs. Culling keeps every candidate
/// within this margin of the best result, so that rounding never discards a closer body.
const CULL_MARGIN_RATIO: f32 = 1e-3;

/// Selects the bodies that a query considers.
///
/// ```
/// use embate::dynamics::{CollisionFilter, QueryFilter};
///
/// const PLAYER: u32 = 0b100;
/// let all = QueryFilter::default();
/// let without_players =
///     QueryFilter { collision_filter: CollisionFilter { category: 1, mask: !PLAYER }, ..all };
/// ```
#[doc(alias = "Filter")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryFilter {
    /// Considers the bodies that would collide with a body of this filter. Default: all bodies.
    #[doc(alias = "groups")]
    pub collision_filter: CollisionFilter,
    /// Ignores this body, for instance the one that casts the ray. Default: none.
    #[doc(alias = "without")]
    pub exclude_body: Option<BodyId>,
    /// Whether sensors are considered. Default: `false`.
    #[doc(alias = "sensors")]
    pub include_sensors: bool,
}

impl Default for QueryFilter {
    fn default() -> Self {
        Self {
            collision_filter: CollisionFilter { category: u32::MAX, mask: u32::MAX },
            exclude_body: None,
            include_sensors: false,
        }
    }
}

/// Intersection of a ray with a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The body hit.
    pub body: BodyId,
    /// Ray parameter of the entry point, in lengths of the ray's direction.
    pub t: f32,
    /// Entry point in world space.
    pub point: Vec3,
    /// Outward unit normal of the body at the entry point; opposite to the ray if it starts inside.
    pub normal: Vec3,
}

/// Closest body to a point or shape.
#[doc(alias = "Near")]
#[doc(alias = "PointProjection")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestBody {
    /// The closest body.
    pub body: BodyId,
    /// Signed distance between the surfaces, in meters; negative: penetration depth.
    pub distance: f32,
    /// Witness point: the closest point on the body, in world space.
    pub point: Vec3,
    /// Unit vector from the query shape to the body.
    pub normal: Vec3,
}

/// Result of a shape cast.
#[doc(alias = "CastHit")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeCastHit {
    /// The body hit.
    pub body: BodyId,
    /// Time of impact as a fraction of the sweep, with normal and witness points; A is the cast
    /// shape, B the body. If they overlap at the start, it has the penetration depth.
    pub impact: TimeOfImpact,
}

impl World {
    /// Closest hit of a ray with any body; ties go to the lower body index.
    ///
    /// ```
    /// use embate::{Ray, Vec3, dynamics::{BodyDef, QueryFilter, Settings, World}, shapes::Sphere};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// let near = world.insert_body(BodyDef::fixed(Sphere::new(1.0)?).position(Vec3::X * 5.0))?;
    /// let far = world.insert_body(BodyDef::fixed(Sphere::new(1.0)?).position(Vec3::X * 9.0))?;
    /// let all = QueryFilter::default();
    /// let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0]);
    /// let hit = world.cast_ray(&ray, &all).unwrap();
    /// assert_eq!((hit.body, hit.t, hit.normal), (near, 4.0, -Vec3::X));
    ///
    /// let without_near = QueryFilter { exclude_body: Some(near), ..all };
    /// assert_eq!(world.cast_ray(&ray, &without_near).unwrap().body, far);
    /// assert_eq!(world.cast_ray_all(&ray, &all).len(), 2);
    /// assert!(world.cast_ray_any(&ray.with_range(0.0, 4.5), &all));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "ray")]
    #[doc(alias = "raycast")]
    #[doc(alias = "CastRayClosest")]
    #[must_use]
    pub fn cast_ray(&self, ray: &Ray<3>, filter: &QueryFilter) -> Option<RayHit> {
        let mut candidates = Vec::new();
        self.query_tree.bvh(&self.bodies).cast_ray_all(ray, &mut candidates);
        let mut closest: Option<RayHit> = None;
        for candidate in candidates {
            // Candidates are sorted by the entry into their AABB, which precedes the entry into the
            // body except for rounding.
            if closest.is_some_and(|closest| {
                candidate.t > closest.t + closest.t.abs() * CULL_MARGIN_RATIO
            }) {
                break;
            }
            if let Some(hit) = self.cast_ray_at_body(candidate.id, ray, filter)
                && closest.is_none_or(|closest| by_t_then_body(&hit, &closest) == Ordering::Less)
            {
                closest = Some(hit);
            }
        }
        closest
    }

    /// Whether a ray hits any body: occlusion or line-of-sight test.
    #[doc(alias = "ray_meets_any")]
    #[doc(alias = "occluded")]
    #[must_use]
    pub fn cast_ray_any(&self, ray: &Ray<3>, filter: &QueryFilter) -> bool {
        let mut candidates = Vec::new();
        self.query_tree.bvh(&self.bodies).cast_ray_all(ray, &mut candidates);
        candidates
            .iter()
            .any(|candidate| self.cast_ray_at_body(candidate.id, ray, filter).is_some())
    }

    /// First hit of a ray with each body, sorted by `t`; ties go to the lower body index.
    #[doc(alias = "ray_all")]
    #[doc(alias = "intersect_ray")]
    #[must_use]
    pub fn cast_ray_all(&self, ray: &Ray<3>, filter: &QueryFilter) -> Vec<RayHit> {
        let mut candidates = Vec::new();
        self.query_tree.bvh(&self.bodies).cast_ray_all(ray, &mut candidates);
        let hits = candidates
            .iter()
            .filter_map(|candidate| self.cast_ray_at_body(candidate.id, ray, filter));
        let mut hits: Vec<RayHit> = hits.collect();
        hits.sort_unstable_by(by_t_then_body);
        hits
    }

    /// Bodies that overlap a world-space AABB, by ascending body index.
    ///
    /// An AABB that is inverted, not finite, or without extent along an axis overlaps no body.
    #[doc(alias = "overlapping_box")]
    #[must_use]
    pub fn overlap_aabb(&self, aabb: &Aabb<3>, filter: &QueryFilter) -> Vec<BodyId> {
        let (min, max) = (Vec3::from(aabb.min), Vec3::from(aabb.max));
        Cuboid::from_min_max(min, max).map_or_else(
            |_| Vec::new(),
            |(pose, cuboid)| self.overlap_shape(&Shape::from(cuboid), &pose, filter),
        )
    }

    /// Bodies that overlap a shape, by ascending body index. A pose that is not finite overlaps
    /// none.
    ///
    /// ```
    /// use embate::{Pose, Vec3, shapes::{Shape, Sphere}};
    /// use embate::dynamics::{BodyDef, QueryFilter, Settings, World};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// let body = world.insert_body(BodyDef::fixed(Sphere::new(1.0)?).position(Vec3::X * 5.0))?;
    /// let blast = Shape::from(Sphere::new(3.0)?);
    /// let center = Pose::from_translation(Vec3::X * 2.0);
    /// assert_eq!(world.overlap_shape(&blast, &center, &QueryFilter::default()), [body]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "overlapping")]
    #[doc(alias = "intersect_shape")]
    #[must_use]
    pub fn overlap_shape(&self, shape: &Shape, pose: &Pose, filter: &QueryFilter) -> Vec<BodyId> {
        let mut candidates = Vec::new();
        self.query_tree.bvh(&self.bodies).query_aabb(&shape.aabb(pose), &mut candidates);
        candidates.sort_unstable();
        candidates.retain(|&index| {
            self.passes_filter(index, filter) && {
                let (body_shape, body_pose) = self.shape_and_pose(index);
                narrow_phase::intersects(shape, pose, body_shape, body_pose)
            }
        });
        candidates.into_iter().map(|index| self.bodies.id(BodyIndex(index))).collect()
    }

    /// Closest body to a point, by [`Shape::project_point`]. A point inside several bodies yields
    /// the one that it penetrates most. Ties go to the lower body index; `None` if the point is not
    /// finite or no body passes the filter.
    ///
    /// ```
    /// use embate::{Vec3, dynamics::{BodyDef, QueryFilter, Settings, World}, shapes::Sphere};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// let body = world.insert_body(BodyDef::fixed(Sphere::new(1.0)?).position(Vec3::X * 5.0))?;
    /// let closest = world.closest_body(Vec3::ZERO, &QueryFilter::default()).unwrap();
    /// assert_eq!(closest.body, body);
    /// assert_eq!((closest.distance, closest.point), (4.0, Vec3::X * 4.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "nearest")]
    #[doc(alias = "project_point")]
    #[must_use]
    pub fn closest_body(
        &self,
        point: impl Into<Vec3>,
        filter: &QueryFilter,
    ) -> Option<ClosestBody> {
        let point = point.into();
        if !point.is_finite() {
            return None;
        }
        let corner = point.to_array();
        let coordinate = point.abs().max_element();
        let (index, SurfacePoint { point, normal, distance, .. }) = self.closest_of_bodies(
            &Aabb { min: corner, max: corner },
            coordinate * AABB_ROUNDING,
            filter,
            |index| {
                let (shape, pose) = self.shape_and_pose(index);
                shape.project_point(pose, point)
            },
            |projection| projection.distance,
        )?;
        let body = self.bodies.id(BodyIndex(index));
        Some(ClosestBody { body, distance, point, normal: -normal })
    }

    /// Closest body to a shape. Ties go to the lower body index; `None` if the pose is not finite
    /// or no body passes the filter.
    #[doc(alias = "nearest_to")]
    #[must_use]
    pub fn closest_body_to_shape(
        &self,
        shape: &Shape,
        pose: &Pose,
        filter: &QueryFilter,
    ) -> Option<ClosestBody> {
        if !pose.is_finite() {
            return None;
        }
        let aabb = shape.aabb(pose);
        let [x, y, z] = aabb.extents();
        let size = scalar::max(scalar::max(x, y), z);
        let (index, ClosestPoints { distance, normal, points }) = self.closest_of_bodies(
            &aabb,
            size * CULL_MARGIN_RATIO,
            filter,
            |index| {
                let (body_shape, body_pose) = self.shape_and_pose(index);
                narrow_phase::closest_points(shape, pose, body_shape, body_pose)
            },
            |points| points.distance,
        )?;
        let body = self.bodies.id(BodyIndex(index));
        Some(ClosestBody { body, distance, point: points[1], normal })
    }

    /// Body of the least distance, with the result of `measure` for it. `aabb` contains the query
    /// shape, except for rounding errors of at most `rounding` meters.
    fn closest_of_bodies<T: Copy>(
        &self,
        aabb: &Aabb<3>,
        rounding: f32,
        filter: &QueryFilter,
        measure: impl Fn(u32) -> T,
        distance: impl Fn(&T) -> f32,
    ) -> Option<(u32, T)> {
        let bvh = self.query_tree.bvh(&self.bodies);
        // Some nearby body bounds the distance; then every body within that bound is tested.
        let center = core::array::from_fn(|axis| 0.5 * aabb.min[axis] + 0.5 * aabb.max[axis]);
        let (mut count, mut neighbors) = (1, Vec::new());
        let nearby_body = loop {
            neighbors.clear();
            bvh.k_nearest(&center, count, &mut neighbors);
            let passing = neighbors.iter().find(|neighbor| self.passes_filter(neighbor.id, filter));
            if passing.is_some() || neighbors.len() < count {
                break passing?.id;
            }
            count *= 4;
        };
        let max_distance = scalar::max(distance(&measure(nearby_body)), 0.0);
        let margin = max_distance * CULL_MARGIN_RATIO + rounding;
        let mut candidates = Vec::new();
        bvh.query_aabb(&aabb.loosened(max_distance + margin), &mut candidates);
        candidates.sort_unstable();
        let mut closest: Option<(u32, T)> = None;
        for index in candidates.into_iter().filter(|&index| self.passes_filter(index, filter)) {
            let measured = measure(index);
            if closest.is_none_or(|(_, closest)| distance(&measured) < distance(&closest)) {
                closest = Some((index, measured));
            }
        }
        closest
    }

    /// Shape cast: the first body that a moving shape hits, with all bodies at rest. Ties go to the
    /// lower body index; `None` if the sweep is not finite.
    ///
    /// ```
    /// use embate::{Pose, Vec3, narrow_phase::Sweep, shapes::{Shape, Sphere}};
    /// use embate::dynamics::{BodyDef, QueryFilter, Settings, World};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// let wall = world.insert_body(BodyDef::fixed(Sphere::new(1.0)?).position(Vec3::X * 5.0))?;
    /// let sphere = Shape::from(Sphere::new(1.0)?);
    /// let sweep = Sweep::linear(Pose::IDENTITY, Vec3::X * 10.0);
    /// let hit = world.cast_shape(&sphere, &sweep, &QueryFilter::default()).unwrap();
    /// assert_eq!(hit.body, wall);
    /// assert!((hit.impact.fraction - 0.3).abs() < 1e-4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "cast")]
    #[doc(alias = "sweep_test")]
    #[must_use]
    pub fn cast_shape(
        &self,
        shape: &Shape,
        sweep: &Sweep,
        filter: &QueryFilter,
    ) -> Option<ShapeCastHit> {
        let mut candidates = Vec::new();
        self.query_tree.bvh(&self.bodies).query_aabb(&sweep_aabb(shape, sweep)?, &mut candidates);
        candidates.sort_unstable();
        let mut first: Option<(u32, TimeOfImpact)> = None;
        for index in candidates.into_iter().filter(|&index| self.passes_filter(index, filter)) {
            let (body_shape, body_pose) = self.shape_and_pose(index);
            let at_rest = Sweep::stationary(*body_pose);
            if let Some(impact) =
                narrow_phase::time_of_impact(shape, sweep, body_shape, &at_rest, 0.0)
                && first.is_none_or(|(_, first)| impact.fraction < first.fraction)
            {
                first = Some((index, impact));
            }
        }
        first.map(|(index, impact)| ShapeCastHit { body: self.bodies.id(BodyIndex(index)), impact })
    }

    fn passes_filter(&self, index: u32, filter: &QueryFilter) -> bool {
        let body = self.bodies.data(BodyIndex(index));
        body.collision_filter.should_collide(filter.collision_filter)
            && (filter.include_sensors || !body.sensor)
            && filter.exclude_body != Some(self.bodies.id(BodyIndex(index)))
    }

    fn shape_and_pose(&self, index: u32) -> (&Shape, &Pose) {
        (&self.bodies.data(BodyIndex(index)).shape, self.bodies.pose(BodyIndex(index)))
    }

    fn cast_ray_at_body(&self, index: u32, ray: &Ray<3>, filter: &QueryFilter) -> Option<RayHit> {
        if !self.passes_filter(index, filter) {
            return None;
        }
        let (shape, pose) = self.shape_and_pose(index);
        let hit = shape.cast_ray(pose, ray)?;
        let point = Vec3::from(ray.origin) + Vec3::from(ray.direction) * hit.t;
        Some(RayHit { body: self.bodies.id(BodyIndex(index)), t: hit.t, point, normal: hit.normal })
    }
}

fn by_t_then_body(a: &RayHit, b: &RayHit) -> Ordering {
    a.t.total_cmp(&b.t).then(a.body.cmp(&b.body))
}

/// AABB of a shape over its whole sweep; `None` if the sweep is not finite. A rotating shape is
/// bounded by a sphere around its center of rotation.
fn sweep_aabb(shape: &Shape, sweep: &Sweep) -> Option<Aabb<3>> {
    let end = sweep.start.position + sweep.translation;
    if !(sweep.start.is_finite() && end.is_finite() && sweep.rotation_vector.is_finite()) {
        return None;
    }
    let start_aabb = match shape.bounding_sphere() {
        Some(sphere) if sweep.rotation_vector != Vec3::ZERO => {
            let radius = (Vec3::from(sphere.center) - sweep.local_center).length() + sphere.radius;
            let center = sweep.start.transform_point(sweep.local_center).to_array();
            Aabb { min: center, max: center }.loosened(radius * (1.0 + CULL_MARGIN_RATIO))
        }
        _ => shape.aabb(&sweep.start),
    };
    let mut end_aabb = start_aabb;
    for axis in 0..3 {
        end_aabb.min[axis] += sweep.translation[axis];
        end_aabb.max[axis] += sweep.translation[axis];
    }
    let distance = sweep.translation.abs().max_element();
    Some(start_aabb.merged(&end_aabb).loosened(distance * f32::EPSILON * 4.0))
}
