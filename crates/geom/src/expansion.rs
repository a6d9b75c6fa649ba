//! Floating-point expansions: exact sums and products of f64 (Dekker 1971; Shewchuk 1997).
//!
//! An expansion is a list of numbers whose sum, taken exactly, is the value. The parts do not
//! overlap and ascend in magnitude, so the last one has the sign of the whole.

/// A number as the exact sum of its parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expansion(Vec<f64>);

impl Expansion {
    /// Adds `value`, without rounding.
    pub(crate) fn add(&mut self, value: f64) {
        let mut sum = value;
        let mut kept = 0;
        for place in 0..self.0.len() {
            let (high, low) = two_sum(sum, self.0[place]);
            sum = high;
            if low != 0.0 {
                // At most as many parts are kept as were read.
                self.0[kept] = low;
                kept += 1;
            }
        }
        self.0.truncate(kept);
        if sum != 0.0 {
            self.0.push(sum);
        }
    }

    /// Adds `a · b · c`, without rounding.
    pub(crate) fn add_product(&mut self, [a, b, c]: [f64; 3]) {
        if a == 0.0 || b == 0.0 || c == 0.0 {
            return;
        }
        let (high, low) = two_product(a, b);
        for factor in [low, high] {
            let (high, low) = two_product(factor, c);
            self.add(low);
            self.add(high);
        }
    }

    /// The nearest f64, up to one rounding for each part; its sign is exact.
    pub(crate) fn value(&self) -> f64 {
        self.0.iter().sum()
    }
}

/// The rounded sum and its error.
pub(crate) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    let a_part = sum - b_part;
    (sum, (a - a_part) + (b - b_part))
}

/// The rounded product and its error.
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let ([a_high, a_low], [b_high, b_low]) = (split(a), split(b));
    let error = product - a_high * b_high - a_low * b_high - a_high * b_low;
    (product, a_low * b_low - error)
}

/// Two halves of at most 26 bits each, whose products are exact.
fn split(value: f64) -> [f64; 2] {
    /// 2^27 + 1.
    const SPLITTER: f64 = 134_217_729.0;
    let scaled = SPLITTER * value;
    let high = scaled - (scaled - value);
    [high, value - high]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sum_keeps_what_rounding_would_lose() {
        let mut sum = Expansion::default();
        for value in [1e30, 1.0, -1e30, 1e-30, -1.0] {
            sum.add(value);
        }
        assert_eq!(sum.value(), 1e-30);
        sum.add(-1e-30);
        assert_eq!(sum.value(), 0.0);
    }

    #[test]
    fn products_that_cancel_leave_their_difference() {
        // (1 + ε)² − (1 + 2 ε) = ε², which no single f64 operation sees.
        let next = 1.0 + f64::EPSILON;
        let mut difference = Expansion::default();
        difference.add_product([next, next, 1.0]);
        difference.add_product([-1.0, 1.0 + 2.0 * f64::EPSILON, 1.0]);
        assert_eq!(difference.value(), f64::EPSILON * f64::EPSILON);
    }
}
