//! Convex polyhedra: support mapping, GJK, SAT, clipping.

pub(crate) mod clip;
pub(crate) mod contact_axis;
pub(crate) mod convex_convex;
pub(crate) mod cuboid;
pub(crate) mod gauss_map_grid;
pub(crate) mod gjk;
pub(crate) mod normal_optimality;
pub(crate) mod polyhedron;
pub(crate) mod sat;
pub(crate) mod sat_culling;
pub(crate) mod simplex;
pub(crate) mod support;
pub(crate) mod triangle;
pub(crate) mod witness;
