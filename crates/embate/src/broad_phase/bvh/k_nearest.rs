//! Which boxes are nearest to a point?

use core::cmp::Reverse;
use std::collections::BinaryHeap;

use fearless_simd::{dispatch, f32x8, prelude::*};

use super::Tree;
use super::join::next_lane;
use super::lanes::distances_squared;

/// A box near a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// Whose box.
    pub id: u32,
    /// From the point to the nearest point of the box; 0 if it lies inside.
    pub distance_squared: f32,
}

impl<const D: usize> Tree<D> {
    /// Appends the `k` boxes nearest to `point`, or all if there are fewer, by
    /// `(distance_squared, id)`. A point that is not finite is near to nothing.
    ///
    /// ```
    /// use embate::{Aabb, pairs::{Boxes, Neighbour, Tree}};
    ///
    /// let square = |x: f32| Aabb { min: [x, 0.0], max: [x + 1.0, 1.0] };
    /// let tree = Tree::build(Boxes::new(&[square(0.0), square(3.0), square(9.0)])?);
    /// let mut near = Vec::new();
    /// tree.nearest(&[5.0, 0.5], 2, &mut near);
    /// let [first, second] = [(1, 1.0), (0, 16.0)];
    /// assert_eq!(near[0], Neighbour { id: first.0, distance_squared: first.1 });
    /// assert_eq!(near[1], Neighbour { id: second.0, distance_squared: second.1 });
    /// # Ok::<(), embate::pairs::InvalidBox>(())
    /// ```
    pub fn nearest(&self, point: &[f32; D], k: usize, near: &mut Vec<Neighbour>) {
        if k == 0 || !point.iter().all(|c| c.is_finite()) {
            return;
        }
        let level = self.level;
        let found = dispatch!(level, simd => self.search_around(simd, point, k));
        near.extend(found.into_sorted_vec().into_iter().map(|key| Neighbour {
            id: key as u32,
            distance_squared: f32::from_bits((key >> 32) as u32),
        }));
    }

    /// The nearest node first, until none can be nearer than the `k` items found.
    #[expect(clippy::inline_always, reason = "vector code belongs inside the dispatched caller")]
    #[inline(always)]
    fn search_around<S: Simd>(&self, simd: S, point: &[f32; D], k: usize) -> BinaryHeap<u64> {
        let mut pending = BinaryHeap::from([Reverse(key(0.0, self.root))]);
        let mut found = BinaryHeap::with_capacity(k.min(self.len()) + 1);
        // As far as the last of those found, whatever its id: an equal one may have a smaller.
        let mut reach = f32::INFINITY;
        while let Some(Reverse(nearest)) = pending.pop() {
            if f32::from_bits((nearest >> 32) as u32) > reach {
                break;
            }
            let node = &self.nodes[nearest as u32 as usize];
            let distances = distances_squared(simd, &node.boxes, point);
            let near = distances.simd_le(f32x8::splat(simd, reach)).to_bitmask() as u32;
            let distances: [f32; 8] = distances.into();
            let mut lanes = near & node.lanes();
            while lanes != 0 {
                let lane = next_lane(&mut lanes);
                let key = key(distances[lane], node.children[lane]);
                if node.height > 0 {
                    pending.push(Reverse(key));
                    continue;
                }
                found.push(key);
                if found.len() > k {
                    found.pop();
                }
                if found.len() == k
                    && let Some(last) = found.peek()
                {
                    reach = f32::from_bits((last >> 32) as u32);
                }
            }
        }
        found
    }
}

/// Orders by distance, then by id: bits of numbers that are not negative rise with the numbers.
#[inline]
fn key(distance_squared: f32, id: u32) -> u64 {
    u64::from(distance_squared.to_bits()) << 32 | u64::from(id)
}
