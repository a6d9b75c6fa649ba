//! City of 118,026 triangles: stand-in for `scificity` of Lorenzi 2014, whose file is lost.
//!
//! Meters, y up, x east, z south. The published model had very high affinity and 12.35 % of its
//! triangles tested: far more than a city of small windows alone would have. So here, too, many
//! parts run the height of a tower or the width of a front, and straddle the octree's planes.

mod buildings;
mod elevated;
mod facade;
mod rooftop;
mod street;

use embate::TriangleMesh;

use super::builder::{Builder, Heading, Point};
use crate::random::Random;
use buildings::{
    blades, cottage, flats, offices, on_podium, round_tower, setback_tower, spire, twisted_tower,
};

/// As many as the lost model had.
const TRIANGLES: usize = 118_026;
/// The year of the study. Each purpose draws from a stream of its own under it.
const SEED: u64 = 2014;
const PAVEMENT: u64 = 0;
const BUILDINGS: u64 = 1;
const TRAFFIC: u64 = 2;
const PARK: u64 = 3;

/// Blocks on a side: an odd number, so that buildings and not a street lie in the octree's middle
/// planes.
const ACROSS: u32 = 5;
/// What stands on each block, from the north-west to the south-east.
const PLAN: [[District; ACROSS as usize]; ACROSS as usize] = {
    use District::{Blades as B, Cottages as C, Flats as F, Offices as O, Park as P};
    use District::{RoundTower as R, Spire as A, Tower as T, TwistedTower as W};
    [
        [C, O, F, O, C], //
        [O, B, R, T, O],
        [O, W, A, B, O],
        [O, T, B, R, P],
        [C, O, F, C, C],
    ]
};
const BLOCK: f32 = 48.0;
/// Streets that run east, and the narrower ones that run south.
const STREET: f32 = 16.0;
const SIDE_STREET: f32 = 13.0;
/// The avenue lies west of this column of blocks, and its extra width over a side street.
const AVENUE: u32 = 4;
const AVENUE_EXTRA: f32 = 12.0;
/// From the city's edge to the first block.
const MARGIN: f32 = 8.0;
const HALF_EDGE: f32 = MARGIN + 2.5 * BLOCK + 2.0 * STREET;
const KERB: f32 = 0.2;

/// What a block is given to.
#[derive(Clone, Copy, Debug)]
enum District {
    Blades,
    Cottages,
    Flats,
    Offices,
    Park,
    RoundTower,
    Spire,
    Tower,
    TwistedTower,
}

/// The city, the same to the bit each time.
#[must_use]
pub fn city() -> TriangleMesh {
    let mut builder = Builder::new();
    builder.cuboid([-HALF_EDGE, -2.0, -HALF_EDGE], [HALF_EDGE, 0.0, HALF_EDGE]);
    for (row, districts) in (0..).zip(PLAN) {
        for (column, district) in (0..).zip(districts) {
            // A stream for each, so that another tree does not mean another building.
            let stream = |purpose| Random::for_purpose(SEED, &[purpose, row.into(), column.into()]);
            builder.at(block_center(column, row), Heading::SOUTH, |builder| {
                pavement(builder, &mut stream(PAVEMENT));
                block(builder, &mut stream(BUILDINGS), district);
            });
        }
    }
    let (edge, length) = (1.0 - HALF_EDGE, 2.0 * HALF_EDGE - 2.0);
    let avenue = block_west(AVENUE) - 0.5 * (SIDE_STREET + AVENUE_EXTRA);
    builder.at([avenue, 0.0, edge], Heading::SOUTH, |builder| {
        elevated::road(builder, length);
    });
    let street = block_north(ACROSS - 1) - STREET / 2.0;
    builder.at([edge, 0.0, street], Heading::EAST, |builder| elevated::guideway(builder, length));
    traffic(&mut builder);
    plant_park(&mut builder);
    builder.finish()
}

fn block_west(column: u32) -> f32 {
    let extra = if column >= AVENUE { AVENUE_EXTRA } else { 0.0 };
    MARGIN - HALF_EDGE + column as f32 * (BLOCK + SIDE_STREET) + extra
}

fn block_north(row: u32) -> f32 {
    MARGIN - HALF_EDGE + row as f32 * (BLOCK + STREET)
}

fn block_center(column: u32, row: u32) -> Point {
    [block_west(column) + BLOCK / 2.0, KERB, block_north(row) + BLOCK / 2.0]
}

/// A raised pavement with lamps and trees along its curb; the origin is the block's center.
fn pavement(builder: &mut Builder, random: &mut Random) {
    let half = BLOCK / 2.0;
    builder.block([-half, -KERB, -half], [half, 0.0, half]);
    builder.on_sides(BLOCK, BLOCK, |builder, _, _| {
        for x in [10.0, 38.0] {
            builder.at([x, 0.0, -0.6], Heading::SOUTH, street::lamp);
        }
        for x in [4.0, 17.0, 24.0, 31.0, 44.0] {
            builder.at([x, 0.0, -1.6], Heading::SOUTH, |builder| street::tree(builder, random));
        }
    });
}

fn block(builder: &mut Builder, random: &mut Random, district: District) {
    match district {
        District::Spire => spire(builder),
        District::Tower => on_podium(builder, |builder| {
            let floors = 52 + random.below(10);
            setback_tower(builder, random, 36.0, floors);
        }),
        District::Blades => on_podium(builder, |builder| {
            let heading = Heading::ALL[random.below(4) as usize];
            builder.at([0.0; 3], heading, |builder| blades(builder, random));
        }),
        District::RoundTower => on_podium(builder, |builder| {
            round_tower(builder, 15.0, 20 + random.below(12));
        }),
        District::TwistedTower => on_podium(builder, |builder| twisted_tower(builder, 28.0, 52)),
        District::Offices => bars(builder, random, offices),
        District::Flats => bars(builder, random, flats),
        District::Cottages => {
            for lot in 0..9 {
                let [x, z] = [lot % 3, lot / 3].map(|n| 14.0 * (n as f32 - 1.0));
                let heading = Heading::ALL[random.below(4) as usize];
                builder.at([x, 0.0, z], heading, |builder| cottage(builder, random));
            }
        }
        // Planted last, to complete the triangle count.
        District::Park => {}
    }
}

/// Two long buildings side by side, along the block or across it.
fn bars(
    builder: &mut Builder,
    random: &mut Random,
    build: impl Fn(&mut Builder, &mut Random, f32, f32),
) {
    let heading = Heading::ALL[random.below(4) as usize];
    for z in [-11.0, 11.0] {
        builder.at([0.0; 3], heading, |builder| {
            builder.at([0.0, 0.0, z], Heading::SOUTH, |builder| build(builder, random, 40.0, 13.0));
        });
    }
}

/// Cars and lane markings on every street, the avenue included.
fn traffic(builder: &mut Builder) {
    let mut random = Random::for_purpose(SEED, &[TRAFFIC]);
    for street in 1..ACROSS {
        let z = block_north(street) - STREET / 2.0;
        builder.at([0.0, 0.0, z], Heading::SOUTH, |builder| lanes(builder, &mut random));
        let x = block_west(street) - SIDE_STREET / 2.0;
        builder.at([x, 0.0, 0.0], Heading::EAST, |builder| lanes(builder, &mut random));
    }
}

/// A street through the origin from west to east, one lane each way.
fn lanes(builder: &mut Builder, random: &mut Random) {
    let dashes = (2.0 * HALF_EDGE / 8.0) as u32;
    for x in (0..dashes).map(|dash| 8.0 * dash as f32 - HALF_EDGE + 2.0) {
        builder.sheet([x, x + 3.0], [-0.1, 0.1], 0.02);
    }
    for (heading, lane) in [(Heading::SOUTH, 3.2), (Heading::NORTH, 3.2)] {
        let mut x = -HALF_EDGE + random.between(4.0, 30.0);
        while x < HALF_EDGE - 4.0 {
            builder.at([0.0; 3], heading, |builder| {
                builder.at([x, 0.0, lane], Heading::SOUTH, street::car);
            });
            x += random.between(9.0, 40.0);
        }
    }
}

/// Conifers in the park, as many as bring the city to its number of triangles.
fn plant_park(builder: &mut Builder) {
    const ROW: usize = 14;
    let mut random = Random::for_purpose(SEED, &[PARK]);
    let mut blocks = (0..).zip(PLAN.as_flattened());
    let park = blocks.find(|(_, district)| matches!(district, District::Park));
    let (block, _) = park.expect("the plan has a park");
    builder.at(block_center(block % ACROSS, block / ACROSS), Heading::SOUTH, |builder| {
        let mut planted = 0;
        while let missing @ 1.. = TRIANGLES.saturating_sub(builder.count()) {
            let [x, z] = [planted % ROW, planted / ROW]
                .map(|n| 3.1 * n as f32 - 20.0 + random.between(-0.8, 0.8));
            let height = random.between(3.5, 8.0);
            builder.at([x, 0.0, z], Heading::SOUTH, |builder| {
                street::conifer(builder, missing, height);
            });
            planted += 1;
        }
    });
}

#[cfg(test)]
mod tests {
    use embate_replica::lorenzi2014::OctreeAffinity;

    use super::*;
    use crate::generators::model_checks;

    #[test]
    fn city_has_the_published_triangle_count_and_no_degenerate_triangle() {
        let city = city();
        assert_eq!(city.triangles().len(), 118_026);
        assert_eq!(city.degenerate_triangles(), 0);
    }

    #[test]
    fn city_has_the_published_octree_affinity() {
        let (affinity, levels) = model_checks::affinity(&city());
        assert_eq!(affinity, OctreeAffinity::High, "{levels:?}");
    }

    /// Published: 12.35 %.
    #[test]
    fn octree_tests_about_the_published_share_of_triangles() {
        let percent = model_checks::percent_tested(&city(), 1_000);
        assert!((9.0..=16.0).contains(&percent), "{percent} %");
    }

    #[test]
    fn rays_from_outside_hit_front_faces() {
        let percent = model_checks::percent_front_first(&city(), 400);
        assert!(percent > 99.0, "{percent} %");
    }

    #[test]
    fn city_has_plausible_extents() {
        let bounds = city().bounds().unwrap();
        for (axis, size) in [320.0, 302.2, 320.0].into_iter().enumerate() {
            let side = bounds.max[axis] - bounds.min[axis];
            assert!((side - size).abs() < 0.01, "axis {axis}: {side} m");
        }
    }

    #[test]
    fn city_is_bit_reproducible() {
        assert_eq!(model_checks::fingerprint(&city()), 4_329_996_097_727_870_432);
    }
}
