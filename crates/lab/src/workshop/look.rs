//! Where is everything now, and what did the last step do? Numbers in rows, for whoever draws them.

use embate::broad_phase::{AabbSlice, BroadPhase, BroadPhaseObserver, OctreeBroadPhase};
use embate::dynamics::{Body, BodyId, BodyType, Profile};
use embate::shapes::Shape;
use embate::{Aabb, Vec3};

use super::Workshop;
use super::islands::Islands;
use crate::scene_world::SceneWorld;

/// Place, shape; turn as a quaternion; speed, points it touches at, asleep, and what moves it.
pub const NUMBERS_A_BODY: usize = 12;
/// Point, normal, depth and impulse.
pub const NUMBERS_A_CONTACT: usize = 8;
/// Where, the lighter mass, impulse, and whether it was against something that stands still.
pub const NUMBERS_A_STRIKE: usize = 6;
/// Contacts that are drawn, at most.
const MOST_CONTACTS: usize = 6_000;
/// Cells that are drawn, at most.
const MOST_CELLS: usize = 6_000;

/// A row of numbers for each thing there is to draw.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// [`NUMBERS_A_BODY`] a body, in the order of the list.
    pub bodies: Vec<f32>,
    /// Least and greatest corner of each body's box.
    pub boxes: Vec<f32>,
    /// Velocity and spin of each body.
    pub motions: Vec<f32>,
    /// [`NUMBERS_A_CONTACT`] a point.
    pub contacts: Vec<f32>,
    /// Both ends of each joint.
    pub joints: Vec<f32>,
    /// A point and the normal of each half-space.
    pub grounds: Vec<f32>,
}

/// Sums and costs after the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Steps since the beginning.
    pub step: u32,
    /// Simulated seconds.
    pub time: f64,
    /// All bodies.
    pub bodies: usize,
    /// Bodies that touch another.
    pub touching: usize,
    /// Bodies that rest and are not computed.
    pub asleep: usize,
    /// Pairs of bodies near each other.
    pub pairs: u64,
    /// Points where bodies touch.
    pub contacts: usize,
    /// Groups of bodies that hang together.
    pub islands: usize,
    /// All of it, in J.
    pub energy: f64,
    /// Of motion, in J.
    pub kinetic: f64,
    /// In N·s.
    pub momentum: [f64; 3],
    /// About the origin, in kg·m²/s.
    pub angular_momentum: [f64; 3],
    /// Of the parts of a step: move, broad, narrow, resolve; the mean over the steps since this was asked last.
    pub seconds: [f64; 4],
    /// The deepest that two bodies reach into each other, in metres.
    pub deepest: f32,
}

/// What steps cost since somebody asked.
#[derive(Debug, Default)]
pub(super) struct Costs {
    sum: [f64; 4],
    steps: u32,
    /// What was told last: it stands while no step is made.
    mean: [f64; 4],
}

impl Costs {
    pub(super) fn add(&mut self, step: Profile) {
        let parts = [step.integrate, step.broad_phase, step.narrow_phase, step.solve];
        self.sum.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
        self.steps += 1;
    }

    fn take(&mut self) -> [f64; 4] {
        if self.steps > 0 {
            self.mean = self.sum.map(|sum| sum / f64::from(self.steps));
            (self.sum, self.steps) = ([0.0; 4], 0);
        }
        self.mean
    }
}

impl Workshop {
    /// Everything that is drawn.
    #[must_use]
    pub fn look(&self) -> Look {
        let world = &self.live.world;
        let mut look = Look::default();
        let touches = self.touches();
        for (&id, touches) in self.live.ids.iter().zip(touches) {
            let Some(body) = world.body(id) else { continue };
            let pose = body.pose();
            look.bodies.extend(pose.position.to_array());
            look.bodies.push(shape_number(body.shape()));
            look.bodies.extend(pose.rotation.to_array());
            let asleep = if body.is_sleeping() { 1.0 } else { 0.0 };
            look.bodies.extend([
                body.linear_velocity().length(),
                touches as f32,
                asleep,
                kind_number(&body),
            ]);
            let bounds = body.aabb();
            look.boxes.extend(bounds.min.into_iter().chain(bounds.max));
            look.motions.extend(body.linear_velocity().to_array());
            look.motions.extend(body.angular_velocity().to_array());
            if let Shape::HalfSpace(plane) = body.shape() {
                look.grounds.extend(pose.position.to_array());
                look.grounds.extend(pose.rotation.rotate(plane.normal()).to_array());
            }
        }
        for contact in world.contacts().take(MOST_CONTACTS) {
            for held in contact.points() {
                look.contacts.extend(held.position.to_array());
                look.contacts.extend(contact.normal.to_array());
                look.contacts.extend([held.penetration, held.normal_impulse]);
            }
        }
        for joint in world.world().joints() {
            look.joints.extend(joint.anchors().iter().flat_map(|point| point.to_array()));
        }
        look
    }

    /// Boxes around the groups of bodies that hang together.
    #[must_use]
    pub fn islands(&self) -> Vec<f32> {
        corners(Islands::of(&self.live.world).boxes.iter())
    }

    /// Cells of an octree over all bodies that have an end, down to this depth.
    #[must_use]
    pub fn octree(&self, depth: u8) -> Vec<f32> {
        let ends =
            |bounds: &Aabb<3>| bounds.min.iter().chain(&bounds.max).all(|end| end.abs() < 1e6);
        let boxes: Vec<Aabb<3>> =
            self.live.world.bodies().map(|body| body.aabb()).filter(ends).collect();
        let Some(root) = boxes.iter().copied().reduce(|all, next| all.merged(&next)) else {
            return Vec::new();
        };
        let Ok(boxes) = AabbSlice::new(&boxes) else { return Vec::new() };
        // Rounding must not hide the cells of the last depth.
        let smallest = 0.99 * longest(&root.min, &root.max) / f32::from(1_u16 << depth.min(15));
        let mut cells = CellsSeen { corners: Vec::new(), smallest };
        OctreeBroadPhase::new(1.0).find_pairs_observed(boxes, &mut Vec::new(), &mut cells);
        cells.corners
    }

    /// Sums and costs.
    #[must_use]
    pub fn figures(&mut self) -> Figures {
        let seconds = self.costs.take();
        let world = &self.live.world;
        let report = world.step_stats();
        let points = || world.contacts().flat_map(|contact| contact.points().to_vec());
        Figures {
            step: self.step,
            time: self.live.time(),
            bodies: self.live.ids.len(),
            touching: self.touches().iter().filter(|&&count| count > 0).count(),
            asleep: world
                .bodies()
                .filter(|body| body.is_sleeping() && body.body_type() == BodyType::Dynamic)
                .count(),
            pairs: report.candidate_pairs,
            contacts: points().count(),
            islands: Islands::of(world).boxes.len(),
            energy: world.world().total_energy(),
            kinetic: world
                .bodies()
                .filter(|body| body.body_type() == BodyType::Dynamic)
                .map(|body| body.kinetic_energy())
                .sum(),
            momentum: world.world().linear_momentum(),
            angular_momentum: world.world().angular_momentum(),
            seconds,
            deepest: points().fold(0.0, |most, held| {
                if held.penetration > most { held.penetration } else { most }
            }),
        }
    }

    /// At how many points each body touches others, in the order of the list.
    pub(super) fn touches(&self) -> Vec<u32> {
        let places =
            self.live.ids.iter().map(|id| id.index()).max().map_or(0, |most| most as usize + 1);
        let mut counts = vec![0; places];
        for contact in self.live.world.contacts() {
            for id in contact.bodies {
                if let Some(count) = counts.get_mut(id.index() as usize) {
                    *count += contact.points().len() as u32;
                }
            }
        }
        self.live.ids.iter().map(|id| counts[id.index() as usize]).collect()
    }

    /// What was hit since this was asked last.
    pub fn take_strikes(&mut self) -> Vec<f32> {
        std::mem::take(&mut self.strikes)
    }
}

/// [`NUMBERS_A_STRIKE`] of a hit.
pub(super) fn strike(
    world: &SceneWorld,
    bodies: [BodyId; 2],
    point: Vec3,
    impulse: f32,
) -> [f32; NUMBERS_A_STRIKE] {
    let masses = bodies.map(|id| world.body(id).map_or(0.0, |body| body.mass()));
    let against_still = masses.contains(&0.0);
    let lighter = match masses {
        [mass, 0.0] | [0.0, mass] => mass,
        [a, b] => {
            if a < b {
                a
            } else {
                b
            }
        }
    };
    let [x, y, z] = point.to_array();
    [x, y, z, lighter, impulse, if against_still { 1.0 } else { 0.0 }]
}

fn shape_number(shape: &Shape) -> f32 {
    match shape {
        Shape::Sphere(_) => 0.0,
        Shape::Cuboid(_) => 1.0,
        Shape::Capsule(_) => 2.0,
        Shape::ConvexHull(_) => 3.0,
        Shape::HalfSpace(_) => 5.0,
        _ => 4.0,
    }
}

fn kind_number(body: &Body<'_>) -> f32 {
    match body.body_type() {
        BodyType::Dynamic => 0.0,
        BodyType::Kinematic => 1.0,
        BodyType::Fixed => 2.0,
    }
}

fn corners<'a>(boxes: impl Iterator<Item = &'a Aabb<3>>) -> Vec<f32> {
    boxes.flat_map(|bounds| bounds.min.into_iter().chain(bounds.max)).collect()
}

fn longest(min: &[f32], max: &[f32]) -> f32 {
    min.iter().zip(max).map(|(min, max)| max - min).fold(0.0, embate::math::scalar::max)
}

/// Notes every cell that is not too small.
struct CellsSeen {
    corners: Vec<f32>,
    smallest: f32,
}

impl BroadPhaseObserver for CellsSeen {
    fn count_overlap_tests(&mut self, _: u64) {}

    fn count_cells_visited(&mut self, _: u64) {}

    fn count_cell_entries(&mut self, _: u64) {}

    fn wants_details(&self) -> bool {
        true
    }

    fn cell_visited(&mut self, min: &[f32], max: &[f32], _: impl Iterator<Item = u32>) {
        if self.corners.len() < 6 * MOST_CELLS && longest(min, max) >= self.smallest {
            self.corners.extend(min.iter().chain(max));
        }
    }
}
