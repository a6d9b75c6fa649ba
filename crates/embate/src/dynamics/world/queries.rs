//! World queries: the public methods of [`query`](crate::dynamics::query). Queries never change the
//! simulation.

use embate_geom::{Aabb, Pose, Ray, Vec3};

use crate::dynamics::body::body_def::BodyId;
use crate::dynamics::query::{ClosestBody, Query, QueryFilter, RayHit, ShapeCastHit};
use crate::dynamics::world::World;
use crate::narrow_phase::Sweep;
use crate::shapes::{Cuboid, Shape};

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
        self.query(filter).cast_ray(ray)
    }

    /// Whether a ray hits any body: occlusion or line-of-sight test.
    #[doc(alias = "ray_meets_any")]
    #[doc(alias = "occluded")]
    #[must_use]
    pub fn cast_ray_any(&self, ray: &Ray<3>, filter: &QueryFilter) -> bool {
        self.query(filter).cast_ray_any(ray)
    }

    /// First hit of a ray with each body, sorted by `t`; ties go to the lower body index.
    #[doc(alias = "ray_all")]
    #[doc(alias = "intersect_ray")]
    #[must_use]
    pub fn cast_ray_all(&self, ray: &Ray<3>, filter: &QueryFilter) -> Vec<RayHit> {
        self.query(filter).cast_ray_all(ray)
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
        self.query(filter).overlap_shape(shape, pose)
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
        self.query(filter).closest_body(point.into())
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
        self.query(filter).closest_body_to_shape(shape, pose)
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
        self.query(filter).cast_shape(shape, sweep)
    }

    fn query<'a>(&'a self, filter: &'a QueryFilter) -> Query<'a> {
        Query { bodies: &self.bodies, tree: &self.query_tree, filter }
    }
}
