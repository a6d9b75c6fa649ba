//! Traversal statistics: observers of the nodes visited and triangles tested by a query.

use embate_geom::Aabb;

use crate::no_stats::NoStats;

/// Observer of a traversal. It is a generic parameter, not a flag: with [`NoStats`] the calls
/// compile to nothing.
#[doc(alias = "RayObserver")]
pub trait TraversalObserver {
    /// Whether the observer uses the calls. If true, the sequence of visited nodes is the same on
    /// every machine. If false, traversal may use fused multiply-add, and a box that the ray misses
    /// by a rounding error may be visited on one machine and not on another. Results never differ.
    const WANTS_DETAILS: bool = true;

    /// Called for each node or cell entered. `bounds` computes its AABB in mesh units.
    #[doc(alias = "enter")]
    fn visit_node(&mut self, bounds: impl FnOnce() -> Aabb<3>);

    /// Called for each ray–triangle test.
    #[doc(alias = "test")]
    fn test_triangle(&mut self, triangle: u32);
}

impl TraversalObserver for NoStats {
    const WANTS_DETAILS: bool = false;

    #[inline]
    fn visit_node(&mut self, _: impl FnOnce() -> Aabb<3>) {}

    #[inline]
    fn test_triangle(&mut self, _: u32) {}
}

/// Counters of a traversal, for one ray or summed over many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "RayCounts")]
pub struct TraversalStats {
    /// Ray–triangle tests.
    #[doc(alias = "tests")]
    pub triangle_tests: u64,
    /// Nodes or cells entered.
    #[doc(alias = "boxes")]
    pub nodes_visited: u64,
}

impl TraversalObserver for TraversalStats {
    #[inline]
    fn visit_node(&mut self, _: impl FnOnce() -> Aabb<3>) {
        self.nodes_visited += 1;
    }

    #[inline]
    fn test_triangle(&mut self, _: u32) {
        self.triangle_tests += 1;
    }
}

impl core::ops::AddAssign for TraversalStats {
    fn add_assign(&mut self, other: Self) {
        self.triangle_tests += other.triangle_tests;
        self.nodes_visited += other.nodes_visited;
    }
}

/// Full record of the traversal of one ray, in order.
#[derive(Clone, Debug, Default, PartialEq)]
#[doc(alias = "RayTrace")]
pub struct TraversalTrace {
    /// AABBs of the nodes or cells entered, in mesh units.
    #[doc(alias = "boxes")]
    pub nodes: Vec<Aabb<3>>,
    /// Triangles tested.
    pub triangles: Vec<u32>,
}

impl TraversalObserver for TraversalTrace {
    fn visit_node(&mut self, bounds: impl FnOnce() -> Aabb<3>) {
        self.nodes.push(bounds());
    }

    fn test_triangle(&mut self, triangle: u32) {
        self.triangles.push(triangle);
    }
}
