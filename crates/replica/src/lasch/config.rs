//! Configuration of the simulator: broad phase, integrator, response and tolerance.

use embate::broad_phase::{
    AabbSlice, AnyBroadPhase, BroadPhase as _, BroadPhaseKind, BroadPhaseStats, OctreeBroadPhase,
    OctreeConfig, OverlapPair, SweepAndPrune, SweepAxis,
};
use embate::dynamics::SettingsError;
use thiserror::Error;

use super::integrator::IntegratorKind;
use super::parts::UserBroadPhase;

/// Largest tolerance, in m.
const MAX_TOLERANCE: f32 = 1e3;

/// Maximum of [`OctreeLimits::max_depth`]; that of the engine.
pub const MAX_OCTREE_DEPTH: u8 = 64;

/// Maximum of [`OctreeLimits::min_cell_size`], in m.
pub const MAX_OCTREE_CELL: f32 = 1e6;

/// Maximum of [`Config::position_iterations`].
pub const MAX_POSITION_ITERATIONS: u8 = 64;

/// The exchangeable parts of the simulator.
///
/// ```
/// use embate::broad_phase::BroadPhaseKind;
/// use embate_replica::lasch::{BroadPhase, Config};
///
/// let config = Config { broad_phase: BroadPhase::Engine(BroadPhaseKind::Grid), ..Config::PUBLISHED };
/// assert_eq!(config.broad_phase.name(), "grid");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// Finds candidate pairs among the moving bodies. Static bodies are in an octree beside it.
    pub broad_phase: BroadPhase,
    /// Advances the dynamic bodies; kinematic ones keep their velocity.
    pub integrator: IntegratorKind,
    /// Contact response.
    pub response: Response,
    /// Bodies at most this far apart count as touching, in m.
    pub tolerance: f32,
    /// Passes over all contacts in a step by [`Response::Positions`], 1 to 64.
    pub position_iterations: u8,
    /// Limits of [`BroadPhase::StrictOctree`].
    pub octree: OctreeLimits,
}

impl Config {
    /// As the study describes it: sort and sweep along the axis of largest variance, impulses, no
    /// tolerance. The study names no integrator; semi-implicit Euler is ours.
    pub const PUBLISHED: Self = Self {
        broad_phase: BroadPhase::SweepAndPrune(SweepAxis::LargestVariance),
        integrator: IntegratorKind::SemiImplicitEuler,
        response: Response::Impulse,
        tolerance: 0.0,
        position_iterations: 4,
        octree: OctreeLimits::DEFAULT,
    };

    /// Checks the numbers and the sweep axis.
    pub(super) fn validate(&self) -> Result<(), ConfigError> {
        // NaN is in no range.
        if !(0.0..=MAX_TOLERANCE).contains(&self.tolerance) {
            return Err(ConfigError::Tolerance { value: self.tolerance, max: MAX_TOLERANCE });
        }
        if !(1..=MAX_POSITION_ITERATIONS).contains(&self.position_iterations) {
            return Err(ConfigError::PositionIterations {
                value: self.position_iterations,
                max: MAX_POSITION_ITERATIONS,
            });
        }
        self.octree.validate()?;
        match self.broad_phase {
            BroadPhase::SweepAndPrune(SweepAxis::Fixed(axis)) if axis > 2 => {
                Err(ConfigError::SweepAxis { axis })
            }
            _ => Ok(()),
        }
    }
}

/// Invalid [`Config`] or settings of a simulator.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum ConfigError {
    /// A tolerance that is NaN or out of range.
    #[error("the tolerance is {value}, but must lie between 0 and {max}")]
    Tolerance {
        /// Rejected value, in m.
        value: f32,
        /// Maximum allowed value, in m.
        max: f32,
    },
    /// An axis of the sweep that does not exist.
    #[error("the axis of the sweep is {axis}, but must lie between 0 and 2")]
    SweepAxis {
        /// Rejected value.
        axis: usize,
    },
    /// A number of position iterations out of range.
    #[error("the number of position iterations is {value}, but must lie between 1 and {max}")]
    PositionIterations {
        /// Rejected value.
        value: u8,
        /// Maximum allowed value.
        max: u8,
    },
    /// A maximum depth of the octree out of range.
    #[error("the maximum depth of the octree is {value}, but must lie between 1 and {max}")]
    OctreeDepth {
        /// Rejected value.
        value: u8,
        /// Maximum allowed value.
        max: u8,
    },
    /// A smallest cell of the octree that is NaN or out of range.
    #[error("the smallest cell of the octree is {value}, but must lie between 0 and {max}")]
    OctreeCellSize {
        /// Rejected value, in m.
        value: f32,
        /// Maximum allowed value, in m.
        max: f32,
    },
    /// Settings that the engine rejects.
    #[error(transparent)]
    Settings(#[from] SettingsError),
}

impl ConfigError {
    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Tolerance { .. } => "lasch-config.tolerance-out-of-range",
            Self::SweepAxis { .. } => "lasch-config.sweep-axis-out-of-range",
            Self::PositionIterations { .. } => "lasch-config.position-iterations-out-of-range",
            Self::OctreeDepth { .. } => "lasch-config.octree-depth-out-of-range",
            Self::OctreeCellSize { .. } => "lasch-config.octree-cell-size-out-of-range",
            Self::Settings(error) => error.code(),
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self::PUBLISHED
    }
}

/// Where the division of the study's octree stops.
///
/// ```
/// use embate_replica::lasch::OctreeLimits;
///
/// assert!(OctreeLimits::new(6, 0.5).is_ok());
/// assert!(OctreeLimits::new(0, 0.5).is_err() && OctreeLimits::new(6, f32::NAN).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OctreeLimits {
    /// Number of levels below the root, 1 to 64.
    pub max_depth: u8,
    /// Minimum of a cell's largest extent, in m; 0 if only the depth is limited.
    pub min_cell_size: f32,
}

impl OctreeLimits {
    /// Eight levels, no smallest cell; the study publishes no values.
    pub const DEFAULT: Self = Self { max_depth: 8, min_cell_size: 0.0 };

    /// Validated limits.
    ///
    /// # Errors
    /// [`ConfigError`] if one is out of range.
    pub fn new(max_depth: u8, min_cell_size: f32) -> Result<Self, ConfigError> {
        let limits = Self { max_depth, min_cell_size };
        limits.validate().map(|()| limits)
    }

    /// The strict octree of the engine with these limits: a box cut by a dividing plane belongs to
    /// the parent cell.
    #[must_use]
    pub fn strict(self) -> OctreeConfig {
        let Self { max_depth, min_cell_size } = self;
        OctreeConfig { max_depth, min_cell_size, looseness: 1.0 }
    }

    fn validate(self) -> Result<(), ConfigError> {
        let Self { max_depth, min_cell_size } = self;
        if !(1..=MAX_OCTREE_DEPTH).contains(&max_depth) {
            return Err(ConfigError::OctreeDepth { value: max_depth, max: MAX_OCTREE_DEPTH });
        }
        if !(0.0..=MAX_OCTREE_CELL).contains(&min_cell_size) {
            return Err(ConfigError::OctreeCellSize { value: min_cell_size, max: MAX_OCTREE_CELL });
        }
        Ok(())
    }
}

/// Broad phase among the moving bodies.
///
/// ```
/// use embate_replica::lasch::BroadPhase;
///
/// for broad_phase in BroadPhase::ALL {
///     assert_eq!(BroadPhase::from_name(broad_phase.name()), Some(broad_phase));
/// }
/// assert_eq!(BroadPhase::from_name("magic"), None);
/// ```
#[doc(alias = "Broad")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BroadPhase {
    /// A structure of the engine.
    Engine(BroadPhaseKind),
    /// The study's sort and sweep, along this axis.
    SweepAndPrune(SweepAxis),
    /// The study's octree, of strict cells within [`Config::octree`]; the static bodies are in one
    /// too. The study has it for static obstacles; for moving bodies it is rebuilt in each step.
    StrictOctree,
}

impl BroadPhase {
    /// Chooses a structure of the engine by the number of bodies.
    pub const AUTO: Self = Self::Engine(BroadPhaseKind::Auto);

    /// Every broad phase but [`AUTO`](Self::AUTO), which is one of these.
    pub const ALL: [Self; 10] = [
        Self::Engine(BroadPhaseKind::BruteForce),
        Self::SweepAndPrune(SweepAxis::Fixed(0)),
        Self::SweepAndPrune(SweepAxis::Fixed(1)),
        Self::SweepAndPrune(SweepAxis::Fixed(2)),
        Self::SweepAndPrune(SweepAxis::LargestVariance),
        Self::Engine(BroadPhaseKind::TiledSweep),
        Self::Engine(BroadPhaseKind::Bvh),
        Self::Engine(BroadPhaseKind::Grid),
        Self::Engine(BroadPhaseKind::Octree),
        Self::StrictOctree,
    ];

    /// The name used in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Engine(kind) => kind.name(),
            Self::SweepAndPrune(SweepAxis::Fixed(0)) => "sweep-x",
            Self::SweepAndPrune(SweepAxis::Fixed(1)) => "sweep-y",
            Self::SweepAndPrune(SweepAxis::Fixed(_)) => "sweep-z",
            Self::SweepAndPrune(SweepAxis::LargestVariance) => "sweep-variance",
            Self::StrictOctree => "octree-strict",
        }
    }

    /// The broad phase of this name, or `auto`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().chain([Self::AUTO]).find(|broad_phase| broad_phase.name() == name)
    }

    /// Creates the structure for `count` moving bodies.
    pub(super) fn create(self, count: usize, octree: OctreeLimits) -> AnyFinder {
        match self {
            Self::Engine(kind) => AnyFinder::Engine(kind.create(count)),
            Self::SweepAndPrune(axis) => AnyFinder::SweepAndPrune(SweepAndPrune::new(axis)),
            Self::StrictOctree => {
                AnyFinder::StrictOctree(OctreeBroadPhase::with_config(octree.strict()))
            }
        }
    }
}

/// Response to a contact.
///
/// ```
/// use embate_replica::lasch::Response;
///
/// assert_eq!(Response::from_name("positions"), Some(Response::Positions));
/// ```
#[doc(alias = "Resolve")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Response {
    /// Position correction alone, as position-based dynamics: bodies are translated apart, and
    /// their velocities follow from the corrected positions; collisions have no restitution. The
    /// study names a solver that only corrects positions; how velocities follow is ours.
    Positions,
    /// Position correction and the impulse of a collision with restitution.
    Impulse,
}

impl Response {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Positions, Self::Impulse];

    /// The name used in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Positions => "positions",
            Self::Impulse => "impulse",
        }
    }

    /// The response of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|response| response.name() == name)
    }
}

/// A broad phase with its memory from frame to frame.
#[derive(Clone, Debug)]
pub(super) enum AnyFinder {
    Engine(AnyBroadPhase<3>),
    SweepAndPrune(SweepAndPrune),
    StrictOctree(OctreeBroadPhase<3>),
    User(Box<dyn UserBroadPhase>),
}

impl AnyFinder {
    /// Appends every overlapping pair.
    pub(super) fn find_pairs(&mut self, boxes: AabbSlice<'_, 3>, pairs: &mut Vec<OverlapPair>) {
        match self {
            Self::Engine(finder) => finder.find_pairs(boxes, pairs),
            Self::SweepAndPrune(finder) => finder.find_pairs(boxes, pairs),
            Self::StrictOctree(finder) => finder.find_pairs(boxes, pairs),
            Self::User(finder) => finder.find(boxes, pairs),
        }
    }

    /// [`find_pairs`](Self::find_pairs) with the number of tests.
    pub(super) fn find_pairs_counted(
        &mut self,
        boxes: AabbSlice<'_, 3>,
        pairs: &mut Vec<OverlapPair>,
        stats: &mut BroadPhaseStats,
    ) {
        match self {
            Self::Engine(finder) => finder.find_pairs_observed(boxes, pairs, stats),
            Self::SweepAndPrune(finder) => finder.find_pairs_observed(boxes, pairs, stats),
            Self::StrictOctree(finder) => finder.find_pairs_observed(boxes, pairs, stats),
            Self::User(finder) => finder.find_counted(boxes, pairs, stats),
        }
    }
}
