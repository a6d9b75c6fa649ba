//! Cholesky factorization up to 6 × 6: one row per degree of freedom of a body.
//!
//! In f64: a joint at the end of a long arm rotates its body 10,000 times as easily as it
//! translates it, and the determinant depends on the square of that ratio.

/// Linear, then angular components.
pub(super) type Vec6 = [f64; 6];
pub(super) type Mat6 = [Vec6; 6];

pub(super) fn dot(a: &Vec6, b: &Vec6) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// `target += factor · vector`.
pub(super) fn add_scaled(target: &mut Vec6, factor: f64, vector: &Vec6) {
    for (target, value) in target.iter_mut().zip(vector) {
        *target += factor * value;
    }
}

/// Cholesky factor L of a symmetric matrix L·Lᵀ. A pivot that is not positive is treated as
/// infinite: its unknown is 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cholesky6 {
    /// L, with the reciprocals of its diagonal.
    rows: Mat6,
    count: usize,
}

impl Cholesky6 {
    /// Factor of no rows at all, as a placeholder.
    pub(super) const EMPTY: Self = Self { rows: [[0.0; 6]; 6], count: 0 };

    /// Factorizes the first `count` rows and columns.
    pub(super) fn new(matrix: &Mat6, count: usize) -> Self {
        let mut rows = [[0.0; 6]; 6];
        for row in 0..count {
            for column in 0..=row {
                let known: f64 = (0..column).map(|i| rows[row][i] * rows[column][i]).sum();
                let remainder = matrix[row][column] - known;
                rows[row][column] = if column < row {
                    remainder * rows[column][column]
                } else if remainder > f64::EPSILON * matrix[row][row] {
                    1.0 / remainder.sqrt()
                } else {
                    0.0
                };
            }
        }
        Self { rows, count }
    }

    /// Forward substitution: x with L·x = `right`.
    pub(super) fn forward(&self, right: &Vec6) -> Vec6 {
        let mut x = [0.0; 6];
        for row in 0..self.count {
            let known: f64 = (0..row).map(|i| self.rows[row][i] * x[i]).sum();
            x[row] = (right[row] - known) * self.rows[row][row];
        }
        x
    }

    /// x with L·Lᵀ·x = `right`.
    pub(super) fn solve(&self, right: &Vec6) -> Vec6 {
        let mut x = self.forward(right);
        for row in (0..self.count).rev() {
            let known: f64 = (row + 1..self.count).map(|i| self.rows[i][row] * x[i]).sum();
            x[row] = (x[row] - known) * self.rows[row][row];
        }
        x
    }
}

/// Rank by pivoted elimination: the independent rows, largest pivot first, and their number.
///
/// `gram` holds the mass-weighted products of the rows with each other. A row is independent if
/// more than `min_ratio` of its own size, `sizes[row]`, remains after elimination of the rows
/// before it.
pub(super) fn pivoted_rank(gram: &Mat6, sizes: &[f64], min_ratio: f64) -> ([usize; 6], usize) {
    let count = sizes.len();
    let mut remainder = *gram;
    let mut chosen = [0; 6];
    let mut is_chosen = [false; 6];
    for rank in 0..count {
        let mut best = (min_ratio, None);
        for row in (0..count).filter(|&row| !is_chosen[row]) {
            let ratio = remainder[row][row] / sizes[row];
            if ratio > best.0 {
                best = (ratio, Some(row));
            }
        }
        let (_, Some(row)) = best else { return (chosen, rank) };
        (chosen[rank], is_chosen[row]) = (row, true);
        let pivot = remainder[row];
        for other in (0..count).filter(|&other| !is_chosen[other]) {
            let factor = pivot[other] / pivot[row];
            for column in 0..count {
                remainder[other][column] -= factor * pivot[column];
            }
        }
    }
    (chosen, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gram(rows: &[Vec6]) -> Mat6 {
        let mut matrix = [[0.0; 6]; 6];
        for (i, a) in rows.iter().enumerate() {
            for (j, b) in rows.iter().enumerate() {
                matrix[i][j] = dot(a, b);
            }
        }
        matrix
    }

    #[test]
    fn solution_satisfies_the_equations() {
        let rows: [Vec6; 4] = core::array::from_fn(|row| {
            core::array::from_fn(|column| ((row * 7 + column * column * 3) % 11) as f64 - 4.0)
        });
        let matrix = gram(&rows);
        let right = [1.0, -2.0, 3.0, 0.5, 0.0, 0.0];
        let x = Cholesky6::new(&matrix, 4).solve(&right);
        for row in 0..4 {
            assert!((dot(&matrix[row], &x) - right[row]).abs() < 1e-12);
        }
    }

    #[test]
    fn pivoted_rank_drops_zero_and_dependent_rows() {
        let a = [1.0, 0.0, 0.3, 0.0, 1e5, 2e5];
        let b = [0.0, 1.0, 0.0, -1e5, 0.0, 0.7];
        let both: Vec6 = core::array::from_fn(|i| 0.3 * a[i] - 0.7 * b[i]);
        let rows = [a, [0.0; 6], both, b];
        let sizes = rows.map(|row| dot(&row, &row));
        let (chosen, count) = pivoted_rank(&gram(&rows), &sizes, 1e-12);
        assert_eq!(count, 2);
        assert!(!chosen[..2].contains(&1));
        // The component along a long arm is small, but independent.
        let rows: [Vec6; 3] = [
            [1.0, 0.0, 0.0, 0.0, 1e5, -1e5],
            [0.0, 1.0, 0.0, -1e5, 0.0, 1e5],
            [0.0, 0.0, 1.0, 1e5, -1e5, 0.0],
        ];
        assert_eq!(pivoted_rank(&gram(&rows), &[2e10; 3], 1e-12).1, 3);
    }
}
