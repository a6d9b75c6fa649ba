//! Tally: number of comparisons, largest errors and wrong results per pair of shape types.

use crate::contact_reference::Errors;
use crate::contact_scenes::{SHAPE_PAIRS, Scene, ShapeKind};

/// Number of findings kept per query: a fault affects thousands of pairs, and a few suffice to
/// diagnose it.
const MAX_FINDINGS: usize = 4;

/// A wrong result.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Index of the scene under its seed.
    pub number: u64,
    /// The query with the wrong result.
    pub query: &'static str,
    /// Description with the error.
    pub description: String,
}

/// Accuracy of the contacts of two types of shapes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactTally {
    /// Number of pairs.
    pub pairs: u64,
    /// Separated pairs.
    pub separated: u64,
    /// Pairs with a manifold.
    pub manifolds: u64,
    /// Manifolds of one, two, three and four points.
    pub point_counts: [u64; 4],
    /// Largest errors of `closest_points`, relative to [`Scene::error_scale`].
    pub distance_errors: Errors,
    /// Largest errors of `contact_manifold`, relative to [`Scene::error_scale`].
    pub contact_errors: Errors,
    /// Deepest penetration of a pair reported as separated, relative to [`Scene::error_scale`].
    pub missed_penetration: f64,
    /// Number of wrong results: beyond the tolerance, NaN, different for swapped bodies, or
    /// different with a cache.
    pub wrong: u64,
    /// The first wrong results.
    pub findings: Vec<Finding>,
}

impl ContactTally {
    pub(super) fn record(&mut self, scene: &Scene, query: &'static str, error: &str) {
        self.wrong += 1;
        let description =
            format!("{:?} {:?}: {query}: {error}", scene.orientation, scene.proximity);
        self.keep_finding(Finding { number: scene.number, query, description });
    }

    fn keep_finding(&mut self, finding: Finding) {
        self.findings.push(finding);
        self.findings.sort_by_key(|finding| (finding.query, finding.number));
        let mut count = 0;
        let mut query = "";
        self.findings.retain(|finding| {
            count = if finding.query == query { count + 1 } else { 0 };
            query = finding.query;
            count < MAX_FINDINGS
        });
    }

    pub(super) fn merged(mut self, other: Self) -> Self {
        self.pairs += other.pairs;
        self.separated += other.separated;
        self.manifolds += other.manifolds;
        self.point_counts =
            core::array::from_fn(|count| self.point_counts[count] + other.point_counts[count]);
        self.distance_errors = self.distance_errors.worst(other.distance_errors);
        self.contact_errors = self.contact_errors.worst(other.contact_errors);
        self.missed_penetration = self.missed_penetration.max(other.missed_penetration);
        self.wrong += other.wrong;
        other.findings.into_iter().for_each(|finding| self.keep_finding(finding));
        self
    }
}

/// Table with one line per pair of types: counts, and the largest errors relative to
/// [`Scene::error_scale`], first of `closest_points`, then of `contact_manifold`.
#[must_use]
pub fn contact_table(tallies: &[ContactTally]) -> String {
    contact_table_of_kinds(tallies, &SHAPE_PAIRS)
}

/// [`contact_table`] for other pairs of types.
#[must_use]
pub fn contact_table_of_kinds(tallies: &[ContactTally], pairs: &[[ShapeKind; 2]]) -> String {
    let mut lines = vec![format!(
        "{:<19} {:>8} {:>9} {:>9} {:<31} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>6}",
        "kinds",
        "pairs",
        "separated",
        "manifolds",
        "of 1/2/3/4 points",
        "distance",
        "normal",
        "points",
        "depth",
        "normal",
        "points",
        "missed",
        "wrong"
    )];
    for (kinds, tally) in pairs.iter().zip(tallies) {
        let kinds = format!("{:?}-{:?}", kinds[0], kinds[1]).to_lowercase();
        let counts = tally.point_counts.map(|count| count.to_string()).join("/");
        let (distance, contact) = (&tally.distance_errors, &tally.contact_errors);
        lines.push(format!(
            "{kinds:<19} {:>8} {:>9} {:>9} {counts:<31} {:>8.1e} {:>8.1e} {:>8.1e} \
             {:>8.1e} {:>8.1e} {:>8.1e} {:>8.1e} {:>6}",
            tally.pairs,
            tally.separated,
            tally.manifolds,
            distance.distance,
            distance.normal,
            distance.surface.max(distance.opposite),
            contact.distance,
            contact.normal,
            contact.surface,
            tally.missed_penetration,
            tally.wrong,
        ));
    }
    lines.join("\n")
}
