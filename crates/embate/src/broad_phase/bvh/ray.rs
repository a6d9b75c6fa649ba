//! Which boxes does a ray cross, and which first?

use core::cmp::Ordering;

use embate_geom::{Ray, SlabRay};
use fearless_simd::{Simd, dispatch};

use super::Tree;
use super::join::next_lane;
use super::lanes::crossings;

/// A box on the way of a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Whose box.
    pub id: u32,
    /// Where the ray enters it, in lengths of its direction; where the ray begins, if that is inside.
    pub t: f32,
}

impl Crossing {
    /// Earlier ones first; of equal `t`, the smaller id.
    #[must_use]
    pub fn order(&self, other: &Self) -> Ordering {
        self.t.partial_cmp(&other.t).unwrap_or(Ordering::Equal).then(self.id.cmp(&other.id))
    }
}

impl<const D: usize> Tree<D> {
    /// Appends every box that the ray crosses between its `t_min` and `t_max`, by `(t, id)`: those that
    /// [`Aabb::crossing`](embate_geom::Aabb::crossing) keeps. A ray that does not
    /// [lead somewhere](Ray::leads_somewhere), as with a NaN, crosses nothing.
    ///
    /// ```
    /// use embate::{Aabb, Ray, pairs::{Boxes, Crossing, Tree}};
    ///
    /// let square = |x: f32| Aabb { min: [x, 0.0], max: [x + 1.0, 1.0] };
    /// let tree = Tree::build(Boxes::new(&[square(6.0), square(2.0), square(-4.0)])?);
    /// let ray = Ray::new([0.0, 0.5], [2.0, 0.0]);
    /// let mut crossed = Vec::new();
    /// tree.along_ray(&ray, &mut crossed);
    /// assert_eq!(crossed, [Crossing { id: 1, t: 1.0 }, Crossing { id: 0, t: 3.0 }]);
    /// assert_eq!(tree.closest(&ray), Some(crossed[0]));
    /// # Ok::<(), embate::pairs::InvalidBox>(())
    /// ```
    pub fn along_ray(&self, ray: &Ray<D>, crossed: &mut Vec<Crossing>) {
        if !ray.leads_somewhere() {
            return;
        }
        let first = crossed.len();
        let level = self.level;
        dispatch!(level, simd => self.cross_all(simd, ray, crossed));
        crossed[first..].sort_unstable_by(Crossing::order);
    }

    /// The first box that [`along_ray`](Self::along_ray) would tell, without looking for the others.
    #[must_use]
    pub fn closest(&self, ray: &Ray<D>) -> Option<Crossing> {
        let level = self.level;
        ray.leads_somewhere().then(|| dispatch!(level, simd => self.cross_first(simd, ray)))?
    }

    #[expect(clippy::inline_always, reason = "vector code belongs inside the dispatched caller")]
    #[inline(always)]
    fn cross_all<S: Simd>(&self, simd: S, ray: &Ray<D>, crossed: &mut Vec<Crossing>) {
        let slabs = SlabRay::new(ray);
        let mut pending = vec![self.root];
        while let Some(number) = pending.pop() {
            let node = &self.nodes[number as usize];
            let (enter, lanes) = crossings(simd, &node.boxes, &slabs, ray.t_min, ray.t_max);
            let mut lanes = lanes & node.lanes();
            while lanes != 0 {
                let lane = next_lane(&mut lanes);
                if node.height == 0 {
                    crossed.push(Crossing { id: node.children[lane], t: enter[lane] });
                } else {
                    pending.push(node.children[lane]);
                }
            }
        }
    }

    #[expect(clippy::inline_always, reason = "vector code belongs inside the dispatched caller")]
    #[inline(always)]
    fn cross_first<S: Simd>(&self, simd: S, ray: &Ray<D>) -> Option<Crossing> {
        let slabs = SlabRay::new(ray);
        let mut first: Option<Crossing> = None;
        // Nodes, with where the ray enters them; the nearest of each node's children on top.
        let mut pending = vec![Crossing { id: self.root, t: ray.t_min }];
        while let Some(next) = pending.pop() {
            let t_max = first.map_or(ray.t_max, |first| first.t);
            if next.t > t_max {
                continue;
            }
            let node = &self.nodes[next.id as usize];
            let (enter, lanes) = crossings(simd, &node.boxes, &slabs, ray.t_min, t_max);
            let mut lanes = lanes & node.lanes();
            let siblings = pending.len();
            while lanes != 0 {
                let lane = next_lane(&mut lanes);
                let crossing = Crossing { id: node.children[lane], t: enter[lane] };
                if node.height > 0 {
                    pending.push(crossing);
                } else if first.is_none_or(|first| crossing.order(&first).is_lt()) {
                    first = Some(crossing);
                }
            }
            pending[siblings..].sort_unstable_by(|a, b| b.order(a));
        }
        first
    }
}
