//! Choice of the partition plane: triangle planes and axis-aligned medians, by balance and splits.

use embate_geom::Triangle;

use crate::raycast::bsp::plane::{Plane, Side};
use crate::raycast::cell_reference::CellReference;

/// Triangles whose planes are candidates.
const TRIANGLE_CANDIDATES: usize = 16;
/// References on which a candidate is judged.
const MAX_SAMPLE: usize = 512;
/// Cost of a triangle on both sides, relative to one that is on the larger side in vain.
const SPLIT_WEIGHT: usize = 2;
/// A plane divides if the side with more triangles has at most this share of them. Otherwise
/// splitting by the plane of one triangle after the other would only remove that one.
const MAX_SIDE_SHARE: [usize; 2] = [7, 8];

/// Whether a plane with at most `larger` of `all` references on a side divides them.
pub(super) fn is_division(larger: usize, all: usize) -> bool {
    let [numerator, denominator] = MAX_SIDE_SHARE;
    larger * denominator <= all * numerator
}

/// The plane with the least cost, judged on a sample of the references; `None` if no candidate
/// divides them.
pub(super) fn find_plane(references: &[CellReference], triangles: &[Triangle]) -> Option<Plane> {
    let sample: Vec<CellReference> =
        references.iter().step_by(references.len().div_ceil(MAX_SAMPLE)).copied().collect();
    let of_triangles = sample
        .iter()
        .step_by(sample.len().div_ceil(TRIANGLE_CANDIDATES))
        .filter_map(|reference| Plane::of_triangle(&triangles[reference.triangle as usize]));
    let medians = (0..3).map(|axis| Plane::axis_aligned(axis, median(&sample, axis)));
    let rated = medians
        .chain(of_triangles)
        .filter_map(|plane| Some((cost(&plane, &sample, triangles)?, plane)));
    // The first of equal cost.
    let best = rated.reduce(|best, next| if next.0 < best.0 { next } else { best });
    best.map(|(_, plane)| plane)
}

/// Median of the centers of the boxes.
fn median(sample: &[CellReference], axis: usize) -> f32 {
    let mut centers: Vec<f32> = sample
        .iter()
        .map(|CellReference { bounds, .. }| bounds.min[axis] * 0.5 + bounds.max[axis] * 0.5)
        .collect();
    let middle = centers.len() / 2;
    *centers.select_nth_unstable_by(middle, f32::total_cmp).1
}

/// Difference of the sides plus weighted splits; triangles on the plane cost nothing further.
/// `None` if the plane does not [divide](is_division) them.
fn cost(plane: &Plane, sample: &[CellReference], triangles: &[Triangle]) -> Option<usize> {
    let (mut low, mut high, mut both) = (0_usize, 0_usize, 0_usize);
    for reference in sample {
        match side_of(plane, reference, &triangles[reference.triangle as usize]) {
            Side::Low => low += 1,
            Side::High => high += 1,
            Side::Both => both += 1,
            Side::On(_) => {}
        }
    }
    let larger = low.max(high) + both;
    is_division(larger, sample.len()).then_some(low.abs_diff(high) + SPLIT_WEIGHT * both)
}

/// [`Plane::side`], for an axis-aligned plane by the bounds alone: these references are clipped.
fn side_of(plane: &Plane, reference: &CellReference, triangle: &Triangle) -> Side {
    let Some(axis) = plane.axis() else { return plane.side(reference, triangle) };
    let bounds = &reference.bounds;
    if f64::from(bounds.max[axis]) <= plane.offset {
        Side::Low
    } else if f64::from(bounds.min[axis]) >= plane.offset {
        Side::High
    } else {
        plane.side(reference, triangle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn references(triangles: &[Triangle]) -> Vec<CellReference> {
        let numbered = triangles.iter().zip(0..);
        numbered.map(|(t, triangle)| CellReference { triangle, bounds: t.padded_aabb() }).collect()
    }

    #[test]
    fn plane_of_a_triangle_is_chosen_where_it_divides_without_splits() {
        // Steps along a diagonal: every axis-aligned plane cuts some, the diagonal ones none.
        let triangles: Vec<Triangle> = (0..16_u8)
            .map(|i| {
                let c = f32::from(i) * 0.5;
                Triangle([[c + 9.0, c - 9.0, 0.0], [c - 9.0, c + 9.0, 0.0], [c, c, 9.0]])
            })
            .collect();
        let plane = find_plane(&references(&triangles), &triangles).unwrap();
        assert_eq!(plane.axis(), None);
        assert_eq!(plane.normal[0], plane.normal[1]);
        assert!((plane.offset.abs() - 7.5).abs() <= 1.0, "near the middle: {plane:?}");
    }

    #[test]
    fn triangles_on_one_plane_are_removed_from_both_sides() {
        let triangle = Triangle([[0.0, 0.0, 1.0], [4.0, 0.0, 3.0], [0.0, 4.0, 2.0]]);
        let triangles = vec![triangle; 40];
        let plane = find_plane(&references(&triangles), &triangles).unwrap();
        assert!(matches!(plane.side(&references(&triangles)[0], &triangle), Side::On(_)));
    }

    #[test]
    fn triangles_that_cross_each_other_are_not_divided() {
        // Thin triangles through the origin along z: no plane is free of crossings.
        let triangles: Vec<Triangle> = (0..40_u8)
            .map(|i| {
                let (x, y) = (f32::from(i) - 19.5, 20.0 - (f32::from(i) - 19.5).abs());
                Triangle([[x, y, -9.0], [-x, -y, -9.0], [0.3 * x, 0.2 * y, 9.0]])
            })
            .collect();
        assert_eq!(find_plane(&references(&triangles), &triangles), None);
    }
}
