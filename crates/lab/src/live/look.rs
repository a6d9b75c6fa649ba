//! What did the search look at?

use embate::math::scalar;

use crate::studies::broad::notes::Sight;

/// Cells that are drawn, at most: more than a stage has room for.
const MOST_CELLS: usize = 20_000;
/// Partners in tests that are named; beyond them only their number is told.
const MOST_TESTED: usize = 1_000;

/// Least and greatest corners of the cells seen, as far as they lie in a world of these sides. Where there
/// are too many, those that list nothing are left out.
pub(super) fn cells_seen(sight: &Sight, sides: [f32; 2]) -> Vec<[f32; 4]> {
    let room = MOST_CELLS.saturating_sub(sight.cells.len());
    let empty = if sight.empty_cells.len() <= room { &sight.empty_cells[..] } else { &[] };
    let within = |[min, max]: &[[f32; 2]; 2]| {
        let [left, top] = min.map(|least| scalar::max(least, 0.0));
        let [right, bottom] = [0, 1].map(|axis| scalar::min(max[axis], sides[axis]));
        (left < right && top < bottom).then_some([left, top, right, bottom])
    };
    sight.cells.iter().chain(empty).filter_map(within).take(MOST_CELLS).collect()
}

/// With how many others an object was tested, of so many objects, and with whom: each once and in order, as
/// many as are named.
pub(super) fn partners_seen(sight: &Sight, objects: u32) -> (u32, Vec<u32>) {
    let mut was_tested = vec![false; objects as usize];
    for &partner in &sight.tested {
        was_tested[partner as usize] = true;
    }
    let tested = || (0..objects).filter(|id| was_tested[*id as usize]);
    (tested().count() as u32, tested().take(MOST_TESTED).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELL: [[f32; 2]; 2] = [[0.0, 0.0], [1.0, 1.0]];

    #[test]
    fn cells_end_where_the_world_ends() {
        let strip = [[f32::NEG_INFINITY, 3.0], [f32::INFINITY, 7.0]];
        let outside = [[-9.0, -9.0], [-1.0, 5.0]];
        let sight = Sight { cells: vec![strip, outside], ..Sight::default() };
        assert_eq!(cells_seen(&sight, [10.0, 5.0]), [[0.0, 3.0, 10.0, 5.0]]);
    }

    #[test]
    fn of_too_many_cells_those_without_objects_are_left_out() {
        let sight = |empty: usize| Sight {
            cells: vec![CELL; 5],
            empty_cells: vec![CELL; empty],
            ..Sight::default()
        };
        let seen = |sight: &Sight| cells_seen(sight, [9.0, 9.0]).len();
        assert_eq!(seen(&sight(MOST_CELLS - 5)), MOST_CELLS);
        assert_eq!(seen(&sight(MOST_CELLS - 4)), 5);
        let many = Sight { cells: vec![CELL; MOST_CELLS + 1], ..Sight::default() };
        assert_eq!(seen(&many), MOST_CELLS);
    }

    #[test]
    fn partners_are_named_once_and_in_order() {
        let sight = Sight { tested: vec![4, 2, 4, 0], ..Sight::default() };
        assert_eq!(partners_seen(&sight, 5), (3, vec![0, 2, 4]));
    }

    /// A page once said of 1,999 partners that they were 1,000.
    #[test]
    fn partners_that_are_not_named_are_counted() {
        let sight = Sight { tested: (1..2000).chain(1..2000).collect(), ..Sight::default() };
        let (count, named) = partners_seen(&sight, 2000);
        assert_eq!((count, named.len(), named.last()), (1999, MOST_TESTED, Some(&1000)));
    }
}
