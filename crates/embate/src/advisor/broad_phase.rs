//! Which broad phase suits these boxes?

use core::fmt;

use embate_geom::{Aabb, scalar};

use crate::pairs::{ALL_FROM, BRUTE_BELOW, Boxes, PairTechnique, sample};

/// Boxes looked at for the features.
const SAMPLE: usize = 4096;

/// Sizes are worth a word if the longest side is more than so many times the median: within it a sweep
/// has one size class.
const UNEVEN: f32 = 16.0;

/// What decides which technique suits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxFeatures<const D: usize> {
    /// How many boxes there are.
    pub boxes: usize,
    /// The median of their longest sides.
    pub median_side: f32,
    /// The longest side of all over the median; none where half of the boxes are points.
    pub size_ratio: Option<f32>,
    /// From the least corner of all to the greatest.
    pub extent: [f32; D],
    /// Overlapping pairs a box would have if all were of its size and spread evenly.
    pub density: f32,
    /// Share that moves from one frame to the next, 0 to 1.
    pub moving: f32,
}

/// A choice, its parameters, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairAdvice<const D: usize> {
    /// What decided.
    pub features: BoxFeatures<D>,
    /// The technique for a frame on its own.
    pub technique: PairTechnique,
    /// Keep a [`World`](crate::pairs::World) from frame to frame: so few move that the others need not
    /// be looked at again.
    pub keep_world: bool,
    /// A good edge of cells, should a grid be wanted: twice the median side; none where half of the boxes
    /// are points.
    pub cell: Option<f32>,
}

impl<const D: usize> BoxFeatures<D> {
    /// Looks at all boxes once, and at the sizes of some; `moving` is for the caller to know.
    #[must_use]
    pub fn of(boxes: Boxes<'_, D>, moving: f32) -> Self {
        let corners = boxes.iter().flat_map(|b| [&b.min, &b.max]);
        let extent = Aabb::around(corners).map_or([0.0; D], |around| around.size());
        let sampled = sample::places(boxes.len(), SAMPLE);
        let mut sides: Vec<f32> = sampled.map(|place| boxes[place].longest_side()).collect();
        sides.sort_by(f32::total_cmp);
        let median_side = sides.get(sides.len() / 2).copied().unwrap_or(0.0);
        let longest = boxes.iter().map(Aabb::longest_side).fold(0.0, scalar::max);
        Self {
            boxes: boxes.len(),
            median_side,
            size_ratio: (median_side > 0.0).then(|| longest / median_side),
            extent,
            density: density(boxes.len(), median_side, &extent),
            moving,
        }
    }
}

/// Two boxes of side s overlap if their corners are within s on every axis: of n − 1 others, half of the
/// share (2s / extent) on each axis.
fn density<const D: usize>(boxes: usize, side: f32, extent: &[f32; D]) -> f32 {
    let mut share = 0.5 * boxes.saturating_sub(1) as f32;
    for &length in extent {
        share *= if length > 0.0 { scalar::min(2.0 * side / length, 1.0) } else { 1.0 };
    }
    share
}

/// Which technique suits these boxes, if this share of them (0 to 1) moves from frame to frame?
///
/// ```
/// use embate::{Aabb, advise::advise_pairs, pairs::{Boxes, PairTechnique}};
///
/// let boxes: Vec<Aabb<2>> = (0..1_000)
///     .map(|i| [(i % 40) as f32, (i / 40) as f32])
///     .map(|min| Aabb { min, max: min.map(|least| least + 1.5) })
///     .collect();
/// let advice = advise_pairs(Boxes::new(&boxes)?, 0.1);
/// assert_eq!(advice.technique, PairTechnique::Sweep);
/// assert!(advice.keep_world);
/// println!("{advice}");
/// # Ok::<(), embate::pairs::InvalidBox>(())
/// ```
#[must_use]
pub fn advise_pairs<const D: usize>(boxes: Boxes<'_, D>, moving: f32) -> PairAdvice<D> {
    let features = BoxFeatures::of(boxes, moving);
    let few = features.boxes < BRUTE_BELOW;
    PairAdvice {
        technique: if few { PairTechnique::Brute } else { PairTechnique::Sweep },
        keep_world: !few && moving <= ALL_FROM,
        cell: (features.median_side > 0.0).then_some(2.0 * features.median_side),
        features,
    }
}

impl<const D: usize> PairAdvice<D> {
    /// How many times the median the longest side is, where the advice mentions it.
    #[must_use]
    pub fn uneven_sizes(&self) -> Option<f32> {
        let sweeps = self.technique == PairTechnique::Sweep;
        self.features.size_ratio.filter(|ratio| sweeps && *ratio > UNEVEN)
    }

    /// Why this technique: clauses with a semicolon between them.
    #[must_use]
    pub fn reason(&self) -> String {
        let mut clauses = vec![if self.technique == PairTechnique::Brute {
            format!("below {BRUTE_BELOW} boxes each against each costs less than any order")
        } else {
            "the fastest on every scene of our benchmark, from a few hundred boxes to ten million"
                .to_owned()
        }];
        clauses.extend(self.uneven_sizes().map(|ratio| {
            let ratio = ratio.round() as u64;
            format!("it sweeps boxes up to {ratio} × the median in size classes of their own")
        }));
        if self.keep_world {
            let percent = (100.0 * self.features.moving).round() as u64;
            clauses.push(format!(
                "with {percent} % in motion keep a World: it looks only at what moves"
            ));
        }
        clauses.join("; ")
    }
}

impl<const D: usize> fmt::Display for PairAdvice<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.technique.name(), self.reason())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(count: usize) -> Vec<Aabb<3>> {
        let at = |i: usize| Aabb { min: [i as f32, 0.0, 0.0], max: [i as f32 + 1.0, 1.0, 1.0] };
        (0..count).map(at).collect()
    }

    #[test]
    fn few_boxes_are_tested_each_against_each() {
        for count in [0, 1, 100] {
            let boxes = row(count);
            let advice = advise_pairs(Boxes::new(&boxes).unwrap(), 0.0);
            assert_eq!(advice.technique, PairTechnique::Brute);
            assert!(!advice.keep_world);
        }
    }

    #[test]
    fn a_world_is_kept_only_where_little_moves() {
        let boxes = row(500);
        let boxes = Boxes::new(&boxes).unwrap();
        assert!(advise_pairs(boxes, 0.1).keep_world);
        assert!(!advise_pairs(boxes, 0.9).keep_world);
        assert!(advise_pairs(boxes, 0.1).to_string().contains("10 %"));
    }

    #[test]
    fn features_tell_sizes_and_density() {
        let mut boxes = row(1_000);
        boxes.push(Aabb { min: [0.0; 3], max: [100.0; 3] });
        let features = BoxFeatures::of(Boxes::new(&boxes).unwrap(), 1.0);
        assert_eq!(features.median_side, 1.0);
        assert_eq!(features.size_ratio, Some(100.0));
        assert_eq!(features.extent, [1_000.0, 100.0, 100.0]);
        let even: f32 = 0.5 * 1_000.0 * (2.0 / 1_000.0) * 0.02 * 0.02;
        assert!((features.density - even).abs() < 1e-6);
    }
}
