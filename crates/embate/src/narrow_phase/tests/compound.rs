//! Manifolds and closest points of compounds.

use super::*;
use crate::narrow_phase::contact_manifolds;
use crate::shapes::Compound;

#[test]
fn compound_returns_one_manifold_per_sub_shape() {
    let dumbbell = Shape::from(
        Compound::new(vec![
            (at(-1.0, 0.0, 0.0), sphere(0.5)),
            (at(1.0, 0.0, 0.0), sphere(0.5)),
            (Pose::IDENTITY, cuboid(1.0, 0.1, 0.1)),
        ])
        .unwrap(),
    );
    let floor = cuboid(5.0, 1.0, 5.0);
    let (pose, below) = (rotated(at(0.0, 0.49, 0.0), Vec3::Y, 30.0), at(0.0, -1.0, 0.0));
    let mut manifolds = Vec::new();
    contact_manifolds(&dumbbell, &pose, &floor, &below, 0.0, &mut manifolds);
    assert_eq!(
        manifolds.iter().map(|manifold| manifold.sub_shapes).collect::<Vec<_>>(),
        [[0, 0], [1, 0]]
    );
    let mut reversed = Vec::new();
    contact_manifolds(&floor, &below, &dumbbell, &pose, 0.0, &mut reversed);
    let flipped: Vec<Manifold> = reversed.into_iter().map(Manifold::flipped).collect();
    assert_eq!(manifolds, flipped);
    assert!(intersects(&dumbbell, &pose, &floor, &below));
    assert!((closest_points(&dumbbell, &pose, &floor, &below).distance + 0.01).abs() < 1e-5);
    // Two compounds, and the deepest of all manifolds.
    let second_pose = offset_z(&pose, 0.9);
    contact_manifolds(&dumbbell, &pose, &dumbbell, &second_pose, 0.2, &mut manifolds);
    assert!(manifolds.len() > 3);
    assert!(contact_manifold(&dumbbell, &pose, &dumbbell, &second_pose, 0.2).is_some());
}

fn offset_z(pose: &Pose, z: f32) -> Pose {
    Pose { position: pose.position + Vec3::new(0.0, 0.0, z), ..*pose }
}

#[test]
fn compounds_at_equal_poses_are_queried_in_canonical_order() {
    let compound_of_two = |shape: Shape, x: f32| {
        let sub_shapes = vec![(at(x, 0.0, 0.0), shape.clone()), (at(-x, 0.0, 0.0), shape)];
        Shape::from(Compound::new(sub_shapes).unwrap())
    };
    // Both pairs of sub-shapes are equally deep: only the order of the query decides which one is
    // returned.
    let (boxes, spheres) =
        (compound_of_two(cuboid(0.5, 0.5, 0.5), -1.0), compound_of_two(sphere(0.4), 1.0));
    let pose = Pose::IDENTITY;
    let forward = contact_manifold(&boxes, &pose, &spheres, &pose, 0.0).unwrap();
    let backward = contact_manifold(&spheres, &pose, &boxes, &pose, 0.0).unwrap();
    assert_eq!(forward, backward.flipped());
    let forward = closest_points(&boxes, &pose, &spheres, &pose);
    assert_eq!(forward, closest_points(&spheres, &pose, &boxes, &pose).flipped());
}

#[test]
fn compounds_keep_precision_far_from_the_origin() {
    let offset_box = |half: f32, x: f32| {
        let sub_shapes = vec![(at(x, -x, 0.5 * x), cuboid(half, half, half))];
        Shape::from(Compound::new(sub_shapes).unwrap())
    };
    let (a, b) = (offset_box(0.5, 0.7), offset_box(0.25, -0.3));
    let (pose_a, pose_b) = (rotated(at(0.0, 0.0, 0.0), Vec3::Z, 30.0), at(1.75, -0.5, 0.25));
    let near = closest_points(&a, &pose_a, &b, &pose_b);
    let manifold = contact_manifold(&a, &pose_a, &b, &pose_b, 1.0).unwrap();
    for offset in [Vec3::X * 8192.0, Vec3::splat(8192.0), Vec3::new(-8192.0, 4096.0, 8192.0)] {
        let moved = |pose: &Pose| Pose { position: pose.position + offset, ..*pose };
        let (distant_a, distant_b) = (moved(&pose_a), moved(&pose_b));
        let distant = closest_points(&a, &distant_a, &b, &distant_b);
        // These positions are exact in f32: only the canonical order can change the result.
        assert!((distant.distance - near.distance).abs() < 1e-6, "{offset:?}");
        assert!((distant.normal - near.normal).length() < 1e-6, "{offset:?}");
        let distant_manifold = contact_manifold(&a, &distant_a, &b, &distant_b, 1.0).unwrap();
        assert!(
            (distant_manifold.max_penetration() - manifold.max_penetration()).abs() < 1e-6,
            "{offset:?}"
        );
    }
}
