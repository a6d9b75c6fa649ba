//! Octree affinity: how deep the triangles of a mesh sink into the octree of Lorenzi 2014.

/// How well a mesh suits the study's octree.
///
/// The three words are the study's; the thresholds are ours, chosen so that the study's three
/// random families fall into the three classes (`docs/studies.md`, "Lorenzi 2014", affinity).
#[doc(alias = "Affinity")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OctreeAffinity {
    /// At least 90 % of the triangles stay at level 1, the root.
    Low,
    /// Neither low nor high.
    Medium,
    /// More than 50 % of the triangles lie at level 4 or deeper.
    High,
}

impl OctreeAffinity {
    /// Class of a mesh, from its triangle count per level, root first.
    #[must_use]
    pub fn of(triangles_per_level: &[u32]) -> Self {
        let sum = |levels: &[u32]| levels.iter().map(|&n| u64::from(n)).sum::<u64>();
        let all = sum(triangles_per_level);
        let (root, below) = triangles_per_level.split_at(triangles_per_level.len().min(1));
        if sum(root) * 10 >= all * 9 {
            Self::Low
        } else if sum(below.get(2..).unwrap_or_default()) * 2 > all {
            Self::High
        } else {
            Self::Medium
        }
    }

    /// `low`, `medium` or `high`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_90_percent_at_the_root_and_half_at_level_4() {
        assert_eq!(OctreeAffinity::of(&[90, 10, 0, 0, 0, 0]), OctreeAffinity::Low);
        assert_eq!(OctreeAffinity::of(&[89, 11, 0, 0, 0, 0]), OctreeAffinity::Medium);
        assert_eq!(OctreeAffinity::of(&[50, 0, 0, 50, 0, 0]), OctreeAffinity::Medium);
        assert_eq!(OctreeAffinity::of(&[49, 0, 0, 0, 0, 51]), OctreeAffinity::High);
        assert_eq!(OctreeAffinity::of(&[0; 6]), OctreeAffinity::Low, "an empty mesh");
        assert_eq!(OctreeAffinity::of(&[]), OctreeAffinity::Low, "no levels");
    }

    #[test]
    fn trees_of_other_depths_have_the_same_thresholds() {
        assert_eq!(OctreeAffinity::of(&[49, 0, 0, 0, 0, 0, 0, 51]), OctreeAffinity::High);
        assert_eq!(OctreeAffinity::of(&[50, 50]), OctreeAffinity::Medium);
        assert_eq!(OctreeAffinity::of(&[7]), OctreeAffinity::Low);
    }
}
