//! Penetrations of bodies deep in meshes, compared with the reference.
//!
//! Moved by the reported depth along the normal, the body must be clear of every triangle of the
//! mesh; before, one witness point must lie on its surface and the other on a triangle. Meshes are
//! those of artists, with gaps, T-junctions and loose parts, and generated ones: closed surfaces,
//! smooth and rough, and triangles at random.

use std::ops::Range;

use embate::narrow_phase::{ClosestPoints, closest_points, intersects};
use embate::shapes::{Shape, TriMesh};
use embate::{Pose, TriangleMesh};
use embate_scene::generators::{Family, artist_meshes, closed_meshes, random_triangles};
use embate_scene::random::Random;
use rayon::prelude::*;

use super::TOLERANCE;
use super::meshes::random_body;
use crate::contact_reference::{
    Point, ReferenceShape, Solid, Transform, true_separation, true_separation_of_point,
};
use crate::contact_scenes::{
    FAR_FROM_ORIGIN, ShapeWithReference, any_direction, log_uniform, pose, random_rotation,
};

/// A mesh, each triangle with its reference shape.
#[derive(Debug)]
pub struct ReferenceMesh {
    /// Name in findings.
    pub name: String,
    shape: Shape,
    triangles: Vec<ReferenceTriangle>,
    /// Half of the longest edge of its bounding box.
    size: f64,
    /// Largest coordinate.
    reach: f64,
}

#[derive(Debug)]
struct ReferenceTriangle {
    vertices: [Point; 3],
    shape: ReferenceShape,
    center: Point,
    radius: f64,
}

impl ReferenceMesh {
    /// `None` for a mesh without a triangle of nonzero area.
    #[must_use]
    pub fn new(name: &str, mesh: TriangleMesh) -> Option<Self> {
        let mesh = TriMesh::new(mesh).ok()?;
        let count = mesh.mesh().triangles().len() as u32;
        let triangle = |index: u32| {
            let vertices = mesh.triangle(index).map(Point::of);
            let center = (vertices[0] + vertices[1] + vertices[2]) * (1.0 / 3.0);
            let radius = vertices.iter().fold(0.0, |r: f64, v| r.max((*v - center).length()));
            let shape = ReferenceShape::triangle(vertices);
            ReferenceTriangle { vertices, shape, center, radius }
        };
        // A degenerate triangle takes part in no contact.
        let triangles: Vec<ReferenceTriangle> = (0..count)
            .filter(|&index| mesh.triangle_normal(index).is_some())
            .map(triangle)
            .collect();
        let shape = Shape::from(mesh);
        let bounds = shape.aabb(&Pose::IDENTITY);
        let size = bounds.extents().into_iter().map(f64::from).fold(0.0, f64::max) * 0.5;
        let reach = bounds.min.iter().chain(&bounds.max).map(|c| f64::from(c.abs()));
        let is_empty = triangles.is_empty();
        let (name, reach) = (name.to_owned(), reach.fold(0.0, f64::max));
        (!is_empty).then_some(Self { name, shape, triangles, size, reach })
    }

    /// Signed distance of a body, within `reach` of `center`, from the closest triangle.
    fn separation(&self, transform: &Transform, body: &Solid, center: Point, reach: f64) -> f64 {
        self.least(transform, center, reach, |triangle| true_separation(triangle, body).separation)
    }

    /// Distance of a point from the closest triangle.
    fn distance(&self, transform: &Transform, point: Point) -> f64 {
        self.least(transform, point, 0.0, |triangle| {
            true_separation_of_point(triangle, point).abs()
        })
    }

    /// Least measure of all triangles, none of which is less than the distance of their bounding
    /// spheres from that about `center`.
    fn least(
        &self,
        transform: &Transform,
        center: Point,
        reach: f64,
        measure: impl Fn(&Solid) -> f64,
    ) -> f64 {
        self.triangles.iter().fold(f64::INFINITY, |least, triangle| {
            let between = (transform.transform_point(triangle.center) - center).length();
            let gap = between - triangle.radius - reach;
            if gap <= 0.0 || gap < least {
                least.min(measure(&triangle.shape.placed(transform)))
            } else {
                least
            }
        })
    }
}

/// Artists' meshes of this repository and generated meshes.
///
/// # Panics
/// Never: each has triangles.
#[must_use]
pub fn reference_meshes() -> Vec<ReferenceMesh> {
    let artists = artist_meshes().into_iter().map(|(name, mesh)| (name.to_owned(), mesh));
    let closed = closed_meshes::all([0.0; 3]).into_iter().map(|closed| (closed.name, closed.mesh));
    let random = Family::ALL.into_iter().map(|family| {
        let mut random = Random::for_purpose(7, &[0x6D_74_76]);
        (format!("random, {}", family.name()), random_triangles(family, 300, &mut random))
    });
    let meshes = artists.chain(closed).chain(random);
    meshes.map(|(name, mesh)| ReferenceMesh::new(&name, mesh).expect("a mesh")).collect()
}

/// Accuracy of the penetrations of bodies in meshes; errors relative to the tolerance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PenetrationTally {
    /// Number of overlaps.
    pub overlaps: u64,
    /// Largest penetration that remains after the reported translation.
    pub max_remaining: f64,
    /// Largest distance of a witness point from the surface of its body.
    pub max_witness_error: f64,
    /// Sum of the reported depths, relative to the size of the body.
    pub total_depth: f64,
    /// Number of wrong results.
    pub wrong: u64,
    /// The first wrong results, with the index of the overlap.
    pub findings: Vec<(u64, String)>,
}

/// Number of findings kept.
const MAX_FINDINGS: usize = 8;

impl PenetrationTally {
    fn merged(mut self, other: Self) -> Self {
        self.overlaps += other.overlaps;
        self.max_remaining = self.max_remaining.max(other.max_remaining);
        self.max_witness_error = self.max_witness_error.max(other.max_witness_error);
        self.total_depth += other.total_depth;
        self.wrong += other.wrong;
        self.findings.extend(other.findings);
        self.findings.sort_by_key(|(number, _)| *number);
        self.findings.truncate(MAX_FINDINGS);
        self
    }
}

/// Compares the overlaps with these indices, each with one of the meshes in turn.
#[must_use]
pub fn compare_mesh_penetrations(
    meshes: &[ReferenceMesh],
    seed: u64,
    numbers: Range<u64>,
) -> PenetrationTally {
    numbers
        .into_par_iter()
        .map(|number| {
            let mesh = &meshes[(number % meshes.len() as u64) as usize];
            let overlap = Overlap::new(mesh, Random::for_purpose(seed, &[0x64_65_65_70, number]));
            overlap.map_or_else(PenetrationTally::default, |overlap| overlap.compare(number))
        })
        .reduce(PenetrationTally::default, PenetrationTally::merged)
}

/// A body that overlaps a mesh.
struct Overlap<'a> {
    mesh: &'a ReferenceMesh,
    mesh_pose: Pose,
    body: ShapeWithReference,
    pose: Pose,
    tolerance: f64,
}

impl<'a> Overlap<'a> {
    /// A body of 1/50 to 1/2 of the size of the mesh, with its center up to its size away from a
    /// random triangle. `None` if no such body is found that overlaps it by more than the tolerance.
    fn new(mesh: &'a ReferenceMesh, mut random: Random) -> Option<Self> {
        let body_size = mesh.size * log_uniform(&mut random, 0.02, 0.5);
        let body = random_body(&mut random, body_size);
        let origin = if random.below(4) == 0 {
            any_direction(&mut random) * (FAR_FROM_ORIGIN * mesh.size)
        } else {
            Point::ZERO
        };
        let mesh_pose = pose(random_rotation(&mut random), origin);
        let transform = Transform::of(&mesh_pose);
        for _ in 0..32 {
            let triangle = &mesh.triangles[random.below(mesh.triangles.len() as u32) as usize];
            let [a, b, c] = triangle.vertices;
            let at = a.towards(b, random.unit_f64()).towards(c, random.unit_f64());
            let offset = any_direction(&mut random) * (body.reference.size() * random.unit_f64());
            let pose = pose(random_rotation(&mut random), transform.transform_point(at) + offset);
            let rounding = 8.0
                * f64::from(f32::EPSILON)
                * (mesh.reach + body_size + (Point::of(pose.position) - origin).length());
            let tolerance = TOLERANCE * body.reference.size() + rounding;
            let solid = body.reference.placed(&Transform::of(&pose));
            if true_separation(&triangle.shape.placed(&transform), &solid).separation < -tolerance {
                return Some(Self { mesh, mesh_pose, body, pose, tolerance });
            }
        }
        None
    }

    fn compare(&self, number: u64) -> PenetrationTally {
        let transform = Transform::of(&self.mesh_pose);
        let (shape, mesh) = (&self.body.shape, &self.mesh.shape);
        let closest = closest_points(shape, &self.pose, mesh, &self.mesh_pose);
        let ClosestPoints { distance, normal, points } = closest;
        let displacement = Point::of(normal) * f64::from(distance);
        let solid = self.body.reference.placed(&Transform::of(&self.pose));
        let moved = solid.moved(displacement);
        let (center, reach) = (Point::of(self.pose.position), self.body.reference.reach());
        let remaining = -self.mesh.separation(&transform, &moved, center + displacement, reach);
        let [on_body, on_mesh] = points.map(Point::of);
        // World coordinates far from the origin are coarse.
        let coordinate = f64::from(f32::EPSILON) * (on_body.length() + on_mesh.length());
        let witness_errors = [
            true_separation_of_point(&solid, on_body).abs(),
            self.mesh.distance(&transform, on_mesh),
            (on_mesh - on_body - displacement).length(),
        ];
        let witness_error = witness_errors.into_iter().fold(0.0, f64::max);
        let witness_tolerance = self.tolerance + coordinate;
        let mut wrong = Vec::new();
        if distance.is_nan() || distance >= 0.0 {
            wrong.push("no penetration".to_owned());
        }
        if !intersects(shape, &self.pose, mesh, &self.mesh_pose) {
            wrong.push("does not intersect".to_owned());
        }
        if (f64::from(normal.length()) - 1.0).abs() > 1e-6 {
            wrong.push("the normal is not of unit length".to_owned());
        }
        if remaining > self.tolerance {
            wrong.push(format!("{remaining:e} remain"));
        }
        if witness_error > witness_tolerance {
            wrong.push(format!("witness points are off by {witness_errors:?}"));
        }
        if closest_points(mesh, &self.mesh_pose, shape, &self.pose).flipped() != closest {
            wrong.push("differs for swapped bodies".to_owned());
        }
        let description = || {
            let (kind, mesh, wrong) =
                (self.body.shape.type_name(), &self.mesh.name, wrong.join(", "));
            (
                number,
                format!("{kind} in {mesh}: {wrong}, tolerance {:e}: {closest:?}", self.tolerance),
            )
        };
        PenetrationTally {
            overlaps: 1,
            max_remaining: remaining / self.tolerance,
            max_witness_error: witness_error / witness_tolerance,
            total_depth: -f64::from(distance) / self.body.reference.size(),
            wrong: u64::from(!wrong.is_empty()),
            findings: if wrong.is_empty() { Vec::new() } else { vec![description()] },
        }
    }
}
