//! Pairs of bodies with sizes of about 1 m, as in a game.

use embate::shapes::{Capsule, ConvexHull, Cuboid, HalfSpace, Shape, Sphere};
use embate::{Pose, Vec3};
use embate_contracts::contact_reference::{Point, Quaternion, true_separation};
use embate_contracts::contact_scenes::{
    RelativeOrientation, SHAPE_PAIRS, Scene, ShapeKind, ShapeWithReference, any_direction, pose,
};
use embate_scene::random::Random;

use super::Options;

/// Contact margin in m: four times the usual linear slop of an engine.
pub const MARGIN: f32 = 0.02;
/// Number of frames after which the motion repeats.
pub const FRAMES: usize = 8;

/// Distance of the bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nearness {
    /// From separated by 1 cm to 1 cm deep, mostly with parallel faces.
    Touching,
    /// 0.1 m to 0.4 m deep.
    Deep,
    /// Separated by 0.05 m to 1 m; their AABBs may overlap.
    Apart,
}

const STATES: [Nearness; 3] = [Nearness::Touching, Nearness::Deep, Nearness::Apart];

/// Motion from frame to frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    Moving,
    Resting,
}

/// Pairs of one shape pair and state.
pub struct Workload {
    pub kinds: String,
    pub state: Nearness,
    pub pairs: Vec<PairOfBodies>,
}

/// Two bodies with their poses in each frame.
pub struct PairOfBodies {
    pub shapes: [Shape; 2],
    pub size: f64,
    pub moving: [[Pose; 2]; FRAMES],
    pub resting: [[Pose; 2]; FRAMES],
    /// Signed distance in the first frame, from the reference.
    pub separation: f64,
}

impl PairOfBodies {
    pub fn frames(&self, motion: Motion) -> &[[Pose; 2]; FRAMES] {
        match motion {
            Motion::Moving => &self.moving,
            Motion::Resting => &self.resting,
        }
    }
}

impl Workload {
    pub fn state_name(&self) -> &'static str {
        match self.state {
            Nearness::Touching => "touching",
            Nearness::Deep => "deep",
            Nearness::Apart => "apart",
        }
    }
}

/// The selected shape pairs and states.
pub fn all(options: &Options) -> impl Iterator<Item = Workload> + '_ {
    SHAPE_PAIRS.into_iter().flat_map(move |kinds| {
        let name = format!("{:?}-{:?}", kinds[0], kinds[1]).to_lowercase();
        let is_selected = name.contains(&options.kind);
        STATES.into_iter().filter(move |_| is_selected).filter_map(move |state| {
            let workload = Workload { kinds: name.clone(), state, pairs: Vec::new() };
            workload.state_name().contains(&options.state).then(|| {
                let mut random =
                    Random::for_purpose(8, &[kinds[0] as u64, kinds[1] as u64, state as u64]);
                let pairs = (0..options.pairs).map(|_| bodies(kinds, state, &mut random)).collect();
                Workload { pairs, ..workload }
            })
        })
    })
}

fn bodies(kinds: [ShapeKind; 2], state: Nearness, random: &mut Random) -> PairOfBodies {
    let between = |random: &mut Random, low: f64, high: f64| low + (high - low) * random.unit_f64();
    let orientation = match (state, random.below(4)) {
        (Nearness::Touching, 0 | 1) => RelativeOrientation::FaceOnFace,
        (Nearness::Touching, 2) => RelativeOrientation::NearlyAligned,
        (_, 0) => RelativeOrientation::EdgeOn,
        _ => RelativeOrientation::Random,
    };
    let shapes = kinds.map(|kind| shape(kind, random));
    let gap = match state {
        Nearness::Touching => between(random, -0.01, 0.01),
        Nearness::Deep => -between(random, 0.1, 0.4),
        Nearness::Apart => between(random, 0.05, 1.0),
    };
    let scene = Scene::placed(shapes, orientation, Some(gap), false, random);
    let [a, b] = scene.solids();
    let separation = true_separation(&a, &b).separation;
    let size = scene.size();
    let moving = path(&scene, 0.005, 0.009, random);
    let resting = path(&scene, 1e-5, 1e-5, random);
    PairOfBodies {
        shapes: scene.shapes.map(|shape| shape.shape),
        size,
        moving,
        resting,
        separation,
    }
}

/// Poses of four frames away and four back: the second body translates and rotates in a random
/// direction.
fn path(scene: &Scene, step: f64, angle: f64, random: &mut Random) -> [[Pose; 2]; FRAMES] {
    let (direction, axis) = (any_direction(random), any_direction(random));
    core::array::from_fn(|frame| {
        if frame == 0 {
            return scene.poses;
        }
        let distance = frame.min(FRAMES - frame) as f64;
        let [first, second] = scene.poses;
        let rotation = Quaternion(second.rotation.to_array().map(f64::from));
        let rotated = rotation.then(Quaternion::about(axis, angle * distance));
        [first, pose(rotated, Point::of(second.position) + direction * (step * distance))]
    })
}

pub fn shape(kind: ShapeKind, random: &mut Random) -> ShapeWithReference {
    let mut length = || random.between(0.25, 1.0);
    let shape = match kind {
        ShapeKind::Sphere => Sphere::new(length()).map(Shape::from),
        ShapeKind::Cuboid => Cuboid::new(Vec3::new(length(), length(), length())).map(Shape::from),
        ShapeKind::Capsule => Capsule::new(length(), 0.5 * length()).map(Shape::from),
        ShapeKind::Hull => {
            // 8 to 32 vertices on an ellipsoid.
            let stretch = [length(), length(), length()].map(f64::from);
            let count = 8 + random.below(25);
            let vertex = |_| {
                let [x, y, z] = any_direction(random).0;
                Point::new(x * stretch[0], y * stretch[1], z * stretch[2]).rounded()
            };
            let points: Vec<Vec3> = (0..count).map(vertex).collect();
            ConvexHull::new(&points).map(Shape::from)
        }
        ShapeKind::HalfSpace => HalfSpace::new(Vec3::Y).map(Shape::from),
        ShapeKind::Triangle => panic!("meshes are measured separately"),
    };
    ShapeWithReference::new(shape.expect("shapes of these sizes are valid"))
}
