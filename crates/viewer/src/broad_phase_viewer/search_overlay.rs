//! Search overlay: cells and objects that the search visited.

use embate::math::scalar;

use embate_studies::moving_worlds::search_log::SearchView;

/// Cells that are drawn, at most: more than a stage has room for.
const MAX_CELLS: usize = 20_000;
/// Maximum number of listed test partners; further ones are only counted.
const MAX_TESTED: usize = 1_000;

/// Least and greatest corners of the cells seen, as far as they lie in a world of these sides.
/// Where there are too many, those that list nothing are left out.
pub(super) fn overlay_cells(view: &SearchView, sides: [f32; 2]) -> Vec<[f32; 4]> {
    let room = MAX_CELLS.saturating_sub(view.cells.len());
    let empty = if view.empty_cells.len() <= room { &view.empty_cells[..] } else { &[] };
    let within = |[min, max]: &[[f32; 2]; 2]| {
        let [left, top] = min.map(|least| scalar::max(least, 0.0));
        let [right, bottom] = [0, 1].map(|axis| scalar::min(max[axis], sides[axis]));
        (left < right && top < bottom).then_some([left, top, right, bottom])
    };
    view.cells.iter().chain(empty).filter_map(within).take(MAX_CELLS).collect()
}

/// Number of other objects that an object was tested against, and their ids: each once, sorted, at
/// most [`MAX_TESTED`].
pub(super) fn tested_partners(view: &SearchView, objects: u32) -> (u32, Vec<u32>) {
    let mut was_tested = vec![false; objects as usize];
    for &partner in &view.tested {
        was_tested[partner as usize] = true;
    }
    let tested = || (0..objects).filter(|id| was_tested[*id as usize]);
    (tested().count() as u32, tested().take(MAX_TESTED).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELL: [[f32; 2]; 2] = [[0.0, 0.0], [1.0, 1.0]];

    #[test]
    fn cells_are_clipped_to_the_world() {
        let strip = [[f32::NEG_INFINITY, 3.0], [f32::INFINITY, 7.0]];
        let outside = [[-9.0, -9.0], [-1.0, 5.0]];
        let view = SearchView { cells: vec![strip, outside], ..SearchView::default() };
        assert_eq!(overlay_cells(&view, [10.0, 5.0]), [[0.0, 3.0, 10.0, 5.0]]);
    }

    #[test]
    fn empty_cells_are_omitted_above_the_cell_limit() {
        let view = |empty: usize| SearchView {
            cells: vec![CELL; 5],
            empty_cells: vec![CELL; empty],
            ..SearchView::default()
        };
        let cells_of_view = |view: &SearchView| overlay_cells(view, [9.0, 9.0]).len();
        assert_eq!(cells_of_view(&view(MAX_CELLS - 5)), MAX_CELLS);
        assert_eq!(cells_of_view(&view(MAX_CELLS - 4)), 5);
        let many = SearchView { cells: vec![CELL; MAX_CELLS + 1], ..SearchView::default() };
        assert_eq!(cells_of_view(&many), MAX_CELLS);
    }

    #[test]
    fn tested_partners_are_unique_and_sorted() {
        let view = SearchView { tested: vec![4, 2, 4, 0], ..SearchView::default() };
        assert_eq!(tested_partners(&view, 5), (3, vec![0, 2, 4]));
    }

    /// Regression: 1,000 partners were reported instead of 1,999.
    #[test]
    fn partners_beyond_the_list_limit_are_counted() {
        let view =
            SearchView { tested: (1..2000).chain(1..2000).collect(), ..SearchView::default() };
        let (count, named) = tested_partners(&view, 2000);
        assert_eq!((count, named.len(), named.last()), (1999, MAX_TESTED, Some(&1000)));
    }
}
