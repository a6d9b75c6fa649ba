//! Published numbers of Gonçales et al. 2016 ("Experiments" in `docs/studies.md`).

use embate_scene::generators::Bounds;

/// Edge of the world.
pub const WORLD: f32 = 2000.0;
/// Frames whose mean each value is.
pub const FRAMES: u32 = 500;
/// Cells of experiment 2: not printed, found by simulation.
pub const CELL: f32 = 100.0;
/// Size of every object of experiment 1.
pub const FIXED_SIZE: f32 = 50.0;
/// Cell sizes of experiment 1: ours, as the study prints none.
pub const CELLS: [f32; 16] = [
    5.0, 10.0, 20.0, 25.0, 40.0, 50.0, 60.0, 80.0, 100.0, 125.0, 200.0, 250.0, 400.0, 500.0,
    1000.0, 2000.0,
];
/// Objects of experiment 2.
pub const OBJECTS: [u32; 9] = [10, 100, 250, 500, 1000, 2000, 3000, 4000, 5000];

/// A line of the study's table, for one kind of bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Number of objects.
    pub objects: u32,
    /// Overlap tests of the grid per frame.
    pub grid_tests: f64,
    /// Milliseconds of the grid per frame.
    pub grid_ms: f64,
    /// Milliseconds of brute force per frame.
    pub brute_ms: f64,
}

/// n; AABB: grid tests, grid ms, brute ms; circles: the same.
const TABLE: [(u32, [f64; 3], [f64; 3]); 9] = [
    (10, [0.95, 0.01, 0.01], [1.54, 0.02, 0.05]),
    (100, [37.72, 0.11, 0.27], [33.86, 0.554, 0.104]),
    (250, [193.76, 0.14, 1.69], [179.5, 0.119, 0.62]),
    (500, [787.09, 0.34, 4.78], [735.9, 0.211, 2.14]),
    (1000, [3116.15, 1.77, 23.51], [2900.18, 1.36, 12.22]),
    (2000, [13035.04, 3.20, 91.92], [11661.21, 1.94, 46.5]),
    (3000, [29347.91, 4.27, 151.19], [26367.18, 2.6, 53.82]),
    (4000, [52918.48, 6.62, 354.80], [47369.48, 3.82, 179.2]),
    (5000, [82749.01, 9.13, 567.86], [73883.62, 4.85, 284.97]),
];

/// The study's table for one kind of bounds.
pub fn lines(bounds: Bounds) -> impl Iterator<Item = Line> {
    TABLE.into_iter().map(move |(objects, aabb, circle)| {
        let [grid_tests, grid_ms, brute_ms] = match bounds {
            Bounds::Aabb => aabb,
            Bounds::Circle => circle,
        };
        Line { objects, grid_tests, grid_ms, brute_ms }
    })
}

/// The published line for a number of objects.
#[must_use]
pub fn line(bounds: Bounds, objects: u32) -> Option<Line> {
    lines(bounds).find(|line| line.objects == objects)
}

/// Every pair once.
#[must_use]
pub fn brute_tests(objects: u32) -> f64 {
    f64::from(objects) * (f64::from(objects) - 1.0) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The grid with 100 circles takes 0.554 ms, with 250 circles 0.119 ms.
    #[test]
    fn one_entry_of_the_table_is_out_of_order() {
        let mut found = Vec::new();
        for bounds in Bounds::ALL {
            let lines: Vec<Line> = lines(bounds).collect();
            for pair in lines.windows(2) {
                let values = |line: &Line| {
                    [("tests", line.grid_tests), ("grid", line.grid_ms), ("brute", line.brute_ms)]
                };
                for ((name, less), (_, more)) in values(&pair[0]).into_iter().zip(values(&pair[1]))
                {
                    if less > more {
                        found.push((bounds, name, pair[0].objects));
                    }
                }
            }
        }
        assert_eq!(found, [(Bounds::Circle, "grid", 100)]);
        let line = line(Bounds::Circle, 100).unwrap();
        assert!((line.grid_ms / line.brute_ms - 5.3).abs() < 0.05);
    }
}
