//! Method of a scene: a solver of the engine, or the chain of Lasch.

use embate::dynamics::SolverKind;
use embate_replica::lasch;

/// Solver of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// A solver of the engine.
    Engine(SolverKind),
    /// The replica of Lasch's simulator.
    Lasch(lasch::Config),
}

impl Method {
    /// The name in reports and in the JSON that commands print: `soft`, `elastic` or `study`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Engine(SolverKind::SoftStep) => "soft",
            Self::Engine(SolverKind::EventDriven) => "elastic",
            Self::Lasch(_) => "study",
        }
    }

    /// The value of `solver` in scene files: `soft-step`, `event-driven` or `baseline`.
    #[must_use]
    pub fn solver_name(self) -> &'static str {
        match self {
            Self::Engine(solver) => solver.name(),
            Self::Lasch(_) => "baseline",
        }
    }
}

impl Default for Method {
    fn default() -> Self {
        Self::Engine(SolverKind::SoftStep)
    }
}

impl From<SolverKind> for Method {
    fn from(solver: SolverKind) -> Self {
        Self::Engine(solver)
    }
}
