//! Anything against a half-space: by the heights of its corners over the border.

use embate_geom::{
    Pose, Vec3, Wide,
    shapes::{Capsule, Cuboid, Hull, Plane, Sphere},
};

use super::cuboid;
use super::feature::{Part, feature};
use super::impact_motion::Axes;
use super::manifold::{ContactPoint, Manifold};
use super::nearest::Nearest;
use super::polytope::Polytope;
use super::reduce::{self, Candidate};
use super::sat::FACE_PREFERENCE;
use super::support::Support;

/// The normal of the border in the world, and how high a body's own origin is over it.
///
/// A border has no end: a body may be far away from the origin of its half-space, and the height, small
/// then beside the way along the border, is as good as the poses only in f64.
#[inline]
fn border(pose: &Pose, plane: &Plane, pose_plane: &Pose) -> (Vec3, f32) {
    let normal = Axes::of(pose_plane.rotation).times(Wide::from(plane.normal()));
    let way = Wide::from(pose.position) - Wide::from(pose_plane.position);
    // The plane's own normal is as long as f32 lets it be.
    let height = normal.dot(way) / normal.length();
    (normal.direction().unwrap_or(Vec3::Y), height as f32)
}

/// A point of a body at a height over the border.
#[inline]
fn over(normal: Vec3, point: Vec3, height: f32, part: Part) -> Nearest {
    Nearest {
        normal: -normal,
        distance: height,
        points: [point, point - normal * height],
        parts: [part, Part::face(0)],
    }
}

/// The lowest point of a sphere.
#[inline]
pub(super) fn sphere(
    (a, pose_a): (&Sphere, &Pose),
    (b, pose_b): (&Plane, &Pose),
    beyond: f32,
) -> Option<Nearest> {
    let (normal, height) = border(pose_a, b, pose_b);
    let point = pose_a.position - normal * a.radius();
    let height = height - a.radius();
    (height <= beyond).then(|| over(normal, point, height, Part::WHOLE))
}

/// The heights of both ends of a capsule, the lower first.
fn ends((a, pose_a): (&Capsule, &Pose), (b, pose_b): (&Plane, &Pose)) -> [Nearest; 2] {
    let (normal, height) = border(pose_a, b, pose_b);
    let tip = pose_a.rotation.matrix().columns[1] * a.half_height();
    let rise = normal.dot(tip);
    let end = |tip: Vec3, rise: f32, index: u32| {
        let point = pose_a.position + tip - normal * a.radius();
        over(normal, point, height + rise - a.radius(), Part::corner(index))
    };
    let (low, high) = (end(-tip, -rise, 0), end(tip, rise, 1));
    if low.distance <= high.distance { [low, high] } else { [high, low] }
}

/// The lower end of a capsule.
pub(super) fn capsule(a: (&Capsule, &Pose), b: (&Plane, &Pose), beyond: f32) -> Option<Nearest> {
    let [lower, _] = ends(a, b);
    (lower.distance <= beyond).then_some(lower)
}

/// Both ends of a capsule, as far as they reach.
pub(super) fn capsule_contact(
    a: (&Capsule, &Pose),
    b: (&Plane, &Pose),
    margin: f32,
) -> Option<Manifold> {
    let [lower, upper] = ends(a, b);
    if lower.distance > margin {
        return None;
    }
    let mut manifold = lower.manifold();
    if upper.distance <= margin && a.0.half_height() > 0.0 {
        manifold.push(upper.contact_point());
    }
    Some(manifold)
}

/// The lowest corner of a box or hull.
pub(super) fn polytope<A: Polytope>(
    (a, pose_a): (&A, &Pose),
    (b, pose_b): (&Plane, &Pose),
    beyond: f32,
) -> Option<Nearest> {
    let (normal, height) = border(pose_a, b, pose_b);
    let axes = pose_a.rotation.matrix();
    let down = -axes.transposed_times(normal);
    let (index, lowest) = a.corner_along(down);
    let height = height - down.dot(lowest);
    (height <= beyond).then(|| {
        let point = axes * lowest + pose_a.position;
        over(normal, point, height, Part::corner(index))
    })
}

/// The corners of the lowest face of a box, as far as they reach.
pub(super) fn cuboid_contact(
    (a, pose_a): (&Cuboid, &Pose),
    (b, pose_b): (&Plane, &Pose),
    margin: f32,
) -> Option<Manifold> {
    let (normal, height) = border(pose_a, b, pose_b);
    let axes = pose_a.rotation.matrix();
    let down = -axes.transposed_times(normal);
    let half = a.half();
    let lowest = height - down.abs().dot(half);
    if lowest > margin {
        return None;
    }
    let axis = cuboid::greatest(down.abs());
    let face = cuboid::face_index(axis, down[axis] < 0.0);
    let mut manifold = Manifold::along(-normal);
    for &index in cuboid::face_corners(face) {
        let corner = cuboid::corner(half, index);
        let height = height - down.dot(corner);
        if height <= margin {
            manifold.push(ContactPoint {
                point: pose_a.position + (axes * corner - normal * (0.5 * height)),
                depth: -height,
                feature: feature(Part::corner(index), Part::face(0)),
            });
        }
    }
    Some(manifold)
}

/// Four corners of the lowest face of a hull, as far as they reach.
pub(super) fn hull_contact(
    (a, pose_a): (&Hull, &Pose),
    (b, pose_b): (&Plane, &Pose),
    margin: f32,
) -> Option<Manifold> {
    /// Corners looked at; of more, as many, evenly spread.
    const MOST: usize = 32;
    let (normal, height) = border(pose_a, b, pose_b);
    let axes = pose_a.rotation.matrix();
    let down = -axes.transposed_times(normal);
    let (deepest, _) = a.corner_along(down);
    if height - down.dot(a.vertex(deepest)) > margin {
        return None;
    }
    let across = down.any_perpendicular();
    let along = down.cross(across);
    let corners = Polytope::corners(a, a.face_at(deepest, down));
    let step = corners.len().div_ceil(MOST);
    let mut candidates = [Candidate::default(); MOST + 1];
    let mut indices = [0; MOST + 1];
    let mut count = 0;
    // The deepest corner, even where steps would pass over it.
    let passed_over = !corners.iter().step_by(step).any(|&index| index == deepest);
    let others = corners.iter().copied().step_by(step);
    for index in others.chain(passed_over.then_some(deepest)) {
        let corner = a.vertex(index);
        let height = height - down.dot(corner);
        if height <= margin {
            candidates[count] =
                Candidate { at: [corner.dot(across), corner.dot(along)], depth: -height };
            indices[count] = index;
            count += 1;
        }
    }
    let mut manifold = Manifold::along(-normal);
    let (kept, kept_count) = reduce::reduced(&candidates[..count], FACE_PREFERENCE * a.size());
    for &candidate in &kept[..kept_count] {
        let index = indices[candidate];
        let depth = candidates[candidate].depth;
        manifold.push(ContactPoint {
            point: pose_a.position + (axes * a.vertex(index) + normal * (0.5 * depth)),
            depth,
            feature: feature(Part::corner(index), Part::face(0)),
        });
    }
    Some(manifold)
}
