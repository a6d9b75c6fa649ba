//! Plan of the study of ray–triangle tests: its cases, and how much of each is measured.

use embate_replica::triangle_tests::TriangleTestKind;
use serde_json::{Map, Value, json};

use crate::study::StudyCase;

/// Options of the study.
#[derive(Clone, Debug, PartialEq)]
pub struct TriangleTestsPlan {
    /// Whether the plan is the short version.
    pub quick: bool,
    /// Rays of each case.
    pub rays: u32,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Number of timings of each test.
    pub repeats: u32,
    /// Tests to report, in the order of [`TriangleTestKind::ALL`].
    pub techniques: Vec<TriangleTestKind>,
    /// Number of cases to measure concurrently; more than one is quicker, but times are less
    /// certain.
    pub threads: usize,
}

/// What the rays of a case are aimed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// Vertices of the mesh.
    Vertices,
    /// Points on edges.
    Edges,
    /// Random directions.
    Random,
}

/// A case: the unit of work that a killed run may lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// A ray and a triangle that it clearly hits.
    Hit,
    /// A ray and a triangle that it clearly misses.
    Miss,
    /// A ray and a triangle whose plane is nearly parallel to it.
    EdgeOn,
    /// A ray and a triangle a thousand times smaller than its distance.
    Small,
    /// Rays from inside closed meshes near the origin.
    Near(Aim),
    /// Rays from inside closed meshes where one ulp of f32 is 1/64.
    Far(Aim),
}

/// Triangles in the closed meshes, on average: 12, 128, 512 and 576.
const TRIANGLES_PER_RAY: u64 = 307;

impl Case {
    /// Every case, in the order of the report.
    pub const ALL: [Self; 10] = [
        Self::Hit,
        Self::Miss,
        Self::EdgeOn,
        Self::Small,
        Self::Near(Aim::Vertices),
        Self::Near(Aim::Edges),
        Self::Near(Aim::Random),
        Self::Far(Aim::Vertices),
        Self::Far(Aim::Edges),
        Self::Far(Aim::Random),
    ];

    /// Name in the column `case`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Hit => "pairs-hit",
            Self::Miss => "pairs-miss",
            Self::EdgeOn => "pairs-edge-on",
            Self::Small => "pairs-small",
            Self::Near(Aim::Vertices) => "aimed-vertices",
            Self::Near(Aim::Edges) => "aimed-edges",
            Self::Near(Aim::Random) => "aimed-random",
            Self::Far(Aim::Vertices) => "far-vertices",
            Self::Far(Aim::Edges) => "far-edges",
            Self::Far(Aim::Random) => "far-random",
        }
    }

    /// Approximate cost of one ray, in tests.
    pub(super) fn tests_per_ray(self) -> u64 {
        match self {
            Self::Hit | Self::Miss | Self::EdgeOn | Self::Small => 1,
            Self::Near(_) | Self::Far(_) => TRIANGLES_PER_RAY,
        }
    }
}

impl StudyCase for Case {
    fn key(&self) -> String {
        self.name().to_owned()
    }
}

impl TriangleTestsPlan {
    /// The plan, full or short.
    #[must_use]
    pub fn new(quick: bool) -> Self {
        Self {
            quick,
            rays: if quick { 3_000 } else { 30_000 },
            seed: 1,
            repeats: 3,
            techniques: TriangleTestKind::ALL.to_vec(),
            threads: 1,
        }
    }

    /// Parameters that identify a run, by the names of the command line.
    #[must_use]
    pub fn parameters(&self) -> Map<String, Value> {
        let names: Vec<&str> = self.techniques.iter().map(|kind| kind.name()).collect();
        let parameters = [
            ("quick", json!(self.quick)),
            ("rays", json!(self.rays)),
            ("seed", json!(self.seed)),
            ("repeats", json!(self.repeats)),
            ("technique", json!(names)),
            ("threads", json!(self.threads)),
        ];
        parameters.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// Amount of work of a case, in tests: the repeats, and the comparison.
    #[must_use]
    pub fn work(&self, case: Case) -> u64 {
        let turns = (u64::from(self.repeats) + 1) * self.techniques.len() as u64;
        turns * u64::from(self.rays) * case.tests_per_ray()
    }
}
