//! Contacts of bodies with meshes of many triangles, compared with the reference.
//!
//! A hull as a mesh is compared with the solid hull, rough ground with each of its triangles. For a
//! separated body the distance must equal the reference and no penetration may be reported; for a
//! touching body there must be a contact.

use std::ops::Range;

use embate::narrow_phase::{Manifold, closest_points, contact_manifolds, intersects};
use embate::shapes::{Capsule, ConvexHull, Cuboid, Shape, Sphere, TriMesh};
use embate::{Pose, TriangleMesh, Vec3};
use embate_scene::random::Random;
use rayon::prelude::*;

use super::TOLERANCE;
use crate::contact_reference::{Point, ReferenceShape, Solid, Transform, true_separation};
use crate::contact_scenes::{
    FAR_FROM_ORIGIN, ShapeWithReference, any_direction, log_uniform, pose, random_rotation,
};

/// Accuracy of the contacts of bodies with meshes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshTally {
    /// Number of bodies tested.
    pub tested: u64,
    /// Number of further bodies, not tested, that lie inside a hull mesh.
    pub enclosed: u64,
    /// Separated bodies.
    pub separated: u64,
    /// Largest error of a distance, relative to the tolerance.
    pub max_distance_error: f64,
    /// Number of wrong results.
    pub wrong: u64,
    /// The first wrong results, with the index of the body.
    pub findings: Vec<(u64, String)>,
}

/// Number of findings kept.
const MAX_FINDINGS: usize = 8;

impl MeshTally {
    fn record(&mut self, number: u64, description: String) {
        self.wrong += 1;
        self.findings.push((number, description));
        self.findings.sort_by_key(|(number, _)| *number);
        self.findings.truncate(MAX_FINDINGS);
    }

    fn merged(mut self, other: Self) -> Self {
        self.tested += other.tested;
        self.enclosed += other.enclosed;
        self.separated += other.separated;
        self.max_distance_error = self.max_distance_error.max(other.max_distance_error);
        self.wrong += other.wrong;
        self.findings.extend(other.findings);
        self.findings.sort_by_key(|(number, _)| *number);
        self.findings.truncate(MAX_FINDINGS);
        self
    }
}

/// A mesh and its reference shapes.
struct Ground {
    mesh: Shape,
    /// The hull it bounds, or all of its triangles.
    references: Vec<ReferenceShape>,
    size: f64,
}

impl Ground {
    /// The surface of a hull, as a mesh.
    fn from_hull(hull: &ConvexHull) -> Self {
        let vertices = hull.vertices().iter().map(|vertex| vertex.to_array()).collect();
        let mut triangles = Vec::new();
        for face in hull.faces() {
            let ring = hull.face_vertices(face);
            triangles.extend(ring[1..].windows(2).map(|pair| [ring[0], pair[0], pair[1]]));
        }
        let mesh = TriangleMesh::new(vertices, triangles).expect("the surface of a hull");
        let mesh = TriMesh::new(mesh).expect("faces of nonzero area").into();
        let solid = ShapeWithReference::new(hull.clone().into()).reference;
        Self { mesh, size: solid.size(), references: vec![solid] }
    }

    /// Ground of 8 × 8 cells of size `cell` with randomly displaced vertices; `roughness` is
    /// vertical.
    fn rough(random: &mut Random, cell: f64, roughness: f64) -> Self {
        const CELLS: u32 = 8;
        const ROW: u32 = CELLS + 1;
        let mut coordinate = |index: u32, displacement: f64| {
            cell * (f64::from(index) - f64::from(CELLS) / 2.0
                + displacement * (2.0 * random.unit_f64() - 1.0))
        };
        let mut points = Vec::new();
        for z in 0..ROW {
            for x in 0..ROW {
                let (x, y, z) =
                    (coordinate(x, 0.3), coordinate(CELLS / 2, roughness), coordinate(z, 0.3));
                points.push(Point::new(x, y, z).rounded().to_array());
            }
        }
        let mut triangles = Vec::new();
        for index in 0..CELLS * CELLS {
            let first = index / CELLS * ROW + index % CELLS;
            let [a, b, c, d] = [first, first + 1, first + ROW, first + ROW + 1];
            let flip_diagonal = random.below(2) == 0;
            triangles.extend(if flip_diagonal {
                [[a, c, b], [b, c, d]]
            } else {
                [[a, c, d], [a, d, b]]
            });
        }
        let mesh = TriangleMesh::new(points, triangles).expect("a valid mesh");
        let mesh = TriMesh::new(mesh).expect("triangles of nonzero area");
        let count = mesh.mesh().triangles().len() as u32;
        let references =
            (0..count).map(|index| ReferenceShape::triangle(mesh.triangle(index).map(Point::of)));
        Self { references: references.collect(), mesh: mesh.into(), size: cell }
    }

    /// Whether a body lies completely inside a hull mesh, where it touches nothing: far from the
    /// origin, coordinates may be too coarse to place a small body precisely.
    fn encloses(&self, pose: &Pose, body: &Solid) -> bool {
        let [reference] = &self.references[..] else { return false };
        match (reference.placed(&Transform::of(pose)), body) {
            (Solid::Round(hull), Solid::Round(body)) => {
                hull.normals.iter().all(|&normal| body.reach(normal) < hull.reach(normal))
            }
            _ => false,
        }
    }

    /// Signed distance of a body from the closest reference shape.
    fn separation(&self, pose: &Pose, body: &Solid, center: Point, reach: f64) -> f64 {
        let transform = Transform::of(pose);
        let mut least = f64::INFINITY;
        for reference in &self.references {
            // Lower bound by bounding spheres.
            let bound = (transform.transform_point(reference_center(reference)) - center).length()
                - reference.size() * 2.0
                - reach;
            if bound < least {
                least = least.min(true_separation(&reference.placed(&transform), body).separation);
            }
        }
        least
    }
}

/// Center of a bounding sphere whose radius is twice the size.
fn reference_center(reference: &ReferenceShape) -> Point {
    match reference {
        ReferenceShape::Round { points, .. } => points[0],
        ReferenceShape::HalfSpace { .. } => Point::ZERO,
    }
}

fn random_hull(random: &mut Random, size: f64) -> ConvexHull {
    let size = size as f32;
    let box_vertices = |half_extents: Vec3| {
        let side = |bit: u32| if bit & 1 == 1 { 1.0 } else { -1.0 };
        let vertex = |bits: u32| Vec3::new(side(bits), side(bits >> 1), side(bits >> 2));
        (0..8).map(|bits| half_extents.mul_elements(vertex(bits))).collect::<Vec<_>>()
    };
    let hull = match random.below(5) {
        0 => ConvexHull::new(&box_vertices(Vec3::new(1.0, 0.7, 0.5) * size)),
        1 => ConvexHull::cylinder(0.7 * size, 0.8 * size, 12),
        2 => ConvexHull::cone(0.7 * size, 0.8 * size, 9),
        3 => {
            let points: Vec<Vec3> =
                (0..40).map(|_| any_direction(random).rounded() * size).collect();
            ConvexHull::new(&points)
        }
        _ => ConvexHull::new(&box_vertices(Vec3::new(1.0, 0.05, 1.0) * size)),
    };
    hull.expect("a valid hull")
}

pub(super) fn random_body(random: &mut Random, size: f64) -> ShapeWithReference {
    let s = size as f32;
    let shape = match random.below(5) {
        0 => Sphere::new(0.5 * s).map(Shape::from),
        1 => Cuboid::new(Vec3::new(0.5, 0.3, 0.4) * s).map(Shape::from),
        2 => Capsule::new(0.4 * s, 0.2 * s).map(Shape::from),
        3 => ConvexHull::cylinder(0.4 * s, 0.3 * s, 7).map(Shape::from),
        _ => return ShapeWithReference::new(random_hull(random, 0.5 * size).into()),
    };
    ShapeWithReference::new(shape.expect("a valid shape"))
}

/// Compares the bodies with these indices.
#[must_use]
pub fn compare_mesh_contacts(seed: u64, numbers: Range<u64>) -> MeshTally {
    numbers
        .into_par_iter()
        .fold(MeshTally::default, |mut tally, number| {
            compare_body(seed, number, &mut tally);
            tally
        })
        .reduce(MeshTally::default, MeshTally::merged)
}

fn compare_body(seed: u64, number: u64, tally: &mut MeshTally) {
    let mut random = Random::for_purpose(seed, &[0x6D_65_73_68, number]);
    let size = log_uniform(&mut random, 1e-2, 1e2);
    let ground = if random.below(2) == 0 {
        Ground::from_hull(&random_hull(&mut random, size))
    } else {
        let roughness = [0.05, 0.3, 1.0, 2.5][random.below(4) as usize];
        Ground::rough(&mut random, size, roughness)
    };
    let body_size = size * [1.0, 0.3, 2.0, 0.1][random.below(4) as usize];
    let body = random_body(&mut random, body_size);
    let smaller = ground.size.min(body_size);
    let origin = if random.below(4) == 0 {
        any_direction(&mut random) * FAR_FROM_ORIGIN
    } else {
        Point::ZERO
    };
    let common = random_rotation(&mut random);
    let ground_pose = pose(common, origin);
    // Advance from a random direction, or from above, up to the target gap.
    let from = any_direction(&mut random);
    let from = if ground.references.len() > 1 {
        Point::new(from.0[0], 3.0 + from.0[1].abs(), from.0[2]) * (2.0 * size)
    } else {
        from * (3.0 * (size + body_size))
    };
    let rotation = random_rotation(&mut random);
    let target_gap = [0.01, 1e-3, 0.0, -1e-3, -0.02, -0.1][random.below(6) as usize] * smaller;
    let down = -common.rotate(if ground.references.len() > 1 {
        Point::new(0.0, 1.0, 0.0)
    } else {
        from.unit().unwrap_or(from)
    });
    let mut at = origin + common.rotate(from);
    let reach = 2.0 * body.reference.size();
    let truth_at = |at: Point| {
        let placed = pose(rotation, at);
        let solid = body.reference.placed(&Transform::of(&placed));
        (placed, ground.separation(&ground_pose, &solid, Point::of(placed.position), reach))
    };
    let mut truth = truth_at(at);
    for _ in 0..24 {
        let remaining = truth.1 - target_gap;
        if remaining.abs() <= 1e-4 * smaller || remaining < 0.0 {
            break;
        }
        at = at + down * remaining;
        truth = truth_at(at);
    }
    let (pose_b, truth) = truth;
    if ground.encloses(&ground_pose, &body.reference.placed(&Transform::of(&pose_b))) {
        tally.enclosed += 1;
        return;
    }
    tally.tested += 1;
    tally.separated += u64::from(truth > 0.0);
    let bodies = [(&ground.mesh, &ground_pose), (&body.shape, &pose_b)];
    let rounding =
        8.0 * f64::from(f32::EPSILON) * (4.0 * size + body_size + (at - origin).length());
    compare_results(
        number,
        bodies,
        truth,
        TOLERANCE * smaller + rounding,
        (0.02 * smaller) as f32,
        tally,
    );
}

fn compare_results(
    number: u64,
    [(mesh, mesh_pose), (body, pose)]: [(&Shape, &Pose); 2],
    truth: f64,
    tolerance: f64,
    margin: f32,
    tally: &mut MeshTally,
) {
    let closest = closest_points(mesh, mesh_pose, body, pose);
    let touches = intersects(mesh, mesh_pose, body, pose);
    let mut found = Vec::new();
    contact_manifolds(mesh, mesh_pose, body, pose, margin, &mut found);
    let deepest =
        found.iter().map(|m| f64::from(m.max_penetration())).fold(f64::NEG_INFINITY, f64::max);
    let distance = f64::from(closest.distance);
    let mut wrong = Vec::new();
    if touches != (distance <= 0.0) {
        wrong.push(format!("intersects is {touches}, against the distance"));
    }
    if truth.abs() > tolerance && touches != (truth < 0.0) {
        wrong.push(format!("intersects is {touches}, against the reference"));
    }
    if truth > tolerance {
        let error = (distance - truth).abs();
        tally.max_distance_error = tally.max_distance_error.max(error / tolerance);
        if error > tolerance {
            wrong.push(format!("distance error {error:e}"));
        }
        if deepest > tolerance {
            wrong.push(format!("penetration {deepest} of a separated body"));
        }
        if truth < f64::from(margin) - tolerance && (deepest + truth).abs() > tolerance {
            wrong.push(format!("closest contact has penetration {deepest}"));
        }
    }
    if truth < f64::from(margin) - tolerance && found.is_empty() {
        wrong.push("no contact".to_owned());
    }
    let is_valid = |m: &Manifold| {
        (f64::from(m.normal.length()) - 1.0).abs() < 1e-6
            && !m.points().is_empty()
            && m.points()
                .iter()
                .all(|point| point.position.is_finite() && point.penetration.is_finite())
    };
    if !found.iter().all(is_valid) {
        wrong.push("invalid manifold".to_owned());
    }
    let mut swapped = Vec::new();
    contact_manifolds(body, pose, mesh, mesh_pose, margin, &mut swapped);
    if !found.iter().copied().eq(swapped.iter().map(|m| m.flipped())) {
        wrong.push("differs for swapped bodies".to_owned());
    }
    if !wrong.is_empty() {
        let kind = body.type_name();
        let description = format!("{}: {kind}, reference {truth:e}, {closest:?}", wrong.join(", "));
        tally.record(number, description);
    }
}
