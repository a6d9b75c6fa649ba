//! Replica of Lorenzi 2014: ray–triangle intersection by brute force and by an octree.
//!
//! Question of the study: does an octree speed up line-of-sight rays in 3D games? Both published
//! structures are here with their faults, because the published counts depend on them: see
//! `docs/studies.md`, "Lorenzi 2014". For ray casting use `embate::raycast`.
//!
//! | item | published algorithm |
//! |---|---|
//! | [`BruteForce`] | Möller–Trumbore over every triangle |
//! | [`Octree`] | six levels, all cells allocated up front, no ordering and no early exit |
//! | [`LiteralBruteForce`], [`LiteralOctree`] | the same at the cost of the published program |
//! | [`UnitCubeMap`] | scales any mesh into the cube of edge 100 that the study uses |
//! | [`OctreeAffinity`] | class of a mesh by the octree level of its triangles |
//!
//! Guarantee: all four return the hits of [`BruteForce`]. None returns the hits of the engine: hits
//! behind the ray origin count, back faces and nearly parallel triangles do not.

mod affinity;
mod brute_force;
mod cells;
mod literal;
mod octree;
mod unit_cube_map;

pub use affinity::OctreeAffinity;
pub use brute_force::BruteForce;
pub(crate) use brute_force::CubeTriangle;
pub use literal::{LiteralBruteForce, LiteralOctree};
pub use octree::{MAX_LEVELS, Octree, PUBLISHED_LEVELS};
pub(crate) use unit_cube_map::CubeRay;
pub use unit_cube_map::{CUBE_EDGE, UnitCubeMap};
