//! Which four of many contact points say the most?
//!
//! Two that are far from each other, then on both sides of their line the ones that span the largest
//! triangles: four points that keep the area of the contact, so that a body rests on it as it would on all
//! of them. The deepest takes the place of the nearest of the four where it is clearly deeper than they
//! are. So a body that rocks a little keeps three of its points, or all, and what was learned about them.

/// A point is farther than another if it is by this part: on a regular face many are as far, and rounding
/// must not choose among them.
const CLEARLY: f32 = 1e-2;

/// A contact point on its way: where it is in the plane square to the normal, and how deep.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Candidate {
    pub(super) at: [f32; 2],
    pub(super) depth: f32,
}

/// Indices of at most four of the candidates, and how many: one of them is the deepest within `tolerance`.
pub(super) fn reduced(candidates: &[Candidate], tolerance: f32) -> ([usize; 4], usize) {
    if candidates.len() <= 4 {
        return ([0, 1, 2, 3], candidates.len());
    }
    let from = |index: usize| {
        let [u, v] = candidates[index].at;
        move |[x, y]: [f32; 2]| (x - u) * (x - u) + (y - v) * (y - v)
    };
    let first = farthest(candidates, from(0));
    let second = farthest(candidates, from(first));
    let [u, v] = candidates[first].at;
    let [du, dv] = [candidates[second].at[0] - u, candidates[second].at[1] - v];
    let beside = |[x, y]: [f32; 2]| du * (y - v) - dv * (x - u);
    let left = farthest(candidates, beside);
    let right = farthest(candidates, |at| -beside(at));
    let mut kept = [first, second, 0, 0];
    let mut count = 2;
    for index in [left, right] {
        // Where no point lies on one side, the farthest there is one of those on the line.
        if !kept[..count].contains(&index) && beside(candidates[index].at) != 0.0 {
            kept[count] = index;
            count += 1;
        }
    }
    let deepest = deepest(candidates);
    let deep_enough = candidates[deepest].depth - tolerance;
    if !kept[..count].iter().any(|&index| candidates[index].depth >= deep_enough) {
        let near = from(deepest);
        let mut nearest = 0;
        for slot in 1..count {
            if near(candidates[kept[slot]].at) < near(candidates[kept[nearest]].at) {
                nearest = slot;
            }
        }
        kept[nearest] = deepest;
    }
    (kept, count)
}

fn deepest(candidates: &[Candidate]) -> usize {
    let mut best = 0;
    for (index, candidate) in candidates.iter().enumerate() {
        if candidate.depth > candidates[best].depth {
            best = index;
        }
    }
    best
}

/// The candidate with the largest measure; of those that are as good within `CLEARLY`, an early one.
fn farthest(candidates: &[Candidate], measure: impl Fn([f32; 2]) -> f32) -> usize {
    let mut best = (measure(candidates[0].at), 0);
    for (index, candidate) in candidates.iter().enumerate().skip(1) {
        let far = measure(candidate.at);
        if far > best.0 + CLEARLY * best.0.abs() {
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
