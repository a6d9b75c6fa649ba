//! Closest points of point–triangle and segment–segment (Ericson 2005, sections 5.1.5, 5.1.9).

use super::math::Point;

/// The point of a triangle closest to `p`.
pub(super) fn closest_on_triangle(p: Point, [a, b, c]: [Point; 3]) -> Point {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * (d1 / (d1 - d3));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * (d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    let sum = va + vb + vc;
    a + ab * (vb / sum) + ac * (vc / sum)
}

/// The point of a segment closest to `p`.
pub(super) fn closest_on_segment(p: Point, [a, b]: [Point; 2]) -> Point {
    let along = b - a;
    let square = along.dot(along);
    if square > 0.0 { a + along * (along.dot(p - a) / square).clamp(0.0, 1.0) } else { a }
}

/// The closest points of two segments, one on each.
///
/// Minimum of five candidates: each end against the other segment, and the closest points of the
/// lines, clamped. Parallel segments need no special case.
pub(super) fn closest_on_segments(s: [Point; 2], t: [Point; 2]) -> [Point; 2] {
    let mut best = [s[0], closest_on_segment(s[0], t)];
    let mut least = (best[1] - best[0]).length();
    let mut offer = |pair: [Point; 2]| {
        let distance = (pair[1] - pair[0]).length();
        if distance < least {
            (best, least) = (pair, distance);
        }
    };
    offer([s[1], closest_on_segment(s[1], t)]);
    offer([closest_on_segment(t[0], s), t[0]]);
    offer([closest_on_segment(t[1], s), t[1]]);
    let (u, v, w) = (s[1] - s[0], t[1] - t[0], s[0] - t[0]);
    let (a, b, c, d, e) = (u.dot(u), u.dot(v), v.dot(v), u.dot(w), v.dot(w));
    let determinant = a * c - b * b;
    if determinant > 0.0 {
        let along_s = ((b * e - c * d) / determinant).clamp(0.0, 1.0);
        // Project onto t, then back onto s: for nearly parallel lines the rounding of the division
        // cannot make the pair worse than the ends.
        let on_t = closest_on_segment(s[0].towards(s[1], along_s), t);
        offer([closest_on_segment(on_t, s), on_t]);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use embate_test_util::Rng;

    /// The definition, on a dense lattice of the triangle.
    #[test]
    fn no_point_of_a_lattice_is_closer_than_the_closest() {
        let mut random = Rng::new(3);
        let mut point = || Point(core::array::from_fn(|_| random.unit_f64() * 2.0 - 1.0));
        for _ in 0..200 {
            let (p, [a, b, c]) = (point(), [point(), point(), point()]);
            let least = (closest_on_triangle(p, [a, b, c]) - p).length();
            let (s, t) = ([point(), point()], [point(), point()]);
            let [on_s, on_t] = closest_on_segments(s, t);
            let mut nearest = f64::INFINITY;
            let mut segments = f64::INFINITY;
            for i in 0..=60 {
                for j in 0..=60 {
                    let (u, v) = (f64::from(i) / 60.0, f64::from(j) / 60.0);
                    if u + v <= 1.0 {
                        nearest = nearest.min((a + (b - a) * u + (c - a) * v - p).length());
                    }
                    let between = s[0].towards(s[1], u) - t[0].towards(t[1], v);
                    segments = segments.min(between.length());
                }
            }
            assert!(least <= nearest + 1e-12 && least > nearest - 0.07, "{least} {nearest}");
            let least = (on_s - on_t).length();
            assert!(least <= segments + 1e-12 && least > segments - 0.07, "{least} {segments}");
        }
    }
}
