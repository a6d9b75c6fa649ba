//! Trace of one ray: hit and counts of each structure, and the nodes it visits.

use core::cell::Cell;
use core::ops::ControlFlow;

use embate::geometry::{RaySlabs, TriangleHit};
use embate::raycast::{RayIndex, TraversalObserver, TraversalStats};
use embate::{Aabb, Ray, Vec3};
use embate_replica::structure::{AnyRayStructure, RayStructure};
use serde::Serialize;

use super::{RaycastInspector, TECHNIQUES};

/// Two corners, where the ray enters, how many triangles are tested before the next box, and the
/// nearest hit until then.
pub const FLOATS_PER_VISIT: usize = 9;

/// Hit of a ray, and its cost in each built structure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cast {
    /// Results of the structures, in order.
    pub structures: Vec<CastResult>,
    /// Hit of the engine's structures, with the normal of the triangle.
    pub at: Option<SurfaceHit>,
}

/// Result of one structure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CastResult {
    /// Name of the structure.
    pub name: &'static str,
    /// Triangles given the fine test.
    pub tests: u64,
    /// Cells or nodes entered.
    pub boxes: u64,
    /// Distance of the hit, in lengths of the direction.
    pub t: Option<f32>,
    /// Index of the hit triangle.
    pub triangle: Option<u32>,
    /// Barycentric weight of the second corner.
    pub u: Option<f32>,
    /// Barycentric weight of the third corner.
    pub v: Option<f32>,
}

/// A point of the surface.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SurfaceHit {
    /// Position of the hit.
    pub point: [f32; 3],
    /// Unit normal on the side of the ray's origin; zero for a degenerate triangle.
    pub normal: [f32; 3],
    /// Index of the triangle.
    pub triangle: u32,
    /// Corners of the triangle.
    pub corners: [[f32; 3]; 3],
}

/// Whether one point sees another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Visibility {
    /// Whether the second point is occluded.
    pub blocked: bool,
    /// Distance of the first hit as a share of the segment, from 0 to 1.
    pub t: Option<f32>,
    /// First hit.
    pub at: Option<SurfaceHit>,
}

/// Visit of a cell or node by a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeVisit {
    /// Bounds in the units of the mesh.
    pub bounds: Aabb<3>,
    /// Distance at which the ray enters the bounds, in lengths of the direction; negative behind
    /// the origin.
    pub enters: f32,
    /// Number of triangles tested before the visit.
    pub tested_before: u32,
    /// Distance of the nearest known hit when the next visit begins.
    pub nearest: Option<f32>,
}

/// All visits and triangle tests of a ray in one structure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Traversal {
    /// Visited cells or nodes, in order.
    pub visits: Vec<NodeVisit>,
    /// Triangles given the fine test, in order.
    pub tested: Vec<u32>,
    /// Closest hit.
    pub hit: Option<TriangleHit>,
}

impl RaycastInspector {
    /// Casts a ray at every built structure.
    #[must_use]
    pub fn cast(&self, ray: &Ray<3>) -> Cast {
        let mut ours = None;
        let mut structures = Vec::new();
        for technique in TECHNIQUES {
            let Some(index) = self.index(technique) else { continue };
            let mut counts = TraversalStats::default();
            let hit = index.closest_hit_observed(ray, &mut counts);
            if technique.reference() == RayStructure::BRUTE_FORCE {
                ours = hit;
            }
            structures.push(CastResult {
                name: technique.name(),
                tests: counts.triangle_tests,
                boxes: counts.nodes_visited,
                t: hit.map(|hit| hit.t),
                triangle: hit.map(|hit| hit.triangle),
                u: hit.map(|hit| hit.u),
                v: hit.map(|hit| hit.v),
            });
        }
        Cast { structures, at: ours.map(|hit| self.surface_hit(&hit, ray)) }
    }

    /// Closest hit of a ray, by the fastest exact structure.
    #[must_use]
    pub fn pick(&self, ray: &Ray<3>) -> Option<SurfaceHit> {
        let hit = self.fastest_exact()?.closest_hit(ray)?;
        Some(self.surface_hit(&hit, ray))
    }

    /// Whether one point sees another, both included up to rounding; `None` until a structure is
    /// built, or if they are one point or not finite.
    #[must_use]
    pub fn visibility(&self, from: [f32; 3], to: [f32; 3]) -> Option<Visibility> {
        let ray = Ray::segment(from, to);
        let index = self.fastest_exact().filter(|_| ray.is_valid())?;
        let hit = index.closest_hit(&ray);
        Some(Visibility {
            blocked: hit.is_some(),
            t: hit.map(|hit| hit.t),
            at: hit.map(|hit| self.surface_hit(&hit, &ray)),
        })
    }

    /// Traversal of one structure by a ray; empty if the structure is not built.
    #[must_use]
    pub fn trace(&self, name: &str, ray: &Ray<3>) -> Traversal {
        let technique = TECHNIQUES.into_iter().find(|technique| technique.name() == name);
        let index = technique.and_then(|technique| self.index(technique));
        index.map(|index| Traversal::of(index, ray)).unwrap_or_default()
    }

    /// Any that answers truly, the fastest first.
    fn fastest_exact(&self) -> Option<&AnyRayStructure> {
        [RayStructure::BVH, RayStructure::OCTREE, RayStructure::BRUTE_FORCE]
            .into_iter()
            .find_map(|technique| self.index(technique))
    }

    fn surface_hit(&self, hit: &TriangleHit, ray: &Ray<3>) -> SurfaceHit {
        let triangle = self.mesh.triangle(hit.triangle);
        let [a, b, c] = triangle.0.map(Vec3::from);
        let across = (b - a).cross(c - a);
        let length = across.length();
        let towards = if across.dot(Vec3::from(ray.direction)) > 0.0 { -1.0 } else { 1.0 };
        let normal = if length > 0.0 { across * (towards / length) } else { Vec3::ZERO };
        // By the corners' weights: the sum along a long ray would lie beside the triangle.
        let point = a * (1.0 - hit.u - hit.v) + b * hit.u + c * hit.v;
        SurfaceHit {
            point: point.to_array(),
            normal: normal.to_array(),
            triangle: hit.triangle,
            corners: triangle.0,
        }
    }
}

impl Traversal {
    fn of(index: &AnyRayStructure, ray: &Ray<3>) -> Self {
        // The traversal reports nodes and hits by two callbacks; both record the nearest hit.
        let nearest: Cell<Option<f32>> = Cell::new(None);
        let mut notes = TraversalLog {
            slabs: RaySlabs::new(ray),
            nearest: &nearest,
            visits: Vec::new(),
            tested: Vec::new(),
        };
        let mut closest: Option<TriangleHit> = None;
        index.visit_hits(ray, &mut notes, |hit| {
            let best = closest.filter(|other| !hit.is_before(other)).unwrap_or(hit);
            closest = Some(best);
            nearest.set(Some(best.t));
            ControlFlow::Continue(best.t)
        });
        let TraversalLog { mut visits, tested, .. } = notes;
        if let Some(last) = visits.last_mut() {
            last.nearest = nearest.get();
        }
        Self { visits, tested, hit: closest }
    }

    /// [`FLOATS_PER_VISIT`] numbers each: corners, where it is entered, tests until the next,
    /// nearest hit (NaN if none).
    #[must_use]
    pub fn rows(&self) -> Vec<f32> {
        let next = self.visits.iter().skip(1).map(|visit| visit.tested_before);
        let ends = next.chain([self.tested.len() as u32]);
        let row = |(visit, end): (&NodeVisit, u32)| {
            let Aabb { min, max } = visit.bounds;
            let tests = (end - visit.tested_before) as f32;
            let rest = [visit.enters, tests, visit.nearest.unwrap_or(f32::NAN)];
            min.into_iter().chain(max).chain(rest)
        };
        self.visits.iter().zip(ends).flat_map(row).collect()
    }
}

/// Writes down what a search does.
struct TraversalLog<'a> {
    slabs: RaySlabs<3>,
    nearest: &'a Cell<Option<f32>>,
    visits: Vec<NodeVisit>,
    tested: Vec<u32>,
}

impl TraversalObserver for TraversalLog<'_> {
    fn visit_node(&mut self, bounds: impl FnOnce() -> Aabb<3>) {
        if let Some(last) = self.visits.last_mut() {
            last.nearest = self.nearest.get();
        }
        let bounds = bounds();
        // Over the whole line: Lorenzi's octree looks behind the origin, too, and at cells that the
        // line only passes.
        let crossing = bounds.intersect_ray(&self.slabs, f32::NEG_INFINITY, f32::INFINITY);
        let enters = crossing.map_or(f32::NAN, |(enters, _)| enters);
        let tested_before = self.tested.len() as u32;
        self.visits.push(NodeVisit { bounds, enters, tested_before, nearest: None });
    }

    fn test_triangle(&mut self, triangle: u32) {
        self.tested.push(triangle);
    }
}
