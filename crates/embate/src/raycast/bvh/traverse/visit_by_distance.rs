//! How is the tree asked anything that is not a ray? By what a question says of a box: how far it is.

use embate_geom::{Aabb, Triangle};

use super::Bvh;
use super::node::{self, Child, WIDTH};

impl Bvh {
    /// Tells `visit` of the triangles whose boxes are within `limit`, near boxes first; `visit` answers how
    /// far the question still reaches. `distance` may say too little of a box, never too much.
    pub(in crate::rays) fn walk(
        &self,
        mut limit: f64,
        distance: impl Fn(&Aabb<3>) -> f64,
        mut visit: impl FnMut(u32, &Triangle) -> f64,
    ) {
        let leaves = self.leaves();
        let lines = leaves.lines;
        let mut pending: Vec<(f64, Child)> =
            self.root.map(|root| (f64::NEG_INFINITY, root)).into_iter().collect();
        while let Some((far, child)) = pending.pop() {
            if far > limit {
                continue;
            }
            if child.is_leaf() {
                let Some(numbers) = leaves.numbers(child) else { return };
                for (lane, number) in numbers[..child.count() as usize].iter().enumerate() {
                    let Some(triangle) = leaves.triangle(child, lane) else { return };
                    limit = visit(number.to_bits(), &triangle);
                }
                continue;
            }
            let Some(node) = node::node(lines, child) else { return };
            let siblings = pending.len();
            for lane in 0..WIDTH {
                let Some(bounds) = node::bounds(node, lane) else { continue };
                let far = distance(&bounds);
                if far <= limit {
                    pending.push((far, Child(node::children(node)[lane].to_bits())));
                }
            }
            pending[siblings..].sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        }
    }
}
