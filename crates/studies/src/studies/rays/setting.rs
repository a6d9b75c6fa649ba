//! Settings of structures for the curve of memory against time, measured on meshes only.

use embate::TriangleMesh;
use embate::raycast::{AnyRayIndex, BuildQuality, Bvh, CompactOctree, RayIndexKind};
use embate_replica::structure::RayStructure;

use super::plan::RaysPlan;

/// Sizes of the largest leaf of the compact octree, and the names of their rows.
pub(super) const LEAF_SIZES: [(usize, &str); 3] = [
    (CompactOctree::DEFAULT_LEAF_SIZE, "compact-octree"),
    (4, "compact-octree-4"),
    (2, "compact-octree-2"),
];

/// Name of the rows of the compact BVH.
pub(super) const COMPACT_BVH: &str = "bvh-compact";

/// A structure of the engine with other settings than its own technique.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// The BVH of quality `compact`.
    CompactBvh,
    /// The compact octree of a leaf size.
    CompactOctree { leaf_size: usize, name: &'static str },
}

impl Setting {
    /// The settings that a plan measures on each mesh: none unless it has the octree and the BVH,
    /// with which they are compared.
    pub(super) fn of(plan: &RaysPlan) -> Vec<Self> {
        let has = |kind: RayIndexKind| plan.techniques.contains(&kind.into());
        if !has(RayIndexKind::Octree) || !has(RayIndexKind::Bvh) {
            return Vec::new();
        }
        let is_technique = |name| plan.techniques.iter().any(|technique| technique.name() == name);
        let octrees = LEAF_SIZES.into_iter().filter(|(_, name)| !is_technique(*name));
        let octrees = octrees.map(|(leaf_size, name)| Self::CompactOctree { leaf_size, name });
        octrees.chain([Self::CompactBvh]).collect()
    }

    /// Value of the column `technique`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::CompactBvh => COMPACT_BVH,
            Self::CompactOctree { name, .. } => name,
        }
    }

    pub(super) fn structure(self) -> RayStructure {
        match self {
            Self::CompactBvh => RayStructure::BVH,
            Self::CompactOctree { .. } => RayIndexKind::CompactOctree.into(),
        }
    }

    pub(super) fn build(self, mesh: &TriangleMesh) -> AnyRayIndex {
        match self {
            Self::CompactBvh => Bvh::build_with_quality(mesh, BuildQuality::Compact).into(),
            Self::CompactOctree { leaf_size, .. } => {
                let budget = CompactOctree::DEFAULT_BYTES_PER_TRIANGLE;
                CompactOctree::build_with(mesh, leaf_size, budget).into()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(plan: &RaysPlan) -> Vec<&'static str> {
        Setting::of(plan).into_iter().map(Setting::name).collect()
    }

    #[test]
    fn settings_are_measured_beside_octree_and_bvh_and_none_twice() {
        let [small, smaller] = ["compact-octree-4", "compact-octree-2"];
        assert_eq!(names(&RaysPlan::quick()), ["compact-octree", small, smaller, COMPACT_BVH]);
        assert_eq!(names(&RaysPlan::published()), [small, smaller, COMPACT_BVH]);
        let techniques = vec![RayStructure::LorenziOctree, RayStructure::BVH];
        assert!(names(&RaysPlan { techniques, ..RaysPlan::quick() }).is_empty());
    }
}
