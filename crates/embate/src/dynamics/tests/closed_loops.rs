//! Joints that close rings: no tree holds them all.

use embate_geom::{Vec3, scalar};

use super::*;
use crate::motion::{JointId, JointPlan};

/// Ten by ten knots of 0.1 kg, half a metre apart, hung up at the four corners, with a load in the
/// middle. Returns the rods that tie neighbours.
fn net(world: &mut World, load: f32) -> Vec<JointId> {
    let at = |x: u16, z: u16| Vec3::new(f32::from(x) * 0.5, 0.0, f32::from(z) * 0.5);
    let mut knots = Vec::new();
    for place in 0..100_u16 {
        let (x, z) = (place % 10, place / 10);
        let corner = (x == 0 || x == 9) && (z == 0 || z == 9);
        let mass = if (x, z) == (5, 5) { load } else { 0.1 };
        let plan = BodyPlan::moving(sphere(0.05), mass).with_damping(0.5, 0.5);
        let plan = if corner { BodyPlan::still(sphere(0.05)) } else { plan };
        knots.push(world.add(plan.at(at(x, z))).unwrap());
    }
    let mut rods = Vec::new();
    let mut tie = |(x, z): (u16, u16), (u, w): (u16, u16)| {
        let [a, b] = [x + 10 * z, u + 10 * w].map(|place| knots[usize::from(place)]);
        rods.push(world.join(JointPlan::distance(a, b, at(x, z), at(u, w))).unwrap());
    };
    for place in 0..10_u16 {
        for next in 0..9_u16 {
            tie((next, place), (next + 1, place));
            tie((place, next), (place, next + 1));
        }
    }
    rods
}

/// Its rods are solved by turns: what a tree would hold to a millimetre gives way here, and no more than this.
#[test]
fn a_net_of_ten_by_ten_holds_a_hundred_kilograms_and_gives_way_by_a_quarter() {
    let mut world = world();
    let rods = net(&mut world, 100.0);
    let start = world.energy();
    for _ in 0..240 {
        world.step();
        let lengths = rods.iter().map(|&rod| world.joint(rod).unwrap().length());
        let most = lengths.fold(0.0, |most, length| scalar::max((length - 0.5).abs(), most));
        assert!(most < 0.13, "{most} m");
        assert!(world.energy() < start + 1e-3, "{} J", world.energy() - start);
    }
}

/// Two cranks and a coupler, on the ground or on a frame that is a body itself and fixed to it.
fn four_bar(world: &mut World, load: f32, framed: bool) -> (Vec<JointId>, BodyId) {
    // Beside the bars, so that they pass.
    let aside = Vec3::Z * 2.0;
    let ground = world.add(BodyPlan::still(sphere(0.1)).at(aside * 2.0)).unwrap();
    let frame = if framed {
        let frame = BodyPlan::moving(cuboid(1.0, 0.1, 0.1), 1.0).at(aside);
        let frame = world.add(frame).unwrap();
        world.join(JointPlan::weld(ground, frame, aside * 2.0)).unwrap();
        frame
    } else {
        ground
    };
    let crank = BodyPlan::moving(cuboid(0.05, 0.5, 0.05), 1.0);
    let left = world.add(crank.clone().at(Vec3::new(-1.0, 0.5, 0.0))).unwrap();
    let right = world.add(crank.at(Vec3::new(1.0, 0.5, 0.0))).unwrap();
    let coupler = BodyPlan::moving(cuboid(0.9, 0.05, 0.05), load).at(Vec3::Y);
    let coupler = world.add(coupler).unwrap();
    let pins = [
        (frame, left, Vec3::new(-1.0, 0.0, 0.0)),
        (frame, right, Vec3::new(1.0, 0.0, 0.0)),
        (left, coupler, Vec3::new(-1.0, 1.0, 0.0)),
        (right, coupler, Vec3::new(1.0, 1.0, 0.0)),
    ];
    let pins = pins.map(|(a, b, at)| world.join(JointPlan::hinge(a, b, at, Vec3::Z)).unwrap());
    (pins.to_vec(), coupler)
}

/// On the ground it is a tree; on a frame that could move, a ring.
#[test]
fn a_four_bar_swings_under_its_load() {
    for (framed, load, most_gap) in
        [(false, 1.0, 1e-3), (false, 100.0, 1e-3), (true, 1.0, 2e-3), (true, 100.0, 0.01)]
    {
        let mut world = world();
        let (pins, coupler) = four_bar(&mut world, load, framed);
        world.change(coupler).unwrap().set_velocity(Vec3::X * 0.3).unwrap();
        let start = world.energy();
        let mut lowest = 1.0_f32;
        for _ in 0..240 {
            world.step();
            let gaps = pins.iter().map(|&pin| world.joint(pin).unwrap().length());
            let gap = gaps.fold(0.0, scalar::max);
            let energy = world.energy();
            assert!(gap < most_gap, "framed {framed}, {load} kg: {gap} m");
            assert!(energy < 1.01 * start, "framed {framed}, {load} kg: {} J", energy - start);
            lowest = scalar::min(position(&world, coupler).y, lowest);
        }
        // It went down through the lowest point of its circle.
        assert!((lowest + 1.0).abs() < 0.05, "framed {framed}, {load} kg: {lowest}");
    }
}
