//! Which four of many contact points say the most?
//!
//! The deepest, then the farthest from it, then on both sides of their line the ones that span the
//! largest triangles: four points that keep the area of the contact, so that a body rests on it as it
//! would on all of them.

/// A contact point on its way: where it is in the plane square to the normal, and how deep.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Candidate {
    pub(super) at: [f32; 2],
    pub(super) depth: f32,
}

/// Indices of at most four of the candidates, and how many. Depths within `tolerance` count as equal, so
/// that rounding does not choose: of these, the one farthest along a fixed direction is the deepest.
pub(super) fn reduced(candidates: &[Candidate], tolerance: f32) -> ([usize; 4], usize) {
    if candidates.len() <= 4 {
        return ([0, 1, 2, 3], candidates.len());
    }
    let first = deepest(candidates, tolerance);
    let [u, v] = candidates[first].at;
    let second = farthest(candidates, |[x, y]| (x - u) * (x - u) + (y - v) * (y - v));
    let [du, dv] = [candidates[second].at[0] - u, candidates[second].at[1] - v];
    let beside = |[x, y]: [f32; 2]| du * (y - v) - dv * (x - u);
    let left = farthest(candidates, beside);
    let right = farthest(candidates, |at| -beside(at));
    let mut kept = ([first, second, 0, 0], 2);
    for index in [left, right] {
        // Where no point lies on one side, the farthest there is one of those on the line.
        if !kept.0[..kept.1].contains(&index) && beside(candidates[index].at) != 0.0 {
            kept.0[kept.1] = index;
            kept.1 += 1;
        }
    }
    kept
}

fn deepest(candidates: &[Candidate], tolerance: f32) -> usize {
    let deep = candidates.iter().fold(f32::NEG_INFINITY, |deep, candidate| {
        if candidate.depth > deep { candidate.depth } else { deep }
    });
    // Not along an axis, where the corners of a box would be equal.
    let along = |candidate: &Candidate| candidate.at[0] + 0.618_034 * candidate.at[1];
    let mut best: Option<usize> = None;
    for (index, candidate) in candidates.iter().enumerate() {
        if candidate.depth >= deep - tolerance
            && best.is_none_or(|best| along(candidate) > along(&candidates[best]))
        {
            best = Some(index);
        }
    }
    best.unwrap_or(0)
}

fn farthest(candidates: &[Candidate], measure: impl Fn([f32; 2]) -> f32) -> usize {
    let mut best = (f32::NEG_INFINITY, 0);
    for (index, candidate) in candidates.iter().enumerate() {
        let far = measure(candidate.at);
        if far > best.0 {
            best = (far, index);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(count: usize) -> Vec<Candidate> {
        (0..count)
            .map(|index| {
                let (sin, cos) = embate_geom::scalar::sin_cos(index as f32 * 0.785);
                Candidate { at: [cos, sin], depth: 0.1 }
            })
            .collect()
    }

    #[test]
    fn four_of_eight_on_a_circle_span_a_square() {
        let (kept, count) = reduced(&ring(8), 1e-5);
        assert_eq!(count, 4);
        let mut kept = kept.to_vec();
        kept.sort_unstable();
        let steps: Vec<usize> = kept.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert_eq!(steps, [2, 2, 2]);
    }

    #[test]
    fn the_deepest_is_always_kept() {
        let mut candidates = ring(8);
        candidates.push(Candidate { at: [0.1, 0.0], depth: 0.2 });
        let (kept, count) = reduced(&candidates, 1e-5);
        assert!(kept[..count].contains(&8));
    }

    #[test]
    fn points_on_a_line_leave_two() {
        let line: Vec<Candidate> =
            (0..6).map(|index| Candidate { at: [index as f32, 0.0], depth: 0.0 }).collect();
        let (kept, count) = reduced(&line, 1e-5);
        assert_eq!(kept[..count], [5, 0]);
    }
}
