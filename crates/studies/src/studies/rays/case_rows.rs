//! Rows of a run by case, size and technique.

use embate_replica::lorenzi2014::OctreeAffinity;
use embate_replica::structure::RayStructure;

use super::row::{PUBLISHED_LEVELS, Row};
use crate::statistics::{self, Range};

pub(super) const STUDY_BRUTE: &str = "study-brute";
pub(super) const STUDY_OCTREE: &str = "study-octree";
pub(super) const LITERAL_BRUTE: &str = "study-brute-literal";
pub(super) const LITERAL_OCTREE: &str = "study-octree-literal";

/// The structures of the study.
pub(super) const REPLICAS: [&str; 4] = [STUDY_BRUTE, STUDY_OCTREE, LITERAL_BRUTE, LITERAL_OCTREE];

/// The three families of random triangles, in the study's order.
pub(super) const FAMILIES: [&str; 3] = ["random-low", "random-medium", "random-high"];
pub(super) const HOUSE: &str = "house";
pub(super) const CITY: &str = "city";

/// The 30 sizes of the random cases: 100, 200 … 900, 1,000, 1,500 … 11,000.
pub(super) fn published_sizes() -> impl Iterator<Item = u32> {
    (100..1_000).step_by(100).chain((1_000..=11_000).step_by(500))
}

/// The rows of a run, in the order of the plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct CaseRows<'a> {
    rows: &'a [Row],
}

impl<'a> CaseRows<'a> {
    pub(super) fn new(rows: &'a [Row]) -> Self {
        Self { rows }
    }

    /// Every case once, in the order of the plan.
    pub(super) fn names(self) -> Vec<&'a str> {
        unique(self.rows.iter().map(|row| row.case.as_str()))
    }

    /// Cases that are one mesh, not a family: stand-ins and the user's own.
    pub(super) fn meshes(self) -> Vec<&'a str> {
        self.names().into_iter().filter(|name| !FAMILIES.contains(name)).collect()
    }

    /// Every technique once, in the order of the plan.
    pub(super) fn techniques(self) -> Vec<&'a str> {
        unique(self.rows.iter().map(|row| row.technique.as_str()))
    }

    /// Sizes of a case, smallest first.
    pub(super) fn sizes(self, case: &str) -> Vec<u32> {
        let mut sizes: Vec<_> = self.of_case(case).map(|row| row.triangles).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    pub(super) fn get(self, case: &str, technique: &str, triangles: u32) -> Option<&'a Row> {
        self.of(case, technique).find(|row| row.triangles == triangles)
    }

    /// Every row, in the order of the plan.
    pub(super) fn all(self) -> impl Iterator<Item = &'a Row> {
        self.rows.iter()
    }

    pub(super) fn of_case(self, case: &str) -> impl Iterator<Item = &'a Row> {
        self.rows.iter().filter(move |row| row.case == case)
    }

    pub(super) fn of(self, case: &str, technique: &str) -> impl Iterator<Item = &'a Row> {
        self.of_case(case).filter(move |row| row.technique == technique)
    }

    /// `(triangles, value)` of one technique in one case, smallest size first.
    pub(super) fn points(
        self,
        case: &str,
        technique: &str,
        value: impl Fn(&Row) -> f64,
    ) -> Vec<(f64, f64)> {
        let rows = self.of(case, technique);
        let mut points: Vec<_> = rows.map(|row| (f64::from(row.triangles), value(row))).collect();
        points.sort_by(|one, other| one.0.total_cmp(&other.0));
        points
    }

    /// Speedup of a row over the technique's own brute force, in each repeat; empty without repeats
    /// of both.
    pub(super) fn speedups_of_repeats(self, row: &Row) -> Vec<f64> {
        // Settings of the engine's structures are no techniques of their own.
        let reference = RayStructure::from_name(&row.technique)
            .map_or(RayStructure::BRUTE_FORCE, RayStructure::reference);
        let brute = self.get(&row.case, reference.name(), row.triangles);
        let repeats = brute.map_or(&[][..], |brute| &brute.query_s_repeats);
        if repeats.len() != row.query_s_repeats.len() {
            return Vec::new();
        }
        repeats.iter().zip(&row.query_s_repeats).map(|(brute, own)| brute / own).collect()
    }

    /// Range of the speedup of a row over its repeats.
    pub(super) fn speedup_range(self, row: &Row) -> Option<Range> {
        match self.speedups_of_repeats(row)[..] {
            [] | [_] => Range::around(row.speedup_over_brute),
            ref speedups => Range::of(speedups),
        }
    }

    /// How many of the published sizes a family has rows for, of the study's octree.
    pub(super) fn published_sizes_run(self, case: &str) -> usize {
        published_sizes().filter(|size| self.get(case, STUDY_OCTREE, *size).is_some()).count()
    }

    /// Whether a family was run at every published size.
    pub(super) fn is_complete(self, case: &str) -> bool {
        self.published_sizes_run(case) == published_sizes().count()
    }

    /// The mean over sizes of the share of triangles that the study's octree tests. Only published
    /// sizes count where there are any, so that the mean is the study's.
    pub(super) fn mean_tested(self, case: &str) -> Option<f64> {
        let published: Vec<_> = published_sizes().collect();
        let tested = |only_published: bool| -> Vec<f64> {
            self.of(case, STUDY_OCTREE)
                .filter(|row| !only_published || published.contains(&row.triangles))
                .map(|row| row.tested_percent)
                .collect()
        };
        statistics::mean(&tested(true)).or_else(|| statistics::mean(&tested(false)))
    }

    /// Share of triangles on each level of the study's octree, as a mean over sizes.
    pub(super) fn levels(self, case: &str) -> Option<Vec<f64>> {
        let shares: Vec<_> =
            self.of(case, STUDY_OCTREE).filter_map(|row| row.levels.as_deref()).collect();
        let levels = shares.iter().map(|levels| levels.len()).max()?;
        let mean = |level| {
            let of_level: Vec<_> =
                shares.iter().map(|s| s.get(level).map_or(0.0, |x| *x)).collect();
            statistics::mean(&of_level)
        };
        (0..levels).map(mean).collect()
    }

    /// Levels of the study's octree in a case, at least the published six.
    pub(super) fn level_count(self, case: &str) -> usize {
        let levels = self.of(case, STUDY_OCTREE).filter_map(|row| row.levels.as_ref());
        levels.map(Vec::len).max().unwrap_or(PUBLISHED_LEVELS)
    }

    pub(super) fn affinity(self, case: &str) -> Option<OctreeAffinity> {
        // The class is defined on counts; a millionth of a percent is exact enough for a share.
        let shares = self.levels(case)?;
        let counts: Vec<u32> = shares.into_iter().map(|share| (share * 1e6) as u32).collect();
        Some(OctreeAffinity::of(&counts))
    }

    /// Rows of the study's octree, the subject of every published claim.
    pub(super) fn study_octree(self) -> impl Iterator<Item = &'a Row> {
        self.rows.iter().filter(|row| row.technique == STUDY_OCTREE)
    }
}

/// Time of one ray in microseconds; the unit of every time in the tables.
pub(super) fn microseconds_per_ray(row: &Row) -> f64 {
    row.query_s / f64::from(row.rays) * 1e6
}

fn unique<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::super::sample_rows;
    use super::*;

    #[test]
    fn cases_keep_the_order_of_the_plan() {
        let rows = sample_rows::published();
        let cases = CaseRows::new(&rows);
        assert_eq!(cases.names()[..3], FAMILIES);
        assert_eq!(cases.names()[3..5], [HOUSE, CITY]);
        assert_eq!(cases.techniques()[..2], [STUDY_BRUTE, STUDY_OCTREE]);
        assert_eq!(cases.sizes("random-low").len(), 30);
        assert!(cases.is_complete("random-low"));
        assert!(!cases.is_complete(HOUSE));
    }

    #[test]
    fn three_families_have_low_medium_and_high_affinity() {
        let rows = sample_rows::published();
        let cases = CaseRows::new(&rows);
        let classes = FAMILIES.map(|family| cases.affinity(family).unwrap());
        assert_eq!(classes, [OctreeAffinity::Low, OctreeAffinity::Medium, OctreeAffinity::High]);
        assert_eq!(cases.affinity("no such case"), None);
    }
}
