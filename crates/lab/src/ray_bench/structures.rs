//! What does each structure take, and how is it made up?

use embate::raycast::{AnyRayIndex, Octree, RayIndex};
use embate_studies::replica::lorenzi2014::{MAX_LEVELS, OctreeAffinity};
use embate_studies::structure::{AnyRayStructure, RayStructure};
use serde::Serialize;

use super::{RayBench, TECHNIQUES};
use crate::language::Language;
use crate::live::Text;
use crate::ray_trial::{RayAdvice, Trial, mean_time, trial_rays};

/// The memory of a page ends at 4 GB: an octree that cuts triangles is kept below half of one.
const MOST_OCTREE_BYTES: usize = 1 << 29;

/// Boxes that are drawn, at most: more are a grey cloud.
const MOST_BOXES: usize = 20_000;

/// One that was built.
#[derive(Debug)]
pub(super) struct Structure {
    pub(super) index: AnyRayStructure,
    told: StructureTold,
}

/// What is known of a structure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct StructureTold {
    /// By name.
    pub name: &'static str,
    /// Beside the mesh.
    pub bytes: usize,
    /// Of building it.
    pub build_s: f64,
    /// Boxes of its tree, all of them.
    pub boxes: u32,
    /// Those in which triangles are tested.
    pub leaves: u32,
    /// How often a triangle is found in them, on average.
    pub references: f64,
    /// Of the deepest box; the root's is 0.
    pub deepest: u32,
    /// Bytes a triangle that it was kept within, where the command line would have allowed more.
    pub budget: Option<usize>,
}

/// How well the mesh suits study A's octree.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Levels {
    /// Triangles on each level of study A's octree, the root's first.
    pub triangles: [u32; MAX_LEVELS],
    /// `low`, `medium` or `high`.
    pub affinity: &'static str,
}

impl RayBench {
    /// Builds a structure, unless it is there, and tells of it.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn build(&mut self, name: &str) -> Result<StructureTold, String> {
        let place = TECHNIQUES
            .iter()
            .position(|technique| technique.name() == name)
            .ok_or_else(|| format!("there is no structure {name}"))?;
        if let Some(structure) = &self.structures[place] {
            return Ok(structure.told);
        }
        let technique = TECHNIQUES[place];
        let began = (self.clock)();
        let (index, budget) = self.built(technique);
        let build_s = (self.clock)() - began;
        let told = self.told(technique, &index, build_s, budget);
        self.structures[place] = Some(Structure { index, told });
        Ok(told)
    }

    fn built(&self, technique: RayStructure) -> (AnyRayStructure, Option<usize>) {
        let most = MOST_OCTREE_BYTES / self.mesh.triangles().len().max(1);
        if technique == RayStructure::OCTREE && most < Octree::DEFAULT_BYTES_PER_TRIANGLE {
            let octree = AnyRayIndex::Octree(Octree::with_memory_budget(&self.mesh, most));
            return (AnyRayStructure::Engine(octree), Some(most));
        }
        (technique.build(&self.mesh), None)
    }

    fn told(
        &self,
        technique: RayStructure,
        index: &AnyRayStructure,
        build_s: f64,
        budget: Option<usize>,
    ) -> StructureTold {
        let (mut boxes, mut leaves, mut deepest, mut references) = (0, 0, 0, 0_u64);
        index.visit_nodes(u32::MAX, |told| {
            boxes += 1;
            leaves += u32::from(told.triangles.is_some());
            references += u64::from(told.triangles.unwrap_or(0));
            deepest = deepest.max(told.depth);
            true
        });
        StructureTold {
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

    /// Boxes of a structure's tree down to a depth, six numbers each; none of one that was not built.
    #[must_use]
    pub fn boxes(&self, name: &str, depth: u32) -> Vec<f32> {
        let technique = TECHNIQUES.into_iter().find(|technique| technique.name() == name);
        let Some(index) = technique.and_then(|technique| self.index(technique)) else {
            return Vec::new();
        };
        let mut corners = Vec::new();
        index.visit_nodes(depth, |told| {
            if corners.len() < 6 * MOST_BOXES {
                corners.extend(told.bounds.min.into_iter().chain(told.bounds.max));
            }
            true
        });
        corners
    }

    /// Triangles on each level of study A's octree; `None` until it is built.
    #[must_use]
    pub fn levels(&self) -> Option<Levels> {
        let AnyRayStructure::LorenziOctree(octree) = self.index(RayStructure::LorenziOctree)?
        else {
            return None;
        };
        let triangles = octree.triangles_per_level();
        Some(Levels { triangles, affinity: OctreeAffinity::of(&triangles).name() })
    }

    /// Tries what was built on random rays, each for about so many seconds, and study A's brute force beside it.
    #[must_use]
    pub fn trials(&self, seconds: f64) -> Vec<Trial> {
        let rays = trial_rays(&self.mesh);
        let mut trials = Vec::new();
        let mut add = |technique, index: &AnyRayStructure, build_s| {
            let ray_s = mean_time(index, &rays, seconds, self.clock);
            trials.push(Trial { technique, bytes: index.memory_usage(), build_s, ray_s });
        };
        let began = (self.clock)();
        let basic = RayStructure::LorenziBruteForce.build(&self.mesh);
        let build_s = (self.clock)() - began;
        add(RayStructure::LorenziBruteForce, &basic, build_s);
        drop(basic);
        for (technique, structure) in TECHNIQUES.into_iter().zip(&self.structures) {
            if let Some(Structure { index, told }) = structure {
                add(technique, index, told.build_s);
            }
        }
        trials
    }

    /// What was tried and what follows from it, as JSON:
    /// `{"rays":[{"name":"bvh","seconds":1e-6},…],"advice":{"name":"bvh","reason":{"en":"…","pt-BR":"…"}}}`.
    #[must_use]
    pub fn advice(&self, seconds: f64) -> String {
        let trials = self.trials(seconds);
        let rays = trials
            .iter()
            .filter_map(|trial| {
                Some(RayTime { name: trial.technique.name(), seconds: trial.ray_s? })
            })
            .collect();
        let advice = RayAdvice::of(&trials).map(|advice| Advised {
            name: advice.technique.name(),
            reason: Text {
                en: advice.reason(Language::English),
                pt: advice.reason(Language::BrazilianPortuguese),
            },
        });
        serde_json::to_string(&Tried { rays, advice }).unwrap_or_default()
    }
}

#[derive(Serialize)]
struct Tried {
    rays: Vec<RayTime>,
    advice: Option<Advised>,
}

#[derive(Serialize)]
struct RayTime {
    name: &'static str,
    seconds: f64,
}

#[derive(Serialize)]
struct Advised {
    name: &'static str,
    reason: Text<String>,
}
