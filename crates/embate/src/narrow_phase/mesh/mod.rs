//! Mesh contacts: contact manifolds, closest points and intersection of a convex shape and a
//! triangle mesh.
//!
//! ```text
//!   BVH query ──► each triangle ──► false back-face ──► redundant ──► missing contacts
//!                      │            contacts removed     removed       added
//!     triangle_convex, triangle_sphere_capsule, internal_edges
//! ```
//!
//! Each triangle that the shape may reach is tested on its own. The contact normal is then compared
//! with the neighbors across the triangle's edges (`internal_edges`): a normal that comes only from
//! a coplanar or concave edge is replaced by the face normal, and penetrations are measured along
//! that normal. Points that then lie over a neighbor belong to the neighbor's manifold. Last,
//! manifolds that another manifold makes redundant are removed (`redundant_contacts`).
//!
//! Meshes are two-sided: a body is pushed out on the side of a triangle that contains its center. A
//! body passes through a mesh only if its center does.
//!
//! Guarantee: for a body that slides over coplanar triangles, every normal is the normal of the
//! plane, and penetrations vary as on a single face.

pub(crate) mod back_face_validation;
pub(crate) mod depenetration;
pub(crate) mod exit_distance;
pub(crate) mod internal_edges;
pub(crate) mod mesh_mesh;
pub(crate) mod minimum_translation;
pub(crate) mod redundant_contacts;
pub(crate) mod triangle_convex;
pub(crate) mod triangle_sphere_capsule;
pub(crate) mod triangle_triangle;

use std::cell::Cell;

use embate_geom::{Aabb, DMat3, DVec3, Mat3, Pose, RigidTransform, Vec3, scalar};

use crate::narrow_phase::closest_points::ClosestFeatures;
use crate::narrow_phase::convex::gjk;
use crate::narrow_phase::convex::normal_optimality;
use crate::narrow_phase::convex::polyhedron::PolyhedralShape;
use crate::narrow_phase::convex::triangle::TrianglePolyhedron;
use crate::narrow_phase::manifold::{ClosestPoints, Manifold};
use crate::narrow_phase::mesh::back_face_validation::{TriangleResult, Unresolved};
use crate::narrow_phase::mesh::internal_edges::{EdgeNormalCones, TriangleFeature};
use crate::narrow_phase::mesh::minimum_translation::{PenetratedTriangle, minimum_translation};
use crate::narrow_phase::mesh::redundant_contacts::remove_redundant;
use crate::narrow_phase::posed::Posed;
use crate::shapes::{Shape, TriMesh};

/// A body whose overlap with a triangle is at most this fraction of its size touches it: a tenth of
/// the guaranteed precision. Out of a slot as wide as the body, it slides along the walls.
const TOUCHING_RATIO: f32 = 1e-5;

thread_local! {
    /// Triangle indices of one BVH query. Reused, so that no pair allocates.
    static TRIANGLE_SCRATCH: Cell<Vec<u32>> = const { Cell::new(Vec::new()) };
}

/// Pose of a body in the frame of a mesh. The translation is f64, so that it does not lose the
/// difference of two positions far from the origin.
#[derive(Clone, Copy)]
pub(crate) struct PoseInMesh {
    pub(crate) basis: Mat3,
    pub(crate) translation: DVec3,
}

impl PoseInMesh {
    pub(crate) fn new(mesh_pose: &Pose, body_pose: &Pose) -> Self {
        let offset = DVec3::from(body_pose.position) - DVec3::from(mesh_pose.position);
        Self {
            basis: mesh_pose.inv_mul(body_pose).basis,
            translation: DMat3::from_rotation(mesh_pose.rotation).transpose_mul_vec3(offset),
        }
    }
}

/// The body's AABB in its own frame, an oriented box in the frame of the mesh. Triangles outside
/// are culled.
#[derive(Clone, Copy)]
pub(crate) struct BodyObb {
    center: Vec3,
    half_extents: Vec3,
}

impl BodyObb {
    /// Padded by `margin` and by the rounding error of coordinates as large as those of
    /// `body_in_mesh`.
    pub(crate) fn new(bounds: &Aabb<3>, margin: f32, body_in_mesh: &PoseInMesh) -> Self {
        let (min, max) = (Vec3::from(bounds.min), Vec3::from(bounds.max));
        let half_extents = (max - min) * 0.5;
        let max_coordinate =
            body_in_mesh.translation.as_vec3().abs().max_element() + half_extents.max_element();
        let padding = margin + 16.0 * f32::EPSILON * max_coordinate;
        Self { center: (min + max) * 0.5, half_extents: half_extents + Vec3::splat(padding) }
    }

    #[inline]
    fn may_intersect(&self, vertices: [Vec3; 3], body_in_mesh: &PoseInMesh) -> bool {
        let origin = body_in_mesh.translation.as_vec3();
        // Not `map`, which is not inlined here.
        let in_obb =
            |vertex: Vec3| body_in_mesh.basis.transpose_mul_vec3(vertex - origin) - self.center;
        let (a, b, c) = (in_obb(vertices[0]), in_obb(vertices[1]), in_obb(vertices[2]));
        let (min, max) = (a.min(b).min(c), a.max(b).max(c));
        // With a NaN every comparison is false, so the triangle is kept.
        !(0..3)
            .any(|axis| min[axis] > self.half_extents[axis] || max[axis] < -self.half_extents[axis])
    }
}

/// One triangle of a mesh, posed relative to the other body.
pub(crate) struct TriangleContext<'a> {
    pub(crate) triangle: TrianglePolyhedron,
    /// Triangle to world.
    pub(crate) frame: RigidTransform,
    /// Body to triangle.
    pub(crate) body_in_triangle: RigidTransform,
    /// Translation of `body_in_triangle` in f64: next to a large triangle, f32 is too coarse for a
    /// small body.
    pub(crate) body_origin: DVec3,
    mesh: &'a TriMesh,
    index: u32,
}

impl<'a> TriangleContext<'a> {
    /// `None` for a degenerate triangle. `mesh_frame` is mesh to world.
    pub(crate) fn new(
        mesh: &'a TriMesh,
        index: u32,
        mesh_frame: &RigidTransform,
        body_in_mesh: &PoseInMesh,
    ) -> Option<Self> {
        let (triangle, centroid) =
            TrianglePolyhedron::new(mesh.triangle(index), mesh.triangle_normal(index)?);
        // The mesh coordinates cancel here, before any rounding to f32.
        let body_origin = body_in_mesh.translation - DVec3::from(centroid);
        let body_in_triangle =
            RigidTransform { basis: body_in_mesh.basis, translation: body_origin.as_vec3() };
        let frame =
            RigidTransform { translation: mesh_frame.transform_point(centroid), ..*mesh_frame };
        Some(Self { triangle, frame, body_in_triangle, body_origin, mesh, index })
    }

    /// See [`internal_edges::has_no_active_edge`].
    pub(crate) fn has_no_active_edge(&self, face: u32) -> bool {
        internal_edges::has_no_active_edge(self.mesh, self.index, face)
    }

    /// See [`internal_edges::voronoi_region_contains`].
    pub(crate) fn voronoi_region_contains(
        &self,
        face: u32,
        feature: TriangleFeature,
        normal: Vec3,
    ) -> Option<bool> {
        internal_edges::voronoi_region_contains(self.mesh, self.index, face, feature, normal)
    }

    pub(crate) fn edge_normal_cones(&self, face: u32) -> EdgeNormalCones {
        EdgeNormalCones::new(self.mesh, self.index, &self.triangle, face)
    }

    /// Triangle to body, the inverse of `body_in_triangle`.
    pub(crate) fn triangle_in_body(&self) -> RigidTransform {
        let basis = self.body_in_triangle.basis.transpose();
        RigidTransform { basis, translation: -(basis * self.body_in_triangle.translation) }
    }
}

/// AABB of a posed shape in another frame.
pub(crate) fn relative_aabb(body: Posed<'_, Shape>, frame: &Pose) -> Aabb<3> {
    let rotation = (frame.rotation.inverse() * body.pose.rotation).renormalize();
    let position = frame.inverse_transform_point(body.pose.position);
    body.shape.aabb(&Pose { rotation, position })
}

/// A convex shape near a mesh, with the culling volumes to enumerate nearby triangles.
#[derive(Clone, Copy)]
pub(crate) struct TriangleVisitor<'a> {
    pub(crate) shape: &'a Shape,
    /// Shape to world.
    pub(crate) frame: RigidTransform,
    pub(crate) mesh: Posed<'a, TriMesh>,
    body_in_mesh: PoseInMesh,
    /// AABB of the shape in the frame of the mesh, and in its own.
    bounds_in_mesh: Aabb<3>,
    local_bounds: Aabb<3>,
}

impl<'a> TriangleVisitor<'a> {
    pub(crate) fn new(body: Posed<'a, Shape>, mesh: Posed<'a, TriMesh>) -> Self {
        Self {
            shape: body.shape,
            frame: body.pose.to_rigid_transform(),
            mesh,
            body_in_mesh: PoseInMesh::new(mesh.pose, body.pose),
            bounds_in_mesh: relative_aabb(body, mesh.pose),
            local_bounds: body.shape.aabb(&Pose::IDENTITY),
        }
    }

    /// The same shape displaced in world space. The pose in the mesh is updated in f64, not
    /// recomputed from rounded world coordinates.
    pub(crate) fn translated(&self, displacement: Vec3) -> Self {
        let local = DMat3::from_rotation(self.mesh.pose.rotation)
            .transpose_mul_vec3(DVec3::from(displacement));
        let offset = local.as_vec3().to_array();
        let shifted = |point: [f32; 3]| core::array::from_fn(|axis| point[axis] + offset[axis]);
        Self {
            frame: RigidTransform {
                translation: self.frame.translation + displacement,
                ..self.frame
            },
            body_in_mesh: PoseInMesh {
                translation: self.body_in_mesh.translation + local,
                ..self.body_in_mesh
            },
            bounds_in_mesh: Aabb {
                min: shifted(self.bounds_in_mesh.min),
                max: shifted(self.bounds_in_mesh.max),
            },
            ..*self
        }
    }

    /// Bound of the rounding error of the AABBs: 16 ulp of the largest coordinates.
    fn rounding_margin(&self) -> f32 {
        16.0 * f32::EPSILON
            * (max_abs_coordinate(&self.bounds_in_mesh)
                + max_abs_coordinate(self.mesh.shape.bounds()))
    }

    /// See [`separation_tolerance`].
    pub(crate) fn separation_tolerance(&self, triangle_extent: f32) -> f32 {
        separation_tolerance(&self.local_bounds, triangle_extent)
    }

    /// Overlap with a triangle of this extent that counts as touching: see [`TOUCHING_RATIO`].
    fn touching_tolerance(&self, triangle_extent: f32) -> f32 {
        gjk::tolerance(
            TOUCHING_RATIO,
            longest_edge(&self.local_bounds),
            max_abs_coordinate(&self.local_bounds) + 2.0 * triangle_extent,
        )
    }

    /// Error bound of a distance reported for a triangle.
    pub(crate) fn precision(&self, triangle: u32) -> f32 {
        let triangle_extent = self
            .triangle_context(triangle)
            .map_or(0.0, |context| context.triangle.max_abs_coordinate());
        let smaller = scalar::min(longest_edge(&self.local_bounds), triangle_extent);
        gjk::tolerance(
            triangle_convex::EDGE_CORRECTION_TOLERANCE,
            smaller,
            max_abs_coordinate(&self.local_bounds) + 2.0 * triangle_extent,
        )
    }

    /// A point well inside the shape, in the frame of a triangle.
    pub(crate) fn inner_point(&self, context: &TriangleContext<'_>) -> Vec3 {
        context.body_in_triangle.transform_point(normal_optimality::inner_point(self.shape))
    }

    /// `None` for a degenerate triangle.
    pub(crate) fn triangle_context(&self, triangle: u32) -> Option<TriangleContext<'a>> {
        TriangleContext::new(
            self.mesh.shape,
            triangle,
            &self.mesh.pose.to_rigid_transform(),
            &self.body_in_mesh,
        )
    }

    /// Closest features of the shape and a triangle that it touches or penetrates; `None` if they
    /// are separated.
    pub(crate) fn penetration(&self, triangle: u32) -> Option<ClosestFeatures> {
        closest_features(self.shape, &self.frame, &self.triangle_context(triangle)?, 0.0)
    }

    /// Calls `visit` for each triangle within `margin`, in ascending order of index, until it
    /// returns `true`.
    pub(crate) fn for_each_nearby(
        &self,
        margin: f32,
        visit: impl FnMut(u32, &TriangleContext<'_>) -> bool,
    ) {
        let margin = margin + self.rounding_margin();
        let obb = BodyObb::new(&self.local_bounds, margin, &self.body_in_mesh);
        for_each_triangle_in(
            &self.bounds_in_mesh.loosened(margin),
            &obb,
            &self.body_in_mesh,
            self.mesh,
            visit,
        );
    }
}

/// Largest absolute coordinate of an AABB.
pub(crate) fn max_abs_coordinate(bounds: &Aabb<3>) -> f32 {
    Vec3::from(bounds.min).abs().max(Vec3::from(bounds.max).abs()).max_element()
}

/// Displacement beyond the penetration depth that certainly separates a body with these bounds, in
/// its own frame, from triangles of the given extent: the largest absolute coordinate relative to
/// the centroid.
pub(crate) fn separation_tolerance(local_bounds: &Aabb<3>, triangle_extent: f32) -> f32 {
    redundant_contacts::clearance(
        longest_edge(local_bounds),
        max_abs_coordinate(local_bounds) + 2.0 * triangle_extent,
    )
}

/// The longest edge of a box.
fn longest_edge(bounds: &Aabb<3>) -> f32 {
    (Vec3::from(bounds.max) - Vec3::from(bounds.min)).max_element()
}

/// Calls `visit` for each triangle of a mesh that intersects both culling volumes, `bounds` in the
/// frame of the mesh and `obb` in that of the body, in ascending order of index, until it returns
/// `true`.
pub(crate) fn for_each_triangle_in(
    bounds: &Aabb<3>,
    obb: &BodyObb,
    body_in_mesh: &PoseInMesh,
    mesh: Posed<'_, TriMesh>,
    mut visit: impl FnMut(u32, &TriangleContext<'_>) -> bool,
) {
    let mesh_frame = mesh.pose.to_rigid_transform();
    // Taken out of the cell while in use: a nested query starts with an empty vector.
    let mut triangles = TRIANGLE_SCRATCH.take();
    triangles.clear();
    mesh.shape.triangles_in_aabb(bounds, &mut triangles);
    for &index in &triangles {
        if obb.may_intersect(mesh.shape.triangle(index), body_in_mesh)
            && let Some(context) =
                TriangleContext::new(mesh.shape, index, &mesh_frame, body_in_mesh)
            && visit(index, &context)
        {
            break;
        }
    }
    TRIANGLE_SCRATCH.set(triangles);
}

/// Appends the manifolds of a convex shape A and a mesh B, one for each triangle in contact.
pub(crate) fn contacts(
    a: Posed<'_, Shape>,
    mesh: Posed<'_, TriMesh>,
    margin: f32,
    manifolds: &mut Vec<Manifold>,
) {
    let first = manifolds.len();
    let visitor = TriangleVisitor::new(a, mesh);
    let mut unresolved = Unresolved::default();
    visitor.for_each_nearby(margin, |index, context| {
        let contact_or_none = |manifold: Option<Manifold>| {
            manifold.map_or(TriangleResult::None, TriangleResult::Contact)
        };
        let result = match a.shape {
            Shape::Sphere(sphere) => {
                triangle_sphere_capsule::sphere_contact(*sphere, context, margin)
            }
            Shape::Capsule(capsule) => {
                triangle_sphere_capsule::capsule_contact(*capsule, context, margin)
            }
            Shape::Cuboid(cuboid) => {
                triangle_convex::contact(cuboid, &visitor.frame, context, margin)
            }
            Shape::ConvexHull(hull) => {
                triangle_convex::contact(&**hull, &visitor.frame, context, margin)
            }
            Shape::HalfSpace(plane) => contact_or_none(triangle_convex::half_space_contact(
                plane,
                &visitor.frame,
                context,
                margin,
            )),
            Shape::TriMesh(_) | Shape::Compound(_) => TriangleResult::None,
        };
        unresolved.record(index, result, manifolds, first);
        false
    });
    unresolved.remove_false_back_faces(&visitor, manifolds, first);
    if !matches!(a.shape, Shape::HalfSpace(_))
        && !redundant_contacts::are_compatible(&manifolds[first..])
    {
        let tolerance =
            visitor.separation_tolerance(max_triangle_extent(mesh.shape, &manifolds[first..]));
        remove_redundant(manifolds, first, tolerance, |displacement, triangle| {
            visitor.translated(displacement).penetration(triangle).is_none()
        });
    }
    unresolved.add_missing_contacts(&visitor, margin, manifolds, first);
}

/// Bound of the extents of the triangles of some manifolds: the largest coordinate difference of
/// two vertices.
fn max_triangle_extent(mesh: &TriMesh, manifolds: &[Manifold]) -> f32 {
    manifolds.iter().fold(0.0, |largest, contact| {
        let [a, b, c] = mesh.triangle(contact.sub_shapes[1]);
        scalar::max(largest, scalar::max((b - a).abs().max_element(), (c - a).abs().max_element()))
    })
}

/// Closest features of a convex shape and a triangle; `None` if they are farther apart than
/// `max_distance`.
pub(crate) fn closest_features(
    a: &Shape,
    frame_a: &RigidTransform,
    context: &TriangleContext<'_>,
    max_distance: f32,
) -> Option<ClosestFeatures> {
    match a {
        Shape::Sphere(sphere) => {
            triangle_sphere_capsule::closest_features_sphere(*sphere, context, max_distance)
        }
        Shape::Capsule(capsule) => {
            triangle_sphere_capsule::closest_features_capsule(*capsule, context, max_distance)
        }
        Shape::Cuboid(cuboid) => {
            triangle_convex::closest_features(cuboid, frame_a, context, max_distance)
        }
        Shape::ConvexHull(hull) => {
            triangle_convex::closest_features(&**hull, frame_a, context, max_distance)
        }
        Shape::HalfSpace(plane) => {
            triangle_convex::closest_features_half_space(plane, frame_a, context, max_distance)
        }
        Shape::TriMesh(_) | Shape::Compound(_) => None,
    }
}

/// Closest points of a convex shape A and a mesh B, with the triangle they lie on. If they overlap,
/// the translation that separates the shape from all triangles: see [`minimum_translation()`].
pub(crate) fn closest_points(
    a: Posed<'_, Shape>,
    mesh: Posed<'_, TriMesh>,
) -> Option<(ClosestPoints, u32)> {
    let visitor = TriangleVisitor::new(a, mesh);
    let mut best: Option<(u32, ClosestFeatures)> = None;
    // Any triangle bounds the search distance; the four nearest to the origin of the body bound it
    // well.
    let mut seeds = Vec::new();
    let origin = visitor.body_in_mesh.translation.as_vec3().to_array();
    mesh.shape.bvh().k_nearest(&origin, 4, &mut seeds);
    for seed in seeds {
        if let Some(context) = visitor.triangle_context(seed.id) {
            let closest = closest_features(a.shape, &visitor.frame, &context, f32::INFINITY);
            best = closer_triangle(best, seed.id, closest);
        }
    }
    // Two computations of the same distance may round differently.
    let rounding = 1e-5 * max_abs_coordinate(&visitor.bounds_in_mesh);
    let search_distance = |best: &Option<(u32, ClosestFeatures)>| {
        let nearest = best.as_ref().map_or(1e18, |(_, best)| scalar::max(best.distance, 0.0));
        scalar::min(nearest + rounding, 1e18)
    };
    // The best candidate is searched again from `None`, so that of equal distances the lowest
    // triangle index wins.
    let mut max_distance = search_distance(&best);
    let mut best_in_order = None;
    let mut penetrated = Vec::new();
    let mut max_triangle_extent = 0.0;
    visitor.for_each_nearby(max_distance, |index, context| {
        let closest = closest_features(a.shape, &visitor.frame, context, max_distance);
        if let Some(features) = closest.filter(|closest| closest.distance < 0.0) {
            penetrated.push(PenetratedTriangle { index, features });
            let extent = context.triangle.max_abs_coordinate();
            max_triangle_extent = scalar::max(max_triangle_extent, extent);
        }
        best_in_order = closer_triangle(best_in_order, index, closest);
        max_distance = scalar::min(max_distance, search_distance(&best_in_order));
        false
    });
    let tolerance = visitor.touching_tolerance(max_triangle_extent);
    penetrated.retain(|triangle| -triangle.features.distance > tolerance);
    minimum_translation(a, &visitor, &penetrated, tolerance).or_else(|| {
        let (triangle, closest) = best_in_order.or(best)?;
        Some((closest.closest_points(), triangle))
    })
}

/// The closer of two candidates, each with the triangle, or pair of triangles, it belongs to. Of
/// equal distances the earlier wins.
pub(crate) fn closer_triangle<T>(
    best: Option<(T, ClosestFeatures)>,
    triangle: T,
    next: Option<ClosestFeatures>,
) -> Option<(T, ClosestFeatures)> {
    match (best, next) {
        (Some(best), Some(next)) if next.distance < best.1.distance => Some((triangle, next)),
        (None, Some(next)) => Some((triangle, next)),
        (best, _) => best,
    }
}

pub(crate) fn closer_of(
    best: Option<ClosestFeatures>,
    next: Option<ClosestFeatures>,
) -> Option<ClosestFeatures> {
    match (best, next) {
        (Some(best), Some(next)) => Some(if next.distance < best.distance { next } else { best }),
        (best, next) => best.or(next),
    }
}

/// Whether a convex shape A and a mesh B touch or overlap.
pub(crate) fn intersects(a: Posed<'_, Shape>, mesh: Posed<'_, TriMesh>) -> bool {
    let visitor = TriangleVisitor::new(a, mesh);
    let mut intersects = false;
    visitor.for_each_nearby(0.0, |_, context| {
        intersects = closest_features(a.shape, &visitor.frame, context, 0.0).is_some();
        intersects
    });
    intersects
}
