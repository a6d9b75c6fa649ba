//! AABB query: the triangles that intersect a box, by the separating axis theorem.

use embate_geom::{Aabb, DVec3, Triangle, Vec3};

use crate::raycast::triangle_index::TriangleIndex;

impl TriangleIndex {
    /// Indices of the triangles that intersect or touch `bounds`, in ascending order. Empty for a
    /// box with a NaN or with `min > max`.
    #[doc(alias("overlapping", "intersect_aabb"))]
    #[must_use]
    pub fn triangles_in_aabb(&self, bounds: &Aabb<3>) -> Vec<u32> {
        let mut found = Vec::new();
        if !(0..3).all(|axis| bounds.min[axis] <= bounds.max[axis]) {
            return found;
        }
        let distance = |other: &Aabb<3>| if bounds.overlaps(other) { 0.0 } else { f64::INFINITY };
        self.visit_by_distance(0.0, distance, |id, triangle| {
            if intersects_aabb(triangle, bounds) {
                found.push(id);
            }
            0.0
        });
        found.sort_unstable();
        // Spatial splits: several leaves may reference a triangle.
        found.dedup();
        found
    }
}

/// Separating axis test (Akenine-Möller 2001): three box axes, the triangle normal, nine edge–edge
/// cross products. Computed in f64; the cross products are exact up to its rounding.
fn intersects_aabb(triangle: &Triangle, bounds: &Aabb<3>) -> bool {
    if !triangle.aabb().overlaps(bounds) {
        return false;
    }
    let (min, max) = (DVec3::from(Vec3::from(bounds.min)), DVec3::from(Vec3::from(bounds.max)));
    let (center, half_extents) = ((min + max) * 0.5, (max - min) * 0.5);
    let [a, b, c] = triangle.vertices_f64().map(|vertex| vertex - center);
    let (ab, bc, ca) = (b - a, c - b, a - c);
    let separates = |axis: DVec3| {
        let radius = half_extents.dot(axis.abs());
        let projections = [a, b, c].map(|vertex| vertex.dot(axis));
        projections.iter().all(|&p| p > radius) || projections.iter().all(|&p| p < -radius)
    };
    if separates(ab.cross(bc)) {
        return false;
    }
    let box_axes =
        [DVec3::new(1.0, 0.0, 0.0), DVec3::new(0.0, 1.0, 0.0), DVec3::new(0.0, 0.0, 1.0)];
    !box_axes.iter().any(|axis| [ab, bc, ca].iter().any(|&edge| separates(axis.cross(edge))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raycast::test_meshes::{bumpy_terrain, sample_points};

    #[test]
    fn triangles_in_aabb_equal_a_loop_over_all_triangles() {
        let index = TriangleIndex::new(bumpy_terrain());
        let mut nonempty = 0;
        for pair in sample_points(400).chunks_exact(2) {
            let bounds = Aabb::from_points(pair).unwrap();
            let all = (0..).zip(index.mesh().iter_triangles());
            let expected: Vec<u32> =
                all.filter(|(_, t)| intersects_aabb(t, &bounds)).map(|(id, _)| id).collect();
            nonempty += usize::from(!expected.is_empty());
            assert_eq!(index.triangles_in_aabb(&bounds), expected);
        }
        assert!(nonempty > 50, "{nonempty} boxes with triangles");
    }

    #[test]
    fn slanted_triangle_misses_a_box_that_overlaps_its_aabb() {
        let slanted = Triangle([[4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]]);
        let cube = |min: f32, size: f32| Aabb { min: [min; 3], max: [min + size; 3] };
        assert!(!intersects_aabb(&slanted, &cube(0.0, 1.0)));
        assert!(intersects_aabb(&slanted, &cube(0.0, 1.5)));
        let touching = Aabb { min: [4.0, 0.0, 0.0], max: [5.0, 1.0, 1.0] };
        assert!(intersects_aabb(&slanted, &touching));
        assert!(!intersects_aabb(&slanted, &cube(2.0, 1.0)));
    }

    #[test]
    fn nan_and_inverted_boxes_contain_no_triangles() {
        let index = TriangleIndex::new(bumpy_terrain());
        for (min, max) in [(f32::NAN, 9.0), (1.0, -1.0)] {
            assert!(index.triangles_in_aabb(&Aabb { min: [min; 3], max: [max; 3] }).is_empty());
        }
    }
}
