//! How much time may a build take, and how much memory the tree?

/// What a [`Bvh`](super::Bvh) is built for. All answer the same, to the bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Preset {
    /// Built as fast as can be: for meshes that change often.
    Fast,
    /// Fast rays from a build that is still short.
    #[default]
    Balanced,
    /// The fastest rays, however long the build takes.
    Best,
    /// The least memory.
    Compact,
}

impl Preset {
    /// Every preset.
    pub const ALL: [Self; 4] = [Self::Fast, Self::Balanced, Self::Best, Self::Compact];

    /// The name used on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Balanced => "balanced",
            Self::Best => "best",
            Self::Compact => "compact",
        }
    }

    /// The preset of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.name() == name)
    }

    /// Bins an axis is cut into at most: fewer are sooner filled.
    pub(super) fn most_bins(self) -> usize {
        match self {
            Self::Fast => 12,
            Self::Balanced | Self::Best | Self::Compact => 32,
        }
    }

    /// So many triangles stay together: two that would be in one leaf anyway; with more, the cheapest leaves can
    /// no longer be chosen, but there are far fewer ranges to split.
    pub(super) fn bundle(self) -> usize {
        match self {
            Self::Fast => 6,
            Self::Balanced | Self::Best | Self::Compact => 2,
        }
    }

    /// Of so many triangles, how many may be in a further leaf because they were cut.
    pub(super) fn room_for_cuts(self, triangles: usize) -> usize {
        match self {
            Self::Fast | Self::Balanced | Self::Compact => 0,
            Self::Best => triangles / 4,
        }
    }

    /// One in how many of the largest nodes is put elsewhere where that is better, and how often at most; `None` if that
    /// takes too long. (Often does more than many at a time.)
    pub(super) fn reinsertion(self) -> Option<(usize, usize)> {
        match self {
            Self::Fast => None,
            Self::Balanced | Self::Compact => Some((15, 6)),
            Self::Best => Some((10, 12)),
        }
    }
}
