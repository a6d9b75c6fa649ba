//! Brute force of Lorenzi 2014: Möller–Trumbore over every triangle, in f64.
//!
//! Two faults are kept, because the published figures depend on them: hits behind the origin count,
//! ordered by `|t|`, and triangles with `det < 1e-5` (back faces, nearly parallel rays) never hit.

use core::ops::ControlFlow;

use embate::raycast::{RayIndex, TraversalObserver};
use embate_geom::{DVec3, Ray, TriangleHit};
use embate_mesh::TriangleMesh;

use super::unit_cube_map::{CubeRay, UnitCubeMap};

/// Epsilon of the study's program; its text says 1e-6.
pub(super) const MIN_DETERMINANT: f64 = 1e-5;

/// Tests every triangle in order, exactly as the study does.
#[doc(alias = "StudyBrute")]
#[derive(Clone, Debug)]
pub struct BruteForce {
    triangles: Vec<CubeTriangle>,
    map: UnitCubeMap,
}

/// Vertices in the study's cube.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CubeTriangle(pub(crate) [DVec3; 3]);

impl CubeTriangle {
    /// Möller–Trumbore with back-face culling: the hit with its `|t|`, if that lies in `t_range`.
    #[inline]
    pub(crate) fn intersect(
        &self,
        ray: &CubeRay,
        t_range: (f32, f32),
        index: u32,
    ) -> Option<TriangleHit> {
        let [v0, v1, v2] = self.0;
        let (e1, e2) = (v1 - v0, v2 - v0);
        let p = ray.direction.cross(e2);
        let det = p.dot(e1);
        let r = ray.origin - v0;
        let u = r.dot(p);
        let q = r.cross(e1);
        let v = ray.direction.dot(q);
        // The study's comparisons, without its early exits. Which of them rejects a random triangle
        // first is unpredictable, and a mispredicted branch costs more than the whole test.
        let margins = [u, det - u, v, det - (u + v), det - MIN_DETERMINANT];
        if margins.into_iter().fold(f64::INFINITY, |a, b| if b < a { b } else { a }) < 0.0 {
            return None;
        }
        let t = (e2.dot(q) / det).abs() as f32;
        (t_range.0 <= t && t <= t_range.1).then(|| TriangleHit {
            t,
            triangle: index,
            u: (u / det) as f32,
            v: (v / det) as f32,
        })
    }
}

impl BruteForce {
    /// Scales `mesh` into the study's cube.
    #[must_use]
    pub fn new(mesh: &TriangleMesh) -> Self {
        Self::with_map(mesh, UnitCubeMap::of(mesh))
    }

    /// [`new`](Self::new) with a given transform.
    #[must_use]
    pub fn with_map(mesh: &TriangleMesh, map: UnitCubeMap) -> Self {
        Self { triangles: cube_triangles(mesh, map).collect(), map }
    }
}

impl RayIndex for BruteForce {
    /// Visits hits in order of triangle index. Every triangle is tested, however near the closest
    /// hit so far.
    fn visit_hits<O: TraversalObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
        mut found: impl FnMut(TriangleHit) -> ControlFlow<(), f32>,
    ) {
        let cube_ray = self.map.ray(ray);
        for (index, triangle) in (0..).zip(&self.triangles) {
            observer.test_triangle(index);
            if let Some(hit) = triangle.intersect(&cube_ray, (ray.t_min, ray.t_max), index)
                && found(hit).is_break()
            {
                return;
            }
        }
    }

    fn memory_usage(&self) -> usize {
        size_of_val(self.triangles.as_slice())
    }
}

/// The triangles of `mesh` in the study's cube.
pub(super) fn cube_triangles(
    mesh: &TriangleMesh,
    map: UnitCubeMap,
) -> impl ExactSizeIterator<Item = CubeTriangle> {
    mesh.iter_triangles()
        .map(move |triangle| CubeTriangle(triangle.0.map(|vertex| map.point(vertex))))
}
