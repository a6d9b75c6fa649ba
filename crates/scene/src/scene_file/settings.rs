//! Settings of a scene: gravity, steps, bounds and solver.

use embate::dynamics::{BoundaryMode, Settings, SolverKind, WorldBounds};
use embate_replica::lasch::{
    BroadPhase, Config, IntegratorKind, MAX_OCTREE_CELL, MAX_OCTREE_DEPTH, MAX_POSITION_ITERATIONS,
    OctreeLimits, Response,
};

use super::keys;
use super::located_json::{Name, Node, Object, escaped};
use super::numbers::{validated, vector, within};
use super::{SceneError, SceneErrorKind, SceneQuantity};
use crate::scene_world::Method;

/// Default number of steps: ten seconds of steps of 1/60 s.
const DEFAULT_STEPS: u32 = 600;

/// Solvers by their names in scene files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SolverName {
    SoftStep,
    EventDriven,
    Baseline,
}

pub(super) const SOLVERS: &[Name<SolverName>] = &[
    Name::renamed("soft-step", "soft", SolverName::SoftStep),
    Name::renamed("event-driven", "elastic", SolverName::EventDriven),
    Name::renamed("baseline", "study", SolverName::Baseline),
];

pub(super) const BOUNDARY_MODES: &[Name<BoundaryMode>] =
    &[Name::renamed("solid", "bounce", BoundaryMode::Solid), Name::new("open", BoundaryMode::Open)];

pub(super) const RESPONSES: &[Name<Response>] =
    &[Name::new("positions", Response::Positions), Name::new("impulse", Response::Impulse)];

pub(super) const INTEGRATORS: &[Name<IntegratorKind>] = &[
    Name::new("explicit-euler", IntegratorKind::ExplicitEuler),
    Name::new("semi-implicit-euler", IntegratorKind::SemiImplicitEuler),
    Name::new("verlet", IntegratorKind::Verlet),
    Name::new("rk4", IntegratorKind::Rk4),
];

/// A boundary mode by its name in scene files.
#[must_use]
pub fn boundary_mode_name(mode: BoundaryMode) -> &'static str {
    BOUNDARY_MODES.iter().find(|name| name.value == mode).map_or("solid", |name| name.current)
}

/// Everything of a scene but its bodies and joints.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) name: Option<String>,
    pub(super) description: Option<String>,
    pub(super) dimension: u8,
    pub(super) steps: u32,
    /// Without the solver, which is that of the method.
    pub(super) settings: Settings,
    pub(super) method: Method,
}

impl Head {
    pub(super) fn read(scene: &Object<'_>) -> Result<Self, SceneError> {
        scene.optional("$schema", Node::string)?;
        Ok(Self {
            name: scene.optional("name", Node::string)?,
            description: scene.optional("description", Node::string)?,
            dimension: scene.read_or("dimension", 3, dimension)?,
            steps: scene.read_or("steps", DEFAULT_STEPS, Node::whole_number)?,
            settings: settings(scene)?,
            method: method(scene)?,
        })
    }
}

fn dimension(node: &Node<'_>) -> Result<u8, SceneError> {
    match node.whole_number()? {
        2 => Ok(2),
        3 => Ok(3),
        found => Err(node.error(SceneErrorKind::Dimension { found })),
    }
}

fn settings(scene: &Object<'_>) -> Result<Settings, SceneError> {
    let mut settings = Settings::default();
    if let Some(node) = scene.get("gravity") {
        settings = validated(&node, Settings { gravity: vector(&node)?, ..settings })?;
    }
    if let Some(node) = scene.get("time_step") {
        settings = validated(&node, Settings { time_step: node.number()?, ..settings })?;
    }
    if let Some(node) = scene.get("substeps") {
        settings = validated(&node, Settings { substeps: node.whole_number()?, ..settings })?;
    }
    if let Some(node) = scene.get("linear_slop") {
        settings = validated(&node, Settings { linear_slop: node.number()?, ..settings })?;
    }
    if let Some(node) = scene.get("bounds") {
        settings = validated(&node, Settings { bounds: Some(bounds(&node)?), ..settings })?;
    }
    let enable_sleep = scene.read_or("enable_sleep", settings.enable_sleep, Node::boolean)?;
    Ok(Settings { enable_sleep, ..settings })
}

/// `{"min":[…],"max":[…],"mode":"solid"}`.
fn bounds(node: &Node<'_>) -> Result<WorldBounds, SceneError> {
    let bounds = node.object(keys::BOUNDS)?;
    Ok(WorldBounds {
        min: vector(&bounds.require("min")?)?,
        max: vector(&bounds.require("max")?)?,
        mode: bounds.read_or("mode", BoundaryMode::Solid, |node| node.name(BOUNDARY_MODES))?,
    })
}

fn method(scene: &Object<'_>) -> Result<Method, SceneError> {
    let solver = scene.read_or("solver", SolverName::SoftStep, |node| node.name(SOLVERS))?;
    let broad = scene.read_or("broad_phase", BroadPhase::AUTO, broad_phase)?;
    let integrator = scene.read("integrator", |node| node.name(INTEGRATORS))?;
    let response = scene.read("response", |node| node.name(RESPONSES))?;
    let tolerance = scene.read_or("tolerance", 0.0, within(SceneQuantity::Tolerance, 0.0, 1e3))?;
    let position_iterations = scene.read("position_iterations", position_iterations)?;
    let octree = scene.read("octree", octree_limits)?;
    let method: Method = match solver {
        SolverName::SoftStep => SolverKind::SoftStep.into(),
        SolverName::EventDriven => SolverKind::EventDriven.into(),
        SolverName::Baseline => {
            return Ok(Method::Lasch(Config {
                broad_phase: broad,
                integrator: integrator.unwrap_or_default(),
                response: response.unwrap_or(Response::Impulse),
                tolerance,
                position_iterations: position_iterations
                    .unwrap_or(Config::PUBLISHED.position_iterations),
                octree: octree.unwrap_or(OctreeLimits::DEFAULT),
            }));
        }
    };
    let baseline_only = [
        ("broad_phase", broad != BroadPhase::AUTO),
        ("integrator", integrator.is_some()),
        ("response", response.is_some()),
        ("tolerance", tolerance != 0.0),
        ("position_iterations", position_iterations.is_some()),
        ("octree", octree.is_some()),
    ];
    for (key, is_set) in baseline_only {
        if let Some(node) = scene.get(key).filter(|_| is_set) {
            let solver = method.solver_name();
            return Err(node.error(SceneErrorKind::BaselineOnly { key, solver }));
        }
    }
    Ok(method)
}

fn position_iterations(node: &Node<'_>) -> Result<u8, SceneError> {
    count(node, SceneQuantity::PositionIterations, MAX_POSITION_ITERATIONS)
}

/// `{"max_depth":8,"min_cell_size":0.5}`.
fn octree_limits(node: &Node<'_>) -> Result<OctreeLimits, SceneError> {
    let limits = node.object(keys::OCTREE)?;
    let OctreeLimits { max_depth, min_cell_size } = OctreeLimits::DEFAULT;
    let depth = |node: &Node<'_>| count(node, SceneQuantity::OctreeDepth, MAX_OCTREE_DEPTH);
    let cell_size = within(SceneQuantity::OctreeCellSize, 0.0, MAX_OCTREE_CELL);
    Ok(OctreeLimits {
        max_depth: limits.read_or("max_depth", max_depth, depth)?,
        min_cell_size: limits.read_or("min_cell_size", min_cell_size, cell_size)?,
    })
}

/// A whole number from 1 to `max`.
fn count(node: &Node<'_>, quantity: SceneQuantity, max: u8) -> Result<u8, SceneError> {
    let value = node.whole_number()?;
    let in_range = u8::try_from(value).ok().filter(|value| (1..=max).contains(value));
    in_range.ok_or_else(|| {
        let value = value as f32;
        node.error(SceneErrorKind::OutOfRange { quantity, value, min: 1.0, max: max.into() })
    })
}

fn broad_phase(node: &Node<'_>) -> Result<BroadPhase, SceneError> {
    let found = node.string()?;
    BroadPhase::from_name(&found).ok_or_else(|| {
        let all = [BroadPhase::AUTO].into_iter().chain(BroadPhase::ALL);
        let expected = all.map(BroadPhase::name).collect();
        let is_planar = found.starts_with("study-");
        let found = escaped(&found);
        node.error(if is_planar {
            SceneErrorKind::PlanarBroadPhase { found, expected }
        } else {
            SceneErrorKind::UnknownName { found, expected }
        })
    })
}
