//! bvh 0.13: traversal, then its own triangle test on each candidate, twice for two-sided
//! triangles.

use bvh::aabb::{Aabb, Bounded};
use bvh::bounding_hierarchy::BHShape;
use bvh::bvh::Bvh;
use embate::{Ray, TriangleMesh};
use nalgebra::{Point3, Vector3};

use super::{Caster, Query};

struct BvhCrate {
    tree: Bvh<f32, 3>,
    triangles: Vec<Shape>,
}

struct Shape {
    corners: [Point3<f32>; 3],
    node: usize,
}

impl Bounded<f32, 3> for Shape {
    fn aabb(&self) -> Aabb<f32, 3> {
        let [a, b, c] = self.corners;
        Aabb::empty().grow(&a).grow(&b).grow(&c)
    }
}

impl BHShape<f32, 3> for Shape {
    fn set_bh_node_index(&mut self, node: usize) {
        self.node = node;
    }

    fn bh_node_index(&self) -> usize {
        self.node
    }
}

#[expect(clippy::unnecessary_wraps, reason = "signature of all entries")]
pub fn new(mesh: &TriangleMesh) -> Option<Box<dyn Caster>> {
    let shape =
        |triangle: embate::Triangle| Shape { corners: triangle.0.map(Point3::from), node: 0 };
    let mut triangles: Vec<Shape> = mesh.iter_triangles().map(shape).collect();
    let tree = Bvh::build(&mut triangles);
    Some(Box::new(BvhCrate { tree, triangles }))
}

impl Caster for BvhCrate {
    fn cast(&self, query: Query, rays: &[Ray<3>], out: &mut Vec<f32>) -> Option<()> {
        if query != Query::Closest {
            return None;
        }
        out.extend(rays.iter().map(|ray| {
            let ray = bvh::ray::Ray::new(Point3::from(ray.origin), Vector3::from(ray.direction));
            let mut nearest = f32::INFINITY;
            for shape in self.tree.traverse(&ray, &self.triangles) {
                let [a, b, c] = &shape.corners;
                let front = ray.intersects_triangle(a, b, c).distance;
                let back = ray.intersects_triangle(a, c, b).distance;
                nearest = nearest.min(front).min(back);
            }
            nearest
        }));
        Some(())
    }
}
