//! BVH build quality: build time against query time and memory.

use crate::raycast::bvh::build::reinsertion::ReinsertionParams;

/// Build quality of a [`Bvh`](crate::raycast::bvh::Bvh). Query results do not depend on it, to the
/// bit.
#[doc(alias = "Preset")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BuildQuality {
    /// Shortest build, for meshes that change often.
    #[doc(alias = "Fast")]
    Low,
    /// Fast queries after a moderate build.
    #[default]
    #[doc(alias = "Balanced")]
    Medium,
    /// Fastest queries, whatever the build costs: spatial splits, more reinsertion.
    #[doc(alias = "Best")]
    High,
    /// Least memory: leaves share a vertex buffer.
    Compact,
}

impl BuildQuality {
    /// All qualities.
    pub const ALL: [Self; 4] = [Self::Low, Self::Medium, Self::High, Self::Compact];

    /// Name of the quality, which [`from_name`](Self::from_name) reads.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "fast",
            Self::Medium => "balanced",
            Self::High => "best",
            Self::Compact => "compact",
        }
    }

    /// The quality with this [`name`](Self::name), or with the name of its variant in lower case.
    ///
    /// ```
    /// use embate::raycast::BuildQuality;
    ///
    /// assert_eq!(BuildQuality::from_name("best"), Some(BuildQuality::High));
    /// assert_eq!(BuildQuality::from_name("high"), Some(BuildQuality::High));
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "low" => Some(Self::Low),
            "medium" => Some(Self::Medium),
            "high" => Some(Self::High),
            _ => Self::ALL.into_iter().find(|quality| quality.name() == name),
        }
    }

    /// Maximum number of SAH bins per axis. Fewer bins build faster.
    pub(super) fn max_bins(self) -> usize {
        match self {
            Self::Low => 12,
            Self::Medium | Self::High | Self::Compact => 32,
        }
    }

    /// Ranges of up to this many triangles are not split by the binary builder. Two triangles end
    /// up in one leaf anyway. A larger value leaves the wide collapse fewer choices of leaves, but
    /// far fewer ranges have to be split.
    pub(super) fn max_leaf_size(self) -> usize {
        match self {
            Self::Low => 6,
            Self::Medium | Self::High | Self::Compact => 2,
        }
    }

    /// Maximum number of additional references that spatial splits may create.
    pub(super) fn split_budget(self, triangles: usize) -> usize {
        match self {
            Self::Low | Self::Medium | Self::Compact => 0,
            Self::High => triangles / 4,
        }
    }

    /// Parameters of the reinsertion optimization; `None` if it would take too long. More passes
    /// improve the tree more than larger batches.
    pub(super) fn reinsertion(self) -> Option<ReinsertionParams> {
        match self {
            Self::Low => None,
            Self::Medium | Self::Compact => {
                Some(ReinsertionParams { batch_divisor: 15, max_passes: 6 })
            }
            Self::High => Some(ReinsertionParams { batch_divisor: 10, max_passes: 12 }),
        }
    }
}
