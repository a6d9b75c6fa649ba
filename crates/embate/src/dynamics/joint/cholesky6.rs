//! Linear equations of up to six unknowns: as many as a body has ways to move.
//!
//! In f64: a joint at the end of a long arm turns its body ten thousand times as easily as it moves it, and what
//! decides is the square of that.

/// How a body moves: three ways to go, three to turn.
pub(super) type Six = [f64; 6];
pub(super) type Block = [Six; 6];

pub(super) fn dot(a: &Six, b: &Six) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(super) fn add(to: &mut Six, share: f64, what: &Six) {
    for (to, what) in to.iter_mut().zip(what) {
        *to += share * what;
    }
}

/// A symmetric block as L·Lᵀ (Cholesky). What is not positive is taken as held by something infinitely heavy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Triangle {
    /// L, with the inverse of each number of its diagonal.
    rows: Block,
    count: usize,
}

impl Triangle {
    /// Of the first `count` rows and columns.
    pub(super) fn new(block: &Block, count: usize) -> Self {
        let mut rows = [[0.0; 6]; 6];
        for row in 0..count {
            for column in 0..=row {
                let below: f64 = (0..column).map(|i| rows[row][i] * rows[column][i]).sum();
                let left = block[row][column] - below;
                rows[row][column] = if column < row {
                    left * rows[column][column]
                } else if left > f64::EPSILON * block[row][row] {
                    1.0 / left.sqrt()
                } else {
                    0.0
                };
            }
        }
        Self { rows, count }
    }

    /// x with L·x = `right`.
    pub(super) fn half(&self, right: &Six) -> Six {
        let mut x = [0.0; 6];
        for row in 0..self.count {
            let known: f64 = (0..row).map(|i| self.rows[row][i] * x[i]).sum();
            x[row] = (right[row] - known) * self.rows[row][row];
        }
        x
    }

    /// x with L·Lᵀ·x = `right`.
    pub(super) fn solve(&self, right: &Six) -> Six {
        let mut x = self.half(right);
        for row in (0..self.count).rev() {
            let known: f64 = (row + 1..self.count).map(|i| self.rows[i][row] * x[i]).sum();
            x[row] = (x[row] - known) * self.rows[row][row];
        }
        x
    }
}

/// Which rows say something that the others do not, the clearest first, and how many they are: more than a share
/// of `least` of their own `sizes`.
///
/// `block` holds the products of the rows with each other, as the masses weigh them.
pub(super) fn independent(block: &Block, sizes: &[f64], least: f64) -> ([usize; 6], usize) {
    let count = sizes.len();
    let mut left = *block;
    let mut chosen = [0; 6];
    let mut taken = [false; 6];
    for found in 0..count {
        let mut best = (least, None);
        for row in (0..count).filter(|&row| !taken[row]) {
            let own = left[row][row] / sizes[row];
            if own > best.0 {
                best = (own, Some(row));
            }
        }
        let (_, Some(row)) = best else { return (chosen, found) };
        (chosen[found], taken[row]) = (row, true);
        let pivot = left[row];
        for other in (0..count).filter(|&other| !taken[other]) {
            let share = pivot[other] / pivot[row];
            for column in 0..count {
                left[other][column] -= share * pivot[column];
            }
        }
    }
    (chosen, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn products(rows: &[Six]) -> Block {
        let mut block = [[0.0; 6]; 6];
        for (i, a) in rows.iter().enumerate() {
            for (j, b) in rows.iter().enumerate() {
                block[i][j] = dot(a, b);
            }
        }
        block
    }

    #[test]
    fn a_solution_solves() {
        let rows: [Six; 4] = core::array::from_fn(|row| {
            core::array::from_fn(|column| ((row * 7 + column * column * 3) % 11) as f64 - 4.0)
        });
        let block = products(&rows);
        let right = [1.0, -2.0, 3.0, 0.5, 0.0, 0.0];
        let x = Triangle::new(&block, 4).solve(&right);
        for row in 0..4 {
            assert!((dot(&block[row], &x) - right[row]).abs() < 1e-12);
        }
    }

    #[test]
    fn a_row_that_follows_from_others_or_says_nothing_is_left_out() {
        let a = [1.0, 0.0, 0.3, 0.0, 1e5, 2e5];
        let b = [0.0, 1.0, 0.0, -1e5, 0.0, 0.7];
        let both: Six = core::array::from_fn(|i| 0.3 * a[i] - 0.7 * b[i]);
        let rows = [a, [0.0; 6], both, b];
        let sizes = rows.map(|row| dot(&row, &row));
        let (chosen, count) = independent(&products(&rows), &sizes, 1e-12);
        assert_eq!(count, 2);
        assert!(!chosen[..2].contains(&1));
        // However long the arm is, what it leaves along itself is seen.
        let rows: [Six; 3] = [
            [1.0, 0.0, 0.0, 0.0, 1e5, -1e5],
            [0.0, 1.0, 0.0, -1e5, 0.0, 1e5],
            [0.0, 0.0, 1.0, 1e5, -1e5, 0.0],
        ];
        assert_eq!(independent(&products(&rows), &[2e10; 3], 1e-12).1, 3);
    }
}
