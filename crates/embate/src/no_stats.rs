//! Observer that records nothing: the default of ray queries and broad phases.

/// Observer of a query that records nothing, at no cost.
///
/// It implements the observers of [`raycast`](crate::raycast) and
/// [`broad_phase`](crate::broad_phase).
#[derive(Clone, Copy, Debug, Default)]
#[doc(alias = "Unobserved")]
pub struct NoStats;
