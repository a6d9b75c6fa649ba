//! What is remembered of a pair from one frame to the next?

/// What the last answer about a pair of bodies was found by. It makes the next answer faster, and never
/// changes a bit of it: a new, an old or another pair's cache gives the same.
#[derive(Clone, Copy, Debug, Default)]
pub struct PairCache {}

impl PairCache {
    /// Knows nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}
