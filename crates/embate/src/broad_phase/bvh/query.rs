//! Which boxes overlap this one, this ball, or a convex region?

use embate_geom::{Aabb, Ball, ConvexRegion};
use fearless_simd::{Simd, dispatch};

use super::Tree;
use super::join::next_lane;
use super::lanes::Probe;

impl<const D: usize> Tree<D> {
    /// Appends the ids of all boxes that overlap or touch `bounds`, in ascending order. A box with a NaN
    /// overlaps nothing.
    pub fn overlapping_box(&self, bounds: &Aabb<D>, found: &mut Vec<u32>) {
        self.find(bounds, found);
    }

    /// Appends the ids of all boxes that overlap or touch a ball, in ascending order: those for which
    /// [`Ball::overlaps_box`] holds. A ball with a NaN or a negative radius overlaps nothing.
    ///
    /// ```
    /// use embate::{Aabb, Ball, pairs::{Boxes, Tree}};
    ///
    /// let cube = |x: f32| Aabb { min: [x, 0.0, 0.0], max: [x + 1.0, 1.0, 1.0] };
    /// let tree = Tree::build(Boxes::new(&[cube(0.0), cube(4.0), cube(8.0)])?);
    /// let mut found = Vec::new();
    /// tree.overlapping_ball(&Ball { center: [2.5, 0.5, 0.5], radius: 1.5 }, &mut found);
    /// assert_eq!(found, [0, 1]);
    /// # Ok::<(), embate::pairs::InvalidBox>(())
    /// ```
    pub fn overlapping_ball(&self, ball: &Ball<D>, found: &mut Vec<u32>) {
        self.find(ball, found);
    }

    /// Appends the ids of all boxes inside a region or across its border, in ascending order: those for
    /// which [`ConvexRegion::may_reach`] holds, which keeps some that lie just past an edge of it. A
    /// region with a NaN holds nothing.
    ///
    /// ```
    /// use embate::{Aabb, View, pairs::{Boxes, Tree}};
    ///
    /// let cube = |z: f32| Aabb { min: [0.0, 0.0, z], max: [1.0, 1.0, z + 1.0] };
    /// let tree = Tree::build(Boxes::new(&[cube(5.0), cube(-5.0), cube(-50.0), cube(-500.0)])?);
    /// let camera = View {
    ///     eye: [0.0; 3],
    ///     at: [0.0, 0.0, -1.0],
    ///     up: [0.0, 1.0, 0.0],
    ///     vertical_fov: 1.0,
    ///     aspect: 16.0 / 9.0,
    ///     near: 0.1,
    ///     far: 100.0,
    /// };
    /// let mut seen = Vec::new();
    /// tree.within_region(&camera.frustum().expect("it can see"), &mut seen);
    /// assert_eq!(seen, [1, 2]);
    /// # Ok::<(), embate::pairs::InvalidBox>(())
    /// ```
    pub fn within_region(&self, region: &ConvexRegion<D>, found: &mut Vec<u32>) {
        self.find(region, found);
    }

    fn find<P: Probe<D>>(&self, probe: &P, found: &mut Vec<u32>) {
        let first = found.len();
        let level = self.level;
        dispatch!(level, simd => self.descend(simd, probe, found));
        found[first..].sort_unstable();
    }

    #[expect(clippy::inline_always, reason = "vector code belongs inside the dispatched caller")]
    #[inline(always)]
    fn descend<S: Simd, P: Probe<D>>(&self, simd: S, probe: &P, found: &mut Vec<u32>) {
        let mut pending = Vec::with_capacity(64);
        pending.push(self.root);
        while let Some(number) = pending.pop() {
            let node = &self.nodes[number as usize];
            let mut lanes = probe.lanes(simd, &node.boxes) & node.lanes();
            let yes = if node.height == 0 { &mut *found } else { &mut pending };
            while lanes != 0 {
                yes.push(node.children[next_lane(&mut lanes)]);
            }
        }
    }
}
