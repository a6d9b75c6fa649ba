//! Resolution of the grid: nearly cubic cells, a constant number per triangle (Cleary, Wyvill 1988;
//! Wald et al. 2006).

/// Upper bound of the cells of one axis.
const MAX_CELLS_PER_AXIS: f64 = 2_048.0;
/// Bisection steps: the cell size is exact to 1e-12 of the longest extent.
const BISECTION_STEPS: u32 = 40;

/// Cells of each axis for a box with these extents, at most `max_cells` in total, at least one per
/// axis. Cells are as small and as nearly cubic as possible.
pub(super) fn choose_resolution(extents: [f64; 3], max_cells: f64) -> [usize; 3] {
    let longest = extents.into_iter().fold(0.0, |a: f64, b| if b > a { b } else { a });
    if longest <= 0.0 || max_cells < 2.0 {
        return [1; 3];
    }
    let cells_at =
        |size: f64| extents.map(|extent| (extent / size).ceil().clamp(1.0, MAX_CELLS_PER_AXIS));
    let total = |[x, y, z]: [f64; 3]| x * y * z;
    // The number of cells falls with their size.
    let (mut too_small, mut size) = (longest / MAX_CELLS_PER_AXIS / 2.0, longest);
    for _ in 0..BISECTION_STEPS {
        let middle = 0.5 * (too_small + size);
        if total(cells_at(middle)) <= max_cells {
            size = middle;
        } else {
            too_small = middle;
        }
    }
    cells_at(size).map(|cells| cells as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cube_has_equal_cells_on_all_axes() {
        assert_eq!(choose_resolution([3.0; 3], 1_000.0), [10; 3]);
        assert_eq!(choose_resolution([3e17; 3], 1_000.0), [10; 3]);
        assert_eq!(choose_resolution([3e-17; 3], 1_330.0), [10; 3]);
    }

    #[test]
    fn flat_and_long_boxes_have_cells_on_their_long_axes_only() {
        assert_eq!(choose_resolution([8.0, 0.0, 8.0], 64.0), [8, 1, 8]);
        assert_eq!(choose_resolution([8.0, 1e-9, 16.0], 128.0), [8, 1, 16]);
        assert_eq!(choose_resolution([0.0, 5.0, 0.0], 10.0), [1, 10, 1]);
    }

    #[test]
    fn point_and_tiny_budget_have_one_cell() {
        assert_eq!(choose_resolution([0.0; 3], 1e9), [1; 3]);
        assert_eq!(choose_resolution([1.0; 3], 0.0), [1; 3]);
        assert_eq!(choose_resolution([1.0; 3], f64::NAN), [1; 3]);
    }

    #[test]
    fn number_of_cells_per_axis_is_bounded() {
        assert_eq!(choose_resolution([1.0, 0.0, 0.0], 1e12), [2_048, 1, 1]);
    }
}
