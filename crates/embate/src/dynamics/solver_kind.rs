//! By which method does a world go on?

/// How touches are found and answered.
///
/// ```
/// use embate::dynamics::{Settings, SolverKind, World};
///
/// let settings = Settings { solver: SolverKind::EventDriven, ..Settings::default() };
/// assert_eq!(World::new(settings)?.settings().solver.name(), "elastic");
/// # Ok::<(), embate::dynamics::SettingsError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum SolverKind {
    /// Ours: soft contacts in sub-steps, with friction, stacks that stand, and sleep.
    #[default]
    SoftStep,
    /// For worlds in which nothing is lost: impacts one after the other, each at its instant, every one with
    /// the energy that its restitution leaves. No friction, no resting, no sleep.
    EventDriven,
}

impl SolverKind {
    /// The name used in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SoftStep => "soft",
            Self::EventDriven => "elastic",
        }
    }
}
