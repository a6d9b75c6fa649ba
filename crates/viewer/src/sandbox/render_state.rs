//! Render state: poses, contacts and statistics after the last step, as rows of numbers.

use embate::broad_phase::{AabbSlice, BroadPhase, BroadPhaseObserver, OctreeBroadPhase};
use embate::dynamics::{Body, BodyId, BodyType, Profile};
use embate::shapes::Shape;
use embate::{Aabb, Vec3};
use embate_scene::scene_world::SceneWorld;

use super::Sandbox;
use super::islands::Islands;

/// Position, shape code, quaternion, speed, number of contact points, sleeping, body type code.
pub const FLOATS_PER_BODY: usize = 12;
/// Point, normal, depth and impulse.
pub const FLOATS_PER_CONTACT: usize = 8;
/// Position, smaller mass, impulse, and whether one body is immovable.
pub const FLOATS_PER_IMPACT: usize = 6;
/// Maximum number of drawn contacts.
const MAX_CONTACTS: usize = 6_000;
/// Maximum number of drawn cells.
const MAX_CELLS: usize = 6_000;

/// Values to draw, one row per item.
#[derive(Clone, Debug, Default)]
pub struct RenderState {
    /// Bodies in the order of the list, [`FLOATS_PER_BODY`] values each.
    pub bodies: Vec<f32>,
    /// Minimum and maximum corner of each body's AABB.
    pub boxes: Vec<f32>,
    /// Linear and angular velocity of each body.
    pub motions: Vec<f32>,
    /// Contact points, [`FLOATS_PER_CONTACT`] values each.
    pub contacts: Vec<f32>,
    /// Both ends of each joint.
    pub joints: Vec<f32>,
    /// A point and the normal of each half-space.
    pub grounds: Vec<f32>,
}

/// Statistics after the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stats {
    /// Number of steps since the start.
    pub step: u32,
    /// Simulated time, in seconds.
    pub time: f64,
    /// Number of bodies.
    pub bodies: usize,
    /// Number of bodies in contact with another.
    pub touching: usize,
    /// Number of sleeping bodies.
    pub asleep: usize,
    /// Number of candidate pairs.
    pub pairs: u64,
    /// Number of contact points.
    pub contacts: usize,
    /// Number of islands.
    pub islands: usize,
    /// Total energy, in J.
    pub energy: f64,
    /// Kinetic energy, in J.
    pub kinetic: f64,
    /// Linear momentum, in N·s.
    pub momentum: [f64; 3],
    /// Angular momentum about the origin, in kg·m²/s.
    pub angular_momentum: [f64; 3],
    /// Mean seconds per stage since the last query: integrate, broad phase, narrow phase, solve.
    pub seconds: [f64; 4],
    /// Maximum penetration, in meters.
    pub deepest: f32,
}

/// Stage times since the last query.
#[derive(Debug, Default)]
pub(super) struct StageCosts {
    sum: [f64; 4],
    steps: u32,
    /// The last result, returned again while no step is made.
    mean: [f64; 4],
}

impl StageCosts {
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

impl Sandbox {
    /// Everything that is drawn.
    #[must_use]
    pub fn render_state(&self) -> RenderState {
        let world = &self.scene.world;
        let mut state = RenderState::default();
        let contact_counts = self.contact_counts();
        for (&id, contact_counts) in self.scene.ids.iter().zip(contact_counts) {
            let Some(body) = world.body(id) else { continue };
            let pose = body.pose();
            state.bodies.extend(pose.position.to_array());
            state.bodies.push(shape_code(body.shape()));
            state.bodies.extend(pose.rotation.to_array());
            let asleep = if body.is_sleeping() { 1.0 } else { 0.0 };
            state.bodies.extend([
                body.linear_velocity().length(),
                contact_counts as f32,
                asleep,
                body_type_code(&body),
            ]);
            let bounds = body.aabb();
            state.boxes.extend(bounds.min.into_iter().chain(bounds.max));
            state.motions.extend(body.linear_velocity().to_array());
            state.motions.extend(body.angular_velocity().to_array());
            if let Shape::HalfSpace(plane) = body.shape() {
                state.grounds.extend(pose.position.to_array());
                state.grounds.extend(pose.rotation.rotate(plane.normal()).to_array());
            }
        }
        for contact in world.contacts().take(MAX_CONTACTS) {
            for held in contact.points() {
                state.contacts.extend(held.position.to_array());
                state.contacts.extend(contact.normal.to_array());
                state.contacts.extend([held.penetration, held.total_normal_impulse]);
            }
        }
        for joint in world.world().joints() {
            state.joints.extend(joint.anchors().iter().flat_map(|point| point.to_array()));
        }
        state
    }

    /// Boxes around the groups of bodies that hang together.
    #[must_use]
    pub fn islands(&self) -> Vec<f32> {
        corners(Islands::of(&self.scene.world).boxes.iter())
    }

    /// Cells of an octree over all bodies that have an end, down to this depth.
    #[must_use]
    pub fn octree(&self, depth: u8) -> Vec<f32> {
        let ends =
            |bounds: &Aabb<3>| bounds.min.iter().chain(&bounds.max).all(|end| end.abs() < 1e6);
        let boxes: Vec<Aabb<3>> =
            self.scene.world.bodies().map(|body| body.aabb()).filter(ends).collect();
        let Some(root) = boxes.iter().copied().reduce(|all, next| all.merged(&next)) else {
            return Vec::new();
        };
        let Ok(boxes) = AabbSlice::new(&boxes) else { return Vec::new() };
        // Rounding must not hide the cells of the last depth.
        let smallest = 0.99 * longest(&root.min, &root.max) / f32::from(1_u16 << depth.min(15));
        let mut cells = CellCollector { corners: Vec::new(), smallest };
        OctreeBroadPhase::new(1.0).find_pairs_observed(boxes, &mut Vec::new(), &mut cells);
        cells.corners
    }

    /// Sums and costs.
    #[must_use]
    pub fn stats(&mut self) -> Stats {
        let seconds = self.costs.take();
        let world = &self.scene.world;
        let report = world.step_stats();
        let points = || world.contacts().flat_map(|contact| contact.points().to_vec());
        Stats {
            step: self.step,
            time: self.scene.time(),
            bodies: self.scene.ids.len(),
            touching: self.contact_counts().iter().filter(|&&count| count > 0).count(),
            asleep: world
                .bodies()
                .filter(|body| body.is_sleeping() && body.body_type() == BodyType::Dynamic)
                .count(),
            pairs: report.candidate_pairs,
            contacts: points().count(),
            islands: Islands::of(world).boxes.len(),
            energy: world.total_energy(),
            kinetic: world
                .bodies()
                .filter(|body| body.body_type() == BodyType::Dynamic)
                .map(|body| body.kinetic_energy())
                .sum(),
            momentum: world.world().linear_momentum().into(),
            angular_momentum: world.world().angular_momentum().into(),
            seconds,
            deepest: points()
                .fold(0.0, |max, held| if held.penetration > max { held.penetration } else { max }),
        }
    }

    /// At how many points each body touches others, in the order of the list.
    pub(super) fn contact_counts(&self) -> Vec<u32> {
        let slots =
            self.scene.ids.iter().map(|id| id.index()).max().map_or(0, |max| max as usize + 1);
        let mut counts = vec![0; slots];
        for contact in self.scene.world.contacts() {
            for id in contact.bodies {
                if let Some(count) = counts.get_mut(id.index() as usize) {
                    *count += contact.points().len() as u32;
                }
            }
        }
        self.scene.ids.iter().map(|id| counts[id.index() as usize]).collect()
    }

    /// Impacts since the last query.
    pub fn take_impacts(&mut self) -> Vec<f32> {
        std::mem::take(&mut self.impacts)
    }
}

/// [`FLOATS_PER_IMPACT`] of a hit.
pub(super) fn impact_row(
    world: &SceneWorld,
    bodies: [BodyId; 2],
    point: Vec3,
    impulse: f32,
) -> [f32; FLOATS_PER_IMPACT] {
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

fn shape_code(shape: &Shape) -> f32 {
    match shape {
        Shape::Sphere(_) => 0.0,
        Shape::Cuboid(_) => 1.0,
        Shape::Capsule(_) => 2.0,
        Shape::ConvexHull(_) => 3.0,
        Shape::HalfSpace(_) => 5.0,
        _ => 4.0,
    }
}

fn body_type_code(body: &Body<'_>) -> f32 {
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
struct CellCollector {
    corners: Vec<f32>,
    smallest: f32,
}

impl BroadPhaseObserver for CellCollector {
    fn count_overlap_tests(&mut self, _: u64) {}

    fn count_cells_visited(&mut self, _: u64) {}

    fn count_cell_entries(&mut self, _: u64) {}

    fn wants_details(&self) -> bool {
        true
    }

    fn cell_visited(&mut self, min: &[f32], max: &[f32], _: impl Iterator<Item = u32>) {
        if self.corners.len() < 6 * MAX_CELLS && longest(min, max) >= self.smallest {
            self.corners.extend(min.iter().chain(max));
        }
    }
}
