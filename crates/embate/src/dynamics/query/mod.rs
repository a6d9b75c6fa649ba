//! Queries of the bodies: ray cast, shape cast, overlap and closest body.
//!
//! Guarantee: every result equals, bit for bit, that of a loop over all bodies with their shapes at
//! their present poses. The [query tree](query_tree) only selects the candidates.

pub(crate) mod query_tree;

use core::cmp::Ordering;

use embate_geom::shapes::PointProjection;
use embate_geom::{Aabb, Pose, Ray, Vec3, scalar};

use crate::broad_phase::DynamicBvh;
use crate::dynamics::body::body_def::{BodyId, CollisionFilter};
use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::broad_phase::AABB_ROUNDING;
use crate::dynamics::query::query_tree::QueryTree;
use crate::narrow_phase::{self, ClosestPoints, Sweep, TimeOfImpact};
use crate::shapes::Shape;

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

/// Bodies that a query considers: those of a world that pass a filter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query<'a> {
    pub(crate) bodies: &'a BodySet,
    pub(crate) tree: &'a QueryTree,
    pub(crate) filter: &'a QueryFilter,
}

impl<'a> Query<'a> {
    /// Closest hit of a ray; ties go to the lower body index.
    pub(crate) fn cast_ray(&self, ray: &Ray<3>) -> Option<RayHit> {
        let mut closest: Option<RayHit> = None;
        for (t, body) in self.along_ray(ray) {
            // Candidates are sorted by the entry into their AABB, which precedes the entry into the
            // body except for rounding.
            if closest.is_some_and(|closest| t > closest.t + closest.t.abs() * CULL_MARGIN_RATIO) {
                break;
            }
            if let Some(hit) = self.cast_ray_at_body(body, ray)
                && closest.is_none_or(|closest| by_t_then_body(&hit, &closest) == Ordering::Less)
            {
                closest = Some(hit);
            }
        }
        closest
    }

    /// Whether a ray hits any body.
    pub(crate) fn cast_ray_any(&self, ray: &Ray<3>) -> bool {
        self.along_ray(ray).any(|(_, body)| self.cast_ray_at_body(body, ray).is_some())
    }

    /// First hit of a ray with each body, sorted by `t`; ties go to the lower body index.
    pub(crate) fn cast_ray_all(&self, ray: &Ray<3>) -> Vec<RayHit> {
        let hits = self.along_ray(ray).filter_map(|(_, body)| self.cast_ray_at_body(body, ray));
        let mut hits: Vec<RayHit> = hits.collect();
        hits.sort_unstable_by(by_t_then_body);
        hits
    }

    /// Bodies that overlap a shape, by ascending body index.
    pub(crate) fn overlap_shape(&self, shape: &Shape, pose: &Pose) -> Vec<BodyId> {
        let mut candidates = self.in_aabb(&shape.aabb(pose));
        candidates.retain(|&index| {
            let (body_shape, body_pose) = self.shape_and_pose(index);
            narrow_phase::intersects(shape, pose, body_shape, body_pose)
        });
        candidates.into_iter().map(|index| self.bodies.id(index)).collect()
    }

    /// Closest body to a point; `None` if the point is not finite or no body passes the filter.
    pub(crate) fn closest_body(&self, point: Vec3) -> Option<ClosestBody> {
        if !point.is_finite() {
            return None;
        }
        let corner = point.to_array();
        let coordinate = point.abs().max_element();
        let (index, PointProjection { point, normal, distance, .. }) = self.closest_of_bodies(
            &Aabb { min: corner, max: corner },
            coordinate * AABB_ROUNDING,
            |index| {
                let (shape, pose) = self.shape_and_pose(index);
                shape.project_point(pose, point)
            },
            |projection| projection.distance,
        )?;
        Some(ClosestBody { body: self.bodies.id(index), distance, point, normal: -normal })
    }

    /// Closest body to a shape; `None` if the pose is not finite or no body passes the filter.
    pub(crate) fn closest_body_to_shape(&self, shape: &Shape, pose: &Pose) -> Option<ClosestBody> {
        if !pose.is_finite() {
            return None;
        }
        let aabb = shape.aabb(pose);
        let [x, y, z] = aabb.extents();
        let size = scalar::max(scalar::max(x, y), z);
        let (index, ClosestPoints { distance, normal, points }) = self.closest_of_bodies(
            &aabb,
            size * CULL_MARGIN_RATIO,
            |index| {
                let (body_shape, body_pose) = self.shape_and_pose(index);
                narrow_phase::closest_points(shape, pose, body_shape, body_pose)
            },
            |points| points.distance,
        )?;
        Some(ClosestBody { body: self.bodies.id(index), distance, point: points[1], normal })
    }

    /// First body that a moving shape hits, with all bodies at rest; `None` if the sweep is not
    /// finite. Ties go to the lower body index.
    pub(crate) fn cast_shape(&self, shape: &Shape, sweep: &Sweep) -> Option<ShapeCastHit> {
        let mut first: Option<(BodyIndex, TimeOfImpact)> = None;
        for index in self.in_aabb(&sweep_aabb(shape, sweep)?) {
            let (body_shape, body_pose) = self.shape_and_pose(index);
            let at_rest = Sweep::stationary(*body_pose);
            if let Some(impact) =
                narrow_phase::time_of_impact(shape, sweep, body_shape, &at_rest, 0.0)
                && first.is_none_or(|(_, first)| impact.fraction < first.fraction)
            {
                first = Some((index, impact));
            }
        }
        first.map(|(index, impact)| ShapeCastHit { body: self.bodies.id(index), impact })
    }

    /// Body of the least distance, with the result of `measure` for it. `aabb` contains the query
    /// shape, except for rounding errors of at most `rounding` meters.
    fn closest_of_bodies<T: Copy>(
        &self,
        aabb: &Aabb<3>,
        rounding: f32,
        measure: impl Fn(BodyIndex) -> T,
        distance: impl Fn(&T) -> f32,
    ) -> Option<(BodyIndex, T)> {
        // Some nearby body bounds the distance; then every body within that bound is tested.
        let center = core::array::from_fn(|axis| 0.5 * aabb.min[axis] + 0.5 * aabb.max[axis]);
        let (mut count, mut neighbors) = (1, Vec::new());
        let nearby_body = loop {
            neighbors.clear();
            self.bvh().k_nearest(&center, count, &mut neighbors);
            let mut indices = neighbors.iter().map(|neighbor| BodyIndex(neighbor.id));
            let passing = indices.find(|&index| self.passes_filter(index));
            if passing.is_some() || neighbors.len() < count {
                break passing?;
            }
            count *= 4;
        };
        let max_distance = scalar::max(distance(&measure(nearby_body)), 0.0);
        let margin = max_distance * CULL_MARGIN_RATIO + rounding;
        let mut closest: Option<(BodyIndex, T)> = None;
        for index in self.in_aabb(&aabb.loosened(max_distance + margin)) {
            let measured = measure(index);
            if closest.is_none_or(|(_, closest)| distance(&measured) < distance(&closest)) {
                closest = Some((index, measured));
            }
        }
        closest
    }

    fn bvh(&self) -> &'a DynamicBvh<3> {
        self.tree.bvh(self.bodies)
    }

    /// Bodies whose AABB a ray hits, with the `t` at which it enters the AABB, by ascending `t`.
    fn along_ray(&self, ray: &Ray<3>) -> impl Iterator<Item = (f32, BodyIndex)> + use<> {
        let mut candidates = Vec::new();
        self.bvh().cast_ray_all(ray, &mut candidates);
        candidates.into_iter().map(|candidate| (candidate.t, BodyIndex(candidate.id)))
    }

    /// Bodies that pass the filter and whose AABB overlaps `aabb`, in ascending order.
    fn in_aabb(&self, aabb: &Aabb<3>) -> Vec<BodyIndex> {
        let mut candidates = Vec::new();
        self.bvh().query_aabb(aabb, &mut candidates);
        candidates.sort_unstable();
        let indices = candidates.into_iter().map(BodyIndex);
        indices.filter(|&index| self.passes_filter(index)).collect()
    }

    fn passes_filter(&self, index: BodyIndex) -> bool {
        let (body, filter) = (self.bodies.data(index), self.filter);
        body.collision_filter.should_collide(filter.collision_filter)
            && (filter.include_sensors || !body.sensor)
            && filter.exclude_body != Some(self.bodies.id(index))
    }

    fn shape_and_pose(&self, index: BodyIndex) -> (&'a Shape, &'a Pose) {
        (&self.bodies.data(index).shape, self.bodies.pose(index))
    }

    fn cast_ray_at_body(&self, index: BodyIndex, ray: &Ray<3>) -> Option<RayHit> {
        if !self.passes_filter(index) {
            return None;
        }
        let (shape, pose) = self.shape_and_pose(index);
        let hit = shape.cast_ray(pose, ray)?;
        let point = Vec3::from(ray.origin) + Vec3::from(ray.direction) * hit.t;
        Some(RayHit { body: self.bodies.id(index), t: hit.t, point, normal: hit.normal })
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
