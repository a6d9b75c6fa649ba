//! k-nearest query: best-first traversal by distance to a point.

use core::cmp::Reverse;
use std::collections::BinaryHeap;

use fearless_simd::{dispatch, f32x8, prelude::*};

use crate::broad_phase::bvh::DynamicBvh;
use crate::broad_phase::bvh::self_overlap::pop_lane;
use crate::broad_phase::bvh::simd::distances_squared;

/// Result of a k-nearest query.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "Neighbour")]
pub struct Neighbor {
    /// Id of the box.
    pub id: u32,
    /// Squared distance from the point to the box; 0 if the point is inside.
    pub distance_squared: f32,
}

impl<const D: usize> DynamicBvh<D> {
    /// Appends the `k` boxes nearest to `point`, or all if there are fewer, ordered by
    /// `(distance_squared, id)`. A point with a NaN or an infinity has no neighbors.
    ///
    /// ```
    /// use embate::{Aabb, broad_phase::{AabbSlice, DynamicBvh, Neighbor}};
    ///
    /// let square = |x: f32| Aabb { min: [x, 0.0], max: [x + 1.0, 1.0] };
    /// let tree = DynamicBvh::build(AabbSlice::new(&[square(0.0), square(3.0), square(9.0)])?);
    /// let mut neighbors = Vec::new();
    /// tree.k_nearest(&[5.0, 0.5], 2, &mut neighbors);
    /// assert_eq!(neighbors[0], Neighbor { id: 1, distance_squared: 1.0 });
    /// assert_eq!(neighbors[1], Neighbor { id: 0, distance_squared: 16.0 });
    /// # Ok::<(), embate::broad_phase::AabbError>(())
    /// ```
    #[doc(alias = "nearest")]
    pub fn k_nearest(&self, point: &[f32; D], k: usize, neighbors: &mut Vec<Neighbor>) {
        if k == 0 || !point.iter().all(|c| c.is_finite()) {
            return;
        }
        let simd_level = self.simd_level;
        let found = dispatch!(simd_level, simd => self.traverse_nearest(simd, point, k));
        neighbors.extend(found.into_sorted_vec().into_iter().map(|key| Neighbor {
            id: key as u32,
            distance_squared: f32::from_bits((key >> 32) as u32),
        }));
    }

    /// Visits the nearest node first, until none can be nearer than the `k` items found.
    #[expect(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]
    #[inline(always)]
    fn traverse_nearest<S: Simd>(&self, simd: S, point: &[f32; D], k: usize) -> BinaryHeap<u64> {
        let mut pending = BinaryHeap::from([Reverse(key(0.0, self.root))]);
        let mut found = BinaryHeap::with_capacity(k.min(self.len()) + 1);
        // Squared distance of the k-th item. Equal distances are kept: a smaller id may follow.
        let mut max_distance = f32::INFINITY;
        while let Some(Reverse(nearest)) = pending.pop() {
            if f32::from_bits((nearest >> 32) as u32) > max_distance {
                break;
            }
            let node = &self.nodes[nearest as u32 as usize];
            let distances = distances_squared(simd, &node.boxes, point);
            let near = distances.simd_le(f32x8::splat(simd, max_distance)).to_bitmask() as u32;
            let distances: [f32; 8] = distances.into();
            let mut lanes = near & node.occupied_lanes();
            while lanes != 0 {
                let lane = pop_lane(&mut lanes);
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
                    max_distance = f32::from_bits((last >> 32) as u32);
                }
            }
        }
        found
    }
}

/// Orders by distance, then by id: the bits of nonnegative `f32` are ordered like their values.
#[inline]
fn key(distance_squared: f32, id: u32) -> u64 {
    u64::from(distance_squared.to_bits()) << 32 | u64::from(id)
}
