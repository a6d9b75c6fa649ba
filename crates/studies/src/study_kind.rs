//! The studies by name.

/// Which study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StudyKind {
    /// Lorenzi 2014.
    Rays,
    /// Gonçales et al. 2016.
    Broad2d,
    /// Lasch, broad phase.
    Broad3d,
    /// Lasch, all parts.
    Simulator,
    /// Ray–triangle tests, after an open question of Lorenzi 2014.
    TriangleTests,
}

impl StudyKind {
    /// Every study.
    pub const ALL: [Self; 5] =
        [Self::Rays, Self::Broad2d, Self::Broad3d, Self::Simulator, Self::TriangleTests];

    /// Name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Rays => "rays",
            Self::Broad2d => "broad2d",
            Self::Broad3d => "broad3d",
            Self::Simulator => "simulator",
            Self::TriangleTests => "triangle-tests",
        }
    }

    /// The study of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
