//! Solver kind: the contact solver and time stepping of a world.

/// Contact solver of a world.
///
/// ```
/// use embate::dynamics::{Settings, SolverKind, World};
///
/// let settings = Settings { solver: SolverKind::EventDriven, ..Settings::default() };
/// assert_eq!(World::new(settings)?.settings().solver.name(), "event-driven");
/// # Ok::<(), embate::dynamics::SettingsError>(())
/// ```
#[doc(alias = "Method")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SolverKind {
    /// Soft contacts solved in sub-steps, with friction, joints, stable stacks and sleeping.
    #[doc(alias("Soft", "soft_step", "TGS"))]
    #[default]
    SoftStep,
    /// Impacts in order of time, each solved at its time of impact. Without restitution loss the
    /// kinetic energy is conserved. No friction, resting contact, joints or sleeping.
    #[doc(alias("Elastic", "event-based"))]
    EventDriven,
}

impl SolverKind {
    /// Name in scene files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SoftStep => "soft-step",
            Self::EventDriven => "event-driven",
        }
    }
}
