//! Two capsules: balls at the nearest points of their segments; lying along each other, at both ends of
//! the stretch they share.

use embate_geom::{Pose, Wide, scalar, shapes::Capsule};

use super::feature::{Part, feature};
use super::manifold::{ContactPoint, Manifold};
use super::nearest::Nearest;
use super::rods::{self, Places, Rods};

#[inline]
fn rods_of((a, pose_a): (&Capsule, &Pose), (b, pose_b): (&Capsule, &Pose)) -> Rods {
    Rods {
        tip_a: Wide::from(pose_a.rotation.matrix().columns[1] * a.half_height()),
        tip_b: Wide::from(pose_b.rotation.matrix().columns[1] * b.half_height()),
        between: Wide::from(pose_b.position - pose_a.position),
    }
}

/// Where they are nearest; `None` if farther apart than `beyond`. Segments that cross or coincide are
/// parted square to both.
pub(super) fn nearest(
    (a, pose_a): (&Capsule, &Pose),
    (b, pose_b): (&Capsule, &Pose),
    beyond: f32,
) -> Option<Nearest> {
    let rods = rods_of((a, pose_a), (b, pose_b));
    of_rods(&rods, rods.nearest(), (a.radius(), b.radius()), pose_a, beyond)
}

fn of_rods(
    rods: &Rods,
    places: Places,
    (radius_a, radius_b): (f32, f32),
    pose_a: &Pose,
    beyond: f32,
) -> Option<Nearest> {
    let middle = pose_a.position + (rods.tip_a * places.on_a).narrow();
    let mut nearest = Nearest::of_balls(
        (middle, radius_a),
        (rods.way(places), radius_b),
        beyond,
        rods.vague(),
        || rods.square(),
    )?;
    nearest.parts = [Part::of_rod(places.on_a), Part::of_rod(places.on_b)];
    Some(nearest)
}

/// Up to two points, or a third between them where that is deeper.
pub(super) fn contact(
    (a, pose_a): (&Capsule, &Pose),
    (b, pose_b): (&Capsule, &Pose),
    margin: f32,
) -> Option<Manifold> {
    let rods = rods_of((a, pose_a), (b, pose_b));
    let nearest = of_rods(&rods, rods.nearest(), (a.radius(), b.radius()), pose_a, margin)?;
    let Some(ends) = rods.stretch() else {
        return Some(nearest.manifold());
    };
    let reach = f64::from(a.radius() + b.radius());
    let mut manifold = Manifold::along(nearest.normal);
    let (size_a, size_b) = (a.half_height() + a.radius(), b.half_height() + b.radius());
    let smaller = scalar::min(size_a, size_b);
    for places in ends {
        let way = rods.way(places);
        let distance = (way.length() - reach) as f32;
        if distance <= margin
            && rods::shares(way, nearest.normal, f64::from(b.radius()), smaller.into())
        {
            let on_a = (rods.tip_a * places.on_a).narrow() + nearest.normal * a.radius();
            manifold.push(ContactPoint {
                point: pose_a.position + (on_a + nearest.normal * (distance * 0.5)),
                depth: -distance,
                feature: feature(Part::of_rod(places.on_a), Part::of_rod(places.on_b)),
            });
        }
    }
    if manifold.points().len() < 2 {
        return Some(nearest.manifold());
    }
    // Nearly parallel rods that cross are deepest in between.
    if -nearest.distance > manifold.depth() + 1e-5 * smaller {
        manifold.push(nearest.contact_point());
    }
    Some(manifold)
}
