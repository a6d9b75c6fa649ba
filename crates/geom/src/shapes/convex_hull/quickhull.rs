//! Which triangles enclose these points? Quickhull (Barber, Dobkin, Huhdanpaa 1996) with exact signs.
//!
//! Promise: the triangles are the exact convex hull of the points. Every decision about the surface
//! (does this point see that triangle?) is the sign of a determinant, taken in f64 where its error bound
//! allows and by Shewchuk's exact arithmetic elsewhere. So the surface is closed and convex whatever the
//! input, without a tolerance, and neither flat groups of triangles nor duplicates can tear it:
//!
//! - a point sees a triangle only if strictly above it, so all triangles of one plane are seen together,
//!   and the seen ones form one patch with one simple rim;
//! - a point on the line of a rim edge would lie in the plane of the seen triangle at that edge, and so
//!   not see it: no new triangle is without area.

use super::{Wide, tolerance::Tolerance};
use crate::shapes::{InvalidShape, MIN_SIZE};

/// A closed surface: counter-clockwise seen from outside, and across edge `i` (from corner `i` to the
/// next) lies triangle `neighbours[i]`.
#[derive(Clone, Debug)]
pub(super) struct Surface {
    pub(super) corners: Vec<[u32; 3]>,
    pub(super) neighbours: Vec<[u32; 3]>,
}

/// Four points that enclose something, and how thick the whole is about them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seed {
    corners: [u32; 4],
    pub(super) thickness: f64,
}

/// A triangle of the growing surface.
#[derive(Clone, Debug, Default)]
struct Triangle {
    corners: [u32; 3],
    neighbours: [u32; 3],
    /// Not of length 1: heights are compared within one triangle only.
    normal: Wide,
    anchor: Wide,
    /// Below this, the sign of a height is not certain.
    doubt: f64,
    /// The points above it, which no other triangle has.
    outside: Vec<u32>,
    farthest: u32,
    farthest_height: f64,
    alive: bool,
    /// The point that last saw it.
    seen_by: u32,
}

const NOBODY: u32 = u32::MAX;

/// Bounds the error of `(b − a) × (c − a) · (p − a)` in f64 over the product of the three lengths: each
/// of its six terms rounds at most eight times, by half an ε.
const DOUBT: f64 = 32.0 * f64::EPSILON;

/// Points far apart in every direction, or why there are none.
pub(super) fn seed(points: &[Wide], tolerance: &Tolerance) -> Result<Seed, InvalidShape> {
    let count = points.len();
    // The first of the farthest, so that the order of the points alone decides.
    let farthest = |measure: &dyn Fn(Wide) -> f64| {
        let mut best = (0, f64::NEG_INFINITY);
        for (index, &point) in points.iter().enumerate() {
            let value = measure(point);
            if value > best.1 {
                best = (index, value);
            }
        }
        best
    };
    let extremes = [
        farthest(&|p| -p.x).0,
        farthest(&|p| p.x).0,
        farthest(&|p| -p.y).0,
        farthest(&|p| p.y).0,
        farthest(&|p| -p.z).0,
        farthest(&|p| p.z).0,
    ];
    let (mut a, mut b) = (extremes[0], extremes[1]);
    for &first in &extremes {
        for &second in &extremes {
            if (points[first] - points[second]).length() > (points[a] - points[b]).length() {
                (a, b) = (first, second);
            }
        }
    }
    let along = points[b] - points[a];
    if tolerance.forgives(along) {
        return Err(InvalidShape::OnePlace { count });
    }
    if along.length() < f64::from(MIN_SIZE) {
        return Err(InvalidShape::Size { name: "length", value: along.length() as f32 });
    }
    let axis = along.unit();
    let off_line = |p: Wide| (p - points[a]) - axis * (p - points[a]).dot(axis);
    let c = farthest(&|p| off_line(p).length()).0;
    if tolerance.forgives(off_line(points[c])) {
        return Err(InvalidShape::OneLine { count });
    }
    let normal = axis.cross(off_line(points[c]).unit()).unit();
    let (d, thickness) = farthest(&|p| (p - points[a]).dot(normal).abs());
    if thickness <= tolerance.along(normal) || thickness < along.length() * MIN_THICKNESS {
        return Err(InvalidShape::Flat { count, thickness: thickness as f32 });
    }
    Ok(Seed { corners: [a, b, c, d].map(|index| index as u32), thickness })
}

/// Thinner than this part of its length, a hull counts as flat: below the steps of f32.
const MIN_THICKNESS: f64 = 1e-7;

/// The hull of `points`, begun at `seed`.
pub(super) fn quickhull(points: &[Wide], seed: &Seed) -> Surface {
    let mut hull = Growing {
        points,
        diameter: diameter(points),
        triangles: Vec::new(),
        free: Vec::new(),
        pending: Vec::new(),
        starting_at: vec![NOBODY; points.len()],
        seen: Vec::new(),
        rim: Vec::new(),
    };
    hull.begin(seed);
    while let Some(slot) = hull.pending.pop() {
        // A slot may have been emptied and filled again since it was put on the list.
        let triangle = &hull.triangles[slot as usize];
        if triangle.alive && !triangle.outside.is_empty() {
            hull.reach(triangle.farthest, slot);
        }
    }
    hull.finished()
}

fn diameter(points: &[Wide]) -> f64 {
    let first = points.first().copied().unwrap_or(Wide::ZERO);
    // Twice the farthest from any one point is no less than the farthest two.
    2.0 * points.iter().map(|&p| (p - first).taxicab()).fold(0.0, |a, b| if b > a { b } else { a })
}

struct Growing<'a> {
    points: &'a [Wide],
    /// No two points are farther apart.
    diameter: f64,
    triangles: Vec<Triangle>,
    free: Vec<u32>,
    /// Triangles that may have points above them.
    pending: Vec<u32>,
    /// The new triangle on the rim edge that starts at this point.
    starting_at: Vec<u32>,
    seen: Vec<u32>,
    rim: Vec<RimEdge>,
}

/// Between what a point sees and what it does not.
#[derive(Clone, Copy, Debug)]
struct RimEdge {
    from: u32,
    to: u32,
    beyond: u32,
}

impl Growing<'_> {
    fn begin(&mut self, seed: &Seed) {
        let [a, b, c, d] = seed.corners;
        // Outwards: the fourth corner lies below the first three.
        let (b, c) = if self.exact_height([a, b, c], d) > 0.0 { (c, b) } else { (b, c) };
        for corners in [[a, b, c], [a, d, b], [b, d, c], [c, d, a]] {
            let slot = self.new_triangle(corners);
            self.pending.push(slot);
        }
        // Across each edge, in the order of the list above.
        for (slot, neighbours) in
            [[1, 2, 3], [3, 2, 0], [1, 3, 0], [2, 1, 0]].into_iter().enumerate()
        {
            self.triangles[slot].neighbours = neighbours;
        }
        for point in 0..self.points.len() as u32 {
            if !seed.corners.contains(&point) {
                self.give(point, 0);
            }
        }
    }

    /// Grows the surface to `eye`, which is strictly above the triangle `start`.
    fn reach(&mut self, eye: u32, start: u32) {
        self.find_seen(eye, start);
        let first_new = self.pending.len();
        for index in 0..self.rim.len() {
            let RimEdge { from, to, beyond } = self.rim[index];
            let new = self.new_triangle([from, to, eye]);
            self.triangles[new as usize].neighbours[0] = beyond;
            let outer = &mut self.triangles[beyond as usize];
            // The rim edge runs backwards there.
            let edge = if outer.corners[0] == to {
                0
            } else if outer.corners[1] == to {
                1
            } else {
                2
            };
            outer.neighbours[edge] = new;
            self.starting_at[from as usize] = new;
            self.pending.push(new);
        }
        for index in 0..self.rim.len() {
            let RimEdge { from, to, .. } = self.rim[index];
            let (here, next) = (self.starting_at[from as usize], self.starting_at[to as usize]);
            self.triangles[here as usize].neighbours[1] = next;
            self.triangles[next as usize].neighbours[2] = here;
        }
        // The points of the seen go to the new; one above none of these is inside for good.
        for index in 0..self.seen.len() {
            let slot = self.seen[index];
            let mut orphans = core::mem::take(&mut self.triangles[slot as usize].outside);
            for &orphan in &orphans {
                if orphan != eye {
                    self.give(orphan, first_new);
                }
            }
            orphans.clear();
            let old = &mut self.triangles[slot as usize];
            old.outside = orphans;
            old.alive = false;
            self.free.push(slot);
        }
    }

    /// Fills `seen` with all triangles strictly under `eye`, and `rim` with the edges around them.
    fn find_seen(&mut self, eye: u32, start: u32) {
        self.seen.clear();
        self.rim.clear();
        self.seen.push(start);
        self.triangles[start as usize].seen_by = eye;
        let mut next = 0;
        while next < self.seen.len() {
            let here = &self.triangles[self.seen[next] as usize];
            let (corners, neighbours) = (here.corners, here.neighbours);
            for edge in 0..3 {
                let beyond = neighbours[edge];
                if self.triangles[beyond as usize].seen_by == eye {
                    continue;
                }
                if self.height(beyond, eye) > 0.0 {
                    self.triangles[beyond as usize].seen_by = eye;
                    self.seen.push(beyond);
                } else {
                    self.rim.push(RimEdge {
                        from: corners[edge],
                        to: corners[(edge + 1) % 3],
                        beyond,
                    });
                }
            }
            next += 1;
        }
    }

    /// Hands a point to the first triangle of `pending[first..]` that it is strictly above.
    fn give(&mut self, point: u32, first: usize) {
        for index in first..self.pending.len() {
            let slot = self.pending[index];
            let height = self.height(slot, point);
            if height > 0.0 {
                let triangle = &mut self.triangles[slot as usize];
                if height > triangle.farthest_height {
                    (triangle.farthest, triangle.farthest_height) = (point, height);
                }
                triangle.outside.push(point);
                return;
            }
        }
    }

    /// Above 0 exactly if the point is strictly above the triangle.
    fn height(&self, slot: u32, point: u32) -> f64 {
        let triangle = &self.triangles[slot as usize];
        let height = triangle.normal.dot(self.points[point as usize] - triangle.anchor);
        if height.abs() > triangle.doubt {
            height
        } else {
            self.exact_height(triangle.corners, point)
        }
    }

    /// The sign is exact, the amount is not.
    fn exact_height(&self, corners: [u32; 3], point: u32) -> f64 {
        let [a, b, c] = corners.map(|corner| self.points[corner as usize].coord());
        // `robust` counts the side below the plane as positive.
        -robust::orient3d(a, b, c, self.points[point as usize].coord())
    }

    fn new_triangle(&mut self, corners: [u32; 3]) -> u32 {
        let [a, b, c] = corners.map(|corner| self.points[corner as usize]);
        let (ab, ac) = (b - a, c - a);
        let slot = self.free.pop().unwrap_or_else(|| {
            self.triangles.push(Triangle::default());
            self.triangles.len() as u32 - 1
        });
        let triangle = &mut self.triangles[slot as usize];
        triangle.corners = corners;
        triangle.normal = ab.cross(ac);
        triangle.anchor = a;
        triangle.doubt = DOUBT * ab.taxicab() * ac.taxicab() * self.diameter;
        triangle.farthest_height = 0.0;
        triangle.seen_by = NOBODY;
        triangle.alive = true;
        slot
    }

    fn finished(self) -> Surface {
        // Slots in use, in their order.
        let mut new_slot = vec![NOBODY; self.triangles.len()];
        let mut count = 0;
        for (slot, triangle) in self.triangles.iter().enumerate() {
            if triangle.alive {
                new_slot[slot] = count;
                count += 1;
            }
        }
        let alive = || self.triangles.iter().filter(|triangle| triangle.alive);
        Surface {
            corners: alive().map(|triangle| triangle.corners).collect(),
            neighbours: alive()
                .map(|triangle| triangle.neighbours.map(|slot| new_slot[slot as usize]))
                .collect(),
        }
    }
}
