//! Queries of any shape at any pose: the dispatch from [`Shape`] to the shape types.

use embate_geom::{
    Aabb, BoundingSphere, Mat3, Pose, Ray, Vec3,
    shapes::{ConvexHull, MassProperties, Obb, RayIntersection, ShapeError},
};

use crate::shapes::{Compound, Shape, ShapeType, TriMesh};

impl Shape {
    /// Type of the shape.
    #[must_use]
    #[doc(alias = "kind")]
    pub fn shape_type(&self) -> ShapeType {
        match self {
            Self::Sphere(_) => ShapeType::Sphere,
            Self::Cuboid(_) => ShapeType::Cuboid,
            Self::Capsule(_) => ShapeType::Capsule,
            Self::ConvexHull(_) => ShapeType::ConvexHull,
            Self::HalfSpace(_) => ShapeType::HalfSpace,
            Self::TriMesh(_) => ShapeType::TriMesh,
            Self::Compound(_) => ShapeType::Compound,
        }
    }

    /// Name of the shape type, as in scene files.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        self.shape_type().name()
    }

    /// World-space AABB of the shape at `pose`.
    #[must_use]
    pub fn aabb(&self, pose: &Pose) -> Aabb<3> {
        match self {
            Self::Sphere(sphere) => sphere.aabb(pose),
            Self::Cuboid(cuboid) => cuboid.aabb(pose),
            Self::Capsule(capsule) => capsule.aabb(pose),
            Self::ConvexHull(hull) => hull.aabb(pose),
            Self::HalfSpace(half_space) => half_space.aabb(pose),
            Self::TriMesh(mesh) => mesh.aabb(pose),
            Self::Compound(compound) => compound.aabb(pose),
        }
    }

    /// Volume, center of mass and inertia at uniform density; `None` for shapes without a finite
    /// volume: a half-space, an open mesh.
    #[must_use]
    pub fn mass_properties(&self) -> Option<MassProperties> {
        match self {
            Self::Sphere(sphere) => Some(sphere.mass_properties()),
            Self::Cuboid(cuboid) => Some(cuboid.mass_properties()),
            Self::Capsule(capsule) => Some(capsule.mass_properties()),
            Self::ConvexHull(hull) => Some(hull.mass_properties()),
            Self::HalfSpace(_) => None,
            Self::TriMesh(mesh) => mesh.mass_properties(),
            Self::Compound(compound) => compound.mass_properties(),
        }
    }

    /// Volume; `None` as for [`mass_properties`](Self::mass_properties).
    #[must_use]
    pub fn volume(&self) -> Option<f32> {
        self.mass_properties().map(|mass| mass.volume)
    }

    /// Center of mass in local space; `None` as for [`mass_properties`](Self::mass_properties).
    #[must_use]
    #[doc(alias = "centroid")]
    pub fn center_of_mass(&self) -> Option<Vec3> {
        self.mass_properties().map(|mass| mass.center_of_mass)
    }

    /// Inertia tensor about the center of mass for this mass; `None` as for
    /// [`mass_properties`](Self::mass_properties).
    #[must_use]
    pub fn inertia(&self, mass: f32) -> Option<Mat3> {
        self.mass_properties().map(|properties| properties.inertia(mass))
    }

    /// Support point: the point farthest along `direction`, in local space; `None` for a
    /// half-space.
    #[must_use]
    #[doc(alias = "support")]
    pub fn support_point(&self, direction: impl Into<Vec3>) -> Option<Vec3> {
        let direction = direction.into();
        match self {
            Self::Sphere(sphere) => Some(sphere.support_point(direction)),
            Self::Cuboid(cuboid) => Some(cuboid.support_point(direction)),
            Self::Capsule(capsule) => Some(capsule.support_point(direction)),
            Self::ConvexHull(hull) => Some(hull.support_point(direction)),
            Self::HalfSpace(_) => None,
            Self::TriMesh(mesh) => Some(mesh.support_point(direction)),
            Self::Compound(compound) => Some(compound.support_point(direction)),
        }
    }

    /// Oriented bounding box in local space: tight, except for compounds and flat meshes, which get
    /// their local AABB; `None` for a half-space.
    #[must_use]
    pub fn obb(&self) -> Option<Obb> {
        match self {
            Self::Sphere(sphere) => Some(sphere.obb()),
            Self::Cuboid(cuboid) => Some(cuboid.obb()),
            Self::Capsule(capsule) => Some(capsule.obb()),
            Self::ConvexHull(hull) => Some(hull.obb()),
            Self::HalfSpace(_) => None,
            Self::TriMesh(mesh) => Some(
                convex_hull_of(mesh).map_or_else(|| self.local_aabb_as_obb(), |hull| hull.obb()),
            ),
            Self::Compound(_) => Some(self.local_aabb_as_obb()),
        }
    }

    fn local_aabb_as_obb(&self) -> Obb {
        obb_from_aabb(&self.aabb(&Pose::IDENTITY))
    }

    /// Bounding sphere in local space: the smallest, except for compounds and flat meshes; `None`
    /// for a half-space.
    #[must_use]
    pub fn bounding_sphere(&self) -> Option<BoundingSphere<3>> {
        match self {
            Self::Sphere(sphere) => Some(sphere.bounding_sphere()),
            Self::Cuboid(cuboid) => Some(cuboid.bounding_sphere()),
            Self::Capsule(capsule) => Some(capsule.bounding_sphere()),
            Self::ConvexHull(hull) => Some(hull.bounding_sphere()),
            Self::HalfSpace(_) => None,
            Self::TriMesh(mesh) => Some(convex_hull_of(mesh).map_or_else(
                || sphere_around(self.local_aabb_as_obb()),
                |hull| hull.bounding_sphere(),
            )),
            Self::Compound(_) => Some(sphere_around(self.local_aabb_as_obb())),
        }
    }

    /// Whether a world-space point lies inside or on the surface. Always `false` for an open mesh.
    #[must_use]
    #[doc(alias = "contains")]
    pub fn contains_point(&self, pose: &Pose, point: impl Into<Vec3>) -> bool {
        let point = point.into();
        let local = pose.inverse_transform_point(point);
        match self {
            Self::Sphere(sphere) => sphere.contains_point(local),
            Self::Cuboid(cuboid) => cuboid.contains_point(local),
            Self::Capsule(capsule) => capsule.contains_point(local),
            Self::ConvexHull(hull) => hull.contains_point(local),
            Self::HalfSpace(half_space) => half_space.contains_point(local),
            Self::TriMesh(mesh) => mesh.contains_point(local),
            Self::Compound(compound) => compound.contains_point(local),
        }
    }

    /// First intersection of a world-space ray; at `t_min` if the ray starts inside a solid.
    ///
    /// ```
    /// use embate::{Pose, Ray, Vec3, shapes::{Shape, Sphere}};
    ///
    /// let sphere = Shape::from(Sphere::new(0.5)?);
    /// let pose = Pose::from_translation(Vec3::new(0.0, 0.0, 5.0));
    /// let hit = sphere.cast_ray(&pose, &Ray::new([0.0; 3], [0.0, 0.0, 1.0])).unwrap();
    /// assert_eq!((hit.t, hit.normal), (4.5, -Vec3::Z));
    /// # Ok::<(), embate::shapes::ShapeError>(())
    /// ```
    #[must_use]
    #[doc(alias = "ray_hit")]
    pub fn cast_ray(&self, pose: &Pose, ray: &Ray<3>) -> Option<RayIntersection> {
        let local = Ray {
            origin: pose.inverse_transform_point(Vec3::from(ray.origin)).to_array(),
            direction: pose.rotation.inverse_rotate(Vec3::from(ray.direction)).to_array(),
            ..*ray
        };
        let hit = match self {
            Self::Sphere(sphere) => sphere.cast_ray(&local),
            Self::Cuboid(cuboid) => cuboid.cast_ray(&local),
            Self::Capsule(capsule) => capsule.cast_ray(&local),
            Self::ConvexHull(hull) => hull.cast_ray(&local),
            Self::HalfSpace(half_space) => half_space.cast_ray(&local),
            Self::TriMesh(mesh) => mesh.cast_ray(&local),
            Self::Compound(compound) => compound.cast_ray(&local),
        }?;
        Some(RayIntersection { t: hit.t, normal: pose.rotation.rotate(hit.normal) })
    }

    /// The shape scaled uniformly about its origin; a half-space is unchanged.
    ///
    /// # Errors
    /// [`ShapeError`] if `factor` is not finite and positive, or the result is out of range.
    pub fn scaled(&self, factor: f32) -> Result<Self, ShapeError> {
        // Checked here: a mesh mirrored by a negative factor would be accepted.
        if !(factor > 0.0 && factor < f32::INFINITY) {
            return Err(ShapeError::Scale { factor });
        }
        Ok(match self {
            Self::Sphere(sphere) => sphere.scaled(factor)?.into(),
            Self::Cuboid(cuboid) => cuboid.scaled(Vec3::splat(factor))?.into(),
            Self::Capsule(capsule) => capsule.scaled(factor)?.into(),
            Self::ConvexHull(hull) => hull.scaled(Vec3::splat(factor))?.into(),
            Self::HalfSpace(half_space) => (*half_space).into(),
            Self::TriMesh(mesh) => mesh.transformed(|vertex| vertex * factor)?.into(),
            Self::Compound(compound) => compound.scaled(factor)?.into(),
        })
    }

    /// The shape rotated and translated within its local space. Hulls, meshes and rotated
    /// half-spaces keep their type; other shapes become a compound of one sub-shape.
    ///
    /// # Errors
    /// [`ShapeError`] if a point is then out of range. A half-space can be rotated, but not
    /// translated.
    #[doc(alias = "placed")]
    pub fn transformed(&self, pose: &Pose) -> Result<Self, ShapeError> {
        Ok(match self {
            Self::ConvexHull(hull) => {
                hull.rotated(pose.rotation)?.translated(pose.position)?.into()
            }
            Self::TriMesh(mesh) => mesh.transformed(|vertex| pose.transform_point(vertex))?.into(),
            Self::HalfSpace(half_space) if pose.position == Vec3::ZERO => {
                half_space.rotated(pose.rotation).into()
            }
            _ => Compound::new(vec![(*pose, self.clone())])?.into(),
        })
    }
}

/// Convex hull of a mesh's vertices; `None` if they are coplanar.
fn convex_hull_of(mesh: &TriMesh) -> Option<ConvexHull> {
    // Only vertices that a triangle uses.
    let used = mesh.mesh().iter_triangles().flat_map(|triangle| triangle.0);
    let vertices: Vec<Vec3> = used.map(Vec3::from).collect();
    ConvexHull::new(&vertices).ok()
}

fn sphere_around(Obb { pose, half_extents }: Obb) -> BoundingSphere<3> {
    let radius = half_extents.length() * (1.0 + 2.0 * f32::EPSILON);
    BoundingSphere { center: pose.position.to_array(), radius }
}

fn obb_from_aabb(bounds: &Aabb<3>) -> Obb {
    let (min, max) = (Vec3::from(bounds.min), Vec3::from(bounds.max));
    Obb { pose: Pose::from_translation((min + max) * 0.5), half_extents: (max - min) * 0.5 }
}

impl Compound {
    /// Support point of all sub-shapes; of equal ones, that of the first.
    #[must_use]
    pub fn support_point(&self, direction: impl Into<Vec3>) -> Vec3 {
        let direction = direction.into();
        let mut farthest = (f32::NEG_INFINITY, Vec3::ZERO);
        for (pose, shape) in self.sub_shapes() {
            let local = shape.support_point(pose.rotation.inverse_rotate(direction));
            let point = pose.transform_point(local.unwrap_or_default());
            if point.dot(direction) > farthest.0 {
                farthest = (point.dot(direction), point);
            }
        }
        farthest.1
    }

    /// Whether a point lies inside or on the surface of a sub-shape.
    #[must_use]
    #[doc(alias = "contains")]
    pub fn contains_point(&self, point: impl Into<Vec3>) -> bool {
        let point = point.into();
        let mut candidates = Vec::new();
        self.parts_in_aabb(&Aabb { min: point.to_array(), max: point.to_array() }, &mut candidates);
        candidates.iter().any(|&part| {
            let (pose, shape) = &self.sub_shapes()[part as usize];
            shape.contains_point(pose, point)
        })
    }

    /// First intersection of a local-space ray with a sub-shape; of equal `t`, that of the first.
    #[must_use]
    #[doc(alias = "ray_hit")]
    pub fn cast_ray(&self, ray: &Ray<3>) -> Option<RayIntersection> {
        let hits = self.sub_shapes().iter().filter_map(|(pose, shape)| shape.cast_ray(pose, ray));
        hits.reduce(|first, next| if next.t < first.t { next } else { first })
    }

    /// The compound scaled uniformly about its origin: sub-shapes and their positions.
    ///
    /// # Errors
    /// [`ShapeError`] if `factor` is not finite and positive, or the result is out of range.
    pub fn scaled(&self, factor: f32) -> Result<Self, ShapeError> {
        let scaled: Result<Vec<(Pose, Shape)>, ShapeError> = self
            .sub_shapes()
            .iter()
            .map(|(pose, shape)| {
                let position = pose.position * factor;
                Ok((Pose { rotation: pose.rotation, position }, shape.scaled(factor)?))
            })
            .collect();
        Self::new(scaled?)
    }
}

impl TriMesh {
    /// Support point: the vertex of a triangle farthest along `direction`; of equal ones, the
    /// first.
    #[must_use]
    pub fn support_point(&self, direction: impl Into<Vec3>) -> Vec3 {
        let direction = direction.into();
        let mut farthest = (f32::NEG_INFINITY, Vec3::ZERO);
        for &vertex in self.mesh().triangles().iter().flatten() {
            let point = Vec3::from(self.mesh().positions()[vertex as usize]);
            if point.dot(direction) > farthest.0 {
                farthest = (point.dot(direction), point);
            }
        }
        farthest.1
    }
}
