//! Plan of the 3D study: worlds by object count and static share.

use embate::broad_phase::{BroadPhaseKind, OctreeConfig};
use embate_replica::lasch::OctreeLimits;
use embate_replica::structure::PairStructure;
use embate_scene::generators::{Bounds, Distribution, MovingWorld, MovingWorldDef, Span};

use crate::runner::config::ConfigError;
use crate::studies::moving_worlds::detector::{Detector, of_any_dimension};
use crate::studies::moving_worlds::measure::Candidate;
use crate::studies::moving_worlds::plan::{Budget, Measurement, Plan, Scene};
use crate::studies::moving_worlds::static_dynamic_split::{OctreeBesideSweep, TwoTrees};
use crate::study_kind::StudyKind;

/// Objects of each kind of world.
const OBJECTS: [u32; 4] = [100, 1_000, 10_000, 50_000];
/// Edges of the boxes, and units a second: an object moves by its own size in about a second.
const SIZE: Span = Span { min: 0.5, max: 1.5 };
/// How many times longer the long axis is than the others. It is the last one, z.
const LONG: f32 = 100.0;

/// The kinds of world: name, and the share of the objects that rests.
pub(super) const KINDS: [(&str, f64); 5] = [
    ("uniform", 0.0),
    ("long-axis", 0.0),
    ("clustered", 0.0),
    ("static-50", 0.5),
    ("static-90", 0.9),
];
pub(super) const LONG_AXIS: &str = KINDS[1].0;
pub(super) const CLUSTERED: &str = KINDS[2].0;
/// The even worlds, by how much of them rests.
pub(super) const BY_STATIC_SHARE: [(&str, f64); 3] = [KINDS[0], KINDS[3], KINDS[4]];

/// Parameters of the study that the user changes; `None` keeps the value of the study.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// Extents of a custom world.
    pub world: Option<[f32; 3]>,
    /// Object counts, with a world for each.
    pub objects: Option<Vec<u32>>,
    /// Side of a box.
    pub size: Option<Span>,
    /// Speed in units per second.
    pub speed: Option<Span>,
}

/// Three worlds of each kind.
#[must_use]
pub fn published() -> Budget {
    Budget {
        frames: None,
        seed: 1,
        seeds: 3,
        repeats: 1,
        techniques: PairStructure::all_3d(),
        threads: 1,
    }
}

/// One world of each kind.
#[must_use]
pub fn quick() -> Budget {
    Budget { seeds: 1, ..published() }
}

/// Numbers of objects of each kind of world.
pub(crate) fn objects() -> &'static [u32] {
    &OBJECTS
}

/// The requested worlds; `quick` measures fewer frames of them.
///
/// # Errors
/// [`ConfigError`] if one of them is invalid or too large.
pub fn plan(request: &Request, budget: Budget, quick: bool) -> Result<Plan<3>, ConfigError> {
    let mut objects = request.objects.clone().unwrap_or(OBJECTS.to_vec());
    objects.sort_unstable();
    objects.dedup();
    let own = Request { objects: None, ..request.clone() };
    let kinds: &[(&str, f64)] = if own == Request::default() { &KINDS } else { &[("custom", 0.0)] };
    let mut scenes = Vec::new();
    for &(case, rests) in kinds {
        for &objects in &objects {
            let movers = objects - (f64::from(objects) * rests) as u32;
            let world = MovingWorldDef {
                sides: request.world.unwrap_or_else(|| sides(case, objects)),
                objects,
                movers,
                bounds: Bounds::Aabb,
                size: request.size.unwrap_or(SIZE),
                speed: request.speed.unwrap_or(SIZE),
                distribution: if case == CLUSTERED {
                    Distribution::Clusters
                } else {
                    Distribution::Even
                },
            };
            let frames = budget.frames.unwrap_or_else(|| frames(objects, quick));
            let cell_sizes = Vec::new();
            let measurement = Measurement::Frames;
            scenes.push(Scene { case, world, frames, cell_sizes, own_cells: false, measurement });
        }
    }
    for scene in &scenes {
        scene.check_world()?;
    }
    let study = PairStructure::LASCH_SWEEP;
    Ok(Plan { kind: StudyKind::Broad3d, scenes, budget, study })
}

/// Fewer where brute force takes long: it checks every frame.
fn frames(objects: u32, quick: bool) -> u32 {
    let (few, many) = match objects {
        0..=1_000 => (40, 200),
        1_001..=10_000 => (5, 20),
        10_001..=50_000 => (1, 4),
        _ => (1, 1),
    };
    if quick { few } else { many }
}

/// Sides that leave two cubic units to an object of mean size 1: it then has about two partners.
fn sides(case: &str, objects: u32) -> [f32; 3] {
    let room = 2.0 * f64::from(objects);
    if case == LONG_AXIS {
        // Thin worlds would be thinner than a box.
        let side = edge_of_cube(room / f64::from(LONG)).max(3.0) as f32;
        [side, side, side * LONG]
    } else {
        [edge_of_cube(room) as f32; 3]
    }
}

/// To a quarter of a unit, upwards: a cube root would differ by platform.
fn edge_of_cube(volume: f64) -> f64 {
    let mut edge = 2.0;
    while edge * edge * edge < volume {
        edge += 0.25;
    }
    edge
}

pub(super) fn detector(
    candidate: &Candidate,
    scene: &Scene<3>,
    world: &MovingWorld<3>,
) -> Box<dyn Detector<3>> {
    let some_rest = scene.world.movers < scene.objects();
    match candidate.technique {
        PairStructure::Engine(BroadPhaseKind::Octree) if some_rest => {
            let octree = OctreeConfig::default();
            Box::new(OctreeBesideSweep::new(world, scene.world.sides, octree))
        }
        PairStructure::StrictOctree if some_rest => {
            let octree = OctreeLimits::DEFAULT.strict();
            Box::new(OctreeBesideSweep::new(world, scene.world.sides, octree))
        }
        PairStructure::Engine(BroadPhaseKind::Bvh) if some_rest => Box::new(TwoTrees::new(world)),
        technique => of_any_dimension(technique, candidate.cell_size, scene.objects())
            .expect("the techniques of Gonçales et al. 2016 are not offered in 3D"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worlds_are_cubes_except_the_long_axis_world() {
        assert_eq!(sides("uniform", 50_000), [46.5; 3]);
        assert_eq!(sides("long-axis", 100), [3.0, 3.0, 300.0]);
        assert_eq!(sides("long-axis", 50_000), [10.0, 10.0, 1000.0]);
    }

    #[test]
    fn static_share_determines_the_number_of_moving_objects() {
        let plan = plan(&Request::default(), quick(), true).unwrap();
        assert_eq!(plan.scenes.len(), 5 * 4);
        let movers = |case: &str| {
            let scene = plan.scenes.iter().find(|s| s.case == case && s.objects() == 1_000);
            scene.unwrap().world.movers
        };
        assert_eq!([movers("uniform"), movers("static-50"), movers("static-90")], [1000, 500, 100]);
    }

    #[test]
    fn techniques_miss_no_pair_in_any_kind_of_world() {
        let request = Request { objects: Some(vec![1, 90, 500]), ..Request::default() };
        let plan = plan(&request, Budget { frames: Some(6), ..quick() }, true).unwrap();
        let rows = plan.all_rows();
        assert_eq!(rows.len(), 5 * 3 * PairStructure::all_3d().len());
        for row in &rows {
            assert_eq!((row.missed_pairs, row.wrong_pairs), (0, 0), "{row:?}");
            assert!(row.objects < 500 || row.pairs_per_frame > 50.0, "{row:?}");
        }
    }

    /// Counts depend on the seed alone. If one changes, so did the world or a technique.
    #[test]
    fn counts_of_a_seed_are_reproducible() {
        let techniques = vec![PairStructure::REFERENCE, PairStructure::LASCH_SWEEP];
        let budget = Budget { frames: Some(4), techniques, ..quick() };
        let request = Request { objects: Some(vec![500]), ..Request::default() };
        let rows = plan(&request, budget, true).unwrap().all_rows();
        let counts: Vec<_> = rows
            .iter()
            .filter(|row| row.technique == "sweep-variance")
            .map(|row| (row.case.as_str(), row.tests_per_frame, row.pairs_per_frame))
            .collect();
        assert_eq!(
            counts,
            [
                ("uniform", 26_654.25, 1199.0),
                ("long-axis", 838.0, 456.25),
                ("clustered", 27_250.0, 2323.75),
                ("static-50", 26_638.0, 903.0),
                ("static-90", 26_626.75, 231.25),
            ]
        );
    }
}
