//! What was asked, and how true were the answers?

use crate::contact_reference::claims::Errors;
use crate::contact_scenes::{KIND_PAIRS, Kind, Scene};

/// Findings kept of one kind: a fault shows in thousands of pairs, and a few tell what it is.
const KEPT: usize = 4;

/// An answer that is not true.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The scene's number under its seed.
    pub number: u64,
    /// Which answer is wrong.
    pub about: &'static str,
    /// In which way, and how much.
    pub what: String,
}

/// What was asked about pairs of two kinds, and how true the answers were.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Pairs asked about.
    pub pairs: u64,
    /// Pairs that are apart.
    pub apart: u64,
    /// Pairs that the engine gave contact points of.
    pub manifolds: u64,
    /// How many of those have one, two, three, four points.
    pub counts: [u64; 4],
    /// The worst errors of `separation`, as parts of [`Scene::measure`].
    pub separation: Errors,
    /// The worst errors of `contact`, as parts of [`Scene::measure`].
    pub contact: Errors,
    /// The deepest overlap of a pair that was called apart, as a part of [`Scene::measure`].
    pub wrongly_parted: f64,
    /// Answers that are wrong: beyond the tolerance, NaN, not the same turned round, not the same with a
    /// cache.
    pub wrong: u64,
    /// The first of them.
    pub findings: Vec<Finding>,
}

impl Tally {
    pub(super) fn find(&mut self, scene: &Scene, about: &'static str, what: &str) {
        self.wrong += 1;
        let what = format!("{:?} {:?}: {about} {what}", scene.posture, scene.state);
        self.keep(Finding { number: scene.number, about, what });
    }

    fn keep(&mut self, finding: Finding) {
        self.findings.push(finding);
        self.findings.sort_by_key(|finding| (finding.about, finding.number));
        let mut kept = 0;
        let mut about = "";
        self.findings.retain(|finding| {
            kept = if finding.about == about { kept + 1 } else { 0 };
            about = finding.about;
            kept < KEPT
        });
    }

    pub(super) fn and(mut self, other: Self) -> Self {
        self.pairs += other.pairs;
        self.apart += other.apart;
        self.manifolds += other.manifolds;
        self.counts = core::array::from_fn(|count| self.counts[count] + other.counts[count]);
        self.separation = self.separation.worst(other.separation);
        self.contact = self.contact.worst(other.contact);
        self.wrongly_parted = self.wrongly_parted.max(other.wrongly_parted);
        self.wrong += other.wrong;
        other.findings.into_iter().for_each(|finding| self.keep(finding));
        self
    }
}

/// A line for each kind of pair: how many, and the worst errors as parts of [`Scene::measure`], first those
/// of `separation`, then those of `contact`.
#[must_use]
pub fn table(tallies: &[Tally]) -> String {
    table_of(tallies, &KIND_PAIRS)
}

/// The same for other kinds.
#[must_use]
pub fn table_of(tallies: &[Tally], pairs: &[[Kind; 2]]) -> String {
    let mut lines = vec![format!(
        "{:<19} {:>8} {:>8} {:>9} {:<31} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>6}",
        "kinds",
        "pairs",
        "apart",
        "touching",
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
        let counts = tally.counts.map(|count| count.to_string()).join("/");
        let (s, c) = (&tally.separation, &tally.contact);
        lines.push(format!(
            "{kinds:<19} {:>8} {:>8} {:>9} {counts:<31} {:>8.1e} {:>8.1e} {:>8.1e} {:>8.1e} {:>8.1e} {:>8.1e} {:>8.1e} {:>6}",
            tally.pairs,
            tally.apart,
            tally.manifolds,
            s.distance,
            s.normal,
            s.surface.max(s.opposite),
            c.distance,
            c.normal,
            c.surface,
            tally.wrongly_parted,
            tally.wrong,
        ));
    }
    lines.join("\n")
}
