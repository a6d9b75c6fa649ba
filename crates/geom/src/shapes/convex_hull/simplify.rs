//! Which corners of an exact hull are there by rounding alone?
//!
//! ```text
//!   c───────c      c  corner: three regions or more meet
//!   │ i   i │      i  inside a region: dropped
//!   │   i   │      e  on the crease of two regions, and on the line between kept ones: dropped
//!   c──e──e─c
//! ```
//! What is dropped lies within the tolerance of what is kept, so the hull of the kept holds it too.

use super::{Wide, quickhull::Surface, tolerance::Tolerance};

const NONE: u32 = u32::MAX;

/// What meets at a corner.
#[derive(Clone, Copy, Debug)]
struct Meeting {
    regions: [u32; 3],
    region_count: u8,
    /// Edges between two regions.
    creases: u32,
    /// The other ends of the first two of them.
    along: [u32; 2],
}

/// The corners to keep, in their order; `None` if that is all of them.
pub(super) fn corners(
    points: &[Wide],
    surface: &Surface,
    tolerance: &Tolerance,
) -> Option<Vec<u32>> {
    let region = regions(points, surface, tolerance);
    let meetings = meetings(points.len(), surface, &region);
    let mut drop = vec![false; points.len()];
    let mut visited = vec![false; points.len()];
    for (corner, meeting) in meetings.iter().enumerate() {
        if meeting.region_count == 1 {
            drop[corner] = true;
        } else if meeting.is_crease() && !visited[corner] {
            let chain = chain_through(corner as u32, &meetings, &mut visited);
            thin_out(&chain, points, tolerance, &mut drop);
        }
    }
    drop_twins(points, surface, tolerance, &mut drop);
    let is_corner = |corner: &u32| meetings[*corner as usize].region_count > 0;
    if !drop.contains(&true) {
        return None;
    }
    Some((0..points.len() as u32).filter(is_corner).filter(|&c| !drop[c as usize]).collect())
}

/// For each triangle, the flat region it belongs to: grown from the largest triangle outwards, as far as
/// all corners lie within the tolerance of its plane.
fn regions(points: &[Wide], surface: &Surface, tolerance: &Tolerance) -> Vec<u32> {
    let triangles = surface.corners.len();
    let normals: Vec<Wide> = surface
        .corners
        .iter()
        .map(|&corners| {
            let [a, b, c] = corners.map(|corner| points[corner as usize]);
            (b - a).cross(c - a)
        })
        .collect();
    let area = |triangle: usize| normals[triangle].dot(normals[triangle]);
    let mut largest_first: Vec<(f64, u32)> =
        (0..triangles).map(|triangle| (area(triangle), triangle as u32)).collect();
    largest_first.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut region = vec![NONE; triangles];
    let mut reached = Vec::new();
    for (_, seed) in largest_first {
        if region[seed as usize] != NONE {
            continue;
        }
        let normal = normals[seed as usize].unit();
        let anchor = points[surface.corners[seed as usize][0] as usize];
        let limit = tolerance.along(normal);
        region[seed as usize] = seed;
        reached.push(seed);
        while let Some(triangle) = reached.pop() {
            for next in surface.neighbours[triangle as usize] {
                let is_flat = || {
                    surface.corners[next as usize].iter().all(|&corner| {
                        (points[corner as usize] - anchor).dot(normal).abs() <= limit
                    })
                };
                if region[next as usize] == NONE
                    && normals[next as usize].dot(normal) > 0.0
                    && is_flat()
                {
                    region[next as usize] = seed;
                    reached.push(next);
                }
            }
        }
    }
    region
}

fn meetings(points: usize, surface: &Surface, region: &[u32]) -> Vec<Meeting> {
    let nothing = Meeting { regions: [NONE; 3], region_count: 0, creases: 0, along: [NONE; 2] };
    let mut meetings = vec![nothing; points];
    for (triangle, corners) in surface.corners.iter().enumerate() {
        for edge in 0..3 {
            let meeting = &mut meetings[corners[edge] as usize];
            meeting.add_region(region[triangle]);
            let across = surface.neighbours[triangle][edge] as usize;
            if region[across] != region[triangle] {
                meeting.add_crease(corners[(edge + 1) % 3]);
            }
        }
    }
    meetings
}

impl Meeting {
    fn add_region(&mut self, region: u32) {
        let count = usize::from(self.region_count);
        if count < 3 && !self.regions[..count].contains(&region) {
            self.regions[count] = region;
            self.region_count += 1;
        }
    }

    fn add_crease(&mut self, other_end: u32) {
        if let Some(free) = self.along.get_mut(self.creases as usize) {
            *free = other_end;
        }
        self.creases += 1;
    }

    /// Whether one crease runs through it, and nothing else.
    fn is_crease(&self) -> bool {
        self.region_count == 2 && self.creases == 2
    }
}

/// The crease through a corner, from end to end. One that closes on itself ends where it began.
fn chain_through(start: u32, meetings: &[Meeting], visited: &mut [bool]) -> Vec<u32> {
    visited[start as usize] = true;
    let mut halves: [Vec<u32>; 2] = [Vec::new(), Vec::new()];
    for (half, &first) in halves.iter_mut().zip(&meetings[start as usize].along) {
        let (mut previous, mut here) = (start, first);
        half.push(here);
        while here != start && meetings[here as usize].is_crease() && !visited[here as usize] {
            visited[here as usize] = true;
            let [one, other] = meetings[here as usize].along;
            let next = if one == previous { other } else { one };
            (previous, here) = (here, next);
            half.push(here);
        }
        if here == start {
            // Went all the way round.
            return [start].into_iter().chain(half.iter().copied()).collect();
        }
    }
    let [back, forth] = halves;
    back.into_iter().rev().chain([start]).chain(forth).collect()
}

/// Drops what lies on the line between the kept ones (Douglas and Peucker 1973).
fn thin_out(chain: &[u32], points: &[Wide], tolerance: &Tolerance, drop: &mut [bool]) {
    let mut stretches = vec![(0, chain.len() - 1)];
    while let Some((first, last)) = stretches.pop() {
        let (a, b) = (points[chain[first] as usize], points[chain[last] as usize]);
        let along = (b - a).unit();
        let mut farthest = (0.0, first);
        for inner in first + 1..last {
            let from_a = points[chain[inner] as usize] - a;
            let off = from_a - along * from_a.dot(along);
            let limit = tolerance.along(off.unit());
            let excess = off.length() - limit;
            if off.length() > 0.0 && excess > 0.0 && excess > farthest.0 {
                farthest = (excess, inner);
            }
        }
        if farthest.1 == first {
            for inner in &chain[first + 1..last] {
                drop[*inner as usize] = true;
            }
        } else {
            stretches.push((first, farthest.1));
            stretches.push((farthest.1, last));
        }
    }
}

/// Of two corners in one place, but for rounding, drops the later.
fn drop_twins(points: &[Wide], surface: &Surface, tolerance: &Tolerance, drop: &mut [bool]) {
    let mut stays = vec![false; points.len()];
    for corners in &surface.corners {
        for edge in 0..3 {
            let (a, b) = (corners[edge], corners[(edge + 1) % 3]);
            let (first, second) = if a < b { (a, b) } else { (b, a) };
            let both_kept = !drop[first as usize] && !drop[second as usize];
            if both_kept
                && !stays[second as usize]
                && tolerance.forgives(points[first as usize] - points[second as usize])
            {
                drop[second as usize] = true;
                stays[first as usize] = true;
            }
        }
    }
}
