//! Closed kinematic loops, which the tree solver cannot factorize: nets and four-bar linkages.

use embate_geom::{Vec3, scalar};

use crate::dynamics::tests::*;
use crate::dynamics::{JointDef, JointId};

/// A net of 10 × 10 knots of 0.1 kg, 0.5 m apart, fixed at its four corners, with a load at its
/// center. Returns the rods between neighboring knots.
fn add_net(world: &mut World, load: f32) -> Vec<JointId> {
    let at = |x: u16, z: u16| Vec3::new(f32::from(x) * 0.5, 0.0, f32::from(z) * 0.5);
    let mut knots = Vec::new();
    for index in 0..100_u16 {
        let (x, z) = (index % 10, index / 10);
        let corner = (x == 0 || x == 9) && (z == 0 || z == 9);
        let mass = if (x, z) == (5, 5) { load } else { 0.1 };
        let def = BodyDef::dynamic(sphere(0.05), mass).linear_damping(0.5).angular_damping(0.5);
        let def = if corner { BodyDef::fixed(sphere(0.05)) } else { def };
        knots.push(world.insert_body(def.position(at(x, z))).unwrap());
    }
    let mut rods = Vec::new();
    let mut connect = |(x, z): (u16, u16), (u, w): (u16, u16)| {
        let [a, b] = [x + 10 * z, u + 10 * w].map(|index| knots[usize::from(index)]);
        rods.push(world.insert_joint(JointDef::distance(a, b, at(x, z), at(u, w))).unwrap());
    };
    for line in 0..10_u16 {
        for knot in 0..9_u16 {
            connect((knot, line), (knot + 1, line));
            connect((line, knot), (line, knot + 1));
        }
    }
    rods
}

/// Rods that close loops are solved iteratively, by Gauss–Seidel. A tree would hold to 1 mm; here
/// the rods stretch by up to a quarter.
#[test]
fn net_carries_100_kg_and_stretches_by_at_most_a_quarter() {
    let mut world = world();
    let rods = add_net(&mut world, 100.0);
    let start = world.total_energy();
    for _ in 0..240 {
        world.step();
        let lengths = rods.iter().map(|&rod| world.joint(rod).unwrap().distance());
        let error = lengths.fold(0.0, |max, length| scalar::max((length - 0.5).abs(), max));
        assert!(error < 0.13, "a rod is off by {error} m");
        assert!(world.total_energy() < start + 1e-3, "gained {} J", world.total_energy() - start);
    }
}

/// A four-bar linkage: two cranks and a coupler, on the ground or on a dynamic frame that a joint
/// fixes to it. Returns the hinges and the coupler.
fn add_four_bar_linkage(
    world: &mut World,
    coupler_mass: f32,
    has_frame: bool,
) -> (Vec<JointId>, BodyId) {
    // Beside the bars, so that they do not collide.
    let aside = Vec3::Z * 2.0;
    let ground = world.insert_body(BodyDef::fixed(sphere(0.1)).position(aside * 2.0)).unwrap();
    let frame = if has_frame {
        let frame = BodyDef::dynamic(cuboid(1.0, 0.1, 0.1), 1.0).position(aside);
        let frame = world.insert_body(frame).unwrap();
        world.insert_joint(JointDef::fixed(ground, frame, aside * 2.0)).unwrap();
        frame
    } else {
        ground
    };
    let crank = BodyDef::dynamic(cuboid(0.05, 0.5, 0.05), 1.0);
    let left = world.insert_body(crank.clone().position(Vec3::new(-1.0, 0.5, 0.0))).unwrap();
    let right = world.insert_body(crank.position(Vec3::new(1.0, 0.5, 0.0))).unwrap();
    let coupler = BodyDef::dynamic(cuboid(0.9, 0.05, 0.05), coupler_mass).position(Vec3::Y);
    let coupler = world.insert_body(coupler).unwrap();
    let hinges = [
        (frame, left, Vec3::new(-1.0, 0.0, 0.0)),
        (frame, right, Vec3::new(1.0, 0.0, 0.0)),
        (left, coupler, Vec3::new(-1.0, 1.0, 0.0)),
        (right, coupler, Vec3::new(1.0, 1.0, 0.0)),
    ];
    let hinges =
        hinges.map(|(a, b, at)| world.insert_joint(JointDef::revolute(a, b, at, Vec3::Z)).unwrap());
    (hinges.to_vec(), coupler)
}

/// On the ground the joints form a tree; on a dynamic frame, a loop.
#[test]
fn four_bar_linkage_swings_through_its_lowest_point() {
    for (has_frame, mass, max_error) in
        [(false, 1.0, 1e-3), (false, 100.0, 1e-3), (true, 1.0, 2e-3), (true, 100.0, 0.01)]
    {
        let mut world = world();
        let (hinges, coupler) = add_four_bar_linkage(&mut world, mass, has_frame);
        world.body_mut(coupler).unwrap().set_linear_velocity(Vec3::X * 0.3).unwrap();
        let start = world.total_energy();
        let mut lowest = 1.0_f32;
        for _ in 0..240 {
            world.step();
            let errors = hinges.iter().map(|&hinge| world.joint(hinge).unwrap().distance());
            let error = errors.fold(0.0, scalar::max);
            let energy = world.total_energy();
            let case = format!("frame: {has_frame}, {mass} kg");
            assert!(error < max_error, "{case}: joint error {error} m");
            assert!(energy < 1.01 * start, "{case}: gained {} J", energy - start);
            lowest = scalar::min(position(&world, coupler).y, lowest);
        }
        // The coupler passed the lowest point of its circle.
        assert!((lowest + 1.0).abs() < 0.05, "frame: {has_frame}, {mass} kg: lowest at {lowest} m");
    }
}
