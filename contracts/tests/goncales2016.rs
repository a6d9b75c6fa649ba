//! The replica of Gonçales et al. 2016 reproduces the published counts, which do not depend on the
//! machine.

use embate::Aabb;
use embate_replica::goncales2016::{Grid, Shape, brute_force};
use embate_scene::generators::{Bounds, Distribution, MovingWorld, MovingWorldDef, Span};
use embate_scene::random::Random;

const WORLD: [f32; 2] = [2000.0; 2];
/// Not printed in the study, found by simulation.
const CELL: f32 = 100.0;
const FRAMES: u32 = 500;
/// Every tenth frame is counted: neighboring frames differ little.
const COUNTED: u32 = 10;
const SPAN: Span = Span { min: 5.0, max: 50.0 };

/// A world of experiment 2 before its first frame.
fn world(objects: u32, bounds: Bounds, seed: u64) -> MovingWorld<2> {
    let plan = MovingWorldDef {
        sides: WORLD,
        objects,
        movers: objects,
        bounds,
        size: SPAN,
        speed: SPAN,
        distribution: Distribution::Even,
    };
    MovingWorld::new(&plan, &mut Random::for_purpose(seed, &[]))
}

fn tests_of<S: Shape>(grid: &mut Grid, objects: &[S]) -> u64 {
    let mut pairs = Vec::new();
    grid.find_pairs(objects, &mut pairs).overlap_tests
}

/// Mean number of tests per frame of the grid over the worlds of five seeds.
fn grid_tests(objects: u32, bounds: Bounds) -> f64 {
    let (mut tests, mut frames) = (0, 0_u32);
    for seed in 1..=5 {
        let mut world = world(objects, bounds, seed);
        let mut grid = Grid::new(&Aabb { min: [0.0; 2], max: WORLD }, CELL).unwrap();
        let (mut boxes, mut balls) = (Vec::new(), Vec::new());
        for frame in 1..=FRAMES {
            world.step();
            if frame % COUNTED != 0 {
                continue;
            }
            frames += 1;
            tests += match bounds {
                Bounds::Aabb => {
                    world.boxes(&mut boxes);
                    tests_of(&mut grid, &boxes)
                }
                Bounds::Circle => {
                    world.balls(&mut balls);
                    tests_of(&mut grid, &balls)
                }
            };
        }
    }
    tests as f64 / f64::from(frames)
}

#[test]
fn grid_makes_the_published_number_of_tests() {
    for (bounds, published) in [
        (Bounds::Aabb, [(500, 787.09), (1000, 3116.15), (5000, 82_749.01)]),
        (Bounds::Circle, [(500, 735.9), (1000, 2900.18), (5000, 73_883.62)]),
    ] {
        for (objects, published) in published {
            let ours = grid_tests(objects, bounds);
            let percent = 100.0 * (ours / published - 1.0);
            let name = bounds.name();
            assert!(percent.abs() <= 5.0, "{objects} {name}: {ours} against {published}");
        }
    }
}

#[test]
fn brute_force_tests_every_pair() {
    let mut boxes = Vec::new();
    world(5000, Bounds::Aabb, 1).boxes(&mut boxes);
    assert_eq!(brute_force(&boxes, &mut Vec::new()).overlap_tests, 12_497_500);
}
