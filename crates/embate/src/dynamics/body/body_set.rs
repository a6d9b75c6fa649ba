//! Where are all bodies, how do they move, and which of them is called what?
//!
//! One place a body, in several lists side by side: what the solver reads in its loops lies apart from what
//! is asked once a step. A place whose body was removed is given to a later one, under a new generation.

use embate_geom::{Mat3, Pose, Rotation, Vec3};

use super::body::{BodyId, BodyPlan, Groups, Kind, Locks, Material};
use super::cores::{Core, core_of, cores_of_parts};
use super::mass::Mass;
use crate::pairs::Pair;
use crate::shapes::Shape;

/// How a body moves, and how far it has come in this step: all that the solver changes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Motion {
    /// Of the centre of mass, in m/s.
    pub(super) velocity: Vec3,
    /// In radians a second.
    pub(super) spin: Vec3,
    /// Since the step began, in metres.
    pub(super) moved: Vec3,
    /// Since the step began, in radians: the sum of small turns.
    pub(super) turned: Vec3,
}

/// Where a body is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    /// Its centre of mass.
    pub(super) center: Vec3,
    pub(super) rotation: Rotation,
}

/// How a body was when it became calm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Calm {
    pub(super) place: Place,
    pub(super) velocity: Vec3,
    pub(super) spin: Vec3,
}

impl Default for Calm {
    fn default() -> Self {
        let place = Place { center: Vec3::ZERO, rotation: Rotation::IDENTITY };
        Self { place, velocity: Vec3::ZERO, spin: Vec3::ZERO }
    }
}

/// What pushes a body for one step, as asked from outside.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Push {
    pub(super) force: Vec3,
    pub(super) torque: Vec3,
}

/// What a body is like; changes only when somebody says so.
#[derive(Clone, Debug)]
pub(super) struct Nature {
    pub(super) shape: Shape,
    pub(super) kind: Kind,
    pub(super) mass: Mass,
    pub(super) material: Material,
    pub(super) damping: [f32; 2],
    pub(super) gravity_scale: f32,
    pub(super) locks: Locks,
    pub(super) groups: Groups,
    pub(super) sensor: bool,
    pub(super) may_sleep: bool,
    /// No point of the shape is farther from the centre of mass; 0 for what has no end.
    pub(super) reach: f32,
    /// A ball of this radius around the centre of mass is inside.
    pub(super) core: f32,
    /// Where there is none: balls inside its parts.
    pub(super) part_cores: Vec<Core>,
    /// A wall of the world's bounds: nobody's to see or change.
    pub(super) wall: bool,
}

/// Whether a body is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    Awake,
    /// Together with all of this island.
    Asleep(u32),
}

/// All bodies of a world. A place without a body has no nature.
#[derive(Clone, Debug, Default)]
pub(super) struct Bodies {
    pub(super) generations: Vec<u32>,
    /// By place: one more than the latest generation that was ever given there. It outlives a restore, so that no
    /// name is given twice.
    pub(super) given: Vec<u32>,
    pub(super) natures: Vec<Option<Nature>>,
    pub(super) motions: Vec<Motion>,
    pub(super) places: Vec<Place>,
    /// Of the shapes' frames; follows from the places.
    pub(super) poses: Vec<Pose>,
    pub(super) pushes: Vec<Push>,
    /// What the solver needs of the nature, along each axis: 0 for what nothing moves, and where it is locked.
    pub(super) inverse_masses: Vec<Vec3>,
    /// In the world's frame, as of the beginning of the step.
    pub(super) inverse_inertias: Vec<Mat3>,
    pub(super) rests: Vec<Rest>,
    /// How long each has been slow and in its place, in seconds, and how that began.
    pub(super) calm: Vec<f32>,
    pub(super) calm_at: Vec<Calm>,
    /// Places to be given again: the last first.
    pub(super) free: Vec<u32>,
    /// Pairs that joints keep from touching, sorted; one for each joint.
    pub(super) untouchable: Vec<Pair>,
}

impl Bodies {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.natures.len() - self.free.len()
    }

    /// The place of a body; `None` if it was removed.
    pub(super) fn find(&self, id: BodyId) -> Option<usize> {
        let place = id.index as usize;
        let lives = *self.generations.get(place)? == id.generation && self.natures[place].is_some();
        lives.then_some(place)
    }

    pub(super) fn id(&self, place: usize) -> BodyId {
        BodyId { index: place as u32, generation: self.generations[place] }
    }

    /// The nature of a body known to live.
    #[inline]
    pub(super) fn nature(&self, place: usize) -> &Nature {
        self.natures[place].as_ref().expect("only places of living bodies are kept")
    }

    pub(super) fn lives(&self, place: usize) -> bool {
        self.natures.get(place).is_some_and(Option::is_some)
    }

    /// Places of all that are moved by something and awake, in order.
    pub(super) fn awake(&self) -> impl Iterator<Item = usize> {
        (0..self.natures.len()).filter(|&place| {
            let moves = |nature: &Nature| nature.kind != Kind::Still;
            self.rests[place] == Rest::Awake && self.natures[place].as_ref().is_some_and(moves)
        })
    }

    /// Whether a body's contacts are to be computed: it moves and does not sleep.
    #[inline]
    pub(super) fn is_awake(&self, place: usize) -> bool {
        self.rests[place] == Rest::Awake && self.nature(place).kind != Kind::Still
    }

    /// Whether the solver may change how a body moves in this step.
    #[inline]
    pub(super) fn is_solved(&self, place: usize) -> bool {
        self.rests[place] == Rest::Awake && self.is_moved(place)
    }

    /// A place more, without a body.
    pub(super) fn add_nobody(&mut self) -> u32 {
        self.generations.push(0);
        self.natures.push(None);
        self.motions.push(Motion::default());
        self.places.push(Place { center: Vec3::ZERO, rotation: Rotation::IDENTITY });
        self.poses.push(Pose::IDENTITY);
        self.pushes.push(Push::default());
        self.inverse_masses.push(Vec3::ZERO);
        self.inverse_inertias.push(Mat3::ZERO);
        self.rests.push(Rest::Awake);
        self.calm.push(0.0);
        self.calm_at.push(Calm::default());
        self.natures.len() as u32 - 1
    }

    /// Gives a checked plan a place.
    pub(super) fn add(&mut self, plan: BodyPlan, mass: Mass) -> BodyId {
        let still = plan.kind == Kind::Still;
        let center = plan.pose.point(mass.centroid);
        let motion = Motion {
            velocity: if still { Vec3::ZERO } else { plan.velocity },
            spin: if still { Vec3::ZERO } else { plan.angular_velocity },
            ..Motion::default()
        };
        let place = self.free.pop().unwrap_or_else(|| self.add_nobody()) as usize;
        name(&mut self.generations, &mut self.given, place);
        self.motions[place] = motion;
        self.places[place] = Place { center, rotation: plan.pose.rotation };
        self.poses[place] = plan.pose;
        self.pushes[place] = Push::default();
        self.rests[place] = Rest::Awake;
        self.calm[place] = 0.0;
        self.natures[place] = Some(Nature {
            reach: reach(&plan.shape, mass.centroid),
            core: core_of(&plan.shape, mass.centroid),
            part_cores: cores_of_parts(&plan.shape, mass.centroid),
            shape: plan.shape,
            kind: plan.kind,
            mass,
            material: plan.material,
            damping: plan.damping,
            gravity_scale: plan.gravity_scale,
            locks: plan.locks,
            groups: plan.groups,
            sensor: plan.sensor,
            may_sleep: plan.may_sleep,
            wall: false,
        });
        self.weigh(place);
        self.id(place)
    }

    /// Frees a place; ids that name it are stale from now on.
    pub(super) fn remove(&mut self, place: usize) {
        self.natures[place] = None;
        self.motions[place] = Motion::default();
        self.inverse_masses[place] = Vec3::ZERO;
        self.inverse_inertias[place] = Mat3::ZERO;
        self.generations[place] = self.generations[place].wrapping_add(1);
        self.free.push(place as u32);
    }

    /// The shape's frame follows from the place.
    pub(super) fn follow(&mut self, place: usize) {
        self.poses[place] = pose_of(self.nature(place), &self.places[place]);
    }

    /// How hard the body is to move and to turn, by its mass and its locks.
    pub(super) fn weigh(&mut self, place: usize) {
        let Nature { mass, locks, .. } = self.nature(place);
        let free = locks.moving.map(|locked| if locked { 0.0 } else { 1.0 });
        self.inverse_masses[place] = Vec3::from(free) * mass.inverse;
        self.turn_inertia(place);
    }

    /// Whether contacts and joints may change how a body moves.
    #[inline]
    pub(super) fn is_moved(&self, place: usize) -> bool {
        self.nature(place).kind == Kind::Moving
    }

    /// Brings the inertia into the world's frame.
    pub(super) fn turn_inertia(&mut self, place: usize) {
        self.inverse_inertias[place] = inverse_inertia(self.nature(place), &self.places[place]);
    }

    /// The velocity of a point of the body that is now at `point`.
    pub(super) fn velocity_at(&self, place: usize, point: Vec3) -> Vec3 {
        let Motion { velocity, spin, .. } = self.motions[place];
        velocity + spin.cross(point - self.places[place].center)
    }
}

/// Places of bodies next to each other that one thread sees to at a time.
pub(super) const STRETCH: usize = 64;

/// Those of `awake`, which is sorted, that are among `len` places from `first` on.
pub(super) fn awake_within(
    awake: &[u32],
    first: usize,
    len: usize,
) -> impl Iterator<Item = usize> + '_ {
    let from = awake.partition_point(|&place| (place as usize) < first);
    awake[from..].iter().map(|&place| place as usize).take_while(move |&place| place < first + len)
}

/// The shape's frame at a place.
pub(super) fn pose_of(nature: &Nature, &Place { center, rotation }: &Place) -> Pose {
    Pose { rotation, position: center - rotation.turn(nature.mass.centroid) }
}

/// The inverse inertia in the world's frame at a place: 0 about axes that are locked.
pub(super) fn inverse_inertia(nature: &Nature, place: &Place) -> Mat3 {
    let Nature { mass, locks, .. } = nature;
    if locks.turning != [false; 3] {
        // Of what is even the turned inertia is the same, but for rounding, which must not depend on the turn.
        let inertia = if mass.even { mass.inertia } else { world_inertia(nature, place) };
        locked(&inertia, locks.turning)
    } else if mass.even {
        mass.inverse_inertia
    } else {
        let axes = place.rotation.matrix();
        axes * mass.inverse_inertia * axes.transposed()
    }
}

/// The inertia tensor about the centre of mass in the world's frame.
fn world_inertia(nature: &Nature, place: &Place) -> Mat3 {
    let axes = place.rotation.matrix();
    axes * nature.mass.inertia * axes.transposed()
}

/// Gives a place a generation that it never had.
pub(super) fn name(generations: &mut [u32], given: &mut Vec<u32>, place: usize) {
    if given.len() <= place {
        given.resize(place + 1, 0);
    }
    generations[place] = generations[place].max(given[place]);
    given[place] = generations[place].wrapping_add(1);
}

/// Names that were given by either of two are given by neither again.
pub(super) fn keep_given(given: &mut Vec<u32>, before: &[u32]) {
    if given.len() < before.len() {
        given.resize(before.len(), 0);
    }
    for (given, &before) in given.iter_mut().zip(before) {
        *given = (*given).max(before);
    }
}

fn reach(shape: &Shape, centroid: Vec3) -> f32 {
    shape
        .bounding_sphere()
        .map_or(0.0, |around| (Vec3::from(around.center) - centroid).length() + around.radius)
}

/// The inverse of an inertia tensor for a body that cannot turn about some axes: that of the others' part
/// of it.
fn locked(inertia: &Mat3, locks: [bool; 3]) -> Mat3 {
    let free = (0..3).filter(|&axis| !locks[axis]);
    let size: f32 = free.map(|axis| inertia.columns[axis][axis]).sum();
    if size <= 0.0 {
        return Mat3::ZERO;
    }
    // For a size of about 1, as when it was weighed: the product of three small ones could leave the range of f32.
    let mut part = *inertia * (1.0 / size);
    for column in 0..3 {
        for row in 0..3 {
            if locks[column] || locks[row] {
                part.columns[column][row] = if column == row { 1.0 } else { 0.0 };
            }
        }
    }
    let mut inverse = part.inverse().unwrap_or(Mat3::ZERO) * (1.0 / size);
    for axis in (0..3).filter(|&axis| locks[axis]) {
        inverse.columns[axis][axis] = 0.0;
    }
    inverse
}
