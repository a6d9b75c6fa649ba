//! Point reduction: selects up to four of many contact points.
//!
//! Two points far from each other, then on each side of their line the point that spans the largest
//! triangle: four points that preserve the contact area, so that a body rests on them as on all
//! points. The deepest point replaces the closest of the four if it is deeper than all of them by
//! more than the tolerance. A body that rocks slightly thus keeps three or four of its points, and
//! their warm-start impulses.

/// Ratio by which a measure must exceed another to be larger. On a regular face many points tie,
/// and rounding must not choose among them.
const TIE_RATIO: f32 = 1e-2;

/// Candidate contact point: position in the plane of projection, and penetration.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CandidatePoint {
    pub(crate) uv: [f32; 2],
    pub(crate) penetration: f32,
}

/// Indices of at most four candidates, and their number. One of them is the deepest within
/// `tolerance`.
pub(crate) fn reduce_to_four(candidates: &[CandidatePoint], tolerance: f32) -> ([usize; 4], usize) {
    if candidates.len() <= 4 {
        return ([0, 1, 2, 3], candidates.len());
    }
    let distance_squared_from = |index: usize| {
        let [u, v] = candidates[index].uv;
        move |[x, y]: [f32; 2]| (x - u) * (x - u) + (y - v) * (y - v)
    };
    let first = argmax(candidates, distance_squared_from(0));
    let second = argmax(candidates, distance_squared_from(first));
    let [u, v] = candidates[first].uv;
    let [du, dv] = [candidates[second].uv[0] - u, candidates[second].uv[1] - v];
    let signed_area = |[x, y]: [f32; 2]| du * (y - v) - dv * (x - u);
    let left = argmax(candidates, signed_area);
    let right = argmax(candidates, |uv| -signed_area(uv));
    let mut kept = [first, second, 0, 0];
    let mut count = 2;
    for index in [left, right] {
        // If no point lies on one side, the farthest one is an endpoint of the line.
        if !kept[..count].contains(&index) && signed_area(candidates[index].uv) != 0.0 {
            kept[count] = index;
            count += 1;
        }
    }
    let deepest = deepest_point(candidates);
    let min_penetration = candidates[deepest].penetration - tolerance;
    if !kept[..count].iter().any(|&index| candidates[index].penetration >= min_penetration) {
        let distance_squared = distance_squared_from(deepest);
        let mut closest = 0;
        for slot in 1..count {
            if distance_squared(candidates[kept[slot]].uv)
                < distance_squared(candidates[kept[closest]].uv)
            {
                closest = slot;
            }
        }
        kept[closest] = deepest;
    }
    (kept, count)
}

fn deepest_point(candidates: &[CandidatePoint]) -> usize {
    let mut best = 0;
    for (index, candidate) in candidates.iter().enumerate() {
        if candidate.penetration > candidates[best].penetration {
            best = index;
        }
    }
    best
}

/// The candidate with the largest measure; of those equal within [`TIE_RATIO`], an early one.
fn argmax(candidates: &[CandidatePoint], measure: impl Fn([f32; 2]) -> f32) -> usize {
    let mut best = (measure(candidates[0].uv), 0);
    for (index, candidate) in candidates.iter().enumerate().skip(1) {
        let value = measure(candidate.uv);
        if value > best.0 + TIE_RATIO * best.0.abs() {
            best = (value, index);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(count: usize) -> Vec<CandidatePoint> {
        (0..count)
            .map(|index| {
                let (sin, cos) = embate_geom::scalar::sin_cos(index as f32 * 0.785);
                CandidatePoint { uv: [cos, sin], penetration: 0.1 }
            })
            .collect()
    }

    #[test]
    fn eight_points_on_a_circle_reduce_to_a_square() {
        let (kept, count) = reduce_to_four(&ring(8), 1e-5);
        assert_eq!(count, 4);
        let mut kept = kept.to_vec();
        kept.sort_unstable();
        let steps: Vec<usize> = kept.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert_eq!(steps, [2, 2, 2]);
    }

    #[test]
    fn deepest_point_is_kept() {
        let mut candidates = ring(8);
        candidates.push(CandidatePoint { uv: [0.1, 0.0], penetration: 0.2 });
        let (kept, count) = reduce_to_four(&candidates, 1e-5);
        assert!(kept[..count].contains(&8));
    }

    #[test]
    fn collinear_points_reduce_to_two() {
        let line: Vec<CandidatePoint> = (0..6)
            .map(|index| CandidatePoint { uv: [index as f32, 0.0], penetration: 0.0 })
            .collect();
        let (kept, count) = reduce_to_four(&line, 1e-5);
        assert_eq!(kept[..count], [5, 0]);
    }
}
