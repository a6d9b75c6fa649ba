//! How is a question that is not about a ray asked of whichever structure there is?

use embate_geom::{Aabb, Triangle};

use super::TriangleIndex;
use crate::rays::AnyRayIndex;

impl TriangleIndex {
    /// Tells `visit` of the triangles whose boxes are within `limit`; it answers how far the question still reaches.
    /// `distance` may say too little of a box, never too much. A triangle may be told several times.
    pub(super) fn walk(
        &self,
        limit: f64,
        distance: impl Fn(&Aabb<3>) -> f64,
        mut visit: impl FnMut(u32, &Triangle) -> f64,
    ) {
        match &self.structure {
            AnyRayIndex::Bvh(bvh) => bvh.walk(limit, distance, visit),
            AnyRayIndex::Octree(octree) => octree.tree.walk(limit, distance, visit),
            _ => {
                for (number, triangle) in (0..).zip(self.mesh.corners()) {
                    visit(number, &triangle);
                }
            }
        }
    }
}
