//! Picking: the object at a point.

use embate::math::scalar;

use embate_scene::generators::Bounds;

/// An object as it is drawn: its least corner, and its size.
pub(super) type ObjectRect = [[f32; 2]; 2];

/// The smallest object under the point, or else the nearest one within `reach`. Of equals the
/// first; a point that is nowhere means none.
pub(super) fn object_at(
    objects: &[ObjectRect],
    bounds: Bounds,
    point: [f32; 2],
    reach: f32,
) -> Option<u32> {
    if !point.iter().all(|along| along.is_finite()) {
        return None;
    }
    let mut best: Option<(f32, f32, u32)> = None;
    for (id, object) in (0..).zip(objects) {
        let away = distance(object, bounds, point);
        let [_, [width, height]] = object;
        let better = best.is_none_or(|(nearest, area, _)| {
            away < nearest || (away == nearest && width * height < area)
        });
        if away <= reach && better {
            best = Some((away, width * height, id));
        }
    }
    best.map(|(_, _, id)| id)
}

/// From the point to the object's edge; 0 inside. Squared distances would overflow nothing here,
/// but `reach` is a length.
fn distance([corner, size]: &ObjectRect, bounds: Bounds, point: [f32; 2]) -> f32 {
    match bounds {
        Bounds::Aabb => {
            let outside = |axis: usize| {
                let before = corner[axis] - point[axis];
                let beyond = point[axis] - (corner[axis] + size[axis]);
                scalar::max(scalar::max(before, beyond), 0.0)
            };
            length([outside(0), outside(1)])
        }
        Bounds::Circle => {
            let radius = size[0] / 2.0;
            let from_middle = |axis: usize| corner[axis] + radius - point[axis];
            scalar::max(length([from_middle(0), from_middle(1)]) - radius, 0.0)
        }
    }
}

fn length([x, y]: [f32; 2]) -> f32 {
    (x * x + y * y).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LARGE: ObjectRect = [[0.0, 0.0], [100.0, 100.0]];
    const SMALL: ObjectRect = [[40.0, 40.0], [10.0, 10.0]];

    #[test]
    fn smallest_object_under_the_point_is_picked() {
        for objects in [[LARGE, SMALL], [SMALL, LARGE]] {
            let id = object_at(&objects, Bounds::Aabb, [45.0, 45.0], 0.0).unwrap();
            assert_eq!(objects[id as usize], SMALL);
        }
        assert_eq!(object_at(&[LARGE, SMALL], Bounds::Aabb, [10.0, 45.0], 0.0), Some(0));
    }

    #[test]
    fn nearest_object_within_reach_is_picked() {
        let at = |reach| object_at(&[LARGE, SMALL], Bounds::Aabb, [103.0, 104.0], reach);
        assert_eq!((at(4.9), at(5.0)), (None, Some(0)));
        assert_eq!(object_at(&[LARGE], Bounds::Aabb, [f32::NAN, 0.0], 9.0), None);
    }

    #[test]
    fn corner_of_the_aabb_is_outside_the_circle() {
        let corner = [1.0, 1.0];
        assert_eq!(object_at(&[LARGE], Bounds::Circle, corner, 0.0), None);
        assert_eq!(object_at(&[LARGE], Bounds::Aabb, corner, 0.0), Some(0));
    }
}
