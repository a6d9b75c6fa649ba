//! Study A's basic detection, as published: Möller–Trumbore over every triangle (SOURCES A.1).
//!
//! Kept with its faults, because the published figures need them: hits *behind* the origin count,
//! by the size of `t`; back faces and grazing triangles do not (`det < 1e-5`).

use core::ops::ControlFlow;

use embate_geom::{Hit, Ray};
use embate_mesh::TriangleMesh;

use super::study_fit::StudyRay;
use super::{RayIndex, RayObserver, StudyFit};

/// The epsilon of the study's program (its text says 1e-6).
const LEAST_DETERMINANT: f64 = 1e-5;

/// Every triangle in turn, in f64, exactly as study A did.
#[derive(Clone, Debug)]
pub struct StudyBrute {
    triangles: Vec<StudyTriangle>,
    fit: StudyFit,
}

/// Corners in the study's cube.
#[derive(Clone, Copy, Debug)]
pub(super) struct StudyTriangle(pub(super) [[f64; 3]; 3]);

impl StudyTriangle {
    /// The hit and its `|t|`, within the ray's range.
    #[inline]
    pub(super) fn hit(&self, ray: &StudyRay, range: (f32, f32), index: u32) -> Option<Hit> {
        let [v0, v1, v2] = self.0;
        let (e1, e2) = (minus(v1, v0), minus(v2, v0));
        let p = cross(ray.direction, e2);
        let det = dot(p, e1);
        let r = minus(ray.origin, v0);
        let u = dot(r, p);
        let q = cross(r, e1);
        let v = dot(ray.direction, q);
        // The study's comparisons, taken together: whether a random triangle fails the first or the
        // second is a coin toss, and a processor that guesses wrong waits longer than all this takes.
        let room = [u, det - u, v, det - (u + v), det - LEAST_DETERMINANT];
        if room.into_iter().fold(f64::INFINITY, |a, b| if b < a { b } else { a }) < 0.0 {
            return None;
        }
        let t = (dot(e2, q) / det).abs() as f32;
        (range.0 <= t && t <= range.1).then(|| Hit {
            t,
            triangle: index,
            u: (u / det) as f32,
            v: (v / det) as f32,
        })
    }
}

impl StudyBrute {
    /// Fits the mesh into the study's cube.
    #[must_use]
    pub fn new(mesh: &TriangleMesh) -> Self {
        Self::with_fit(mesh, StudyFit::of(mesh))
    }

    /// As [`new`](Self::new), by a fit of the caller's.
    #[must_use]
    pub fn with_fit(mesh: &TriangleMesh, fit: StudyFit) -> Self {
        Self { triangles: study_triangles(mesh, fit).collect(), fit }
    }
}

impl RayIndex for StudyBrute {
    /// In order of triangle number. The study tests them all, however near the nearest so far.
    fn visit_hits<O: RayObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
        mut found: impl FnMut(Hit) -> ControlFlow<(), f32>,
    ) {
        let study_ray = self.fit.ray(ray);
        for (index, triangle) in (0..).zip(&self.triangles) {
            observer.test(index);
            if let Some(hit) = triangle.hit(&study_ray, (ray.t_min, ray.t_max), index)
                && found(hit).is_break()
            {
                return;
            }
        }
    }

    fn bytes(&self) -> usize {
        size_of_val(self.triangles.as_slice())
    }
}

pub(super) fn study_triangles(
    mesh: &TriangleMesh,
    fit: StudyFit,
) -> impl ExactSizeIterator<Item = StudyTriangle> {
    mesh.corners().map(move |triangle| StudyTriangle(triangle.0.map(|corner| fit.point(corner))))
}

#[inline]
fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline]
fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline]
fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
