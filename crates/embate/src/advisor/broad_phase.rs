//! Recommendation of a broad phase.

use core::fmt;

use embate_geom::{Aabb, scalar};

use crate::broad_phase::{AabbSlice, BRUTE_FORCE_MAX, BroadPhaseKind, FULL_SWEEP_FRACTION, sample};

/// Number of boxes sampled for the size features.
const SIZE_SAMPLES: usize = 4096;

/// The advice mentions the largest size if it exceeds the median by this factor: within it the
/// tiled sweep has one size class.
const SIZE_OUTLIER_RATIO: f32 = 16.0;

/// Features of the boxes that determine the recommendation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxFeatures<const D: usize> {
    /// Number of boxes.
    pub boxes: usize,
    /// Median of the boxes' largest extents.
    pub median_side: f32,
    /// Largest extent of all boxes divided by the median; `None` if the median is 0.
    pub size_ratio: Option<f32>,
    /// Extents of the AABB of all boxes.
    pub extent: [f32; D],
    /// Expected number of pairs per box if all had the median size and were uniformly distributed.
    pub density: f32,
    /// Fraction of boxes that move between frames, 0 to 1.
    #[doc(alias = "moving")]
    pub moving_fraction: f32,
}

/// A recommended broad phase with its parameters and reason.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "PairAdvice")]
pub struct BroadPhaseAdvice<const D: usize> {
    /// The features that determined the choice.
    pub features: BoxFeatures<D>,
    /// The structure for a single frame.
    pub kind: BroadPhaseKind,
    /// Whether to keep an [`IncrementalBroadPhase`](crate::broad_phase::IncrementalBroadPhase)
    /// between frames: few enough boxes move that the others need not be processed again.
    #[doc(alias = "keep_world")]
    pub use_incremental: bool,
    /// A good cell size if a grid is wanted: twice the median extent; `None` if the median is 0.
    #[doc(alias = "cell")]
    pub grid_cell_size: Option<f32>,
}

impl<const D: usize> BoxFeatures<D> {
    /// Computes the features in one pass over the boxes; size features use a sample.
    #[must_use]
    pub fn of(boxes: AabbSlice<'_, D>, moving_fraction: f32) -> Self {
        let corners = boxes.iter().flat_map(|b| [&b.min, &b.max]);
        let extent = Aabb::from_points(corners).map_or([0.0; D], |bounds| bounds.extents());
        let sampled = sample::sample_indices(boxes.len(), SIZE_SAMPLES);
        let mut sides: Vec<f32> = sampled.map(|index| boxes[index].max_extent()).collect();
        sides.sort_by(f32::total_cmp);
        let median_side = sides.get(sides.len() / 2).copied().unwrap_or(0.0);
        let longest = boxes.iter().map(Aabb::max_extent).fold(0.0, scalar::max);
        Self {
            boxes: boxes.len(),
            median_side,
            size_ratio: (median_side > 0.0).then(|| longest / median_side),
            extent,
            density: density(boxes.len(), median_side, &extent),
            moving_fraction,
        }
    }
}

/// Expected pairs per box. Two boxes of side s overlap if their minima differ by at most s on every
/// axis: with probability 2s / extent on each. Half of the n − 1 others count, each pair once.
fn density<const D: usize>(boxes: usize, side: f32, extent: &[f32; D]) -> f32 {
    let mut expected = 0.5 * boxes.saturating_sub(1) as f32;
    for &length in extent {
        expected *= if length > 0.0 { scalar::min(2.0 * side / length, 1.0) } else { 1.0 };
    }
    expected
}

/// Recommends a broad phase for these boxes, of which `moving_fraction` (0 to 1) move between
/// frames.
///
/// ```
/// use embate::Aabb;
/// use embate::advisor::recommend_broad_phase;
/// use embate::broad_phase::{AabbSlice, BroadPhaseKind};
///
/// let boxes: Vec<Aabb<2>> = (0..1_000)
///     .map(|i| [(i % 40) as f32, (i / 40) as f32])
///     .map(|min| Aabb { min, max: min.map(|least| least + 1.5) })
///     .collect();
/// let advice = recommend_broad_phase(AabbSlice::new(&boxes)?, 0.1);
/// assert_eq!(advice.kind, BroadPhaseKind::TiledSweep);
/// assert!(advice.use_incremental);
/// println!("{advice}");
/// # Ok::<(), embate::broad_phase::AabbError>(())
/// ```
#[must_use]
#[doc(alias = "advise_pairs")]
pub fn recommend_broad_phase<const D: usize>(
    boxes: AabbSlice<'_, D>,
    moving_fraction: f32,
) -> BroadPhaseAdvice<D> {
    let features = BoxFeatures::of(boxes, moving_fraction);
    let brute_force = features.boxes < BRUTE_FORCE_MAX;
    BroadPhaseAdvice {
        kind: if brute_force { BroadPhaseKind::BruteForce } else { BroadPhaseKind::TiledSweep },
        use_incremental: !brute_force && moving_fraction <= FULL_SWEEP_FRACTION,
        grid_cell_size: (features.median_side > 0.0).then_some(2.0 * features.median_side),
        features,
    }
}

impl<const D: usize> BroadPhaseAdvice<D> {
    /// Largest extent divided by the median, if [`reason`](Self::reason) mentions it.
    #[must_use]
    #[doc(alias = "uneven_sizes")]
    pub fn size_outlier_ratio(&self) -> Option<f32> {
        let is_sweep = self.kind == BroadPhaseKind::TiledSweep;
        self.features.size_ratio.filter(|ratio| is_sweep && *ratio > SIZE_OUTLIER_RATIO)
    }

    /// Reason for the recommendation: clauses separated by semicolons.
    #[must_use]
    pub fn reason(&self) -> String {
        let mut clauses = vec![if self.kind == BroadPhaseKind::BruteForce {
            format!("below {BRUTE_FORCE_MAX} boxes, testing all pairs is faster than sorting")
        } else {
            "fastest in our benchmarks (200 to 10 million boxes)".to_owned()
        }];
        clauses.extend(self.size_outlier_ratio().map(|ratio| {
            let ratio = ratio.round() as u64;
            format!("it sweeps boxes of up to {ratio} × the median size in separate size classes")
        }));
        if self.use_incremental {
            let percent = (100.0 * self.features.moving_fraction).round() as u64;
            clauses.push(format!(
                "with {percent}% moving, keep an IncrementalBroadPhase: it processes only \
                 moving boxes"
            ));
        }
        clauses.join("; ")
    }
}

impl<const D: usize> fmt::Display for BroadPhaseAdvice<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.name(), self.reason())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(count: usize) -> Vec<Aabb<3>> {
        let unit_cube =
            |i: usize| Aabb { min: [i as f32, 0.0, 0.0], max: [i as f32 + 1.0, 1.0, 1.0] };
        (0..count).map(unit_cube).collect()
    }

    #[test]
    fn brute_force_is_recommended_for_few_boxes() {
        for count in [0, 1, 100] {
            let boxes = row(count);
            let advice = recommend_broad_phase(AabbSlice::new(&boxes).unwrap(), 0.0);
            assert_eq!(advice.kind, BroadPhaseKind::BruteForce);
            assert!(!advice.use_incremental);
        }
    }

    #[test]
    fn incremental_broad_phase_is_recommended_only_if_few_boxes_move() {
        let boxes = row(500);
        let boxes = AabbSlice::new(&boxes).unwrap();
        assert!(recommend_broad_phase(boxes, 0.1).use_incremental);
        assert!(!recommend_broad_phase(boxes, 0.9).use_incremental);
        assert!(recommend_broad_phase(boxes, 0.1).to_string().contains("with 10% moving"));
    }

    #[test]
    fn features_contain_sizes_and_density() {
        let mut boxes = row(1_000);
        boxes.push(Aabb { min: [0.0; 3], max: [100.0; 3] });
        let features = BoxFeatures::of(AabbSlice::new(&boxes).unwrap(), 1.0);
        assert_eq!(features.median_side, 1.0);
        assert_eq!(features.size_ratio, Some(100.0));
        assert_eq!(features.extent, [1_000.0, 100.0, 100.0]);
        let uniform: f32 = 0.5 * 1_000.0 * (2.0 / 1_000.0) * 0.02 * 0.02;
        assert!((features.density - uniform).abs() < 1e-6);
    }
}
