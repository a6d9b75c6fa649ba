//! What does one ray do in each structure?

use core::cell::Cell;
use core::ops::ControlFlow;

use embate::geometry::{RaySlabs, TriangleHit};
use embate::raycast::{RayIndex, TraversalObserver, TraversalStats};
use embate::{Aabb, Ray, Vec3};
use embate_studies::structure::{AnyRayStructure, RayStructure};
use serde::Serialize;

use super::{RayBench, TECHNIQUES};

/// Two corners, where the ray enters, how many triangles are tested before the next box, and the nearest hit until then.
pub const NUMBERS_A_VISIT: usize = 9;

/// What one ray hits, and what it takes in each structure that was built.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cast {
    /// Of the structures, in order.
    pub structures: Vec<CastOf>,
    /// Where our structures are hit, and the way the triangle faces.
    pub at: Option<Place>,
}

/// One structure's answer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CastOf {
    /// By name.
    pub name: &'static str,
    /// Triangles given the fine test.
    pub tests: u64,
    /// Cells or nodes entered.
    pub boxes: u64,
    /// In lengths of the direction.
    pub t: Option<f32>,
    /// Which is hit.
    pub triangle: Option<u32>,
    /// Weight of its second corner.
    pub u: Option<f32>,
    /// Weight of its third.
    pub v: Option<f32>,
}

/// A point of the surface.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Place {
    /// Where.
    pub point: [f32; 3],
    /// Of length 1, towards where the ray comes from; all zero on a triangle without area.
    pub normal: [f32; 3],
    /// Which.
    pub triangle: u32,
    /// Its corners.
    pub corners: [[f32; 3]; 3],
}

/// Whether one point sees another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sight {
    /// As `embate sight` tells it.
    pub blocked: bool,
    /// Share of the way, from 0 to 1.
    pub t: Option<f32>,
    /// What is in the way first.
    pub at: Option<Place>,
}

/// A cell or node on a ray's way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visit {
    /// In the mesh's units.
    pub bounds: Aabb<3>,
    /// Where the ray comes to it, in lengths of its direction; below 0 behind its origin.
    pub enters: f32,
    /// Triangles that were tested before it was entered.
    pub tested_before: u32,
    /// The nearest hit that is known when the next one is entered.
    pub nearest: Option<f32>,
}

/// All that a ray visits in one structure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Walk {
    /// Cells or nodes, in order.
    pub visits: Vec<Visit>,
    /// Triangles given the fine test, in order.
    pub tested: Vec<u32>,
    /// The answer.
    pub hit: Option<TriangleHit>,
}

impl RayBench {
    /// What a ray hits and what that takes, in every structure that was built.
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
            structures.push(CastOf {
                name: technique.name(),
                tests: counts.triangle_tests,
                boxes: counts.nodes_visited,
                t: hit.map(|hit| hit.t),
                triangle: hit.map(|hit| hit.triangle),
                u: hit.map(|hit| hit.u),
                v: hit.map(|hit| hit.v),
            });
        }
        Cast { structures, at: ours.map(|hit| self.place(&hit, ray)) }
    }

    /// What a ray meets first, by the best structure that was built.
    #[must_use]
    pub fn pick(&self, ray: &Ray<3>) -> Option<Place> {
        let hit = self.judge()?.closest_hit(ray)?;
        Some(self.place(&hit, ray))
    }

    /// Whether one point sees another, both included up to rounding; `None` until a structure is built, or if they are
    /// one point or not finite.
    #[must_use]
    pub fn sight(&self, from: [f32; 3], to: [f32; 3]) -> Option<Sight> {
        let ray = Ray::segment(from, to);
        let index = self.judge().filter(|_| ray.has_direction())?;
        let hit = index.closest_hit(&ray);
        Some(Sight {
            blocked: hit.is_some(),
            t: hit.map(|hit| hit.t),
            at: hit.map(|hit| self.place(&hit, &ray)),
        })
    }

    /// All that a ray visits in one structure; nothing in one that was not built.
    #[must_use]
    pub fn walk(&self, name: &str, ray: &Ray<3>) -> Walk {
        let technique = TECHNIQUES.into_iter().find(|technique| technique.name() == name);
        let index = technique.and_then(|technique| self.index(technique));
        index.map(|index| Walk::of(index, ray)).unwrap_or_default()
    }

    /// Any that answers truly, the fastest first.
    fn judge(&self) -> Option<&AnyRayStructure> {
        [RayStructure::BVH, RayStructure::OCTREE, RayStructure::BRUTE_FORCE]
            .into_iter()
            .find_map(|technique| self.index(technique))
    }

    fn place(&self, hit: &TriangleHit, ray: &Ray<3>) -> Place {
        let triangle = self.mesh.triangle(hit.triangle);
        let [a, b, c] = triangle.0.map(Vec3::from);
        let across = (b - a).cross(c - a);
        let length = across.length();
        let towards = if across.dot(Vec3::from(ray.direction)) > 0.0 { -1.0 } else { 1.0 };
        let normal = if length > 0.0 { across * (towards / length) } else { Vec3::ZERO };
        // By the corners' weights: the sum along a long ray would lie beside the triangle.
        let point = a * (1.0 - hit.u - hit.v) + b * hit.u + c * hit.v;
        Place {
            point: point.to_array(),
            normal: normal.to_array(),
            triangle: hit.triangle,
            corners: triangle.0,
        }
    }
}

impl Walk {
    fn of(index: &AnyRayStructure, ray: &Ray<3>) -> Self {
        // The search tells of boxes and of hits by two ways; both write down the nearest hit.
        let nearest: Cell<Option<f32>> = Cell::new(None);
        let mut notes = Notes {
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
        let Notes { mut visits, tested, .. } = notes;
        if let Some(last) = visits.last_mut() {
            last.nearest = nearest.get();
        }
        Self { visits, tested, hit: closest }
    }

    /// [`NUMBERS_A_VISIT`] numbers each: corners, where it is entered, tests until the next, nearest hit (NaN if none).
    #[must_use]
    pub fn rows(&self) -> Vec<f32> {
        let next = self.visits.iter().skip(1).map(|visit| visit.tested_before);
        let ends = next.chain([self.tested.len() as u32]);
        let row = |(visit, end): (&Visit, u32)| {
            let Aabb { min, max } = visit.bounds;
            let tests = (end - visit.tested_before) as f32;
            let rest = [visit.enters, tests, visit.nearest.unwrap_or(f32::NAN)];
            min.into_iter().chain(max).chain(rest)
        };
        self.visits.iter().zip(ends).flat_map(row).collect()
    }
}

/// Writes down what a search does.
struct Notes<'a> {
    slabs: RaySlabs<3>,
    nearest: &'a Cell<Option<f32>>,
    visits: Vec<Visit>,
    tested: Vec<u32>,
}

impl TraversalObserver for Notes<'_> {
    fn visit_node(&mut self, bounds: impl FnOnce() -> Aabb<3>) {
        if let Some(last) = self.visits.last_mut() {
            last.nearest = self.nearest.get();
        }
        let bounds = bounds();
        // Over the whole line: study A's octree looks behind the origin, too, and at cells that the line only passes.
        let crossing = bounds.intersect_ray(&self.slabs, f32::NEG_INFINITY, f32::INFINITY);
        let enters = crossing.map_or(f32::NAN, |(enters, _)| enters);
        let tested_before = self.tested.len() as u32;
        self.visits.push(Visit { bounds, enters, tested_before, nearest: None });
    }

    fn test_triangle(&mut self, triangle: u32) {
        self.tested.push(triangle);
    }
}
