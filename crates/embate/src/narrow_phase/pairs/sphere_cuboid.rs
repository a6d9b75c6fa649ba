//! A sphere and a box: the sphere's middle against the nearest point of the box, or, from inside, the
//! nearest face.

use embate_geom::{
    Pose, Vec3, Wide,
    shapes::{Cuboid, Sphere},
};

use super::cuboid;
use super::feature::Part;
use super::nearest::Nearest;

/// Where they are nearest; `None` if farther apart than `beyond`. A middle inside leaves by the nearest
/// face; of equally near ones, along the first axis, and from the very middle, along its positive side.
#[inline]
pub(super) fn nearest(
    (a, pose_a): (&Sphere, &Pose),
    (b, pose_b): (&Cuboid, &Pose),
    beyond: f32,
) -> Option<Nearest> {
    let frame = pose_b.frame();
    let middle = frame.axes.transposed_times(pose_a.position - pose_b.position);
    let half = b.half();
    let on_box = middle.max(-half).min(half);
    let out = Wide::from(middle - on_box);
    let square = out.length_squared();
    let radius = f64::from(a.radius());
    // The normal points out of the box until the end.
    let (distance, normal, on_box) = if square > 0.0 {
        let length = square.sqrt();
        (length - radius, (out * (1.0 / length)).narrow(), on_box)
    } else {
        let room = half - middle.abs();
        let axis = cuboid::least(room);
        let mut normal = Vec3::ZERO;
        normal[axis] = if middle[axis] < 0.0 { -1.0 } else { 1.0 };
        let mut on_face = middle;
        on_face[axis] = normal[axis] * half[axis];
        (-f64::from(room[axis]) - radius, normal, on_face)
    };
    if distance > f64::from(beyond) {
        return None;
    }
    let on_sphere = middle - normal * a.radius();
    let turned = frame.axes * normal;
    Some(Nearest {
        normal: -turned,
        distance: distance as f32,
        points: [frame.point(on_sphere), frame.point(on_box)],
        parts: [Part::WHOLE, cuboid::part_along(normal)],
    })
}
