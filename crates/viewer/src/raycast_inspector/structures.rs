//! Structures of the mesh: memory, build time, levels and bounding boxes.

use embate::raycast::{AnyRayIndex, BspTree, KdTree, Octree, RayIndex, RayIndexKind};
use embate_replica::lorenzi2014::OctreeAffinity;
use embate_replica::structure::{AnyRayStructure, RayStructure};
use embate_studies::accel_benchmark::{
    AccelTiming, benchmark_rays, fastest_engine_structure, mean_time,
};
use serde::Serialize;

use super::{RaycastInspector, TECHNIQUES};

/// The memory of a page ends at 4 GB: each structure that cuts triangles is kept below half of one.
const MAX_BYTES: usize = 1 << 29;
/// Memory of a reference to a triangle in a leaf of few triangles.
const BYTES_PER_REFERENCE: usize = 128;

/// Maximum number of drawn boxes: more are illegible.
const MAX_BOXES: usize = 20_000;

/// One that was built.
#[derive(Debug)]
pub(super) struct Structure {
    pub(super) index: AnyRayStructure,
    summary: StructureSummary,
}

/// Facts about a built structure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct StructureSummary {
    /// Name of the structure.
    pub name: &'static str,
    /// Memory in bytes, without the mesh.
    pub bytes: usize,
    /// Build time, in seconds.
    pub build_s: f64,
    /// Number of boxes of the tree.
    pub boxes: u32,
    /// Number of boxes in which triangles are tested.
    pub leaves: u32,
    /// Mean number of leaves that list a triangle.
    pub references: f64,
    /// Depth of the deepest box; the root has depth 0.
    pub deepest: u32,
    /// Bytes a triangle that it was kept within, where the command line would have allowed more.
    pub budget: Option<usize>,
}

/// Affinity of the mesh to Lorenzi's octree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Levels {
    /// Number of triangles on each level of Lorenzi's octree, the root first.
    pub triangles: Vec<u32>,
    /// `low`, `medium` or `high`.
    pub affinity: &'static str,
}

impl RaycastInspector {
    /// Builds a structure unless it exists, and returns its summary.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn build(&mut self, name: &str) -> Result<StructureSummary, String> {
        let slot = TECHNIQUES
            .iter()
            .position(|technique| technique.name() == name)
            .ok_or_else(|| format!("there is no structure {name}"))?;
        if let Some(structure) = &self.structures[slot] {
            return Ok(structure.summary);
        }
        let technique = TECHNIQUES[slot];
        let began = (self.clock)();
        let (index, budget) = self.build_within_budget(technique);
        let build_s = (self.clock)() - began;
        let summary = self.summarize(technique, &index, build_s, budget);
        self.structures[slot] = Some(Structure { index, summary });
        Ok(summary)
    }

    fn build_within_budget(&self, technique: RayStructure) -> (AnyRayStructure, Option<usize>) {
        let budget = MAX_BYTES / self.mesh.triangles().len().max(1);
        let references = budget / BYTES_PER_REFERENCE;
        let limited: Option<AnyRayIndex> = match technique {
            RayStructure::Engine(RayIndexKind::Octree)
                if budget < Octree::DEFAULT_BYTES_PER_TRIANGLE =>
            {
                Some(Octree::with_memory_budget(&self.mesh, budget).into())
            }
            RayStructure::Engine(RayIndexKind::KdTree)
                if references < KdTree::DEFAULT_REFERENCES_PER_TRIANGLE =>
            {
                Some(KdTree::with_max_references(&self.mesh, references).into())
            }
            RayStructure::Engine(RayIndexKind::Bsp)
                if references < BspTree::DEFAULT_REFERENCES_PER_TRIANGLE =>
            {
                Some(BspTree::with_max_references(&self.mesh, references).into())
            }
            _ => None,
        };
        match limited {
            Some(index) => (AnyRayStructure::Engine(index), Some(budget)),
            None => (technique.build(&self.mesh), None),
        }
    }

    fn summarize(
        &self,
        technique: RayStructure,
        index: &AnyRayStructure,
        build_s: f64,
        budget: Option<usize>,
    ) -> StructureSummary {
        let (mut boxes, mut leaves, mut deepest, mut references) = (0, 0, 0, 0_u64);
        index.visit_nodes(u32::MAX, |node| {
            boxes += 1;
            leaves += u32::from(node.triangles.is_some());
            references += u64::from(node.triangles.unwrap_or(0));
            deepest = deepest.max(node.depth);
            true
        });
        StructureSummary {
            name: technique.name(),
            bytes: index.memory_usage(),
            build_s,
            boxes,
            leaves,
            references: references as f64 / self.mesh.triangles().len() as f64,
            deepest,
            budget,
        }
    }

    /// Boxes of a structure's tree down to a depth, six numbers each; none of one that was not
    /// built.
    #[must_use]
    pub fn boxes(&self, name: &str, depth: u32) -> Vec<f32> {
        let technique = TECHNIQUES.into_iter().find(|technique| technique.name() == name);
        let Some(index) = technique.and_then(|technique| self.index(technique)) else {
            return Vec::new();
        };
        let mut corners = Vec::new();
        index.visit_nodes(depth, |node| {
            if corners.len() < 6 * MAX_BOXES {
                corners.extend(node.bounds.min.into_iter().chain(node.bounds.max));
            }
            true
        });
        corners
    }

    /// Triangles on each level of Lorenzi's octree; `None` until it is built.
    #[must_use]
    pub fn levels(&self) -> Option<Levels> {
        let AnyRayStructure::LorenziOctree(octree) = self.index(RayStructure::LorenziOctree)?
        else {
            return None;
        };
        let triangles = octree.triangles_per_level();
        let affinity = OctreeAffinity::of(&triangles).name();
        Some(Levels { triangles, affinity })
    }

    /// Times the built structures on random rays, each for about `seconds`, and Lorenzi's brute
    /// force.
    #[must_use]
    pub fn timings(&self, seconds: f64) -> Vec<AccelTiming> {
        let rays = benchmark_rays(&self.mesh);
        let mut timings = Vec::new();
        let mut add = |technique, index: &AnyRayStructure, build_s| {
            let ray_s = mean_time(index, &rays, seconds, self.clock);
            timings.push(AccelTiming { technique, bytes: index.memory_usage(), build_s, ray_s });
        };
        let began = (self.clock)();
        let basic = RayStructure::LorenziBruteForce.build(&self.mesh);
        let build_s = (self.clock)() - began;
        add(RayStructure::LorenziBruteForce, &basic, build_s);
        drop(basic);
        for (technique, structure) in TECHNIQUES.into_iter().zip(&self.structures) {
            if let Some(Structure { index, summary }) = structure {
                add(technique, index, summary.build_s);
            }
        }
        timings
    }

    /// Timings and the recommendation, as JSON:
    /// `{"rays":[{"name":"bvh","seconds":1e-6},…],"advice":{"name":"bvh"}}`.
    #[must_use]
    pub fn advice(&self, seconds: f64) -> String {
        let timings = self.timings(seconds);
        let rays = timings
            .iter()
            .filter_map(|timing| {
                Some(RayTime { name: timing.technique.name(), seconds: timing.ray_s? })
            })
            .collect();
        let advice = fastest_engine_structure(&timings)
            .map(|fastest| Recommendation { name: fastest.name() });
        serde_json::to_string(&TrialResults { rays, advice }).unwrap_or_default()
    }
}

#[derive(Serialize)]
struct TrialResults {
    rays: Vec<RayTime>,
    advice: Option<Recommendation>,
}

#[derive(Serialize)]
struct RayTime {
    name: &'static str,
    seconds: f64,
}

#[derive(Serialize)]
struct Recommendation {
    name: &'static str,
}
