//! Brute force with a chosen ray–triangle test, one triangle at a time.

use core::ops::ControlFlow;

use embate::raycast::{RayIndex, TraversalObserver};
use embate_geom::{Ray, Triangle, TriangleHit, WatertightRay};
use embate_mesh::TriangleMesh;

use super::{
    ExactTest, MollerTrumbore, Plucker, SeguraFeito, StudyMollerTrumbore, TriangleTest,
    TriangleTestKind,
};

/// All triangles of a mesh, each given the chosen test.
#[derive(Clone, Debug)]
pub struct TestedBruteForce {
    kind: TriangleTestKind,
    triangles: Vec<Triangle>,
}

impl TestedBruteForce {
    /// Copies the triangles of `mesh`.
    #[must_use]
    pub fn new(mesh: &TriangleMesh, kind: TriangleTestKind) -> Self {
        Self { kind, triangles: mesh.iter_triangles().collect() }
    }

    /// Which test.
    #[must_use]
    pub fn kind(&self) -> TriangleTestKind {
        self.kind
    }

    fn visit<T: TriangleTest, O: TraversalObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
        mut found: impl FnMut(TriangleHit) -> ControlFlow<(), f32>,
    ) {
        let test = T::new(ray);
        let mut t_max = ray.t_max;
        for (index, triangle) in (0..).zip(&self.triangles) {
            observer.test_triangle(index);
            let Some(hit) = test.intersect(triangle, index, t_max) else { continue };
            match found(hit) {
                ControlFlow::Continue(closest) => t_max = closest,
                ControlFlow::Break(()) => return,
            }
        }
    }
}

impl RayIndex for TestedBruteForce {
    /// Visits hits in order of triangle index.
    fn visit_hits<O: TraversalObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
        found: impl FnMut(TriangleHit) -> ControlFlow<(), f32>,
    ) {
        match self.kind {
            TriangleTestKind::StudyMollerTrumbore => {
                self.visit::<StudyMollerTrumbore, O>(ray, observer, found);
            }
            TriangleTestKind::MollerTrumbore => {
                self.visit::<MollerTrumbore, O>(ray, observer, found);
            }
            TriangleTestKind::SeguraFeito => self.visit::<SeguraFeito, O>(ray, observer, found),
            TriangleTestKind::Plucker => self.visit::<Plucker, O>(ray, observer, found),
            TriangleTestKind::Woop => self.visit::<WatertightRay, O>(ray, observer, found),
            TriangleTestKind::Exact => self.visit::<ExactTest, O>(ray, observer, found),
        }
    }

    fn memory_usage(&self) -> usize {
        size_of_val(self.triangles.as_slice())
    }
}
