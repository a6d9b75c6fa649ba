//! Axis-aligned boxes in the three forms of the study: minimum and maximum, center and half widths,
//! minimum and edge lengths.
//!
//! The study discusses which form suits what: minimum and maximum for overlap tests, center and
//! half widths for moving things and octree nodes, minimum and edges for windows. The operations
//! of [`BoxForm`] are those uses; all forms give the same boxes, up to rounding.

use embate_geom::Vec3;

/// A form of an axis-aligned box.
pub trait BoxForm: Copy {
    /// Name in tables and on the command line.
    const NAME: &'static str;

    /// The box between two corners, of which the first has the smaller coordinates.
    fn from_min_max(min: Vec3, max: Vec3) -> Self;

    /// Its corners.
    fn to_min_max(self) -> [Vec3; 2];

    /// Whether both boxes share a point; touching boxes do.
    fn overlaps(self, other: Self) -> bool;

    /// Whether `other` lies inside.
    fn contains(self, other: Self) -> bool;

    /// The box moved by a vector.
    #[must_use]
    fn moved(self, by: Vec3) -> Self;

    /// The smallest box around both.
    #[must_use]
    fn merged(self, other: Self) -> Self;

    /// Cell of a child of an octree node: bit 0 of `octant` selects the upper half along x, bit 1
    /// along y, bit 2 along z.
    #[must_use]
    fn octant(self, octant: u8) -> Self;

    /// The part inside a window; `None` if they share no point.
    fn clipped(self, window: Self) -> Option<Self>;
}

/// Minimum and maximum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MinMax {
    /// Smallest coordinates.
    pub min: Vec3,
    /// Largest coordinates.
    pub max: Vec3,
}

/// Center and half widths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CenterHalf {
    /// Center.
    pub center: Vec3,
    /// Half of each edge length.
    pub half: Vec3,
}

/// Minimum and edge lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MinEdges {
    /// Smallest coordinates.
    pub min: Vec3,
    /// Edge lengths.
    pub edges: Vec3,
}

/// Whether `a ≤ b` on every axis, without a branch per axis.
fn all_below(a: Vec3, b: Vec3) -> bool {
    let below = [a.x <= b.x, a.y <= b.y, a.z <= b.z];
    below == [true; 3]
}

/// 1 on the axes of the upper half of an octant, 0 on the others.
fn upper_half(octant: u8) -> Vec3 {
    let bit = |axis: u8| f32::from(octant >> axis & 1);
    Vec3::new(bit(0), bit(1), bit(2))
}

impl BoxForm for MinMax {
    const NAME: &'static str = "min-max";

    fn from_min_max(min: Vec3, max: Vec3) -> Self {
        Self { min, max }
    }

    fn to_min_max(self) -> [Vec3; 2] {
        [self.min, self.max]
    }

    fn overlaps(self, other: Self) -> bool {
        all_below(self.min, other.max) & all_below(other.min, self.max)
    }

    fn contains(self, other: Self) -> bool {
        all_below(self.min, other.min) & all_below(other.max, self.max)
    }

    fn moved(self, by: Vec3) -> Self {
        Self { min: self.min + by, max: self.max + by }
    }

    fn merged(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    fn octant(self, octant: u8) -> Self {
        let half = (self.max - self.min) * 0.5;
        let min = self.min + half.mul_elements(upper_half(octant));
        Self { min, max: min + half }
    }

    fn clipped(self, window: Self) -> Option<Self> {
        let (min, max) = (self.min.max(window.min), self.max.min(window.max));
        all_below(min, max).then_some(Self { min, max })
    }
}

impl BoxForm for CenterHalf {
    const NAME: &'static str = "center-half";

    fn from_min_max(min: Vec3, max: Vec3) -> Self {
        let half = (max - min) * 0.5;
        Self { center: min + half, half }
    }

    fn to_min_max(self) -> [Vec3; 2] {
        [self.center - self.half, self.center + self.half]
    }

    fn overlaps(self, other: Self) -> bool {
        all_below((self.center - other.center).abs(), self.half + other.half)
    }

    fn contains(self, other: Self) -> bool {
        all_below((self.center - other.center).abs(), self.half - other.half)
    }

    fn moved(self, by: Vec3) -> Self {
        Self { center: self.center + by, half: self.half }
    }

    fn merged(self, other: Self) -> Self {
        let [[a_min, a_max], [b_min, b_max]] = [self.to_min_max(), other.to_min_max()];
        Self::from_min_max(a_min.min(b_min), a_max.max(b_max))
    }

    fn octant(self, octant: u8) -> Self {
        let half = self.half * 0.5;
        let sign = upper_half(octant) * 2.0 - Vec3::splat(1.0);
        Self { center: self.center + half.mul_elements(sign), half }
    }

    fn clipped(self, window: Self) -> Option<Self> {
        let [[a_min, a_max], [b_min, b_max]] = [self.to_min_max(), window.to_min_max()];
        let (min, max) = (a_min.max(b_min), a_max.min(b_max));
        all_below(min, max).then(|| Self::from_min_max(min, max))
    }
}

impl BoxForm for MinEdges {
    const NAME: &'static str = "min-edges";

    fn from_min_max(min: Vec3, max: Vec3) -> Self {
        Self { min, edges: max - min }
    }

    fn to_min_max(self) -> [Vec3; 2] {
        [self.min, self.min + self.edges]
    }

    fn overlaps(self, other: Self) -> bool {
        let between = other.min - self.min;
        all_below(between, self.edges) & all_below(-between, other.edges)
    }

    fn contains(self, other: Self) -> bool {
        let between = other.min - self.min;
        all_below(Vec3::ZERO, between) & all_below(between + other.edges, self.edges)
    }

    fn moved(self, by: Vec3) -> Self {
        Self { min: self.min + by, edges: self.edges }
    }

    fn merged(self, other: Self) -> Self {
        let min = self.min.min(other.min);
        let max = (self.min + self.edges).max(other.min + other.edges);
        Self { min, edges: max - min }
    }

    fn octant(self, octant: u8) -> Self {
        let edges = self.edges * 0.5;
        Self { min: self.min + edges.mul_elements(upper_half(octant)), edges }
    }

    fn clipped(self, window: Self) -> Option<Self> {
        let min = self.min.max(window.min);
        let edges = (self.min + self.edges).min(window.min + window.edges) - min;
        all_below(Vec3::ZERO, edges).then_some(Self { min, edges })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boxes with even corners from 0 to 14, so that no form rounds.
    fn boxes() -> Vec<[Vec3; 2]> {
        let corner = |bits: u32| {
            let part = |shift: u32| 2.0 * (bits >> shift & 7) as f32;
            Vec3::new(part(0), part(3), part(6))
        };
        let pairs = (0..300_u32).map(|seed| {
            let bits = seed.wrapping_mul(2_654_435_761) >> 8;
            let (a, b) = (corner(bits), corner(bits >> 9));
            [a.min(b), a.max(b)]
        });
        pairs.collect()
    }

    /// Everything that a form computes of a pair of boxes; boxes as corners.
    #[derive(Debug, PartialEq)]
    struct Results {
        overlaps: bool,
        contains: bool,
        merged: [Vec3; 2],
        octant: [Vec3; 2],
        moved: [Vec3; 2],
        clipped: Option<[Vec3; 2]>,
    }

    fn results<B: BoxForm>() -> Vec<Results> {
        let mut all = Vec::new();
        let boxes: Vec<B> =
            boxes().into_iter().map(|[min, max]| B::from_min_max(min, max)).collect();
        for (index, &a) in boxes.iter().enumerate() {
            for &b in &boxes {
                let [by, _] = b.to_min_max();
                all.push(Results {
                    overlaps: a.overlaps(b),
                    contains: a.contains(b),
                    merged: a.merged(b).to_min_max(),
                    octant: a.octant((index % 8) as u8).to_min_max(),
                    moved: a.moved(by).to_min_max(),
                    clipped: a.clipped(b).map(B::to_min_max),
                });
            }
        }
        all
    }

    #[test]
    fn three_forms_agree() {
        let expected = results::<MinMax>();
        assert_eq!(results::<CenterHalf>(), expected);
        assert_eq!(results::<MinEdges>(), expected);
        assert!(expected.iter().filter(|pair| pair.overlaps).count() > 10_000);
        assert!(expected.iter().filter(|pair| pair.contains).count() > 500);
        assert!(expected.iter().all(|pair| pair.overlaps == pair.clipped.is_some()));
    }

    #[test]
    fn octants_of_a_box_are_its_eighths() {
        let cell = CenterHalf::from_min_max(Vec3::ZERO, Vec3::splat(4.0));
        let corners: Vec<_> = (0..8).map(|octant| cell.octant(octant).to_min_max()).collect();
        assert_eq!(corners[0], [Vec3::ZERO, Vec3::splat(2.0)]);
        assert_eq!(corners[5], [Vec3::new(2.0, 0.0, 2.0), Vec3::new(4.0, 2.0, 4.0)]);
        assert!((0..8).all(|octant| cell.contains(cell.octant(octant))));
    }
}
