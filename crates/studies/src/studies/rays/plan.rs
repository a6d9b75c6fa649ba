//! Plan of the ray study: its cases, by family and size.

use std::sync::LazyLock;

use embate::TriangleMesh;
use embate_replica::structure::RayStructure;
use embate_scene::generators::{self, Family};
use serde_json::{Map, Value, json};

use super::case_rows::published_sizes;
use super::row::PUBLISHED_LEVELS;
use super::setting::Setting;
use crate::runner::earlier_run::EarlierRun;
use crate::study::StudyCase;

/// Options of the study. [`published`](Self::published) is the study as printed.
#[derive(Clone, Debug)]
pub struct RaysPlan {
    /// Triangle counts of the random cases.
    pub sizes: Vec<u32>,
    /// Families of the random cases.
    pub families: Vec<Family>,
    /// Number of rays per row.
    pub rays: u32,
    /// Levels of the study's octree, 1 to 12. The literal octree, which allocates every cell, is
    /// measured up to the published 6.
    pub depth: usize,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Number of timings of each query.
    pub repeats: u32,
    /// Structures to report, in the order of [`RayStructure::ALL`].
    pub techniques: Vec<RayStructure>,
    /// Number of cases to measure concurrently; more than one is quicker, but times are less
    /// certain.
    pub threads: usize,
    /// The user's own meshes, by file name.
    pub meshes: Vec<(String, TriangleMesh)>,
    /// Earlier runs that the report compares with this one. They change no row.
    pub compare: Vec<EarlierRun>,
}

/// The cases of the study: claims about its cases are judged on these.
pub(super) const STUDY_CASES: [&str; 5] =
    ["random-low", "random-medium", "random-high", "house", "city"];

/// Whether a case of the study or a shipped mesh has this name, so that a mesh of the user cannot
/// have it.
#[must_use]
pub fn is_case_name(name: &str) -> bool {
    STUDY_CASES.contains(&name) || generators::ARTIST_MESHES.contains(&name)
}

/// One case at one size: the unit of work that a killed run may lose.
#[derive(Clone, Debug)]
pub enum Case<'a> {
    /// A random family; every ray has a scene of its own.
    Random {
        /// Family, which determines the size of the triangles.
        family: Family,
        /// Number of triangles.
        triangles: u32,
    },
    /// One mesh for all rays.
    Model {
        /// `house`, `city`, `artist-…` or a file name.
        name: &'a str,
        /// The mesh.
        mesh: &'a TriangleMesh,
    },
}

impl RaysPlan {
    /// The study as printed: 30 sizes, three families, 10,000 rays a row, six levels.
    #[must_use]
    pub fn published() -> Self {
        Self {
            sizes: published_sizes().collect(),
            families: Family::ALL.to_vec(),
            rays: 10_000,
            depth: PUBLISHED_LEVELS,
            seed: 1,
            repeats: 3,
            techniques: RayStructure::ALL.to_vec(),
            threads: 1,
            meshes: Vec::new(),
            compare: Vec::new(),
        }
    }

    /// A reduced study of half a minute: seven of the published sizes, a tenth of the rays, without
    /// the structures that are for comparison only.
    #[must_use]
    pub fn quick() -> Self {
        Self {
            sizes: vec![100, 500, 1_000, 3_000, 5_000, 8_000, 10_000],
            rays: 1_000,
            techniques: RayStructure::ALL
                .into_iter()
                .filter(|structure| !structure.is_for_comparison())
                .collect(),
            ..Self::published()
        }
    }

    /// Removes duplicates; sizes, families and structures are put in the study's order.
    pub fn drop_repetitions(&mut self) {
        self.sizes.sort_unstable();
        self.sizes.dedup();
        self.families = in_order(Family::ALL, &self.families);
        self.techniques = in_order(RayStructure::ALL, &self.techniques);
    }

    /// Parameters that identify a run, by the names of the command line.
    #[must_use]
    pub fn parameters(&self) -> Map<String, Value> {
        let names = |names: Vec<&str>| Value::from(names);
        let meshes = self.meshes.iter().map(|(name, mesh)| {
            json!({ "name": name, "triangles": mesh.triangles().len(), "crc32": fingerprint(mesh) })
        });
        let Value::Object(parameters) = json!({
            "sizes": self.sizes,
            "families": names(self.families.iter().map(|family| family.name()).collect()),
            "rays": self.rays,
            "depth": self.depth,
            "seed": self.seed,
            "repeats": self.repeats,
            "technique": names(self.techniques.iter().map(|t| t.name()).collect()),
            "threads": self.threads,
            "mesh": meshes.collect::<Vec<_>>(),
        }) else {
            unreachable!("an object was written")
        };
        parameters
    }

    /// All cases, in the order of the report.
    #[must_use]
    pub fn cases(&self) -> Vec<Case<'_>> {
        let random = self.families.iter().flat_map(|&family| {
            self.sizes.iter().map(move |&triangles| Case::Random { family, triangles })
        });
        let shipped = SHIPPED.iter().map(|(name, mesh)| (*name, mesh));
        let own = self.meshes.iter().map(|(name, mesh)| (name.as_str(), mesh));
        random.chain(shipped.chain(own).map(|(name, mesh)| Case::Model { name, mesh })).collect()
    }

    /// The structures that must run to check and compare the requested ones.
    pub(crate) fn techniques_needed(&self) -> Vec<RayStructure> {
        let requested = |technique| self.techniques.contains(&technique);
        let is_reference = |one| self.techniques.iter().any(|t| t.reference() == one);
        // Every speedup is over the study's brute force.
        let needed = |&t: &RayStructure| {
            let is_possible = t != RayStructure::LiteralOctree || self.depth <= PUBLISHED_LEVELS;
            let is_needed = t == RayStructure::LorenziBruteForce || requested(t) || is_reference(t);
            is_possible && is_needed
        };
        RayStructure::ALL.into_iter().filter(needed).collect()
    }

    /// Amount of work of a case, in triangles times rays times structures, for a progress bar.
    #[must_use]
    pub fn work(&self, case: &Case<'_>) -> u64 {
        let settings = match case {
            Case::Random { .. } => 0,
            Case::Model { .. } => Setting::of(self).len(),
        };
        let techniques = (self.techniques_needed().len() + settings) as u64;
        u64::from(case.triangles()) * u64::from(self.rays) * techniques
    }
}

/// The stand-ins for the study's two lost models, and the meshes made by artists.
static SHIPPED: LazyLock<Vec<(&str, TriangleMesh)>> = LazyLock::new(|| {
    let mut meshes = vec![("house", generators::house()), ("city", generators::city())];
    meshes.extend(generators::artist_meshes());
    meshes
});

impl Case<'_> {
    /// Value of the column `case`.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Random { family, .. } => format!("random-{}", family.name()),
            Self::Model { name, .. } => (*name).to_owned(),
        }
    }

    /// Value of the column `triangles`.
    #[must_use]
    pub fn triangles(&self) -> u32 {
        match self {
            Self::Random { triangles, .. } => *triangles,
            Self::Model { mesh, .. } => mesh.triangles().len() as u32,
        }
    }
}

impl StudyCase for Case<'_> {
    fn key(&self) -> String {
        format!("{} {}", self.name(), self.triangles())
    }
}

fn in_order<T: Copy + PartialEq, const N: usize>(all: [T; N], selected: &[T]) -> Vec<T> {
    all.into_iter().filter(|item| selected.contains(item)).collect()
}

/// Fingerprint of a mesh, so that a changed file of the same name is detected.
fn fingerprint(mesh: &TriangleMesh) -> u32 {
    let mut hasher = embate_scene::checksum::Hasher::new();
    for coordinate in mesh.positions().iter().flatten() {
        hasher.update(&coordinate.to_le_bytes());
    }
    for index in mesh.triangles().iter().flatten() {
        hasher.update(&index.to_le_bytes());
    }
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_plan_has_thirty_sizes_up_to_11_000() {
        let sizes = RaysPlan::published().sizes;
        assert_eq!(
            (sizes.len(), sizes[0], sizes[8], sizes[9], sizes[29]),
            (30, 100, 900, 1_000, 11_000)
        );
    }

    #[test]
    fn quick_plan_has_the_structures_that_are_compared_with_the_published_ones() {
        let techniques = RaysPlan::quick().techniques;
        assert_eq!(techniques.first(), Some(&RayStructure::LorenziBruteForce));
        assert!(techniques.contains(&RayStructure::BVH) && techniques.len() == 8);
        assert!(RaysPlan::published().techniques.len() > techniques.len());
    }

    #[test]
    fn quick_plan_has_only_published_sizes() {
        let published = RaysPlan::published().sizes;
        assert!(RaysPlan::quick().sizes.iter().all(|size| published.contains(size)));
    }
}
