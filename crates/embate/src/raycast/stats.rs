//! What did a structure do to answer a ray?

use embate_geom::Aabb;

/// Is told what a query visits. A generic parameter, not a flag: with [`Unobserved`] the calls
/// compile to nothing.
pub trait RayObserver {
    /// Whether anybody looks. If so, what is visited is the same on every machine; if not, a box that the ray passes by a
    /// rounding may be visited on one and not on another. Answers are the same always.
    const WATCHES: bool = true;

    /// A cell or node is entered; its box in the mesh's units if wanted.
    fn enter(&mut self, bounds: impl FnOnce() -> Aabb<3>);

    /// A triangle gets the fine test.
    fn test(&mut self, triangle: u32);
}

/// Watches nothing, costs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl RayObserver for Unobserved {
    const WATCHES: bool = false;

    #[inline]
    fn enter(&mut self, _: impl FnOnce() -> Aabb<3>) {}

    #[inline]
    fn test(&mut self, _: u32) {}
}

/// Counts, for one ray or summed over many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RayCounts {
    /// Triangles given the fine test.
    pub tests: u64,
    /// Cells or nodes entered.
    pub boxes: u64,
}

impl RayObserver for RayCounts {
    #[inline]
    fn enter(&mut self, _: impl FnOnce() -> Aabb<3>) {
        self.boxes += 1;
    }

    #[inline]
    fn test(&mut self, _: u32) {
        self.tests += 1;
    }
}

impl core::ops::AddAssign for RayCounts {
    fn add_assign(&mut self, other: Self) {
        self.tests += other.tests;
        self.boxes += other.boxes;
    }
}

/// Remembers everything, in order: for one ray at a time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RayTrace {
    /// Boxes of the cells or nodes entered.
    pub boxes: Vec<Aabb<3>>,
    /// Triangles given the fine test.
    pub triangles: Vec<u32>,
}

impl RayObserver for RayTrace {
    fn enter(&mut self, bounds: impl FnOnce() -> Aabb<3>) {
        self.boxes.push(bounds());
    }

    fn test(&mut self, triangle: u32) {
        self.triangles.push(triangle);
    }
}
