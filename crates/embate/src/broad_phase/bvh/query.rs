//! Overlap queries: boxes that overlap an AABB, a sphere or a convex volume.

use embate_geom::{Aabb, BoundingSphere, ConvexVolume};
use fearless_simd::{Simd, dispatch};

use crate::broad_phase::bvh::DynamicBvh;
use crate::broad_phase::bvh::self_overlap::pop_lane;
use crate::broad_phase::bvh::simd::QueryVolume;

impl<const D: usize> DynamicBvh<D> {
    /// Appends the ids of all boxes that overlap or touch `bounds`, ascending. A query with a NaN
    /// overlaps nothing.
    #[doc(alias = "overlapping_box")]
    #[doc(alias = "intersect_aabb")]
    pub fn query_aabb(&self, bounds: &Aabb<D>, found: &mut Vec<u32>) {
        self.query(bounds, found);
    }

    /// Appends the ids of all boxes that overlap or touch `sphere`, ascending: those for which
    /// [`BoundingSphere::intersects_aabb`] holds. A sphere with a NaN or a negative radius overlaps
    /// nothing.
    ///
    /// ```
    /// use embate::Aabb;
    /// use embate::broad_phase::{AabbSlice, DynamicBvh};
    /// use embate::geometry::BoundingSphere;
    ///
    /// let cube = |x: f32| Aabb { min: [x, 0.0, 0.0], max: [x + 1.0, 1.0, 1.0] };
    /// let tree = DynamicBvh::build(AabbSlice::new(&[cube(0.0), cube(4.0), cube(8.0)])?);
    /// let mut found = Vec::new();
    /// tree.query_sphere(&BoundingSphere { center: [2.5, 0.5, 0.5], radius: 1.5 }, &mut found);
    /// assert_eq!(found, [0, 1]);
    /// # Ok::<(), embate::broad_phase::AabbError>(())
    /// ```
    #[doc(alias = "overlapping_ball")]
    pub fn query_sphere(&self, sphere: &BoundingSphere<D>, found: &mut Vec<u32>) {
        self.query(sphere, found);
    }

    /// Appends the ids of all boxes that overlap a convex volume, such as a view frustum,
    /// ascending: those for which [`ConvexVolume::intersects_aabb`] holds. That test is
    /// conservative: it accepts some boxes just beyond an edge of the volume. A volume with a NaN
    /// overlaps nothing.
    ///
    /// ```
    /// use embate::Aabb;
    /// use embate::broad_phase::{AabbSlice, DynamicBvh};
    /// use embate::geometry::Camera;
    ///
    /// let cube = |z: f32| Aabb { min: [0.0, 0.0, z], max: [1.0, 1.0, z + 1.0] };
    /// let cubes = [cube(5.0), cube(-5.0), cube(-50.0), cube(-500.0)];
    /// let tree = DynamicBvh::build(AabbSlice::new(&cubes)?);
    /// let camera = Camera {
    ///     eye: [0.0; 3],
    ///     target: [0.0, 0.0, -1.0],
    ///     up: [0.0, 1.0, 0.0],
    ///     vertical_fov: 1.0,
    ///     aspect: 16.0 / 9.0,
    ///     near: 0.1,
    ///     far: 100.0,
    /// };
    /// let mut visible = Vec::new();
    /// tree.query_convex(&camera.frustum().expect("a valid camera"), &mut visible);
    /// assert_eq!(visible, [1, 2]);
    /// # Ok::<(), embate::broad_phase::AabbError>(())
    /// ```
    #[doc(alias = "within_region")]
    #[doc(alias = "frustum culling")]
    pub fn query_convex(&self, volume: &ConvexVolume<D>, found: &mut Vec<u32>) {
        self.query(volume, found);
    }

    fn query<Q: QueryVolume<D>>(&self, volume: &Q, found: &mut Vec<u32>) {
        let first = found.len();
        let simd_level = self.simd_level;
        dispatch!(simd_level, simd => self.traverse(simd, volume, found));
        found[first..].sort_unstable();
    }

    #[expect(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]
    #[inline(always)]
    fn traverse<S: Simd, Q: QueryVolume<D>>(&self, simd: S, volume: &Q, found: &mut Vec<u32>) {
        let mut pending = Vec::with_capacity(64);
        pending.push(self.root);
        while let Some(number) = pending.pop() {
            let node = &self.nodes[number as usize];
            let mut lanes = volume.overlap_mask(simd, &node.boxes) & node.occupied_lanes();
            let accepted = if node.height == 0 { &mut *found } else { &mut pending };
            while lanes != 0 {
                accepted.push(node.children[pop_lane(&mut lanes)]);
            }
        }
    }
}
