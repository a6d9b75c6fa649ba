//! What one may ask of any shape, wherever it is; each question is handed on once, here.

use embate_geom::{
    Aabb, Ball, Mat3, Pose, Ray, Vec3,
    shapes::{Hull, InvalidShape, MassProperties, Obb, ShapeHit},
};

use super::{Compound, MeshShape, Shape};

impl Shape {
    /// What kind it is, as the scene file calls it.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Sphere(_) => "sphere",
            Self::Cuboid(_) => "box",
            Self::Capsule(_) => "capsule",
            Self::Hull(_) => "hull",
            Self::HalfSpace(_) => "halfspace",
            Self::Mesh(_) => "mesh",
            Self::Compound(_) => "compound",
        }
    }

    /// A box around it in the world.
    #[must_use]
    pub fn aabb(&self, pose: &Pose) -> Aabb<3> {
        match self {
            Self::Sphere(sphere) => sphere.aabb(pose),
            Self::Cuboid(cuboid) => cuboid.aabb(pose),
            Self::Capsule(capsule) => capsule.aabb(pose),
            Self::Hull(hull) => hull.aabb(pose),
            Self::HalfSpace(plane) => plane.aabb(pose),
            Self::Mesh(mesh) => mesh.aabb(pose),
            Self::Compound(compound) => compound.aabb(pose),
        }
    }

    /// What it weighs; `None` for what has no end or no inside: a half-space, an open mesh.
    #[must_use]
    pub fn mass_properties(&self) -> Option<MassProperties> {
        match self {
            Self::Sphere(sphere) => Some(sphere.mass_properties()),
            Self::Cuboid(cuboid) => Some(cuboid.mass_properties()),
            Self::Capsule(capsule) => Some(capsule.mass_properties()),
            Self::Hull(hull) => Some(hull.mass_properties()),
            Self::HalfSpace(_) => None,
            Self::Mesh(mesh) => mesh.mass_properties(),
            Self::Compound(compound) => compound.mass_properties(),
        }
    }

    /// The space it fills, if it has an end and an inside.
    #[must_use]
    pub fn volume(&self) -> Option<f32> {
        self.mass_properties().map(|mass| mass.volume)
    }

    /// Its centre of mass in its own frame, if it has an end and an inside.
    #[must_use]
    pub fn centroid(&self) -> Option<Vec3> {
        self.mass_properties().map(|mass| mass.centroid)
    }

    /// The inertia tensor about the centroid for this mass, if it has an end and an inside.
    #[must_use]
    pub fn inertia(&self, mass: f32) -> Option<Mat3> {
        self.mass_properties().map(|properties| properties.inertia(mass))
    }

    /// The point farthest along `direction`, in its own frame; `None` for a half-space, which has none.
    #[must_use]
    pub fn support(&self, direction: Vec3) -> Option<Vec3> {
        match self {
            Self::Sphere(sphere) => Some(sphere.support(direction)),
            Self::Cuboid(cuboid) => Some(cuboid.support(direction)),
            Self::Capsule(capsule) => Some(capsule.support(direction)),
            Self::Hull(hull) => Some(hull.support(direction)),
            Self::HalfSpace(_) => None,
            Self::Mesh(mesh) => Some(mesh.support(direction)),
            Self::Compound(compound) => Some(compound.support(direction)),
        }
    }

    /// A box around it in its own frame: a tight one, but for compounds and flat meshes, whose box lies along the
    /// axes; `None` for a half-space.
    #[must_use]
    pub fn obb(&self) -> Option<Obb> {
        match self {
            Self::Sphere(sphere) => Some(sphere.obb()),
            Self::Cuboid(cuboid) => Some(cuboid.obb()),
            Self::Capsule(capsule) => Some(capsule.obb()),
            Self::Hull(hull) => Some(hull.obb()),
            Self::HalfSpace(_) => None,
            Self::Mesh(mesh) => {
                Some(hull_of(mesh).map_or_else(|| self.upright_box(), |hull| hull.obb()))
            }
            Self::Compound(_) => Some(self.upright_box()),
        }
    }

    fn upright_box(&self) -> Obb {
        box_as_obb(&self.aabb(&Pose::IDENTITY))
    }

    /// A sphere around it in its own frame: the smallest one, but for compounds and flat meshes; `None` for a
    /// half-space.
    #[must_use]
    pub fn bounding_sphere(&self) -> Option<Ball<3>> {
        match self {
            Self::Sphere(sphere) => Some(sphere.bounding_sphere()),
            Self::Cuboid(cuboid) => Some(cuboid.bounding_sphere()),
            Self::Capsule(capsule) => Some(capsule.bounding_sphere()),
            Self::Hull(hull) => Some(hull.bounding_sphere()),
            Self::HalfSpace(_) => None,
            Self::Mesh(mesh) => Some(
                hull_of(mesh)
                    .map_or_else(|| ball_around(self.upright_box()), |hull| hull.bounding_sphere()),
            ),
            Self::Compound(_) => Some(ball_around(self.upright_box())),
        }
    }

    /// Whether a point of the world lies inside or on the surface; an open mesh has no inside.
    #[must_use]
    pub fn contains(&self, pose: &Pose, point: Vec3) -> bool {
        let local = pose.local_point(point);
        match self {
            Self::Sphere(sphere) => sphere.contains(local),
            Self::Cuboid(cuboid) => cuboid.contains(local),
            Self::Capsule(capsule) => capsule.contains(local),
            Self::Hull(hull) => hull.contains(local),
            Self::HalfSpace(plane) => plane.contains(local),
            Self::Mesh(mesh) => mesh.contains(local),
            Self::Compound(compound) => compound.contains(local),
        }
    }

    /// Where a ray of the world first meets it; a solid that it begins inside of, at once.
    ///
    /// ```
    /// use embate::{Pose, Ray, Vec3, shapes::{Shape, Sphere}};
    ///
    /// let ball = Shape::from(Sphere::new(0.5)?);
    /// let pose = Pose::at(Vec3::new(0.0, 0.0, 5.0));
    /// let hit = ball.ray_hit(&pose, &Ray::new([0.0; 3], [0.0, 0.0, 1.0])).unwrap();
    /// assert_eq!((hit.t, hit.normal), (4.5, -Vec3::Z));
    /// # Ok::<(), embate::shapes::InvalidShape>(())
    /// ```
    #[must_use]
    pub fn ray_hit(&self, pose: &Pose, ray: &Ray<3>) -> Option<ShapeHit> {
        let local = Ray {
            origin: pose.local_point(Vec3::from(ray.origin)).to_array(),
            direction: pose.rotation.turn_back(Vec3::from(ray.direction)).to_array(),
            ..*ray
        };
        let hit = match self {
            Self::Sphere(sphere) => sphere.ray_hit(&local),
            Self::Cuboid(cuboid) => cuboid.ray_hit(&local),
            Self::Capsule(capsule) => capsule.ray_hit(&local),
            Self::Hull(hull) => hull.ray_hit(&local),
            Self::HalfSpace(plane) => plane.ray_hit(&local),
            Self::Mesh(mesh) => mesh.ray_hit(&local),
            Self::Compound(compound) => compound.ray_hit(&local),
        }?;
        Some(ShapeHit { t: hit.t, normal: pose.rotation.turn(hit.normal) })
    }

    /// Larger or smaller; a half-space stays as it is.
    ///
    /// # Errors
    /// [`InvalidShape`] if the factor is not a finite number above 0, or the result out of range.
    pub fn scaled(&self, factor: f32) -> Result<Self, InvalidShape> {
        // A mesh turned inside out would be one no less.
        if !(factor > 0.0 && factor < f32::INFINITY) {
            return Err(InvalidShape::Scale { factor });
        }
        Ok(match self {
            Self::Sphere(sphere) => sphere.scaled(factor)?.into(),
            Self::Cuboid(cuboid) => cuboid.scaled(Vec3::splat(factor))?.into(),
            Self::Capsule(capsule) => capsule.scaled(factor)?.into(),
            Self::Hull(hull) => hull.scaled(Vec3::splat(factor))?.into(),
            Self::HalfSpace(plane) => (*plane).into(),
            Self::Mesh(mesh) => mesh.mapped(|vertex| vertex * factor)?.into(),
            Self::Compound(compound) => compound.scaled(factor)?.into(),
        })
    }

    /// Moved and turned within its own frame: a hull, a mesh or a compound is another such, the others
    /// become a compound of one part.
    ///
    /// # Errors
    /// [`InvalidShape`] if a point leaves the range; a half-space can be turned, but not moved.
    pub fn placed(&self, pose: &Pose) -> Result<Self, InvalidShape> {
        Ok(match self {
            Self::Hull(hull) => hull.rotated(pose.rotation)?.translated(pose.position)?.into(),
            Self::Mesh(mesh) => mesh.mapped(|vertex| pose.point(vertex))?.into(),
            Self::HalfSpace(plane) if pose.position == Vec3::ZERO => {
                plane.rotated(pose.rotation).into()
            }
            _ => Compound::new(vec![(*pose, self.clone())])?.into(),
        })
    }
}

/// The hull of a mesh's corners; `None` if they lie in a plane.
fn hull_of(mesh: &MeshShape) -> Option<Hull> {
    // Vertices of no triangle are nowhere.
    let used = mesh.mesh().corners().flat_map(|triangle| triangle.0);
    let corners: Vec<Vec3> = used.map(Vec3::from).collect();
    Hull::new(&corners).ok()
}

fn ball_around(Obb { pose, half }: Obb) -> Ball<3> {
    let radius = half.length() * (1.0 + 2.0 * f32::EPSILON);
    Ball { center: pose.position.to_array(), radius }
}

fn box_as_obb(bounds: &Aabb<3>) -> Obb {
    let (min, max) = (Vec3::from(bounds.min), Vec3::from(bounds.max));
    Obb { pose: Pose::at((min + max) * 0.5), half: (max - min) * 0.5 }
}

impl Compound {
    /// The point of a part farthest along `direction`; of equal ones, that of the first part.
    #[must_use]
    pub fn support(&self, direction: Vec3) -> Vec3 {
        let mut farthest = (f32::NEG_INFINITY, Vec3::ZERO);
        for (pose, shape) in self.parts() {
            let local = shape.support(pose.rotation.turn_back(direction));
            let point = pose.point(local.unwrap_or_default());
            if point.dot(direction) > farthest.0 {
                farthest = (point.dot(direction), point);
            }
        }
        farthest.1
    }

    /// Whether a point lies inside a part or on its surface.
    #[must_use]
    pub fn contains(&self, point: Vec3) -> bool {
        let mut near = Vec::new();
        self.near(&Aabb { min: point.to_array(), max: point.to_array() }, &mut near);
        near.iter().any(|&part| {
            let (pose, shape) = &self.parts()[part as usize];
            shape.contains(pose, point)
        })
    }

    /// Where a ray first meets a part; of equal ones, the first part.
    #[must_use]
    pub fn ray_hit(&self, ray: &Ray<3>) -> Option<ShapeHit> {
        let hits = self.parts().iter().filter_map(|(pose, shape)| shape.ray_hit(pose, ray));
        hits.reduce(|first, next| if next.t < first.t { next } else { first })
    }

    /// Larger or smaller, parts and places alike.
    ///
    /// # Errors
    /// [`InvalidShape`] if the factor is not a finite number above 0, or the result out of range.
    pub fn scaled(&self, factor: f32) -> Result<Self, InvalidShape> {
        let scaled: Result<Vec<(Pose, Shape)>, InvalidShape> = self
            .parts()
            .iter()
            .map(|(pose, shape)| {
                let position = pose.position * factor;
                Ok((Pose { rotation: pose.rotation, position }, shape.scaled(factor)?))
            })
            .collect();
        Self::new(scaled?)
    }
}

impl MeshShape {
    /// The vertex of a triangle farthest along `direction`; of equal ones, the first.
    #[must_use]
    pub fn support(&self, direction: Vec3) -> Vec3 {
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
