//! A sphere and a hull: the plane of the hull that the sphere's middle is farthest from tells most of
//! it, whether the middle is inside, or over that face, or too far away.

use embate_geom::{
    Frame, Mat3, Pose, Vec3, scalar,
    shapes::{Hull, Sphere},
};

use super::feature::Part;
use super::gjk::{self, Distance};
use super::nearest::Nearest;
use super::parted;
use super::polytope::Polytope;
use super::support::Point;

/// Where they are nearest; `None` if farther apart than `beyond`. A middle inside leaves by the nearest
/// face.
pub(super) fn nearest(
    (a, pose_a): (&Sphere, &Pose),
    (b, pose_b): (&Hull, &Pose),
    beyond: f32,
) -> Option<Nearest> {
    let frame = pose_b.frame();
    let middle = frame.axes.transposed_times(pose_a.position - pose_b.position);
    let (face, out) = b.farthest_plane(middle);
    let radius = a.radius();
    if out - radius > beyond {
        return None;
    }
    let (normal, _) = b.plane(face);
    let found = if out <= 0.0 || b.is_over(face, middle) {
        Some((normal, out, middle - normal * out, Part::face(face)))
    } else {
        let scale = b.reach() + middle.abs().largest();
        let seen = Frame { axes: Mat3::IDENTITY, origin: middle };
        let point = Point(Vec3::ZERO);
        let farther = beyond + radius + gjk::ROUNDING * scale;
        match gjk::distance(b, &point, &seen, normal, farther, scale) {
            Distance::Beyond => None,
            Distance::Overlapping => Some((normal, out, middle - normal * out, Part::face(face))),
            Distance::Apart(apart) => {
                let part = parted::part(b, &apart.simplex, 0, apart.normal());
                // No nearer than the plane: whether they touch is decided by that alone where it can be.
                let distance = scalar::max(apart.distance as f32, out);
                Some((apart.normal(), distance, apart.on_a.narrow(), part))
            }
        }
    };
    let (normal, distance, on_hull, part) = found?;
    let distance = distance - radius;
    (distance <= beyond).then(|| Nearest {
        normal: -(frame.axes * normal),
        distance,
        points: [frame.point(middle - normal * radius), frame.point(on_hull)],
        parts: [Part::WHOLE, part],
    })
}
