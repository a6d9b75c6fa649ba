//! Buildings, each around the origin of its lot and standing on y = 0.

use super::facade::{FLOOR, Facade, tier};
use super::rooftop;
use crate::generators::builder::{Along, Builder, Heading, Side};
use crate::random::Random;

/// Tiers that step back as they rise.
pub(super) fn setback_tower(builder: &mut Builder, random: &mut Random, edge: f32, floors: u32) {
    let facade = [Facade::Fins, Facade::Grid, Facade::Grid][random.below(3) as usize];
    let (mut width, mut depth) =
        (edge * random.between(0.85, 1.0), edge * random.between(0.75, 1.0));
    let mut foot = 0.0;
    // The share of the height in each tier.
    for share in [0.22, 0.45, 0.33] {
        let tier_floors = ((floors as f32 * share) as u32).max(2);
        builder.at([0.0, foot, 0.0], Heading::SOUTH, |builder| {
            tier(builder, facade, width, depth, tier_floors);
        });
        foot += FLOOR * tier_floors as f32;
        (width, depth) = (width * 0.78, depth * 0.78);
    }
    builder.at([0.0, foot, 0.0], Heading::SOUTH, |builder| {
        rooftop::clutter(builder, random, width, depth);
        rooftop::mast(builder, random.between(12.0, 28.0));
    });
}

/// The broad foot of a tower, which `build` then puts on its roof.
pub(super) fn on_podium(builder: &mut Builder, build: impl FnOnce(&mut Builder)) {
    const FLOORS: u32 = 3;
    tier(builder, Facade::Louvres, 42.0, 42.0, FLOORS);
    builder.at([0.0, FLOOR * FLOORS as f32, 0.0], Heading::SOUTH, build);
}

/// Two slim shafts of unequal height, bridged, their fins unbroken from podium to crown.
pub(super) fn blades(builder: &mut Builder, random: &mut Random) {
    let (width, depth, gap) = (34.0, 13.0, 5.0);
    let floors = [58 + random.below(9), 46 + random.below(8)];
    for (side, floors) in [-1.0, 1.0].into_iter().zip(floors) {
        let center = [0.0, 0.0, side * (depth + gap) / 2.0];
        builder.at(center, Heading::SOUTH, |builder| {
            tier(builder, Facade::Grid, width, depth, floors);
            builder.at([0.0, FLOOR * floors as f32, 0.0], Heading::SOUTH, |builder| {
                rooftop::clutter(builder, random, width, depth);
                rooftop::mast(builder, random.between(10.0, 22.0));
            });
        });
    }
    for floor in [12, 24, 36] {
        let y = FLOOR * floor as f32;
        let hidden = [Side::North, Side::South];
        builder.cuboid_without(&hidden, [-4.0, y, -gap / 2.0], [4.0, y + FLOOR, gap / 2.0]);
    }
}

/// A round tower: glass and a projecting ring for each floor, under a dome.
pub(super) fn round_tower(builder: &mut Builder, radius: f32, floors: u32) {
    let mut profile = Vec::new();
    for floor in 0..floors {
        let foot = FLOOR * floor as f32;
        let (glass, ring) = (radius, radius + 0.5);
        profile.extend([
            [glass, foot],
            [glass, foot + 2.6],
            [ring, foot + 2.6],
            [ring, foot + FLOOR],
        ]);
    }
    let top = FLOOR * floors as f32;
    profile.extend([
        [0.9 * radius, top],
        [0.75 * radius, top + 4.0],
        [0.4 * radius, top + 6.5],
        [0.0, top + 7.5],
    ]);
    builder.turned([0.0; 3], 20, &profile);
}

/// Floor plates that turn a little on each other as they rise.
pub(super) fn twisted_tower(builder: &mut Builder, edge: f32, floors: u32) {
    const TURN_PER_FLOOR: f32 = 0.04;
    let (glass, plate) = (0.44 * edge, 0.5 * edge);
    for floor in 0..floors {
        let foot = [0.0, FLOOR * floor as f32, 0.0];
        builder.at(foot, Heading::turned(TURN_PER_FLOOR * floor as f32), |builder| {
            let hidden = [Side::Up, Side::Down];
            builder.cuboid_without(&hidden, [-glass, 0.0, -glass], [glass, FLOOR - 0.5, glass]);
            builder.cuboid([-plate, FLOOR - 0.5, -plate], [plate, FLOOR, plate]);
        });
    }
    builder.at([0.0, FLOOR * floors as f32, 0.0], Heading::SOUTH, |builder| {
        rooftop::mast(builder, 24.0);
    });
}

/// A bar of offices: one facade all around.
pub(super) fn offices(builder: &mut Builder, random: &mut Random, width: f32, depth: f32) {
    let facade = [Facade::Fins, Facade::Grid, Facade::Louvres][random.below(3) as usize];
    let floors = 12 + random.below(17);
    tier(builder, facade, width, depth, floors);
    builder.at([0.0, FLOOR * floors as f32, 0.0], Heading::SOUTH, |builder| {
        rooftop::clutter(builder, random, width, depth);
    });
}

/// A long block of flats, with balconies to the south.
pub(super) fn flats(builder: &mut Builder, random: &mut Random, width: f32, depth: f32) {
    let floors = 6 + random.below(3);
    tier(builder, Facade::Punched, width, depth, floors);
    let balconies = (width / 7.0) as u32;
    for floor in 1..floors {
        let y = FLOOR * floor as f32;
        for x in (0..balconies).map(|n| width * ((n as f32 + 0.5) / balconies as f32 - 0.5)) {
            let out = depth / 2.0;
            builder.cuboid_without(
                &[Side::North],
                [x - 1.5, y, out],
                [x + 1.5, y + 1.0, out + 1.4],
            );
        }
    }
    builder.at([0.0, FLOOR * floors as f32, 0.0], Heading::SOUTH, |builder| {
        rooftop::clutter(builder, random, width, depth);
    });
}

/// A small house with a pitched roof.
pub(super) fn cottage(builder: &mut Builder, random: &mut Random) {
    let (width, depth, eaves) =
        (random.between(8.0, 10.0), random.between(6.5, 8.0), random.between(3.2, 6.0));
    let (w, d, ridge) = (width / 2.0, depth / 2.0, eaves + random.between(2.0, 3.2));
    builder.cuboid_without(&[Side::Up, Side::Down], [-w, 0.0, -d], [w, eaves, d]);
    let (out, low) = (d + 0.5, eaves - 0.3);
    builder.prism(Along::X, &[[low, out], [low, -out], [ridge, 0.0]], -w - 0.4, w + 0.4);
    builder.block([w - 2.0, eaves, -1.2], [w - 1.3, ridge + 0.8, -0.5]);
    builder.on_sides(width, depth, |builder, side, width| {
        for x in [0.25 * width, 0.75 * width] {
            builder.cuboid_without(&[Side::North], [x - 0.6, 1.0, 0.0], [x + 0.6, 2.3, 0.12]);
        }
        if side == 0 {
            let x = 0.5 * width;
            builder.cuboid_without(
                &[Side::North, Side::Down],
                [x - 0.5, 0.0, 0.0],
                [x + 0.5, 2.1, 0.15],
            );
        }
    });
}

/// The needle in the middle of the city: a waisted shaft with decks, on four buttresses.
pub(super) fn spire(builder: &mut Builder) {
    let shaft = [
        [15.0, 0.0],
        [9.0, 18.0],
        [6.5, 50.0],
        [5.5, 110.0],
        [6.5, 165.0],
        [14.0, 182.0],
        [17.0, 186.0],
        [17.0, 193.0],
        [13.0, 199.0],
        [5.0, 203.0],
        [3.5, 232.0],
        [8.0, 237.0],
        [8.0, 241.0],
        [2.0, 246.0],
        [0.8, 276.0],
        [0.0, 300.0],
    ];
    builder.turned([0.0; 3], 32, &shaft);
    for height in [40.0, 75.0, 110.0, 145.0] {
        let ring = [[5.0, 0.0], [10.5, 1.0], [10.5, 2.2], [5.0, 3.0]];
        builder.turned([0.0, height, 0.0], 32, &ring);
    }
    for heading in Heading::ALL {
        builder.at([0.0; 3], heading, |builder| {
            let buttress = [[0.0, 23.0], [0.0, 7.0], [70.0, 5.0], [20.0, 20.0]];
            builder.prism(Along::X, &buttress, -1.2, 1.2);
        });
    }
}
