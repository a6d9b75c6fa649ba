//! Ray casts against the boxes of a dynamic BVH.

use core::cmp::Ordering;

use embate_geom::{Ray, RaySlabs};
use fearless_simd::{Simd, dispatch};

use crate::broad_phase::bvh::DynamicBvh;
use crate::broad_phase::bvh::self_overlap::pop_lane;
use crate::broad_phase::bvh::simd::intersect_ray;

/// A box that a ray intersects.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "Crossing")]
pub struct RayLeafHit {
    /// Id of the box.
    pub id: u32,
    /// Ray parameter at which the ray enters the box, in multiples of its direction; `t_min` if the
    /// ray starts inside.
    pub t: f32,
}

impl RayLeafHit {
    /// Order by `t`, then by id.
    #[must_use]
    pub fn order(&self, other: &Self) -> Ordering {
        self.t.partial_cmp(&other.t).unwrap_or(Ordering::Equal).then(self.id.cmp(&other.id))
    }
}

impl<const D: usize> DynamicBvh<D> {
    /// Appends every box that the ray intersects between `t_min` and `t_max`, ordered by `(t, id)`:
    /// those that [`Aabb::intersect_ray`](embate_geom::Aabb::intersect_ray) accepts. A ray that is
    /// not [valid](Ray::is_valid) hits nothing.
    ///
    /// ```
    /// use embate::{Aabb, Ray, broad_phase::{AabbSlice, DynamicBvh, RayLeafHit}};
    ///
    /// let square = |x: f32| Aabb { min: [x, 0.0], max: [x + 1.0, 1.0] };
    /// let tree = DynamicBvh::build(AabbSlice::new(&[square(6.0), square(2.0), square(-4.0)])?);
    /// let ray = Ray::new([0.0, 0.5], [2.0, 0.0]);
    /// let mut hits = Vec::new();
    /// tree.cast_ray_all(&ray, &mut hits);
    /// assert_eq!(hits, [RayLeafHit { id: 1, t: 1.0 }, RayLeafHit { id: 0, t: 3.0 }]);
    /// assert_eq!(tree.cast_ray(&ray), Some(hits[0]));
    /// # Ok::<(), embate::broad_phase::AabbError>(())
    /// ```
    #[doc(alias = "along_ray")]
    pub fn cast_ray_all(&self, ray: &Ray<D>, hits: &mut Vec<RayLeafHit>) {
        if !ray.is_valid() {
            return;
        }
        let first = hits.len();
        let simd_level = self.simd_level;
        dispatch!(simd_level, simd => self.traverse_ray_all(simd, ray, hits));
        hits[first..].sort_unstable_by(RayLeafHit::order);
    }

    /// The first box of [`cast_ray_all`](Self::cast_ray_all), without finding the others.
    #[must_use]
    #[doc(alias = "closest")]
    pub fn cast_ray(&self, ray: &Ray<D>) -> Option<RayLeafHit> {
        let simd_level = self.simd_level;
        ray.is_valid()
            .then(|| dispatch!(simd_level, simd => self.traverse_ray_closest(simd, ray)))?
    }

    #[expect(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]
    #[inline(always)]
    fn traverse_ray_all<S: Simd>(&self, simd: S, ray: &Ray<D>, hits: &mut Vec<RayLeafHit>) {
        let slabs = RaySlabs::new(ray);
        let mut pending = vec![self.root];
        while let Some(number) = pending.pop() {
            let node = &self.nodes[number as usize];
            let (enter, lanes) = intersect_ray(simd, &node.boxes, &slabs, ray.t_min, ray.t_max);
            let mut lanes = lanes & node.occupied_lanes();
            while lanes != 0 {
                let lane = pop_lane(&mut lanes);
                if node.height == 0 {
                    hits.push(RayLeafHit { id: node.children[lane], t: enter[lane] });
                } else {
                    pending.push(node.children[lane]);
                }
            }
        }
    }

    #[expect(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]
    #[inline(always)]
    fn traverse_ray_closest<S: Simd>(&self, simd: S, ray: &Ray<D>) -> Option<RayLeafHit> {
        let slabs = RaySlabs::new(ray);
        let mut closest: Option<RayLeafHit> = None;
        // Nodes with their entry parameter; the nearest child of each node on top.
        let mut pending = vec![RayLeafHit { id: self.root, t: ray.t_min }];
        while let Some(next) = pending.pop() {
            let t_max = closest.map_or(ray.t_max, |closest| closest.t);
            if next.t > t_max {
                continue;
            }
            let node = &self.nodes[next.id as usize];
            let (enter, lanes) = intersect_ray(simd, &node.boxes, &slabs, ray.t_min, t_max);
            let mut lanes = lanes & node.occupied_lanes();
            let first_child = pending.len();
            while lanes != 0 {
                let lane = pop_lane(&mut lanes);
                let hit = RayLeafHit { id: node.children[lane], t: enter[lane] };
                if node.height > 0 {
                    pending.push(hit);
                } else if closest.is_none_or(|closest| hit.order(&closest).is_lt()) {
                    closest = Some(hit);
                }
            }
            pending[first_child..].sort_unstable_by(|a, b| b.order(a));
        }
        closest
    }
}
